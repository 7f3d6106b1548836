import { isRecord } from '../../../base/json.ts';
import { pattern } from '../../../base/pattern.ts';
import { localDate } from '../../../when/calendar.ts';
import { findDays } from '../../../when/day-span.ts';
import { findTime } from '../../../when/find.ts';
import type { Slots } from '../phrases.ts';
import { act, type Intent, type Skill, type UserRequest } from '../request.ts';
import { CANCEL, MOVE, NEXT, OF_A_DAY, RENAME, SHOW, WHEN } from './schedule-phrases.ts';
import { REMINDER } from './small-talk.ts';
import { clean } from './task-words.ts';

export const schedules: Skill = {
  name: 'schedules',
  command: true,
  examples: {
    en: ['list my reminders', 'move the dentist reminder to 3pm', 'cancel the dentist reminder'],
    de: ['zeig meine Erinnerungen', 'verschieb den Zahnarzt auf 15 Uhr', 'lösche die Erinnerung an den Zahnarzt'],
  },
  recognize: (request) =>
    listing(request) ?? asked(request) ?? renaming(request) ?? moving(request) ?? cancelling(request),
};

function listing(request: UserRequest): Intent | undefined {
  const { plain } = request;
  const keep = (jobs: readonly Job[]) => jobs;
  if (NEXT(plain)) return list(request, (jobs) => jobs.slice(0, 1));
  if (SHOW(plain)) return list(request, keep);
  const words = OF_A_DAY(plain)?.day;
  // "On the Christmas list" is no day.
  const isDay = words !== undefined && clean(findTime(words, request)?.rest ?? '') === '';
  const days = isDay ? findDays(words, request, { ahead: true }) : undefined;
  if (!days) return undefined;
  return list(request, (jobs) =>
    jobs.filter(({ next }) => {
      const date = localDate(next, request.timeZone);
      return days.from <= date && date <= days.to;
    }),
  );
}

/** The reminders that hold a word of what was asked for. */
function asked(request: UserRequest): Intent | undefined {
  const what = WHEN(request.plain)?.what;
  if (what === undefined) return undefined;
  const words = (
    nameIn(what)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  ).filter((word) => !/^(?:the|and|for|der|die|das|den|dem|und)$/u.test(word));
  return list(request, (jobs) => jobs.filter(({ text }) => words.some((word) => text.toLowerCase().includes(word))));
}

function renaming(request: UserRequest): Intent | undefined {
  const { what, name } = RENAME(request.plain) ?? {};
  if (what === undefined || name === undefined || !request.can('rename_schedule')) return undefined;
  return act({
    tool: 'rename_schedule',
    input: { id: nameIn(what), text: clean(name) },
    say: ({ value, text }) => {
      if (!isRecord(value)) return text;
      const [was, now] = [value.was, value.text].map((said) => String(said).replace(REMINDER, ''));
      const next = new Date(String(value.next));
      const coming = Number.isNaN(next.getTime())
        ? ''
        : request.in(` It comes on ${request.saying.runs([next])}.`, ` Das kommt am ${request.saying.runs([next])}.`);
      return request.in(`Renamed: ${was} is now ${now}.${coming}`, `Umbenannt: ${was} heißt jetzt ${now}.${coming}`);
    },
  });
}

interface Job {
  readonly id: string;
  readonly text: string;
  readonly when: string;
  readonly next: Date;
}

function list(request: UserRequest, choose: (jobs: readonly Job[]) => readonly Job[]): Intent {
  return act({
    tool: 'list_schedules',
    input: {},
    say: ({ value }) => {
      const known = jobsOf(value);
      const jobs = choose(known);
      const more = moreOf(value, known.length, request);
      if (jobs.length === 0) return more || request.in('Nothing is scheduled.', 'Es ist nichts geplant.');
      return [...jobs.map((job) => `- ${sayJob(job, request)}`), ...(more ? [more] : [])].join('\n');
    },
  });
}

/** That the list goes on; empty when it does not. */
function moreOf(value: unknown, looked: number, request: UserRequest): string {
  const last = Array.isArray(value) ? value.at(-1) : undefined;
  if (!isRecord(last) || typeof last.more !== 'number') return '';
  return request.in(
    `I looked at the first ${looked} only; there are ${last.more} more: wooster schedule list`,
    `Ich habe nur die ersten ${looked} angesehen; es gibt noch ${last.more}: wooster schedule list`,
  );
}

/** Those that have a next run, the soonest first. */
function jobsOf(value: unknown): Job[] {
  const rows = Array.isArray(value) ? value.filter(isRecord) : [];
  return rows
    .map((row) => ({
      id: String(row.id),
      text: String(row.text).replace(REMINDER, ''),
      when: String(row.when),
      next: new Date(String(row.next)),
    }))
    .filter(({ next }) => !Number.isNaN(next.getTime()))
    .sort((a, b) => a.next.getTime() - b.next.getTime());
}

