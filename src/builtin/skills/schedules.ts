import { isRecord } from '../../base/json.ts';
import { pattern } from '../../base/pattern.ts';
import { findTime } from '../../when/find.ts';
import { nextTimes } from '../../when/timing.ts';
import { wordsToDigits } from '../../words/numbers.ts';
import type { Slots } from '../phrases.ts';
import { act, ask, type Intent, type Skill, type UserRequest } from '../request.ts';
import { sayHours } from './date-counts.ts';
import { search } from './documents.ts';
import { jobTalkedAbout } from './job-talked-about.ts';
import { type Job, jobsOf, sayJob, sayJobs } from './jobs-said.ts';
import { talksOfNotes } from './note-phrases.ts';
import { CANCEL, HOW_LONG, MOVE, NEXT, RENAME, SHOW, WHEN } from './schedule-phrases.ts';
import { REMINDER } from './small-talk.ts';
import { clean } from './task-words.ts';
import { cancelled, chosen, whichOne } from './which-reminder.ts';

export const schedules: Skill = {
  name: 'schedules',
  command: true,
  examples: {
    en: ['list my reminders', 'move the dentist reminder to 3pm', 'cancel the dentist reminder'],
    de: ['zeig meine Erinnerungen', 'verschieb den Zahnarzt auf 15 Uhr', 'lösche die Erinnerung an den Zahnarzt'],
  },
  recognize: (request) =>
    chosen(request) ??
    listing(request) ??
    asked(request) ??
    howLong(request) ??
    renaming(request) ??
    moving(request) ??
    cancelling(request),
};

function listing(request: UserRequest): Intent | undefined {
  const { plain } = request;
  const keep = (jobs: readonly Job[]) => jobs;
  if (NEXT(plain)) return list(request, (jobs) => jobs.slice(0, 1));
  if (SHOW(plain) || (LOOSE_SHOW.test(plain) && !WHEN(plain) && !findTime(plain, request))) return list(request, keep);
  return undefined;
}

/** "Show me everything you're going to remind me about." */
const LOOSE_SHOW =
  /^(?:show|list|tell|read|what|which)\b[^:]*(?:\b(?:you|i)\b.*\b(?:remind|reminded|reminders)|\breminders\b.*\bi)\b/iu;

/** "How long until the cake?": of what the documents may speak as well. */
function howLong(request: UserRequest): Intent | undefined {
  const what = HOW_LONG(request.plain)?.what;
  if (what === undefined || !request.can('query_rag')) return undefined;
  const words = contentOf(what);
  const fitting = (value: unknown) =>
    jobsOf(value).filter(({ text }) => words.length > 0 && words.every((word) => text.toLowerCase().includes(word)));
  const found = search(request.text, request);
  return {
    kind: 'act',
    actions: [{ tool: 'list_schedules', input: {}, say: () => '' }, found],
    together: ([jobs, passages]) => {
      const lines = fitting(jobs?.value).map(
        (job) => `${sayHours(request.now, job.next, request)}: ${sayJob(job, request)}`,
      );
      return lines.length > 0 || !passages ? lines.join('\n') : found.say(passages);
    },
  };
}

/** The words of a name that tell it from others. */
function contentOf(what: string): string[] {
  const words =
    nameIn(what)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.filter((word) => !/^(?:the|and|for|one|reminder|timer|alarm|der|die|das|den|dem|und)$/u.test(word));
}

