import type { Kysely } from 'kysely';
import type { Store } from './contract.ts';
import type { Database } from './schema.ts';

/** One step from a version to the next, for both databases. It runs in a transaction, with all that are due. */
export type Step = (db: Kysely<Database>, kind: Store['kind']) => Promise<void>;
