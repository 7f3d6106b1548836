import { canonicalJson, sha256 } from '../../base/json.ts';
import type { ReceiptRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** What a receipt says. `state` is what has just happened to the call. */
export type Receipt = Omit<ReceiptRow, 'seq' | 'previous' | 'hash'>;

/** The result of a check; no `problems` means that the chain is intact. */
export interface Verification {
  readonly receipts: number;
  /** Hash of the newest receipt. Noted elsewhere, it shows later whether the end was cut off. */
  readonly head: string;
  readonly problems: readonly string[];
}

/** Stands for the hash before the first receipt. */
const START = '0'.repeat(64);

/** Receipts read at once while the chain is checked. */
const BATCH = 500;

/** Append one receipt, in the same transaction as the change it is for. */
export function writeReceipt(store: Store, receipt: Receipt): Promise<void> {
  const row = storable(receipt);
  return store.transaction(async () => {
    const newest = store.db.selectFrom('receipts').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1);
    const last = await newest.executeTakeFirst();
    const previous = last?.hash ?? START;
    // Numbers that a database gives out itself have gaps after a rollback.
    const seq = (last?.seq ?? 0) + 1;
    await store.db
      .insertInto('receipts')
      .values({ ...row, seq, previous, hash: hashOf(row, previous) })
      .execute();
  });
}

/** The newest receipts, of one turn or of all, oldest first. */
export async function readReceipts(
  store: Store,
  { turnId, limit }: { turnId?: string | undefined; limit: number },
): Promise<ReceiptRow[]> {
  const newest = store.read.selectFrom('receipts').selectAll().orderBy('seq', 'desc').limit(limit);
  const rows = await (turnId === undefined ? newest : newest.where('turn_id', '=', turnId)).execute();
  return rows.reverse();
}

/** @param hash a chain's head that was noted earlier; a cut-off end takes it away. */
export async function hasReceipt(store: Store, hash: string): Promise<boolean> {
  const found = store.read.selectFrom('receipts').select('seq').where('hash', '=', hash);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Recompute the whole chain and compare it with the recorded effects. */
export async function verifyReceipts(store: Store): Promise<Verification> {
  const problems: string[] = [];
  let previous = START;
  let expected = 1;
  let receipts = 0;
  for await (const receipt of allReceipts(store)) {
    if (receipt.seq !== expected) problems.push(`receipts ${expected} to ${receipt.seq - 1} are missing`);
    else if (receipt.previous !== previous) problems.push(`receipt ${receipt.seq} does not follow the one before it`);
    if (receipt.hash !== hashOf(receipt, receipt.previous)) problems.push(`receipt ${receipt.seq} was changed`);
    previous = receipt.hash;
    expected = receipt.seq + 1;
    receipts++;
  }
  return { receipts, head: previous, problems: [...problems, ...(await withoutReceipt(store))] };
}

/** The whole chain from its start, without having all of it in memory. */
async function* allReceipts(store: Store): AsyncGenerator<ReceiptRow> {
  let after = 0;
  for (;;) {
    const next = store.read.selectFrom('receipts').selectAll().where('seq', '>', after).orderBy('seq').limit(BATCH);
    const receipts = await next.execute();
    yield* receipts;
    const last = receipts.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

/** Effects that no receipt tells of: a whole chain from which receipts were left out. */
async function withoutReceipt(store: Store): Promise<string[]> {
  const rows = await store.read
    .selectFrom('effects as e')
    .select(['e.id', 'e.tool', 'e.state'])
    .where(({ not, exists, selectFrom }) => {
      const receipt = selectFrom('receipts as r')
        .select('r.seq')
        .whereRef('r.turn_id', '=', 'e.turn_id')
        .whereRef('r.tool', '=', 'e.tool')
        .whereRef('r.state', '=', 'e.state');
      return not(exists(receipt));
    })
    .execute();
  return rows.map(({ id, tool, state }) => `effect ${id} (${tool}, ${state}) has no receipt`);
}

/** A text that every database gives back as it got it: without NUL, and without halves of a pair that was cut apart. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** The hash is over what will be read back. */
function storable(receipt: Receipt): Receipt {
  const { destination, input, result } = receipt;
  return {
    ...receipt,
    destination: destination === null ? null : storableText(destination),
    input: storableText(input),
    result: result === null ? null : storableText(result),
  };
}

function hashOf(receipt: Receipt, previous: string): string {
  return sha256(`${previous} ${canonicalJson(valuesOf(receipt))}`);
}

function valuesOf(receipt: Receipt): (string | null)[] {
  const { at, turn_id, conversation_id, tool, effect, destination, input, input_sha, state, result, approved_by } =
    receipt;
  return [at, turn_id, conversation_id, tool, effect, destination, input, input_sha, state, result, approved_by];
}