/** The reminders that hold the most words of what was asked for. */
function asked(request: UserRequest): Intent | undefined {
  const what = WHEN(request.plain)?.what;
  if (what === undefined) return undefined;
  const words = contentOf(what);
  return list(request, (jobs) => {
    const known = jobs.map(({ text }) => words.filter((word) => text.toLowerCase().includes(word)).length);
    const best = Math.max(1, ...known);
    return jobs.filter((_job, at) => known[at] === best);
  });
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

function list(request: UserRequest, choose: (jobs: readonly Job[]) => readonly Job[]): Intent {
  return act({
    tool: 'list_schedules',
    input: {},
    say: ({ value }) => sayJobs(value, choose, request),
  });
}

/** More than one is meant: which has to be asked. */
const SEVERAL = pattern(
  'iu',
  '^(?:them|everything|all|alle|alles)(?: of (?:them|it)| davon)?$',
  String.raw`|\b(?:reminders|alarms|timers|erinnerungen|termine)$`,
);

/** One of what was talked about, be it a note or a reminder. */
const ONE = / one$|^(?:lösche?|entferne?) die letzte$/iu;
const PRONOUN = /^(?:it|that|this|one|that one|es|das|sie|ihn|die|den|the)$/iu;

function moving(request: UserRequest): Intent | undefined {
  const slots = MOVE(request.plain);
  if (slots?.either !== undefined) return whichWay(slots.what ?? '', slots.either, request);
  const { when: said, length = slots?.earlier, sooner = slots?.earlier } = slots ?? {};
  const when = length === undefined ? hourOf(said, request) : later({ length, sooner }, request);
  if (when === undefined || !findTime(length === undefined ? when : `in ${length}`, request)) return undefined;
  const what = nameIn(slots?.what ?? '');
  if (NO_REMINDER.test(what) || A_NEW_ONE.test(slots?.what ?? '')) return undefined;
  const id = NO_NAME.test(what) ? (jobTalkedAbout(request) ?? what) : what;
  return act({
    tool: 'reschedule',
    input: { id, when: when.replace(SAME_TIME, '') },
    say: ({ value, text }) => sayMoved(value, text, request),
  });
}

const NO_REMINDER = /\b(?:note|list|notiz|liste)$/iu;
/** "Set a reminder every weekday at 6 to log my hours" moves none. */
const A_NEW_ONE = /^(?:an?|another|eine?n?) (?:\p{L}+ )?(?:reminder|alarm|timer|erinnerung|wecker)\b/iu;

/** "Postpone it until Monday", "change the time to 11": the one that was talked about. */
const NO_NAME =
  /^(?:it|that|this|(?:that|this) one|es|das|sie|ihn|die|den|time|date|day|reminder|(?:uhr)?zeit|termin|erinnerung)$/iu;

/** Forward is earlier for one and later for another. */
function whichWay(what: string, length: string, request: UserRequest): Intent {
  return ask(
    request.in('Earlier or later?', 'Früher oder später?'),
    (answer) => `move the ${what} ${length} ${answer}`,
  );
}

/** "Nine" alone is a time here. */
function hourOf(said: string | undefined, request: UserRequest): string | undefined {
  const hour = wordsToDigits(said ?? '');
  return /^\d{1,2}$/u.test(hour) ? request.in(`at ${hour}`, `um ${hour} Uhr`) : said;
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

/** `every Monday at 9 [0 9 * * 1] (Europe/Oslo)`, as jobs are described. */
const REPEATS = /^([^[]+) \[([^\]]+)\] \(([^\s()]+)\)$/u;

/** What became of it. */
export function sayMoved(value: unknown, text: string, request: UserRequest): string {
  const next = isRecord(value) ? new Date(String(value.next)) : undefined;
  if (!isRecord(value) || !next || Number.isNaN(next.getTime())) return text;
  const what = String(value.text ?? value.id).replace(REMINDER, '');
  const [, repeats, expression, timeZone] = REPEATS.exec(String(value.description ?? '')) ?? [];
  if (repeats !== undefined && expression !== undefined && timeZone !== undefined) {
    const timing = { kind: 'cron', expression, timeZone, anchor: next } as const;
    const runs = request.saying.runs([next, ...nextTimes(timing, next, 2)]);
    return request.in(
      `Moved: ${what} now comes ${repeats}, next on ${runs}.`,
      `Verschoben: ${what} kommt jetzt ${repeats}, als Nächstes am ${runs}.`,
    );
  }
  return request.in(
    `Moved: ${what} now comes on ${request.saying.runs([next])}.`,
    `Verschoben: ${what} kommt jetzt am ${request.saying.runs([next])}.`,
  );
}

const ARTICLE = /^(?:the|my|that|den|die|das|der|dem|meine?n?|reminder|alarm|timer)\s+/iu;

function cancelling(request: UserRequest): Intent | undefined {
  const slots = CANCEL(request.plain.replace(/ (?:wieder|bitte|dann)$/iu, ''));
  if (!slots) return undefined;
  const timed = slots.what !== undefined && clean(findTime(slots.what, request)?.rest ?? slots.what) === '';
  const isAlarm =
    (timed || /\bden wecker(?: wieder| bitte| dann| aus| ab)*$/iu.test(request.plain)) &&
    /\b(?:wecker|alarm)\b/iu.test(request.plain);
  const every = ALL_ABOUT.exec(request.plain);
  if (every)
    return cancelled(`all ${nameIn(every.groups?.what ?? every.groups?.name ?? every.groups?.was ?? '')}`, request);
  const what = nameIn(isAlarm ? request.in('alarm', 'wecker') : (slots.what ?? ''));
  const isPronoun = PRONOUN.test(what) || PRONOUN.test(slots.what ?? '');
  if ((isPronoun || ONE.test(request.plain)) && talksOfNotes(request)) return undefined;
  if (SEVERAL.test(request.plain) || SEVERAL.test(what) || isPronoun) return whichOne(request);
  return cancelled(what, request);
}

/** "Cancel everything about the boiler", "delete all the gym reminders". */
const ALL_ABOUT = pattern(
  'iu',
  String.raw`\b(?:everything|anything|all)(?: of)?(?: (?:my|the|those|reminders?|alarms?))*`,
  String.raw` (?:about|to do with|with|for|on|concerning|of)(?: (?:the|my))? (?<what>(?!them\b)\S.*)$`,
  String.raw`|\b(?:all|every)(?: of)?(?: (?:my|the|those))* (?<name>(?!(?:reminders|alarms|timers|of|my|the`,
  String.raw`|those|meine|die)\b)\S.*) (?:reminders?|alarms?|timers?)$`,
  String.raw`|\b(?:alles|alle (?:erinnerungen|termine|wecker))(?: mit| an| zum| zur| über| für`,
  String.raw`| wegen)+(?: (?:den|dem|die|das|der))? (?<was>\S.*)$`,
);
