import { matchesGlob } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Conditions, fitsDate } from './query.ts';

/** Ids of the project's chunks that meet all conditions. */
export function fittingChunks(sql: DatabaseSync, project: string, conditions: Conditions): Set<number> {
  const fitting = bySource(sql, project, conditions);
  for (const phrase of conditions.phrases) keep(fitting, new Set(containing(sql, project, phrase).map(({ id }) => id)));
  for (const phrase of conditions.without) {
    const whole = wholeWords(phrase);
    for (const { id, text } of containing(sql, project, phrase)) if (whole.test(text)) fitting.delete(id);
  }
  return fitting;
}

/** By path and day. A chunk under a dated heading, as journals have them, counts for that day, else for the file's. */
function bySource(sql: DatabaseSync, project: string, { files, dates }: Conditions): Set<number> {
  const sources = sql.prepare('SELECT id, path, mtime_us FROM sources WHERE project = ?').all(project);
  const named = sources.filter((row) => files.length === 0 || files.some((file) => fitsPath(String(row.path), file)));
  const ids = new Set<number>();
  const chunks = sql.prepare('SELECT id, heading FROM chunks WHERE source_id = ?');
  for (const source of named) {
    const fileDay = new Date(Number(source.mtime_us) / 1000).toISOString().slice(0, 10);
    for (const row of chunks.all(Number(source.id))) {
      const day = dates.length === 0 ? fileDay : (dayIn(String(row.heading)) ?? fileDay);
      if (dates.every((date) => fitsDate(day, date))) ids.add(Number(row.id));
    }
  }
  return ids;
}

/** Whether a path contains the text (ignoring case) or matches the glob, here or in any folder. */
export function fitsPath(path: string, wanted: string): boolean {
  if (!/[*?[{]/u.test(wanted)) return path.toLowerCase().includes(wanted.toLowerCase());
  return matchesGlob(path, wanted) || matchesGlob(path, `**/${wanted}`);
}

function dayIn(heading: string): string | undefined {
  return /"(\d{4}-\d{2}-\d{2})\b[^"]*"\]$/u.exec(heading)?.[1];
}

/** Chunks whose headings or text contain the phrase, ignoring case; `text` is in lower case. */
function containing(sql: DatabaseSync, project: string, phrase: string): { id: number; text: string }[] {
  const rows = sql
    .prepare(
      `SELECT id, lower(heading || ' ' || text) AS whole FROM chunks
       WHERE project = ? AND instr(lower(heading || ' ' || replace(text, char(10), ' ')), ?) > 0`,
    )
    .all(project, phrase.toLowerCase());
  return rows.map((row) => ({ id: Number(row.id), text: String(row.whole) }));
}

function wholeWords(phrase: string): RegExp {
  const parts = phrase
    .toLowerCase()
    .trim()
    .split(/\s+/u)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${parts.join('\\s+')}(?![\\p{L}\\p{N}])`, 'u');
}

function keep(ids: Set<number>, only: ReadonlySet<number>): void {
  for (const id of ids) if (!only.has(id)) ids.delete(id);
}
