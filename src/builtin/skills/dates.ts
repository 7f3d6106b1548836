import { pattern } from '../../base/pattern.ts';
import {
  addToDate,
  type CalendarUnit,
  daysBetween,
  daysInMonth,
  isoWeek,
  localDate,
  startOfDay,
} from '../../when/calendar.ts';
import { findDate, findTime } from '../../when/find.ts';
import { spellHolidays } from '../../when/holidays.ts';
import { isWithinReach } from '../../when/one-off.ts';
import { withoutTime } from '../../when/without-time.ts';
import { wordsToDigits } from '../../words/numbers.ts';
import { weekdayName } from '../../words/weekdays.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';
import { age } from './age.ts';
import { count, sayAgo, sayHours, WORKING } from './date-counts.ts';
import { BETWEEN, IN_MONTH, LEAP, SHIFTED, SINCE, UNTIL, WEEK_OF, WEEKS_IN, WHICH_DAY } from './date-phrases.ts';
import { untilEvent } from './until.ts';

/** Questions about the calendar. */
export const dates: Skill = {
  name: 'dates',
  examples: {
    en: [
      'how many days until 24 December?',
      'when is the third Thursday in January 2027?',
      'what day is 3 weeks from today?',
    ],
    de: [
      'wie viele Tage sind es bis Weihnachten?',
      'welcher Wochentag ist der 24.12.2027?',
      'wie alt bin ich, wenn ich am 3.5.1990 geboren bin?',
    ],
  },
  recognize: (request) => {
    for (const answer of [between, since, until, age, calendarFacts, weekOf, shifted, whichDay]) {
      const found = answer(request);
      if (found) return found;
    }
    return undefined;
  },
};

/** Answers one kind of question; undefined when the question is of another kind. */
type DateAnswer = (request: UserRequest) => Intent | undefined;

const dayIn = (words: string | undefined, request: UserRequest, now = request.now) =>
  words === undefined
    ? undefined
    : findDate(words.replace(/^(?:dem|den) (?=\d)/iu, ''), { now, timeZone: request.timeZone });

/** "How many days from 1 March to 24 December?": the second date is read as seen from the first. */
const between: DateAnswer = (request) => {
  const said = BETWEEN(request.plain);
  const slots = said && { ...said, ...sharing(said.from ?? '', said.to ?? '', request) };
  const first = dayIn(slots?.from, request);
  // "9:30" stands for the morning here, whatever the time is now.
  const from = first?.namesTime ? dayIn(slots?.from, request, startOfDay(first.at, request.timeZone)) : first;
  const to = from && dayIn(slots?.to, request, from.at);
  if (!said || !from || !to) return undefined;
  const { saying, in: either } = request;
  if (from.namesTime && to.namesTime) return say(`${sayHours(from.at, to.at, request)}.`);
  // "From Monday to Friday" are five working days.
  const isWork = WORKING.test(said.unit ?? '');
  const start =
    isWork && from.at <= to.at ? addToDate(from.at, -1, { unit: 'day', timeZone: request.timeZone }) : from.at;
  const amount = count(start, to.at, said.unit, request);
  const [a, b] = [saying.day(from.at), saying.day(to.at)];
  if (isWork)
    return say(
      either(
        `From ${a} to ${b}, both counted, it is ${amount}.`,
        `Von ${a} bis ${b}, beide mitgezählt, sind es ${amount}.`,
      ),
    );
  return say(either(`From ${a} to ${b} it is ${amount}.`, `Von ${a} bis ${b} sind es ${amount}.`));
};

const DAY_ALONE = /^(?:the |dem |der |den )?(\d{1,2})(?:st|nd|rd|th|\.)?$/iu;
const MONTH_AND_DAY = /^(\p{L}{3,}) \d{1,2}(?:st|nd|rd|th)?$/iu;
const YEAR = /(?<=[\s.])(?:19|20|21)\d\d$/u;
const WITHOUT_YEAR = pattern(
  'iu',
  String.raw`^(?:(?:the |dem |der |den )?\d{1,2}(?:st|nd|rd|th|\.)? ?(?:of )?(?:\p{L}{3,}\.?|\d{1,2}\.)`,
  String.raw`|\p{L}{3,}\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?)$`,
);

