import { isRecord } from '../../../base/json.ts';
import { localDate } from '../../../when/calendar.ts';
import { findDays } from '../../../when/day-span.ts';
import { findTime } from '../../../when/find.ts';
import { phrases } from '../phrases.ts';
import { act, type Intent, type Skill, type UserRequest } from '../request.ts';
import { REMINDER } from './small-talk.ts';
import { clean } from './task-words.ts';

const THINGS = [
  '(reminder|reminders|schedule|schedules|scheduled tasks|scheduled prompts|scheduled',
  'jobs|alarm|alarms|timer|timers|job|jobs|appointments)',
].join(' ');
const SACHEN = '(erinnerung|erinnerungen|termine|wecker|timer|aufträge|geplantes)';

const SHOW = phrases({
  en: [
    `(show|list|display|give|tell|read) [me] [all] [of] [my|the|our] [upcoming|pending|next|scheduled|active]
      ${THINGS}`,
    `(what|which) [are] [my|the] [upcoming|pending|next|active] ${THINGS} (do i have|have i got|are there|are
      set|pending|coming|have i set) [set|coming up]`,
    `what are my [upcoming|pending|next] ${THINGS}`,
    "(what's|what is) [still] (scheduled|planned|coming up)",
    `do i have any ${THINGS} [set]`,
    `[my|all] ${THINGS}`,
    `[are there] any ${THINGS}`,
    'what have i (scheduled|planned)',
  ],
  de: [
    `(zeig[e]|nenn[e]|lies) [mir] [alle|meine|die] [nächsten|offenen|aktiven] ${SACHEN} [an|vor]`,
    `welche ${SACHEN} (habe ich|gibt es|sind geplant|stehen an) [noch]`,
    'was (ist|steht) [noch|alles|so] (geplant|an)',
    `habe ich [noch|irgendwelche] ${SACHEN}`,
    `[meine|alle] (erinnerungen|termine|wecker|timer)`,
  ],
});
const NEXT = phrases({
  en: [
    `(when|what) is my next ${THINGS}`,
    `what's my next ${THINGS}`,
    'what comes next',
    'what should i be reminded of next',
  ],
  de: [`(wann|was) ist [meine|mein] nächste[r] ${SACHEN}`, 'was steht als nächstes an', 'was kommt als nächstes'],
});
const OF_A_DAY = phrases({
  en: [
    `(what|which) ${THINGS} (do i have|are there|are set) [for|on] {day}`,
    `(show|list) [me] [my] ${THINGS} (for|on|of) {day}`,
    `[are there|do i have] any ${THINGS} [for|on] {day}`,
    "(what's|what is) [there] (scheduled|planned|on|up|coming up|happening|due) [for|on|in|over] {day}",
    'what (do i have|have i got|did i plan) [on|planned|scheduled|for] [for|on] {day}',
    'do i have anything [scheduled|planned|on] [for|on] {day}',
  ],
  de: [
    `(welche|was für) ${SACHEN} (habe ich|gibt es) {day}`,
    '(was|was alles) (ist|steht|liegt) {day} (an|geplant)',
    'was habe ich {day} (vor|geplant)',
    'habe ich {day} (etwas|was) (vor|geplant)',
    `habe ich {day} [irgendwelche] ${SACHEN}`,
  ],
});
const CANCEL = phrases({
  en: [
    `(cancel|delete|remove|drop|stop|turn off|switch off|dismiss|kill|bin|scrap) [the|my|that|this] {what}
      (reminder|reminders|alarm|timer|job|schedule|task|one)`,
    '(forget|forget about) [the|my|that] {what} (reminder|alarm|timer|one)',
    `(cancel|delete|remove|drop|stop|turn off|dismiss) [the|my|that|this] (reminder|alarm|timer|job|schedule)
      (about|to|for|of|at|on|that says|with) {what}`,
    `(cancel|delete|remove|stop|turn off|switch off) [the|my|all|that|all my] [last|next] ${THINGS} {what:maybe}`,
    '(stop|quit) reminding me (to|about|of) {what}',
    "(don't|do not) remind me (to|about|of) {what} [any more|anymore]",
    'cancel {what}',
  ],
  de: [
    `(lösch[e]|storniere|entfern[e]|streich[e]|stopp[e]|beend[e]) [die|den|meine|meinen]
      (erinnerung|wecker|timer|auftrag|termin) (an|für|zu|zum|zur|um|über|mit|von|vom) [den|die|das|der|dem] {what}`,
    `(lösch[e]|storniere|entfern[e]|streich[e]|stopp[e]|beend[e]|schalt[e]) [die|den|meine|meinen|alle]
      {what}[-](erinnerung|wecker|timer|termin) [aus|ab]`,
    `(lösch[e]|storniere|entfern[e]|stopp[e]|beend[e]|schalt[e]) [die|den|das|meine|meinen|alle]
      [letzte|nächste] ${SACHEN} {what:maybe} [aus|ab]`,
    '(erinner[e]) mich nicht mehr (an|daran) [den|die|das] {what}',
    'sag [die|den|das|meine|meinen] {what} ab',
    `(schalt[e]|stell[e]) [den|die|meinen] ${SACHEN} (aus|ab)`,
    `(storniere|lösch[e]) [den|die|das|meine|meinen|alle] ${SACHEN}`,
    'storniere [die|den|das] {what}',
  ],
});
const MOVE = phrases({
  en: [
    `(move|reschedule|change|shift|postpone|push|delay|bring forward|set) [the|my|that] {what}
      [reminder|alarm|timer|appointment]
      [back|forward] (to|until|till) {when}`,
    `(make|change|move|switch) (the|my|that) {what} (one|reminder|alarm|timer) [to|at|for] {when} [instead|rather]`,
    `(move|reschedule|change|shift|postpone|push|delay) [the|my] (reminder|alarm|timer) (about|to|for|of) {what}
      (to|until|till) {when}`,
    `(move|reschedule|change|shift|postpone|push|delay|snooze) [the|my|that] {what}
      [reminder|alarm|timer|appointment] [back] (by|for) {length}`,
    `(move|reschedule|change|shift|postpone|push|delay|snooze) [the|my|that] {what} {length:an?
      (?:hour|day|week)|\\d+ (?:minutes|hours|days|weeks)} (later|back)`,
  ],
  de: [
    `(verschieb[e]|verleg[e]|änder[e]|stell[e]|setz[e]) [die|den|das|meine|meinen] (erinnerung|wecker|timer|termin)
      (an|für|zum|zur|mit) [den|die|das|der|dem] {what} um {length:.*(?:minuten?|stunden?|tage?|wochen?)}`,
    `(verschieb[e]|verleg[e]) [die|den|das|meine|meinen] {what} um {length:.*(?:minuten?|stunden?|tage?|wochen?)}
      [nach hinten]`,
    `(verschieb[e]|verleg[e]|änder[e]|stell[e]|setz[e]) [die|den|das|meine|meinen] (erinnerung|wecker|timer|termin)
      (an|für|zum|zur|mit) [den|die|das|der|dem] {what} (auf|zu|um) {when}`,
    '(verschieb[e]|verleg[e]|änder[e]) [die|den|das|meine|meinen] {what} (auf|zu|um) {when}',
    'stell[e] [den|meinen] {what:wecker} (auf|um) {when} um',
  ],
});

