import { AssistantError } from '../../base/errors.ts';
import { counted, preview } from '../../base/text.ts';
import { visible } from '../../base/visible-characters.ts';
import type { EffectRow, ReceiptRow } from '../../store/schema.ts';
import { deciderText } from '../../tools/gate/approval-text.ts';
import { findEffect } from '../../tools/gate/effect-rows.ts';
import { hasReceipt, readReceipts } from '../../tools/gate/receipts.ts';
import { verifyReceipts } from '../../tools/gate/verify-receipts.ts';
import { readWhy } from '../../tools/gate/why.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, countFlag, textFlag } from '../flags.ts';

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

/** The policy's classes of effects, in words. */
const ASKED = {
  none: 'it changes nothing',
  recoverable: 'it changes something here that can be undone',
  unkept: 'it overwrites or deletes something here that is not kept',
  later: 'it plans a prompt for later',
  owner: 'it tells the owner',
  service: 'it acts by a service that the owner set up',
  control: 'it changes a control file or a setting',
  others: 'it reaches somebody else',
  irrecoverable: 'it cannot be undone',
} as const;

/**
 * Print why a call was allowed or needed approval: the policy decides again on the recorded facts.
 *
 * @throws AssistantError `bad_usage` when there is no such effect.
 */
async function explainEffect({ app, out }: CommandCall, id: string): Promise<number> {
  const effect = await findEffect(app.store, id);
  if (!effect) throw badUsage(`There is no effect ${id}.`, '"log --json" shows what was done.');
  const { tool, destination, state, approved_by: by } = effect;
  const why = readWhy(effect.why);
  out.row({ id, tool, destination, state, approvedBy: by, ...(why ?? { question: null, sources: [], answer: null }) });
  out.line(`${id}: ${tool}${destination ? ` to ${visible(destination)}` : ''}, ${state}`);
  if (!why) {
    out.line('  It was done by an older version, which did not record why.');
    return 0;
  }
  const { question, answer, sources } = why;
  const read = [...(question.private ? ['private text'] : []), ...(question.untrusted ? ['untrusted content'] : [])];
  out.line(`  what it can do: ${ASKED[question.can]}`);
  if (question.destination !== 'none') out.line(`  where it goes: ${WHERE[question.destination]}`);
  if (question.ruled) out.line('  a standing rule names tool and recipient');
  out.line(`  read before: ${read.join(' and ') || 'nothing private or untrusted'}${listOf(sources)}`);
  out.line(`  decision: ${answer.verdict === 'allow' ? 'runs' : 'needs approval'}, because ${answer.reason}`);
  if (by !== null) out.line(`  approved by: ${deciderText(by)}`);
  return 0;
}

const WHERE = {
  derived: "an address of the owner's words or of a search",
  free: 'an address, or other words, that neither the owner nor a search gave',
} as const;

function listOf(sources: readonly string[]): string {
  return sources.length === 0 ? '' : `: ${sources.map(visible).join(', ')}`;
}

/** What the owner can say about a call. */
const SAYINGS = { done: 'done', failed: 'undone' } as const;
/** Longer than any call outside a listed turn takes: undoing, and calls that were approved later. */
const STILL_RUNNING_MS = 2 * 60_000;

/**
 * List the calls that were cut off and whose outcome is unknown, after recording those whose outcome can be found out.
 * With an effect and `done` or `failed`, record the owner's word for it. Rows: `{effect, tool, destination, input, at,
 * turn}`, or `{effect, state}` for a call that was settled.
 */
async function unknownOutcomes(call: CommandCall): Promise<number> {
  const { app, out, args } = call;
  const [id] = args;
  const begun = await cutOffOf(call);
  if (id !== undefined) return settle(call, begun, id);
  const unknown = await app.tools.cutOff.settle(begun);
  const found = begun.length - unknown.length;
  if (found > 0)
    out.line(`Of ${counted(found, 'call')} that was cut off, the outcome could be found out: \`wooster log\`.`);
  for (const effect of unknown) {
    const { tool, destination, input, created_at: at, turn_id: turn } = effect;
    out.row({ effect: effect.id, tool, destination, input: JSON.parse(input), at, turn });
    const where = destination === null ? '' : ` to ${visible(destination)}`;
    out.line(
      `${at.slice(0, 19).replace('T', ' ')}Z  unknown ${tool}${where} ${preview(input, 200)}  (${effect.id}; ${turn})`,
    );
  }
  if (unknown.length === 0) out.line('There is no call whose outcome is unknown.');
  else out.line('Once you have looked: `wooster log --unknown EFFECT done`, or `failed`.');
  return 0;
}

/** Calls of running turns have no outcome yet, so they are left out. */
async function cutOffOf({ app }: CommandCall): Promise<EffectRow[]> {
  const running = await app.turns.archive.running();
  const recent = new Date(Date.now() - STILL_RUNNING_MS).toISOString();
  return (await app.tools.cutOff.begun()).filter(
    ({ turn_id, created_at }) => !running.has(turn_id) && (turn_id.startsWith('turn_') || created_at < recent),
  );
}

async function settle({ app, out, args }: CommandCall, begun: readonly EffectRow[], id: string): Promise<number> {
  const [, saying] = args;
  const effect = begun.find((each) => each.id === id);
  if (!effect) {
    throw badUsage(`The outcome of ${id} is not unknown.`, '"log --unknown" lists the calls whose outcome is.');
  }
  if (saying !== 'done' && saying !== 'failed') {
    throw badUsage(`Say whether ${id} was done.`, `Usage: log --unknown ${id} done, or failed`);
  }
  await app.tools.cutOff.record(effect, { state: SAYINGS[saying], text: 'The owner says that it was done.' });
  out.show({ effect: id, state: saying }, `${id} (${effect.tool}) is recorded as ${saying}.`);
  return 0;
}
