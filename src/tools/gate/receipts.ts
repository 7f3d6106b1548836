import { canonicalJson, sha256 } from '../../base/json.ts';
import type { ReceiptRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** What a receipt says. `state` is what has just happened to the call. */
export type Receipt = Omit<ReceiptRow, 'seq' | 'previous' | 'hash'>;

/** The one chain of a home. */
export const CHAIN = 'effects';

/** Stands for the hash before the first receipt. */
export const START = '0'.repeat(64);

/** Append one receipt, in the same transaction as the change it is for. */
export function writeReceipt(store: Store, receipt: Receipt): Promise<void> {
  const row = storable(receipt);
  return store.transaction(async () => {
    const heads = store.db.selectFrom('receipt_heads').select(['seq', 'hash']).where('chain', '=', CHAIN);
    const last = (await heads.executeTakeFirst()) ?? (await newestReceipt(store));
    const previous = last?.hash ?? START;
    // Numbers that a database gives out itself have gaps after a rollback.
    const seq = (last?.seq ?? 0) + 1;
    const hash = hashOf(row, previous);
    await store.db
      .insertInto('receipts')
      .values({ ...row, seq, previous, hash })
      .execute();
    await store.db
      .insertInto('receipt_heads')
      .values({ chain: CHAIN, seq, hash })
      .onConflict((conflict) => conflict.column('chain').doUpdateSet({ seq, hash }))
      .execute();
  });
}

/** For homes from the time before heads were kept apart. */
function newestReceipt({ db }: Store): Promise<Pick<ReceiptRow, 'seq' | 'hash'> | undefined> {
  return db.selectFrom('receipts').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
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

/** What a receipt's hash has to be. */
export function hashOf(receipt: Receipt, previous: string): string {
  return sha256(`${previous} ${canonicalJson(valuesOf(receipt))}`);
}

/** Receipts of older versions have neither an effect's id nor the hash of its result, and keep their own hash. */
function valuesOf(receipt: Receipt): (string | null)[] {
  const { at, turn_id, conversation_id, tool, effect, destination, input, input_sha, state, result, approved_by } =
    receipt;
  const { effect_id, result_sha } = receipt;
  const older = [at, turn_id, conversation_id, tool, effect, destination, input, input_sha, state, result, approved_by];
  return effect_id === null && result_sha === null ? older : [...older, effect_id, result_sha];
}
