import type { Kysely } from 'kysely';
import type { Store } from '../contract.ts';
import type { Database } from '../schema.ts';
import { createIndex } from '../tables/define.ts';

/** Each answer is compared with what its conversation did, and each run that ended early with what it did. */
export async function effectIndexes(db: Kysely<Database>, kind: Store['kind']): Promise<void> {
  await createIndex(db, kind, 'effects', {
    name: 'effects_by_conversation',
    on: ['conversation_id', 'created_at'],
  });
  await createIndex(db, kind, 'effects', { name: 'effects_by_run', on: ['run_id'], where: 'run_id is not null' });
}
