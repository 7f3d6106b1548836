import {
  addToDate,
  type CalendarUnit,
  daysBetween,
  daysInMonth,
  isoWeek,
  localDate,
  sayHoursBetween,
  startOfDay,
  workdaysBetween,
  yearsBetween,
} from '../../../when/calendar.ts';
import { findDate } from '../../../when/find.ts';
import { wordsToDigits } from '../numbers.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';
import { AGE, BETWEEN, IN_MONTH, LEAP, SHIFTED, SINCE, UNTIL, WEEK_OF, WHICH_DAY } from './date-phrases.ts';

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
  words === undefined ? undefined : findDate(words, { now, timeZone: request.timeZone });

/** "How many days from 1 March to 24 December?": the second date is read as seen from the first. */
const between: DateAnswer = (request) => {
  const slots = BETWEEN(request.plain);
  const first = dayIn(slots?.from, request);
  // "9:30" stands for the morning here, whatever the time is now.
  const from = first?.namesTime ? dayIn(slots?.from, request, startOfDay(first.at, request.timeZone)) : first;
  const to = from && dayIn(slots?.to, request, from.at);
  if (!slots || !from || !to) return undefined;
  const { saying, in: either } = request;
  if (from.namesTime && to.namesTime) return say(`${sayHours(from.at, to.at, request)}.`);
  const amount = count(from.at, to.at, slots.unit, request);
  const [a, b] = [saying.day(from.at), saying.day(to.at)];
  return say(either(`From ${a} to ${b} it is ${amount}.`, `Von ${a} bis ${b} sind es ${amount}.`));
};

/** "How many days until Christmas?" */
const until: DateAnswer = (request) => {
  const slots = UNTIL(request.plain);
  const found = dayIn(slots?.to, request);
  if (!slots || !found) return undefined;
  const { now, timeZone, saying, in: either } = request;
  const days = Math.abs(daysBetween(now, found.at, timeZone));
  const hours = /hour|minute|stunde|minute/iu.test(slots.unit ?? '') || (found.namesTime && days < 2);
  if (hours) {
    const amount = sayHours(now, found.at, request);
    return say(
      either(`It is ${amount} until ${slots.to}.`, `Es sind noch ${amount} bis ${saying.nearAndTime(found.at)}.`),
    );
  }
  if (days === 0) return say(either('That is today.', 'Das ist heute.'));
  const amount = count(now, found.at, slots.unit, request);
  return say(
    either(`It is ${amount} until ${saying.day(found.at)}.`, `Es sind noch ${amount} bis ${saying.day(found.at)}.`),
  );
};

/** "How long is it since 1 May?": the last one. */
const since: DateAnswer = (request) => {
  const slots = SINCE(request.plain);
  const found = dayIn(slots && `last ${slots.to}`, request) ?? dayIn(slots?.to, request);
  if (!slots || !found) return undefined;
  const { now, timeZone, saying, in: either } = request;
  const at = found.at > now ? addToDate(found.at, -1, { unit: 'year', timeZone }) : found.at;
  const amount = count(at, now, slots.unit, request);
  return say(either(`It is ${amount} since ${saying.day(at)}.`, `Seit ${saying.day(at)} sind es ${amount}.`));
};

const age: DateAnswer = (request) => {
  const slots = AGE(request.plain);
  const born = dayIn(slots?.born?.replace(/^(\d{4})$/u, '1 july $1'), request)?.at;
  const { now, timeZone, saying, in: either } = request;
  if (!slots || !born || born > now) return undefined;
  const years = yearsBetween(born, now, timeZone);
  if (/^\d{4}$/u.test(slots.born ?? '')) {
    const turning = Number(localDate(now, timeZone).slice(0, 4)) - Number(slots.born);
    return say(
      either(
        `${turning - 1} or ${turning} years, by the birthday.`,
        `${turning - 1} oder ${turning} Jahre, je nach Geburtstag.`,
      ),
    );
  }
  return say(either(`${years} years, born on ${saying.day(born)}.`, `${years} Jahre, geboren am ${saying.day(born)}.`));
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
  const month = IN_MONTH(plain)?.month;
  if (month === undefined) return undefined;
  const year = /^(?:this year|diesem jahr|\d{4})$/iu.exec(month)?.[0];
  if (year !== undefined) {
    const days = isLeap(/^\d/u.test(year) ? Number(year) : thisYear) ? 366 : 365;
    return say(either(`There are ${days} days in ${month}.`, `${month} hat ${days} Tage.`));
  }
  const first = dayIn(`1. ${month}`, request) ?? dayIn(`1 ${month}`, request);
  if (!first || !/^\p{L}+(?: \d{4})?$/u.test(month)) return undefined;
  const [y = 0, m = 1] = localDate(first.at, timeZone).split('-').map(Number);
  const named = /\d/u.test(month) ? first.at : new Date(Date.UTC(thisYear, m - 1, 1, 12));
  const days = daysInMonth(/\d/u.test(month) ? y : thisYear, m);
  return say(either(`There are ${days} days in ${saying.month(named)}.`, `${saying.month(named)} hat ${days} Tage.`));
};

