import type { Kysely } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';
import { addColumn, createTable, integer, maybe, oneOf, table, text } from '../tables/define.ts';

const keptStates = table({
  name: 'kept_states',
  columns: {
    effect_id: text,
    nth: integer,
    seq: integer,
    turn_id: text,
    project: text,
    kind: oneOf('file', 'note', 'artifact', 'job'),
    thing: text,
    before: maybe(text),
    after: maybe(text),
    size: integer,
    at: text,
    undone_by: maybe(text),
  },
  key: ['effect_id', 'nth'],
  indexes: [
    { name: 'kept_states_in_order', on: ['seq'] },
    { name: 'kept_states_by_project', on: ['project', 'seq'] },
    { name: 'kept_states_by_turn', on: ['turn_id'] },
  ],
});

const receiptHeads = table({
  name: 'receipt_heads',
  columns: { chain: text, seq: integer, hash: text },
  key: ['chain'],
});

/**
 * What a local effect replaces is kept, so that it can be undone; receipts name their effect and the whole of its
 * result; and the head of their chain is kept apart from them. Owned by `tools/`.
 */
export async function undo(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  await createTable(db, kind, keptStates);
  await createTable(db, kind, receiptHeads);
  await addColumn(db, kind, { table: 'receipts', name: 'effect_id', column: maybe(text) });
  await addColumn(db, kind, { table: 'receipts', name: 'result_sha', column: maybe(text) });
}
