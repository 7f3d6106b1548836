/** Homes as the program at the Git tag `schema-19` left them: the tables are what it made, and rows are of most kinds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeVersion } from '../store/sqlite/version.ts';
import { temporaryFolder } from './home.ts';
import { emptyDatabase, query } from './test-database.ts';

/** Its SQL: the tables of each database, and rows for both. */
export function sqlOfSchema19(what: 'sqlite' | 'postgres' | 'rows'): string {
  return readFileSync(join(import.meta.dirname, `schema-19/${what}.sql`), 'utf8');
}

/** @param change  SQL that is run on it. @returns its database. */
export function sqliteOfSchema19(change = '', version = 19): string {
  const path = join(temporaryFolder(), 'state.sqlite3');
  using database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(`BEGIN; ${sqlOfSchema19('sqlite')} ${sqlOfSchema19('rows')} COMMIT; ${change}`);
  writeVersion(database, version);
  return path;
}

/** A database on the test server with the homes `a` and `b`, which goes away with the test. @returns its URL. */
export async function postgresOfSchema19(version = 19): Promise<string> {
  const url = await emptyDatabase();
  const homes = ['a', 'b'].map(
    (home) => `set wooster.home = '${home}'; ${sqlOfSchema19('rows')}
    insert into homes (id, created_at) values ('${home}', '2026');`,
  );
  const versions = `create table wooster_schema (version int not null); insert into wooster_schema values (${version});`;
  await query(url, `${sqlOfSchema19('postgres')} ${versions} ${homes.join('\n')}`);
  return url;
}