export const schedules: Skill = {
  name: 'schedules',
  command: true,
  examples: {
    en: ['list my reminders', 'move the dentist reminder to 3pm', 'cancel the dentist reminder'],
    de: ['zeig meine Erinnerungen', 'verschieb den Zahnarzt auf 15 Uhr', 'lösche die Erinnerung an den Zahnarzt'],
  },
  recognize: (request) => listing(request) ?? moving(request) ?? cancelling(request),
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
      const jobs = choose(jobsOf(value));
      if (jobs.length === 0) return request.in('Nothing is scheduled.', 'Es ist nichts geplant.');
      return jobs.map((job) => `- ${sayJob(job, request)}`).join('\n');
    },
  });
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
  const { when: said, length } = slots ?? {};
  const when =
    length === undefined
      ? said?.replace(/^(\d{1,2})$/u, request.in('at $1', 'um $1 Uhr'))
      : `${length} ${request.in('later', 'später')}`;
  if (when === undefined || !findTime(length === undefined ? when : `in ${length}`, request)) return undefined;
  const what = nameIn(slots?.what ?? '');
  return act({
    tool: 'reschedule',
    input: { id: what, when },
    say: ({ value, text }) => sayMoved(value, text, request),
  });
}

/** What the reminders are about that people call by their kind. */
const CALLED: readonly (readonly [RegExp, string])[] = [
  [/^alarm(?: clock)?$/iu, 'wake up'],
  [/^wecker$/iu, 'aufstehen'],
];

/** What a job is called; the tool finds the one that the words fit, or the only one there is. */
function nameIn(words: string): string {
  const name = clean(words).replace(ARTICLE, '');
  const [, known] = CALLED.find(([words]) => words.test(name)) ?? [];
  return known ?? (name === '' ? 'reminder' : name);
}

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
  const what = nameIn(slots.what ?? '');
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
      const lines = jobs.map((job) => `- ${sayJob(job, request)}`).join('\n');
      const question = request.in(
        'Which one? Say "cancel" and its words or its id.',
        'Welche davon? Sag „storniere“ und ihre Worte oder ihre Nummer.',
      );
      return `${lines}\n${question}`;
    },
  });
}
