import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { preview } from '../base/text.ts';
import { daysBetween, sayTime } from '../when/calendar.ts';
import type { Checks, TextCheck } from './tasks.ts';

/** What the checks examine once a task's requests are answered. */
export interface Outcome {
  readonly answer: string;
  /** The project's folder. */
  readonly folder: string;
  /** The text of the project's journal. */
  readonly journal: string;
  readonly schedules: readonly { readonly text: string; readonly next: Date | undefined }[];
  readonly calls: readonly { readonly name: string; readonly ok: boolean }[];
  readonly now: Date;
  readonly timeZone: string;
}

/** @returns what is wrong, in words; empty when the task was done. */
export async function failedChecks(checks: Checks, outcome: Outcome): Promise<readonly string[]> {
  const files = Object.entries(checks.files ?? {}).map(([path, check]) => ofFile(path, check, outcome.folder));
  return [
    ...ofText('the answer', checks.answer, outcome.answer),
    ...ofText('the journal', checks.notes, await textAt(join(outcome.folder, outcome.journal))),
    ...(await Promise.all(files)).flat(),
    ...ofSchedules(checks.schedules, outcome),
    ...ofCalls(checks.calls, outcome.calls),
  ];
}

function ofText(what: string, check: TextCheck | undefined, text: string | undefined): string[] {
  if (!check) return [];
  if (text === undefined) return [`${what} is not there`];
  const has = (word: string) => text.toLowerCase().includes(word.toLowerCase());
  const { contains = [], any = [], lacks = [], matches } = check;
  const seen = `: ${preview(text, 80) || 'it is empty'}`;
  return [
    ...contains.filter((word) => !has(word)).map((word) => `${what} does not contain "${word}"${seen}`),
    ...(any.length === 0 || any.some(has) ? [] : [`${what} contains none of "${any.join('", "')}"${seen}`]),
    ...lacks.filter(has).map((word) => `${what} contains "${word}"`),
    ...(matches === undefined || new RegExp(matches, 'iu').test(text)
      ? []
      : [`${what} does not match ${matches}${seen}`]),
  ];
}

async function ofFile(path: string, check: TextCheck | null, folder: string): Promise<string[]> {
  const text = await textAt(join(folder, path));
  if (check !== null) return ofText(path, check, text);
  return text === undefined ? [] : [`${path} is there`];
}

async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : messageOf(error);
  }
}

function ofSchedules(check: Checks['schedules'], { schedules, now, timeZone }: Outcome): string[] {
  if (!check) return [];
  const { count, some } = check;
  const shown = schedules
    .map(({ text, next }) => `"${preview(text, 40)}" ${next?.toISOString() ?? 'never'}`)
    .join(', ');
  const wrongCount = count !== undefined && schedules.length !== count;
  const isMeant = ({ text, next }: Outcome['schedules'][number]) =>
    (some?.contains ?? []).every((word) => text.toLowerCase().includes(word.toLowerCase())) &&
    (some?.days === undefined || (next && daysBetween(now, next, timeZone) === some.days)) &&
    (some?.time === undefined || (next && sayTime(next, timeZone) === some.time));
  return [
    ...(wrongCount ? [`there are ${schedules.length} schedules instead of ${count}: ${shown || 'none'}`] : []),
    ...(some === undefined || schedules.some(isMeant) ? [] : [`no schedule is as asked: ${shown || 'there is none'}`]),
  ];
}

function ofCalls(check: Checks['calls'], calls: Outcome['calls']): string[] {
  const { some = [], none = [] } = check ?? {};
  const made = (name: string) => calls.some((call) => call.name === name);
  return [
    ...some
      .filter((name) => !calls.some((call) => call.name === name && call.ok))
      .map((name) => `${name} was not called`),
    ...none.filter(made).map((name) => `${name} was called`),
  ];
}