function sayJob({ id, text, when, next }: Job, request: UserRequest): string {
  const repeats = /^once at/u.test(when) ? '' : `, ${when.replace(/ \[[^\]]*\]| \([^)]*\)/gu, '')}`;
  return `${text}: ${request.saying.nearAndTime(next)}${repeats} (${id})`;
}

/** More than one is meant: which has to be asked. */
const SEVERAL = /^(?:them|everything|all|alle|alles)$|\b(?:reminders|alarms|timers|erinnerungen|termine)$/iu;

const PRONOUN = /^(?:it|that|this|one|that one|es|das|sie|ihn|die|den|the)$/iu;

function moving(request: UserRequest): Intent | undefined {
  const slots = MOVE(request.plain);
  const { when: said, length = slots?.earlier, sooner = slots?.earlier } = slots ?? {};
  const when =
    length === undefined
      ? said?.replace(/^(\d{1,2})$/u, request.in('at $1', 'um $1 Uhr'))
      : later({ length, sooner }, request);
  if (when === undefined || !findTime(length === undefined ? when : `in ${length}`, request)) return undefined;
  const what = nameIn(slots?.what ?? '');
  return act({
    tool: 'reschedule',
    input: { id: what, when: when.replace(SAME_TIME, '') },
    say: ({ value, text }) => sayMoved(value, text, request),
  });
}

/** By how much something is moved, as `reschedule` reads it. */
export function later({ length, sooner }: Slots, { in: either }: UserRequest): string {
  return `${length} ${sooner === undefined ? either('later', 'später') : either('earlier', 'früher')}`;
}

/** What the reminders are about that people call by their kind. */
const CALLED: readonly (readonly [RegExp, string])[] = [
  [/^(?:alarm(?: clock)?|wake-?up(?: call)?|morning alarm)$/iu, 'wake up'],
  [/^wecker$/iu, 'aufstehen'],
];

/** What a job is called; the tool finds the one that the words fit, or the only one there is. */
function nameIn(words: string): string {
  const name = clean(words).replace(ARTICLE, '');
  const [, known] = CALLED.find(([words]) => words.test(name)) ?? [];
  return known ?? (name === '' ? 'reminder' : name);
}

/** A day alone keeps the time of day. */
const SAME_TIME = pattern(
  'iu',
  String.raw`(?<![\s,]),?\s+(?:(?:at )?the same time`,
  '|(?:zur |um die )?(?:gleiche|selbe|gleichen|selben|dieselbe) (?:uhr)?zeit)$',
);

/** What became of it. */
export function sayMoved(value: unknown, text: string, request: UserRequest): string {
  const next = isRecord(value) ? new Date(String(value.next)) : undefined;
  if (!isRecord(value) || !next || Number.isNaN(next.getTime())) return text;
  const what = String(value.text ?? value.id).replace(REMINDER, '');
  const [repeats] = /^.+(?= \[)/u.exec(String(value.description ?? '')) ?? [];
  if (repeats !== undefined)
    return request.in(
      `Moved: ${what} now comes ${repeats}, next on ${request.saying.runs([next])}.`,
      `Verschoben: ${what} kommt jetzt ${repeats}, als Nächstes am ${request.saying.runs([next])}.`,
    );
  return request.in(
    `Moved: ${what} now comes on ${request.saying.runs([next])}.`,
    `Verschoben: ${what} kommt jetzt am ${request.saying.runs([next])}.`,
  );
}

const ARTICLE = /^(?:the|my|that|den|die|das|der|dem|meine?n?|reminder|alarm|timer)\s+/iu;

function cancelling(request: UserRequest): Intent | undefined {
  const slots = CANCEL(request.plain);
  if (!slots) return undefined;
  const timed = slots.what !== undefined && clean(findTime(slots.what, request)?.rest ?? slots.what) === '';
  const isAlarm = timed && /\b(?:wecker|alarm)\b/iu.test(request.plain);
  const what = nameIn(isAlarm ? 'wecker' : (slots.what ?? ''));
  if (SEVERAL.test(request.plain) || PRONOUN.test(what)) return whichOne(request);
  return cancelled(what, request);
}

/** @param id of a job, or words of it. */
export function cancelled(id: string, request: UserRequest): Intent {
  return act({
    tool: 'cancel_schedule',
    input: { id },
    say: ({ text }) => request.in(text, text.replace(/^Cancelled "(.*)" \((\w+)\).*$/su, 'Abgesagt: $1 ($2).')),
  });
}

/** Without a name: show what there is. */
function whichOne(request: UserRequest): Intent {
  return act({
    tool: 'list_schedules',
    input: {},
    say: ({ value }) => {
      const jobs = jobsOf(value);
      if (jobs.length === 0) return request.in('Nothing is scheduled.', 'Es ist nichts geplant.');
      const more = moreOf(value, jobs.length, request);
      const lines = [...jobs.map((job) => `- ${sayJob(job, request)}`), ...(more ? [more] : [])].join('\n');
      const question = request.in(
        'Which one? Say "cancel" and its words or its id.',
        'Welche davon? Sag „storniere“ und ihre Worte oder ihre Nummer.',
      );
      return `${lines}\n${question}`;
    },
  });
}
