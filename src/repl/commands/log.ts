import { AssistantError } from '../../base/errors.ts';
import type { ReceiptRow } from '../../store/schema.ts';
import { readReceipts, verifyReceipts } from '../../tools/gate/receipts.ts';
import type { Command, CommandCall } from '../command.ts';

const DEFAULT_LIMIT = 50;
const STATES: Readonly<Record<ReceiptRow['state'], string>> = {
  intent: 'begun',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
};

export const log: Command = {
  name: 'log',
  summary: 'Show what was done, when, by which turn and on whose leave',
  usage: ['log [--turn ID] [--limit N]', 'log --verify [--head HASH]'],
  flags: {
    turn: { type: 'string' },
    limit: { type: 'string' },
    verify: { type: 'boolean' },
    head: { type: 'string' },
  },
  async run(call) {
    return call.flags.verify ? verify(call) : show(call);
  },
};

function show({ app, out, flags }: CommandCall): number {
  const limit = Number(flags.limit ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1)
    throw new AssistantError('bad_usage', `"--limit ${String(flags.limit)}" is no number.`, {
      hint: 'Give a whole number from 1.',
    });
  const turnId = typeof flags.turn === 'string' ? flags.turn : undefined;
  const receipts = readReceipts(app.store, { turnId, limit });
  for (const receipt of receipts) {
    out.row(receipt);
    // What was begun is only of interest when nothing more was heard of it.
    if (receipt.state !== 'intent' || !isSettled(receipt, receipts)) out.line(lineOf(receipt));
  }
  if (receipts.length === 0) out.line('Nothing was done yet.');
  return 0;
}

function verify({ app, out, flags }: CommandCall): number {
  const { receipts, head, problems } = verifyReceipts(app.store);
  const expected = typeof flags.head === 'string' ? flags.head : undefined;
  const known = expected === undefined || hasHash(app.store, expected);
  const found = known ? problems : [...problems, `the receipt ${expected} is not there any more`];
  out.row({ receipts, head, problems: found });
  for (const problem of found) out.line(`! ${problem}`);
  const verdict = found.length === 0 ? 'the chain is whole' : `${found.length} do not fit`;
  out.line(`${receipts} receipts, ${verdict}. Head: ${head}`);
  if (found.length === 0)
    out.line('Note the head elsewhere: `wooster log --verify --head HASH` shows if the end is cut off.');
  return found.length === 0 ? 0 : 1;
}

function hasHash(store: CommandCall['app']['store'], hash: string): boolean {
  return store.sql.prepare('SELECT 1 FROM receipts WHERE hash = ?').get(hash) !== undefined;
}

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

function lineOf({ at, state, tool, destination, input, approved_by, turn_id }: ReceiptRow): string {
  const where = destination ? ` to ${destination}` : '';
  const leave =
    state === 'denied' ? `refused by ${approved_by}` : approved_by ? `allowed by ${approved_by}` : 'no leave needed';
  return `${at.slice(0, 19).replace('T', ' ')}Z  ${STATES[state].padEnd(6)} ${tool}${where} ${input}  (${leave}; ${turn_id})`;
}
