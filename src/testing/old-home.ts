import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OLD_STEPS } from '../store/sqlite/upgrade.ts';
import { writeVersion } from '../store/sqlite/version.ts';
import { FIRST_TABLES } from './first-home.ts';
import { temporaryFolder } from './home.ts';

/** When everything in it happened. */
export const OLD_AT = '2026-01-01T00:00:00.000Z';

/** What such a home may hold, as SQL for version 12. */
export const OLD_ROWS = `
INSERT INTO conversations (id, project, created_at, updated_at) VALUES ('c', 'home', '${OLD_AT}', '${OLD_AT}');
INSERT INTO turns (id, conversation_id, mode, origin, text, status, started_at) VALUES
  ('t9', 'c', 'code', 'user', 'first', 'answered', '${OLD_AT}'),
  ('t1', 'c', 'code', 'user', 'second', 'running', '${OLD_AT}');
INSERT INTO turn_memory VALUES ('t1', 'k', '1');
INSERT INTO messages (conversation_id, sequence, role, kind, content, token_count, created_at) VALUES
  ('c', 1, 'user', 'text', 'Where is the café?', 5, '${OLD_AT}');
INSERT INTO schedules (id, kind, expression, said, description, time_zone, task, payload, options, project, anchor_utc,
    tz_data, created_at)
  SELECT column1, 'every', 'PT1H', '', '', 'UTC', 'AGENT_PROMPT', '{}', column2, 'home', '${OLD_AT}', '', '${OLD_AT}'
  FROM (VALUES ('alone', '{"overlap":"skip"}'), ('together', '{"overlap":"allow"}'), ('odd', 'no json'));
INSERT INTO runs (id, schedule_id, scheduled_for, reason, state) VALUES
  ('r1', 'alone', '2026-01-01', 'time', 'running'), ('r3', 'alone', '2026-01-03', 'time', 'claimed'),
  ('r2', 'alone', '2026-01-02', 'time', 'running'), ('r4', 'alone', '2026-01-04', 'time', 'due'),
  ('r5', 'together', '2026-01-01', 'time', 'running'), ('r6', 'together', '2026-01-02', 'time', 'running'),
  ('r7', 'odd', '2026-01-02', 'time', 'running');
`;

/** A home as the last program of this version left it, with some rows; 0: an empty one. @returns its database. */
export function oldHome(version: number, rows = ''): string {
  const path = join(temporaryFolder(), 'state.sqlite3');
  using database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  for (const step of [FIRST_TABLES, ...OLD_STEPS].slice(0, version)) database.exec(step);
  database.exec(rows);
  writeVersion(database, version);
  return path;
}
