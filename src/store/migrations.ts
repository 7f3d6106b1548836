import type { Kysely } from 'kysely';
import { AssistantError } from '../base/errors.ts';
import type { Store } from './contract.ts';
import type { Database } from './schema.ts';
import { BASELINE, STEPS } from './steps.ts';

/** The version of the tables that this program works with. */
export const NEWEST = BASELINE + STEPS.length;

/** Make the tables in an empty database, of version 0, or bring those of an earlier version to the newest one. */
export async function migrate(db: Kysely<Database>, kind: Store['kind'], version: number): Promise<void> {
  // Loaded here because hardly any start needs it.
  if (version === 0) return (await import('./tables/create.ts')).createTables(db, kind);
  for (const step of STEPS.slice(version - BASELINE)) await step(db, kind);
}

/** @throws AssistantError `store_damaged` for tables that are newer than this program, or too old for it to upgrade. */
export function requireKnownVersion(version: number, what: string): void {
  if (version > NEWEST) {
    throw new AssistantError('store_damaged', `${what} was made by a newer version (${version} > ${NEWEST}).`, {
      hint: 'Update Wooster.',
    });
  }
  if (version > 0 && version < BASELINE) {
    throw new AssistantError('store_damaged', `${what} is too old for this version (${version} < ${BASELINE}).`, {
      hint: `Upgrade it first: check out the Git tag schema-${BASELINE} and run \`wooster store migrate STORE\` there.`,
    });
  }
}
