import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';

/** A row of the legacy Wooster's table `schedules`. */
const ROW = z.object({
  id: z.coerce.string().min(1),
  description: z.string().nullish(),
  schedule_expression: z.string(),
  task_key: z.string().nullish(),
  task_handler_type: z.string(),
  payload: z.string().nullish(),
  is_active: z.union([z.number(), z.string()]).nullish(),
});

export type LegacyRow = z.infer<typeof ROW>;

export interface LegacyFile {
  /** Of the whole file: the same as long as nothing in it has changed. */
  readonly sha256: string;
  readonly rows: readonly LegacyRow[];
  /** Why it is not such a database. */
  readonly problem: string | undefined;
}

/**
 * Read the schedule that a legacy Wooster kept. Only a copy is opened, since SQLite may write next to a database that
 * it reads; the file stays as it is.
 *
 * @returns undefined when there is no such file.
 */
export function readLegacyFile(path: string): LegacyFile | undefined {
  if (!existsSync(path)) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'wooster-legacy-'));
  try {
    const copy = join(dir, 'scheduler.sqlite3');
    cpSync(path, copy);
    // What the other program has not moved into the file yet.
    const log = existsSync(`${path}-wal`);
    if (log) cpSync(`${path}-wal`, `${copy}-wal`);
    const hash = sha256(Buffer.concat([readFileSync(copy), log ? readFileSync(`${copy}-wal`) : Buffer.alloc(0)]));
    return { sha256: hash, ...readRows(copy) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function readRows(path: string): Pick<LegacyFile, 'rows' | 'problem'> {
  const database = new DatabaseSync(path);
  try {
    const rows = z.array(ROW).safeParse(database.prepare('SELECT * FROM schedules ORDER BY rowid').all());
    if (rows.success) return { rows: rows.data, problem: undefined };
    const [issue] = rows.error.issues;
    return { rows: [], problem: `${issue?.path.join('.')}: ${issue?.message}` };
  } catch (error) {
    return { rows: [], problem: messageOf(error) };
  } finally {
    database.close();
  }
}
