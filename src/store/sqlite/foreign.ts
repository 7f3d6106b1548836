import { DatabaseSync } from 'node:sqlite';

/**
 * All rows of a query on an SQLite file of another program. SQLite may write files next to a database that it reads, so
 * pass a copy if the original must stay unchanged.
 *
 * @throws SQLite's error when it is not a database or has no such table.
 */
export function readForeign(path: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}
