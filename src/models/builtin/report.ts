import { isRecord, parseJson } from '../../base/json.ts';
import { sayDay, sayDayAndTime, sayTime } from '../../when/calendar.ts';
import { REMINDER } from './intent.ts';
import type { Outcome } from './model-input.ts';

const MAX_PAGE_CHARS = 2000;
const MAX_SOURCES = 4;
/** Said instead of guessing. */
export const NOTHING_FOUND = [
  'I found nothing about that in the documents of this project. `wooster ingest PATH` adds ',
  'documents. As the built-in model I know nothing beyond them.',
].join('');

export interface ReportOptions {
  /** What the request itself says about a good result; see `Action.about`. */
  readonly about: string | undefined;
  readonly now: Date;
  readonly timeZone: string;
}

/** What to tell the person about a finished call: never more than its result confirms. */
export function report(outcome: Outcome, options: ReportOptions): string {
  if (!outcome.ok) return `That did not work: ${withoutAdvice(outcome.text.replace(/^error:\s*/iu, ''))}`;
  const value = parsed(outcome.text);
  return REPORTS[outcome.tool]?.({ value, ...options, ...outcome }) ?? outcome.text;
}

/** A refusal ends with advice for models, which is not for the person. */
export function withoutAdvice(text: string): string {
  return text.replace(/\s*Do not try it again; say what you could not do\.\s*$/u, '');
}

interface Result extends Outcome, ReportOptions {
  readonly value: unknown;
}

/** By tool; a tool that is missing here is reported with its result as it is. */
const REPORTS: Readonly<Record<string, (result: Result) => string | undefined>> = {
  write_note: ({ input }) => `Noted: ${input.text}`,
  list_notes: ({ value, about }) => noteLines(value, about),
  schedule: scheduled,
  list_schedules: ({ value, about, timeZone }) =>
    scheduleLines(value, timeZone) + (about === 'cancel' ? '\nSay which one: "cancel ID".' : ''),
  query_rag: ({ value }) => cited(value),
  web_search: ({ value, input }) => searchResults(value, String(input.query)),
  fetch_text: ({ text, input }) => `${shortened(text)}\n\nSource: ${input.url}`,
  list_directory: ({ value }) => (Array.isArray(value) && value.length > 0 ? value.join('\n') : 'The folder is empty.'),
};

/** Said from what was handed to the tool: read again, "in 1 minute" would be later by the time that the call took. */
function scheduled({ input, value, now, timeZone }: Result): string {
  const when = String(input.when);
  const task = String(input.text).replace(REMINDER, '');
  const id = field(value, 'id');
  const said = field(value, 'runs');
  const runs = said === undefined ? '' : ` It comes on ${said}.`;
  if (/^\d{4}-\d\d-\d\dT/u.test(when)) {
    const known = id === undefined ? '' : ` (${id})`;
    return `Scheduled ${sayDayAndTime(new Date(when), now, timeZone)}: ${task}${known}.${runs}`;
  }
  // Of a repetition, the first time is news.
  const first = id === undefined ? '' : ` (${id}, first on ${runTime(field(value, 'next'), timeZone)})`;
  return `Scheduled ${when}: ${task}${runs === '' ? first : ` (${id})`}.${runs}`;
}

/** One line per job, with the id that "cancel" needs. */
function scheduleLines(value: unknown, timeZone: string): string {
  const jobs = Array.isArray(value) ? value.filter(isRecord) : [];
  if (jobs.length === 0) return 'Nothing is scheduled.';
  return jobs
    .map((job) => `- ${job.id}: ${job.text} (${job.when}, next ${runTime(field(job, 'next'), timeZone)})`)
    .join('\n');
}

function runTime(iso: string | undefined, timeZone: string): string {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? 'an unknown day' : `${sayDay(date, timeZone)} at ${sayTime(date, timeZone)}`;
}

/** The quoted passages, then the sources that they do not name themselves. */
function cited(value: unknown): string {
  if (!isRecord(value) || !Array.isArray(value.passages))
    return typeof value === 'string' && value !== '' ? value : NOTHING_FOUND;
  const answer = typeof value.answer === 'string' ? value.answer.trim() : '';
  const citations = value.passages.flatMap((passage: unknown) =>
    isRecord(passage) && typeof passage.citation === 'string' ? [passage.citation] : [],
  );
  if (answer === '') return NOTHING_FOUND;
  const missing = [...new Set(citations)].slice(0, MAX_SOURCES).filter((citation) => !answer.includes(citation));
  return missing.length === 0 ? answer : `${answer}\n\nSources: ${missing.join(' ')}`;
}

/** A list is the notes that start with its name: "shopping list: milk". */
function noteLines(value: unknown, list: string | undefined): string {
  const all = lines(value);
  if (list === undefined)
    return all.length === 0 ? 'There are no notes yet.' : `Your notes:\n${all.map((line) => `- ${line}`).join('\n')}`;
  const items = all.flatMap((line) => line.split(new RegExp(`\\b${escaped(list)}:\\s*`, 'iu')).slice(1));
  return items.length === 0
    ? `Your ${list} is empty.`
    : `Your ${list}:\n${items.map((item) => `- ${item.trim()}`).join('\n')}`;
}

/** Each note behind the time at which it was taken. */
function lines(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    const text = field(entry, 'text');
    return text === undefined ? [] : [`${field(entry, 'at') ?? ''} ${text}`.trim()];
  });
}

function searchResults(value: unknown, query: string): string {
  const results = isRecord(value) && Array.isArray(value.results) ? value.results : [];
  const found = results.flatMap((result: unknown) => {
    const url = field(result, 'url');
    return url === undefined
      ? []
      : [`- ${field(result, 'title') ?? url}\n  ${field(result, 'snippet') ?? ''}\n  ${url}`];
  });
  return found.length === 0 ? `The web search for "${query}" found nothing.` : found.slice(0, 5).join('\n');
}

function shortened(text: string): string {
  return text.length <= MAX_PAGE_CHARS ? text : `${text.slice(0, MAX_PAGE_CHARS)}…`;
}

/** A text of an object; undefined when it is missing, empty or something else. */
function field(value: unknown, name: string): string | undefined {
  const found = isRecord(value) ? value[name] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Tools answer in JSON or in plain text. */
function parsed(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
