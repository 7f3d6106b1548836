import type { Kysely } from 'kysely';
import type { Store } from './contract.ts';
import type { Database } from './schema.ts';
import { addModelCalls } from './steps/model-calls.ts';

/** The oldest version of the tables that is upgraded. The program at the Git tag `schema-19` upgrades older ones. */
export const BASELINE = 19;

/** One step from a version to the next, for both databases. It runs in a transaction, with all that are due. */
export type Step = (db: Kysely<Database>, kind: Store['kind']) => Promise<void>;

/**
 * How the tables have changed since `BASELINE`, for existing databases: a new one is made from `TABLES`. The first step
 * leads to version 20, so only ever append.
 *
 * A step does not use `TABLES`, which will have changed by the time it runs: it is written in SQL, or has a copy of the
 * table that it creates. A test makes sure that both ways end with the same tables. There are no downgrades: a database of a newer version is refused, and
 * backups are the way back to an older one.
 */
export const STEPS: readonly Step[] = [addModelCalls];
