import type { DatabaseSync } from 'node:sqlite';
import { AssistantError } from '../../base/errors.ts';
import { requireKnownVersion } from '../migrations.ts';

/** The `application_id` that marks a file as ours: "WOOS". */
const APPLICATION_ID = 0x574f4f53;

/**
 * The version of the tables; 0 for an empty database.
 *
 * @throws AssistantError `store_damaged` when the file belongs to another program, or to a version that this one
 *   cannot use.
 */
export function readVersion(database: DatabaseSync): number {
  const version = readPragma(database, 'user_version');
  const owner = readPragma(database, 'application_id');
  if (owner !== APPLICATION_ID && (owner !== 0 || version !== 0)) refuseForeign();
  if (owner === 0 && hasTables(database)) refuseForeign();
  requireKnownVersion(version, 'The database');
  return version;
}

export function writeVersion(database: DatabaseSync, version: number): void {
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}`);
}

function readPragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined;
}

function refuseForeign(): never {
  throw new AssistantError('store_damaged', 'The database cannot be used: it belongs to another program.', {
    hint: 'Start with another --home; or `wooster restore FILE` puts it aside and brings a backup in.',
  });
}
