import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What is kept of the log. */
export interface LogLimits {
  readonly days: number;
  /** Of all files together. A tenth of it is the most for one file. */
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
/** `2026-01-15.jsonl`, or `2026-01-15.3.jsonl`, the third part of that day. */
const NAME = /^(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.jsonl$/u;

/** The file that lines of this day go to. */
export function logFile(dir: string, day: string): string {
  return join(dir, `${day}.jsonl`);
}

/** Give the file of a day a number, so that another begins. */
export function setAside(dir: string, day: string): void {
  const parts = logsIn(dir).flatMap((log) => (log.day === day ? log.part : []));
  const part = Math.max(0, ...parts.filter(Number.isFinite)) + 1;
  if (existsSync(logFile(dir, day))) renameSync(logFile(dir, day), join(dir, `${day}.${part}.jsonl`));
}

/**
 * Delete the files that are too old or, from the oldest on, too much together. The newest one stays. What cannot be
 * deleted is left for the next time: logging must never stop the work.
 */
export function forgetLogs(dir: string, today: string, { days, bytes }: LogLimits): void {
  const oldest = new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10);
  let sum = 0;
  for (const [index, { name, day, size }] of logsIn(dir).entries()) {
    sum += size;
    if (index > 0 && (day < oldest || sum > bytes)) rmSync(join(dir, name), { force: true });
  }
}

/** Newest first. */
function logsIn(dir: string) {
  const logs = readdirSync(dir).flatMap((name) => {
    const [, day, part] = NAME.exec(name) ?? [];
    if (day === undefined) return [];
    const size = statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0;
    return [{ name, day, part: part === undefined ? Number.POSITIVE_INFINITY : Number(part), size }];
  });
  return logs.toSorted((a, b) => (a.day === b.day ? b.part - a.part : a.day < b.day ? 1 : -1));
}