/** What two dates say once: month and year in "1 and 18 December 2026", the year in "3 March and 10 May 2027". */
function sharing(from: string, to: string, request: UserRequest): { readonly from: string; readonly to: string } {
  const later = /(?<!\p{L})\p{L}{3,}\.?(?: \d{4})?$/u.exec(to)?.[0];
  const [, day] = DAY_ALONE.exec(from) ?? [];
  if (day !== undefined && later !== undefined && /\d/u.test(to)) return { from: `${day} ${later}`, to };
  const [, earlier] = MONTH_AND_DAY.exec(from) ?? [];
  const [, last] = DAY_ALONE.exec(to) ?? [];
  if (last !== undefined && earlier !== undefined) return { from, to: `${earlier} ${last}` };
  const [year] = YEAR.exec(to) ?? [];
  if (year === undefined || !WITHOUT_YEAR.test(from)) return { from, to };
  // "24 December to 3 January 2028" begins in the year before.
  const [same, before] = [0, 1].map((less) => `${from}${from.endsWith('.') ? '' : ' '}${Number(year) - less}`);
  const [first, second] = [dayIn(same, request), dayIn(to, request)];
  return { from: (first && second && first.at > second.at ? before : same) ?? from, to };
}

/** "How many days until Christmas?" */
const until: DateAnswer = (request) => {
  const said = UNTIL(request.plain);
  const slots = said && { ...said, to: said.left === undefined ? said.to : endOf(said.left, request) };
  const found = dayIn(slots?.to, request);
  if (slots && !found && /^(?:the|my|our) /iu.test(slots.to ?? '') && /days|weeks|months/iu.test(request.plain))
    return untilEvent(slots.to ?? '', said?.unit, request);
  if (!slots || !found) return undefined;
  const { now, timeZone, saying, in: either } = request;
  const days = Math.abs(daysBetween(now, found.at, timeZone));
  const hours = /hour|minute|stunde|minute/iu.test(said?.unit ?? '') || (found.namesTime && days < 2);
  if (hours) {
    const amount = sayHours(now, found.at, request);
    return say(
      either(`It is ${amount} until ${slots.to}.`, `Es sind noch ${amount} bis ${saying.nearAndTime(found.at)}.`),
    );
  }
  if (days === 0) return say(either('That is today.', 'Das ist heute.'));
  const ago = sayAgo(found.at, said?.unit, request);
  if (ago !== undefined) return say(ago);
  const amount = count(now, found.at, said?.unit, request);
  return say(
    either(`It is ${amount} until ${saying.day(found.at)}.`, `Es sind noch ${amount} bis ${saying.day(found.at)}.`),
  );
};

/** The last day of this year, month or week. */
function endOf(span: string, { now, timeZone }: UserRequest): string {
  const today = localDate(now, timeZone);
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (/year|jahr/iu.test(span)) return `${year}-12-31`;
  if (/month|monat/iu.test(span)) return `${today.slice(0, 8)}${daysInMonth(year, month)}`;
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  return localDate(addToDate(now, 6 - sinceMonday, { unit: 'day', timeZone }), timeZone);
}

/** From here on nobody thinks in days. */
const LONG_DAYS = 730;

/** "How long is it since 1 May?": the last one. */
const since: DateAnswer = (request) => {
  const slots = SINCE(request.plain);
  const found = dayIn(slots && `${request.in('last', 'letzten')} ${slots.to}`, request) ?? dayIn(slots?.to, request);
  if (!slots || !found) return undefined;
  const { now, timeZone, saying, in: either } = request;
  const at = found.at > now ? addToDate(found.at, -1, { unit: 'year', timeZone }) : found.at;
  const isLong = slots.unit === undefined && daysBetween(at, now, timeZone) > LONG_DAYS;
  const amount = count(at, now, isLong ? 'years' : slots.unit, request);
  return say(either(`It is ${amount} since ${saying.day(at)}.`, `Seit ${saying.day(at)} sind es ${amount}.`));
};

