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

/** Append one receipt, in the same transaction as the change it is for. */
export function writeReceipt(store: Store, receipt: Receipt): void {
  const last = store.sql.prepare('SELECT hash FROM receipts ORDER BY seq DESC LIMIT 1').get();
  const previous = String(last?.hash ?? START);
  store.sql
    .prepare(
      `INSERT INTO receipts (at, turn_id, conversation_id, tool, effect, destination, input, input_sha, state, result,
         approved_by, previous, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(...valuesOf(receipt), previous, hashOf(receipt, previous));
}

/** The newest receipts, of one turn or of all, oldest first. */
export function readReceipts(store: Store, wanted: { turnId?: string | undefined; limit: number }): ReceiptRow[] {
  const rows = store.sql
    .prepare('SELECT * FROM receipts WHERE ? IS NULL OR turn_id = ? ORDER BY seq DESC LIMIT ?')
    .all(wanted.turnId ?? null, wanted.turnId ?? null, wanted.limit) as unknown as ReceiptRow[];
  return rows.reverse();
}

/** @param hash a chain's head that was noted earlier; a cut-off end takes it away. */
export function hasReceipt(store: Store, hash: string): boolean {
  return store.sql.prepare('SELECT 1 FROM receipts WHERE hash = ?').get(hash) !== undefined;
}

/** Recompute the whole chain and compare it with the recorded effects. */
export function verifyReceipts(store: Store): Verification {
  const problems: string[] = [];
  let previous = START;
  let expected = 1;
  let receipts = 0;
  for (const row of store.sql.prepare('SELECT * FROM receipts ORDER BY seq').iterate()) {
    const receipt = row as unknown as ReceiptRow;
    if (receipt.seq !== expected) problems.push(`receipts ${expected} to ${receipt.seq - 1} are missing`);
    else if (receipt.previous !== previous) problems.push(`receipt ${receipt.seq} does not follow the one before it`);
    if (receipt.hash !== hashOf(receipt, receipt.previous)) problems.push(`receipt ${receipt.seq} was changed`);
    previous = receipt.hash;
    expected = receipt.seq + 1;
    receipts++;
  }
  return { receipts, head: previous, problems: [...problems, ...withoutReceipt(store)] };
}

/** Effects that no receipt tells of: a whole chain from which receipts were left out. */
function withoutReceipt(store: Store): string[] {
  const rows = store.sql
    .prepare(
      `SELECT e.id, e.tool, e.state FROM effects e WHERE NOT EXISTS
         (SELECT 1 FROM receipts r WHERE r.turn_id = e.turn_id AND r.tool = e.tool AND r.state = e.state)`,
    )
    .all();
  return rows.map((row) => `effect ${row.id} (${row.tool}, ${row.state}) has no receipt`);
}

function hashOf(receipt: Receipt, previous: string): string {
  return sha256(`${previous} ${canonicalJson(valuesOf(receipt))}`);
}

function valuesOf(receipt: Receipt): (string | null)[] {
  const { at, turn_id, conversation_id, tool, effect, destination, input, input_sha, state, result, approved_by } =
    receipt;
  return [at, turn_id, conversation_id, tool, effect, destination, input, input_sha, state, result, approved_by];
}
