import type { Kysely } from 'kysely';
import type { Store } from './contract.ts';
import type { Database } from './schema.ts';
import { fileVersions } from './steps/14-file-versions.ts';
import { effectIndexes } from './steps/15-effect-indexes.ts';
import { undo } from './steps/16-undo.ts';
import { trust } from './steps/17-trust.ts';
import { pins } from './steps/18-content-pins.ts';
import { cutAnswers } from './steps/19-cut-answers.ts';

/** The version that `tables/` describes: all tables at once, for a new database. */
export const BASELINE = 13;

/** One step from a version to the next, for both databases. It runs in a transaction, with all that are due. */
type Step = (db: Kysely<Database>, kind: Store['kind']) => Promise<void>;

/**
 * The steps after the baseline of `tables/`. The position in this list, from 1, is added to the baseline's version, so
 * only ever append.
 *
 * There is no way back: a database of a newer version is refused, and backups are the way to an older one.
 */
const STEPS: readonly Step[] = [fileVersions, effectIndexes, undo, trust, pins, cutAnswers];

/** The version of the tables that this program works with. */
export const NEWEST = BASELINE + STEPS.length;

/** Take the steps that a database of this version, at least the baseline's, has not taken yet. */
export async function takeSteps(db: Kysely<Database>, kind: Store['kind'], version: number): Promise<void> {
  for (const step of STEPS.slice(version - BASELINE)) await step(db, kind);
}
