import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface LegacyRow {
  readonly id: string;
  readonly schedule_expression: string;
  readonly payload: string;
  readonly task_handler_type?: string;
  readonly task_key?: string;
  readonly is_active?: number;
}

/**
 * The schedule of a legacy Wooster as it lies on disk: its table in a database in WAL mode. It stays open, as if the
 * program ran or had been killed, so that the newest rows are only in the log.
 */
export function legacySchedule(path: string, rows: readonly LegacyRow[]): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS schedules (
      id TEXT PRIMARY KEY,
      description TEXT NOT NULL,
      schedule_expression TEXT NOT NULL,
      task_key TEXT UNIQUE,
      task_handler_type TEXT NOT NULL DEFAULT 'AGENT_PROMPT',
      payload TEXT,
      is_active BOOLEAN NOT NULL DEFAULT TRUE,
      created_at DATETIME DEFAULT CURRENT_TIMESTAMP
    )`);
  const insert = database.prepare(
    `INSERT INTO schedules (id, description, schedule_expression, task_key, task_handler_type, payload, is_active)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const row of rows) {
    const { id, schedule_expression, payload, task_handler_type = 'AGENT_PROMPT', is_active = 1 } = row;
    const key = row.task_key ?? `agent.respond.${id}`;
    insert.run(id, `description of ${id}`, schedule_expression, key, task_handler_type, payload, is_active);
  }
  return database;
}