const weekOf: DateAnswer = (request) => {
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

/** "3 weeks from today", "10 working days before 1 March". */
const shifted: DateAnswer = (request) => {
  const slots = SHIFTED(request.plain);
  const amount = /^(?:an?|eine?[nm]?)$/iu.test(slots?.n ?? '') ? 1 : Number(wordsToDigits(slots?.n ?? ''));
  if (!slots || Number.isNaN(amount) || amount > 100_000) return undefined;
  const { now, timeZone, saying, in: either } = request;
  const anchor = /^(?:now|today|then|jetzt|heute)$/iu.test(slots.day ?? '') ? now : dayIn(slots.day, request)?.at;
  if (!anchor) return undefined;
  const sign = /before|prior|vor/iu.test(slots.side ?? '') ? -1 : 1;
  const [, unit = 'day', length = 1] = STEPS.find(([words]) => words.test(slots.unit ?? '')) ?? [];
  const working = /work|business|arbeit|werk/iu.test(slots.unit ?? '');
  const at = working
    ? addWorkdays(anchor, sign * amount, timeZone)
    : addToDate(anchor, sign * amount * length, { unit, timeZone });
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

/** "What day is 25 December?", "when is the third Thursday in January 2027?" */
const whichDay: DateAnswer = (request) => {
  const slots = WHICH_DAY(request.plain);
  const words = slots?.day?.replace(/^(?:der|am|den) (?=\d)/iu, '');
  const found =
    dayIn(words, request) ?? dayIn(words && `the ${words}`, request) ?? dayIn(words && `in ${words}`, request);
  if (!slots || !found) return undefined;
  const said = request.saying.day(found.at);
  if (slots.weekday) {
    const right = said.toLowerCase().startsWith(slots.weekday.toLowerCase());
    return say(request.in(`${right ? 'Yes' : 'No'}, that is ${said}.`, `${right ? 'Ja' : 'Nein'}, das ist ${said}.`));
  }
  return say(request.in(`That is ${said}.`, `Das ist ${said}.`));
};

/** `298 days`; with the unit `weeks` also `2 weeks and 3 days`. */
function count(from: Date, to: Date, unit: string | undefined, { timeZone, in: either }: UserRequest): string {
  const days = Math.abs(daysBetween(from, to, timeZone));
  const plural = (amount: number, [one, many]: readonly [string, string]) => `${amount} ${amount === 1 ? one : many}`;
  const inDays = plural(days, [either('day', 'Tag'), either('days', 'Tage')]);
  const asked = unit?.toLowerCase() ?? '';
  if (/work|business|weekdays|arbeit|werk/u.test(asked)) {
    const amount = workdaysBetween(from, to, timeZone);
    const names = [either('working day', 'Arbeitstag'), either('working days', 'Arbeitstage')] as const;
    const meant = either('Monday to Friday, holidays not left out', 'Montag bis Freitag, Feiertage nicht abgezogen');
    return `${plural(amount, names)} (${meant})`;
  }
  const whole = /^week|^woche/u.test(asked) ? 7 : undefined;
  if (/^(?:month|monat|year|jahr)/u.test(asked))
    return inMonths(from, to, /^(?:year|jahr)/u.test(asked), { inDays, timeZone, either, plural });
  if (whole === undefined || days < 7) return inDays;
  const weeks = plural(Math.floor(days / 7), [either('week', 'Woche'), either('weeks', 'Wochen')]);
  const rest = days % 7;
  return rest === 0
    ? weeks
    : `${weeks} ${either('and', 'und')} ${plural(rest, [either('day', 'Tag'), either('days', 'Tage')])}`;
}

function inMonths(
  from: Date,
  to: Date,
  years: boolean,
  {
    inDays,
    timeZone,
    either,
    plural,
  }: {
    inDays: string;
    timeZone: string;
    either: UserRequest['in'];
    plural: (amount: number, names: readonly [string, string]) => string;
  },
): string {
  const [a, b] = from < to ? [from, to] : [to, from];
  let months = 0;
  while (months < 12_000 && addToDate(a, months + 1, { unit: 'month', timeZone }) <= b) months++;
  const amount = years ? Math.floor(months / 12) : months;
  if (amount === 0) return inDays;
  const rest = daysBetween(addToDate(a, years ? amount * 12 : months, { unit: 'month', timeZone }), b, timeZone);
  const names = years
    ? [either('year', 'Jahr'), either('years', 'Jahre')]
    : [either('month', 'Monat'), either('months', 'Monate')];
  const whole = plural(amount, names as [string, string]);
  return rest === 0
    ? whole
    : `${whole} ${either('and', 'und')} ${plural(rest, [either('day', 'Tag'), either('days', 'Tage')])}`;
}

function sayHours(a: Date, b: Date, { in: either }: UserRequest): string {
  const said = sayHoursBetween(a, b).replace(/ and 0 minutes$/u, '');
  return either(said, said.replace('hours', 'Stunden').replace('minutes', 'Minuten').replace(' and ', ' und '));
}