/** "Is 2028 a leap year?", "how many days does February 2028 have?" */
const calendarFacts: DateAnswer = (request) => {
  const { plain, now, timeZone, saying, in: either } = request;
  const thisYear = Number(localDate(now, timeZone).slice(0, 4));
  const leap = LEAP(plain);
  const isLeap = (year: number) => daysInMonth(year, 2) === 29;
  if (leap?.next) {
    const year = [1, 2, 3, 4, 5, 6, 7, 8].map((ahead) => thisYear + ahead).find(isLeap);
    return say(either(`The next leap year is ${year}.`, `Das nächste Schaltjahr ist ${year}.`));
  }
  if (leap) {
    const year = leap.year === undefined ? thisYear : Number(leap.year);
    return say(
      either(
        `${year} is ${isLeap(year) ? '' : 'not '}a leap year.`,
        `${year} ist ${isLeap(year) ? 'ein' : 'kein'} Schaltjahr.`,
      ),
    );
  }
  const { month, work } = IN_MONTH(plain) ?? {};
  if (month === undefined) return undefined;
  if (/^(?:this year|(?:diese[ms]|das) jahr|\d{4})$/iu.test(month)) {
    const year = /^\d/u.test(month) ? Number(month) : thisYear;
    const days = isLeap(year) ? 366 : 365;
    return say(either(`There are ${days} days in ${year}.`, `${year} hat ${days} Tage.`));
  }
  const first = dayIn(`1. ${month}`, request) ?? dayIn(`1 ${month}`, request);
  if (!first || !/^\p{L}+(?: \d{4})?$/u.test(month)) return undefined;
  const [y = 0, m = 1] = localDate(first.at, timeZone).split('-').map(Number);
  const named = /\d/u.test(month) ? first.at : new Date(Date.UTC(thisYear, m - 1, 1, 12));
  const days = daysInMonth(/\d/u.test(month) ? y : thisYear, m);
  if (work !== undefined) {
    const start = new Date(Date.UTC(/\d/u.test(month) ? y : thisYear, m - 1, 0, 12));
    const end = new Date(Date.UTC(/\d/u.test(month) ? y : thisYear, m - 1, days, 12));
    return say(`${saying.month(named)}: ${count(start, end, work, { ...request, timeZone: 'UTC' })}.`);
  }
  return say(either(`There are ${days} days in ${saying.month(named)}.`, `${saying.month(named)} hat ${days} Tage.`));
};

/** The last week is the one of 28 December. */
function weeksIn({ plain, now, timeZone, in: either }: UserRequest): Intent | undefined {
  const said = WEEKS_IN(plain)?.year;
  if (said === undefined) return undefined;
  const year = /\d{4}/u.exec(said)?.[0] ?? localDate(now, timeZone).slice(0, 4);
  const weeks = isoWeek(new Date(`${year}-12-28T12:00:00Z`), 'UTC');
  return say(either(`${year} has ${weeks} weeks (ISO 8601).`, `${year} hat ${weeks} Kalenderwochen.`));
}

const weekOf: DateAnswer = (request) => {
  const weeks = weeksIn(request);
  if (weeks) return weeks;
  const day = dayIn(WEEK_OF(request.plain)?.day?.replace(/^(?:der|am|on|the) /iu, ''), request)?.at;
  if (!day) return undefined;
  const week = isoWeek(day, request.timeZone);
  const said = request.saying.day(day);
  return say(request.in(`${said} is in week ${week} (ISO 8601).`, `${said} liegt in Kalenderwoche ${week}.`));
};

