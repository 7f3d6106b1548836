import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import { readForeign } from '../store/sqlite/foreign.ts';

/** A row of the legacy Wooster's table `schedules`; columns that we do not use are ignored. */
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

/** What a legacy database contains. */
export interface LegacyFile {
  /** Hash of the whole file, to recognise it as long as nothing in it changes. */
  readonly sha256: string;
  readonly rows: readonly LegacyRow[];
  /** Why the rows could not be read, in which case there are none. */
  readonly problem: string | undefined;
}

/**
 * Read the schedule of a legacy Wooster. Only a copy is opened: SQLite may write files next to a database that it
 * reads, and the original must stay unchanged.
 *
 * @returns undefined when there is no such file.
 */
export function readLegacyFile(path: string): LegacyFile | undefined {
  if (!existsSync(path)) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'wooster-legacy-'));
  try {
    const copy = join(dir, 'scheduler.sqlite3');
    cpSync(path, copy);
    // Rows that the other program has not checkpointed into the file yet.
    const log = existsSync(`${path}-wal`);
    if (log) cpSync(`${path}-wal`, `${copy}-wal`);
    const hash = sha256(Buffer.concat([readFileSync(copy), log ? readFileSync(`${copy}-wal`) : Buffer.alloc(0)]));
    return { sha256: hash, ...readRows(copy) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function readRows(path: string): Pick<LegacyFile, 'rows' | 'problem'> {
  try {
    const rows = z.array(ROW).safeParse(readForeign(path, 'SELECT * FROM schedules ORDER BY rowid'));
    if (rows.success) return { rows: rows.data, problem: undefined };
    const [issue] = rows.error.issues;
    return { rows: [], problem: `${issue?.path.join('.')}: ${issue?.message}` };
  } catch (error) {
    return { rows: [], problem: messageOf(error) };
  }
}
