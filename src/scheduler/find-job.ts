import type { AssistantError, Told } from '../base/errors.ts';
import { preview } from '../base/text.ts';
import { localDate, sayDate, sayTime, sayWeekday } from '../when/calendar.ts';
import { refusal, told } from '../when/told.ts';
import { fold } from '../words/spelling.ts';
import type { ScheduledJob } from './types.ts';

/** Words that name no particular job. */
const COMMON = new Set(
  `the a an my our your this that it of to for about on at in by with and please me i reminder reminders alarm
  alarms timer timers schedule schedules scheduled job jobs task tasks prompt prompts one ones thing things remind
  reminding says saying called named der die das den dem des sache ding ein eine einen meine mein meinen an am um im
  für zum zur mit und bitte mich mir erinnerung erinnerungen wecker termin termine`
    .split(/\s+/u)
    .map(fold),
);
const LISTED = 10;

/**
 * The one job meant by an id, or by words of its text or its time: "the orchids reminder", "Friday's alarm".
 *
 * @throws AssistantError `unknown_schedule`, naming the candidates, if none or several match.
 */
export function jobNamed(jobs: readonly ScheduledJob[], said: string): ScheduledJob {
  const exact = jobs.find(({ id }) => id === idOf(said));
  if (exact) return exact;
  const open = jobs.filter(({ enabled, pausedBecause }) => enabled || pausedBecause === 'you');
  const found = matching(open, said);
  // "Rowing" means the job that says just that, not "the rowing dinner".
  const bare = found.filter(({ prompt }) => namesOf(prompt).join(' ') === namesOf(said).join(' '));
  const [only, ...others] = bare.length > 0 ? bare : found;
  if (only && others.length === 0) return only;
  throw found.length === 0 ? none(said, open) : several(said, found);
}

/** "All the boiler reminders", "everything about the boiler": several jobs are meant. */
const EVERY = /^(?:all|everything|every|any(?:thing)?|alle[ns]?|jede[rn]?)\b\s*/iu;

/**
 * The jobs that are meant: every match when the words ask for all, else the one of `jobNamed`.
 *
 * @throws AssistantError `unknown_schedule` if none match, or if all are asked for without saying which.
 */
export function jobsNamed(jobs: readonly ScheduledJob[], said: string): readonly ScheduledJob[] {
  const words = said.trim().replace(EVERY, '');
  if (words === said.trim() || wordsOf(words).every((word) => COMMON.has(word))) return [jobNamed(jobs, said)];
  const open = jobs.filter(({ enabled, pausedBecause }) => enabled || pausedBecause === 'you');
  const found = matching(open, words);
  if (found.length === 0) throw none(words, open);
  return found;
}

/** What may be an id, as it is stored. */
export function idOf(said: string): string {
  return said.trim().replace(/^#/u, '');
}

function matching(jobs: readonly ScheduledJob[], said: string): readonly ScheduledJob[] {
  const asked = wordsOf(said).filter((word) => !COMMON.has(word));
  const byText = jobs.filter((job) => {
    const known = wordsOf(job.prompt);
    return asked.every((word) => known.some((other) => alike(word, other)));
  });
  if (byText.length === 1 || asked.length === 0) return asked.length === 0 ? jobs : byText;
  return (byText.length > 0 ? byText : jobs).filter((job) => {
    const known = [...wordsOf(job.prompt), ...timeWords(job)];
    return asked.every((word) => known.some((other) => alike(word, other)));
  });
}

const namesOf = (text: string) => wordsOf(text).filter((word) => !COMMON.has(word));

/** Words and numbers; a time of day such as `9:30` is one. */
function wordsOf(text: string): string[] {
  return (fold(text).match(/\d+:\d+|[\p{L}\p{N}]+/gu) ?? []).filter((word) => word !== 's');
}

/** How people name the time of its next run. */
function timeWords({ next, timeZone, description }: ScheduledJob): string[] {
  const words = wordsOf(description);
  if (!next) return words;
  const time = sayTime(next, timeZone);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const half = hour < 12 ? 'am' : 'pm';
  const short = String(hour % 12 || 12);
  const hours = minute === 0 ? [String(hour), short, `${short}${half}`, half] : [`${short}:${time.slice(3)}`, half];
  const days = [sayWeekday(next, timeZone), sayDate(next, timeZone), localDate(next, timeZone)];
  return [...words, ...days.flatMap(wordsOf), time, ...hours];
}

/** Equal, or the same word with another ending: "orchid" and "orchids". */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 4 && long.length - short.length <= 2 && long.startsWith(short)) return true;
  return short.length >= 3 && plainForm(a) === plainForm(b);
}

/** Without the ending of a verb or a plural: "feed" for "feeding", "stop" for "stopped", "bin" for "bins". */
function plainForm(word: string): string {
  const [, stem = word] = /^(.{3,})(?:ing|ed|(?<!s)s)$/u.exec(word) ?? [];
  return stem.replace(/([bdgmnprt])\1$/u, '$1').replace(/e$/u, '');
}

function none(said: string, open: readonly ScheduledJob[]): AssistantError {
  const what = open.length === 0 ? told('no_jobs', { said }) : told('no_job_called', { said, jobs: listed(open) });
  return refusal('unknown_schedule', what, { hint: '`wooster schedule list` shows all.' });
}

function several(said: string, found: readonly ScheduledJob[]): AssistantError {
  return refusal('unknown_schedule', told('several_jobs', { said, count: found.length, jobs: listed(found) }), {
    hint: 'Give more of its words, or its id.',
  });
}

function listed(jobs: readonly ScheduledJob[]): Told[] {
  const shown = jobs.slice(0, LISTED).map(nameAndTime);
  return [...shown, ...(jobs.length > LISTED ? [told('more', { count: jobs.length - LISTED })] : [])];
}

/** `job_1 "water the orchids" (Fri 2026-11-27 09:00)` */
function nameAndTime({ id, prompt, next, timeZone, description }: ScheduledJob): Told {
  const when = next ? { at: next.toISOString(), zone: timeZone } : description;
  return told('job', { id, text: preview(prompt, 60), when });
}