/** What a unit of `shifted` moves by. */
const STEPS: readonly (readonly [words: RegExp, unit: CalendarUnit, length: number])[] = [
  [/^(?:day|tag)/iu, 'day', 1],
  [/^(?:week|woche)/iu, 'week', 1],
  [/^fortnight/iu, 'week', 2],
  [/^(?:month|monat)/iu, 'month', 1],
  [/^(?:year|jahr)/iu, 'year', 1],
];
/** Of working days, each is a step of its own; of years, no calendar here goes on so long. */
const MOST_STEPS = { day: 100_000, week: 100_000, month: 100_000, year: 9000 };

/** "3 weeks from today", "10 working days before 1 March". */
const shifted: DateAnswer = (request) => {
  const slots = SHIFTED(request.plain);
  const amount = /^(?:an?|eine?[nm]?)$/iu.test(slots?.n ?? '') ? 1 : Number(wordsToDigits(slots?.n ?? ''));
  if (!slots || Number.isNaN(amount)) return undefined;
  const { now, timeZone, saying, in: either } = request;
  const anchor = /^(?:now|today|then|jetzt|heute)$/iu.test(slots.day ?? '') ? now : dayIn(slots.day, request)?.at;
  if (!anchor) return undefined;
  const sign = /before|prior|vor/iu.test(slots.side ?? '') ? -1 : 1;
  const [, unit = 'day', length = 1] = STEPS.find(([words]) => words.test(slots.unit ?? '')) ?? [];
  if (amount > MOST_STEPS[unit]) return undefined;
  const working = /work|business|arbeit|werk/iu.test(slots.unit ?? '');
  const at = working
    ? addWorkdays(anchor, sign * amount, timeZone)
    : addToDate(anchor, sign * amount * length, { unit, timeZone });
  if (!isWithinReach(at.getTime())) return undefined;
  return say(either(`That is ${saying.day(at)}.`, `Das ist ${saying.day(at)}.`));
};

function addWorkdays(from: Date, amount: number, timeZone: string): Date {
  let at = from;
  for (let left = Math.abs(amount); left > 0; ) {
    at = addToDate(at, Math.sign(amount), { unit: 'day', timeZone });
    if (new Date(`${localDate(at, timeZone)}T00:00:00Z`).getUTCDay() % 6 !== 0) left--;
  }
  return at;
}

/** "The last day of school" is none of the calendar. */
function saysMore(words: string, request: UserRequest): boolean {
  const found = findTime(spellHolidays(words, request), request);
  if (found === undefined) return false;
  const rest = found.kind === 'unclear' ? withoutTime(words) : found.rest;
  return (rest.match(/\p{L}{3,}/gu) ?? []).some((word) => !OF_CALENDAR.test(word));
}

const OF_CALENDAR = pattern(
  'iu',
  '^(?:the|date|days?|weeks?|months?|years?|next|this|last|eve|der|die|das|den|dem|tag|jahr|von|vom|and|und|bis|woche',
  '|monat|nächste[rsn]?|diese[rsn]?|from|now|today|heute|jetzt|ago|vor)$',
);

const WEEKEND = [6, 0].flatMap((day) => [weekdayName(day, 'en'), weekdayName(day, 'de')]);

/** "What day is 25 December?", "when is the third Thursday in January 2027?" */
const whichDay: DateAnswer = (request) => {
  const slots = WHICH_DAY(request.plain);
  const words = slots?.day?.replace(/^(?:der|am|den) (?=\d)/iu, '');
  if (words !== undefined && saysMore(words, request)) return undefined;
  const found =
    dayIn(words, request) ??
    dayIn(words && `${request.in('the', 'am')} ${words}`, request) ??
    dayIn(words && `in ${words}`, request);
  if (!slots || !found) return undefined;
  const said = request.saying.day(found.at);
  if (slots.weekday) {
    const asked = /^(?:wochenende|weekend)$/iu.test(slots.weekday) ? WEEKEND : slots.weekday;
    const right = [asked].flat().some((day) => said.toLowerCase().startsWith(day.toLowerCase()));
    return say(request.in(`${right ? 'Yes' : 'No'}, that is ${said}.`, `${right ? 'Ja' : 'Nein'}, das ist ${said}.`));
  }
  return say(request.in(`That is ${said}.`, `Das ist ${said}.`));
};
