import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { ReceiptRow } from '../../store/schema.ts';
import { deciderText } from '../../tools/gate/approval-text.ts';
import { hasReceipt, readReceipts } from '../../tools/gate/receipts.ts';
import { verifyReceipts } from '../../tools/gate/verify-receipts.ts';
import type { Command, CommandCall } from '../command.ts';
import { countFlag, textFlag } from '../flags.ts';
import { unknownOutcomes } from './log-unknown.ts';
import { explainEffect } from './log-why.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000_000;
/** For people; `intent` is a call that was begun and whose end is not known. */
const STATES: Readonly<Record<ReceiptRow['state'], string>> = {
  intent: 'begun',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
};

/**
 * Reads the receipts of all effects, a hash chain that shows later changes.
 * Rows: one receipt each, oldest first; with `--verify` `{receipts, head, problems}`, and exit code 1 for problems.
 */
export const log: Command = {
  name: 'log',
  summary: 'Show what Wooster did, when, in which turn, and who approved it',
  group: 'Tools and approvals',
  usage: [
    'log [--turn ID] [--limit N]',
    'log --verify [--head HASH]',
    'log --why EFFECT',
    'log --unknown [EFFECT done|failed]',
    'log replay TURN        run the scripts of a past turn again, on recorded results',
  ],
  examples: ['log --limit 20', 'log --verify', 'log replay turn_1a2b3c'],
  aliases: { replay: ['replay'] },
  flags: {
    turn: { type: 'string' },
    limit: { type: 'string' },
    verify: { type: 'boolean' },
    head: { type: 'string' },
    why: { type: 'string' },
    unknown: { type: 'boolean' },
  },
  async run(call) {
    const effect = textFlag(call.flags, 'why');
    if (effect !== undefined) return explainEffect(call, effect);
    if (call.args[0] === 'replay') return replay(call, call.args[1]);
    if (call.flags.unknown) return unknownOutcomes(call);
    return call.flags.verify ? verify(call) : show(call);
  },
};

/**
 * Shows whether a change of code or prompts changes what recorded scripts do: tools answer from the record.
 * Rows: `{script, calls, differences}`; exit code 1 when an outcome differs.
 */
async function replay({ app, out, signal }: CommandCall, turnId: string | undefined): Promise<number> {
  if (turnId === undefined) {
    throw new AssistantError('bad_usage', 'log replay needs the id of a turn.', {
      hint: 'Usage: wooster log replay TURN; "wooster log" shows the ids.',
    });
  }
  const scripts = await app.turns.code.replay(turnId, signal);
  for (const each of scripts) {
    const same = each.differences.length === 0;
    const outcome = same ? 'same outcome' : 'different outcome';
    out.show(each, `script ${each.script}: ${counted(each.calls, 'recorded call')}, ${outcome}`);
    for (const difference of each.differences) out.line(`  ${difference}`);
  }
  return scripts.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

/** Oldest first, as a log; `--limit` counts from the newest. */
async function show({ app, out, flags }: CommandCall): Promise<number> {
  const limit = countFlag(flags, 'limit', { max: MAX_LIMIT, fallback: DEFAULT_LIMIT });
  const turnId = textFlag(flags, 'turn');
  const receipts = await readReceipts(app.store, { turnId, limit });
  const kept = await app.tools.undo.among(receipts.flatMap(({ effect_id }) => effect_id ?? []));
  for (const receipt of receipts) {
    const id = receipt.effect_id ?? '';
    out.row({ ...receipt, ...(kept.has(id) ? { undoable: true, undone_by: kept.get(id) ?? null } : {}) });
    // A begun call is only of interest when its outcome is unknown.
    if (receipt.state !== 'intent' || !isSettled(receipt, receipts)) out.line(lineOf(receipt, kept));
  }
  const end = turnId === undefined ? undefined : await app.turns.archive.statusOf(turnId);
  if (end !== undefined) out.line(`${turnId}: ${end.replace('_', ' ')}`);
  if (receipts.length === 0) out.line('Nothing has been done yet.');
  else if (kept.size > 0) out.line('`wooster undo EFFECT` brings back what an effect (eff_...) marked with * changed.');
  return 0;
}

/** A chain cannot show that its end was cut off, so a head that was noted elsewhere is looked for as well. */
async function verify({ app, out, flags }: CommandCall): Promise<number> {
  const { receipts, head, problems } = await verifyReceipts(app.store);
  const expected = textFlag(flags, 'head');
  const known = expected === undefined || (await hasReceipt(app.store, expected));
  const found = known ? problems : [...problems, `receipt ${expected} is missing`];
  out.row({ receipts, head, problems: found });
  for (const problem of found) out.line(`! ${problem}`);
  const verdict = found.length === 0 ? 'the chain is intact' : counted(found.length, 'problem');
  out.line(`${counted(receipts, 'receipt')}, ${verdict}. Head: ${head}`);
  if (found.length === 0)
    out.line('Keep the head elsewhere: `wooster log --verify --head HASH` then detects receipts removed from the end.');
  return found.length === 0 ? 0 : 1;
}

/** Did a later receipt say how this call ended? */
function isSettled(intent: ReceiptRow, receipts: readonly ReceiptRow[]): boolean {
  return receipts.some(
    (later) =>
      later.seq > intent.seq &&
      later.state !== 'intent' &&
      later.turn_id === intent.turn_id &&
      later.tool === intent.tool &&
      later.input_sha === intent.input_sha,
  );
}

type Undoable = ReadonlyMap<string, string | undefined>;

function lineOf(
  { at, state, tool, destination, input, approved_by, turn_id, effect_id }: ReceiptRow,
  kept: Undoable,
): string {
  const where = destination ? ` to ${destination}` : '';
  const decided = approvalText(state, deciderText(approved_by));
  const time = `${at.slice(0, 19).replace('T', ' ')}Z`;
  const effect = effect_id === null ? '' : `${effectText(effect_id, kept)}; `;
  return `${time}  ${STATES[state].padEnd(6)} ${tool}${where} ${input}  (${decided}; ${effect}${turn_id})`;
}

/** With a star when it can be undone, or with what undid it. */
function effectText(id: string, kept: Undoable): string {
  if (!kept.has(id)) return id;
  const by = kept.get(id);
  return by === undefined ? `${id}*` : `${id}, undone by ${by}`;
}

function approvalText(state: ReceiptRow['state'], by: string | null): string {
  if (state === 'denied') return `denied: ${by}`;
  return by ? `approved: ${by}` : 'no approval needed';
}
