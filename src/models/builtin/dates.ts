import { NUMBER_WORDS } from '../../base/number-words.ts';
import { pattern } from '../../base/pattern.ts';
import {
  addToDate,
  type CalendarUnit,
  daysBetween,
  daysInMonth,
  isoWeek,
  localDate,
  MONTHS,
  sayDay,
  sayHoursBetween,
  sayMonth,
  sayTime,
  yearsBetween,
} from '../../when/calendar.ts';
import { findDate } from '../../when/find.ts';
import { spellHolidays } from '../../when/holidays.ts';
import { withoutAsking } from './calculation.ts';
import { type Intent, type Recognizer, say, type UserRequest } from './intent.ts';

/** Questions about the calendar and the clock. */
export const dates: Recognizer = (request) => {
  const question = spellHolidays(request.lower.replace(/[?!.\s]+$/u, ''));
  for (const answer of [clock, between, countdown, age, calendarFacts, shifted, whichDay]) {
    const intent = answer(question, request);
    if (intent) return intent;
  }
  return undefined;
};

/** Answers one kind of question; undefined when the question is of another kind. It comes lower-cased, without `?`. */
type DateAnswer = (question: string, request: UserRequest) => Intent | undefined;

/** "What time is it?", "what day is today?", "which week is it?". */
const clock: DateAnswer = (question, { now, timeZone }) => {
  if (
    pattern(
      'u',
      "^(?:what(?:'s| is) the (?:current )?time|what time is it|(?:the )?(?:current )?time",
      '|do you have the time|how late is it)(?: (?:now|right now|please))?$',
    ).test(question)
  ) {
    return say(`It is ${sayTime(now, timeZone)} on ${sayDay(now, timeZone)}.`);
  }
  if (
    pattern(
      'u',
      "^(?:what(?:'s| is)? (?:the |today'?s )?(?:current )?(?:date|day)(?: is)?(?: (?:it|today",
      "|today's))?(?: today| now)?|what(?:'s| is) today(?:'s date)?|today'?s date",
      '|(?:the )?date(?: today)?|which day is (?:it|today)|what day of the week is it(?: today)?)$',
    ).test(question)
  ) {
    return say(`Today is ${sayDay(now, timeZone)}.`);
  }
  const unit = /^(?:what|which) (year|month|week)(?: number)? (?:is (?:it|this)|are we in|is it now)$/u.exec(
    question,
  )?.[1];
  if (unit === 'year') return say(`It is ${localDate(now, timeZone).slice(0, 4)}.`);
  if (unit === 'month') return say(`It is ${sayMonth(now, timeZone)}.`);
  return unit === 'week' ? say(`It is week ${isoWeek(now, timeZone)} (ISO 8601).`) : undefined;
};

/** "How many days from 1 March to 24 December?": the second date is read as seen from the first. */
const between: DateAnswer = (question, { now, timeZone }) => {
  const match = /\b(days|weeks|months|years|time)\b.*\b(?:between|from) (.+?) (?:and|to|until) (.+)$/u.exec(question);
  if (!match) return undefined;
  const from = findDate(match[2] ?? '', { now, timeZone })?.at;
  const to = from && findDate(match[3] ?? '', { now: from, timeZone })?.at;
  if (!to) return undefined;
  const days = Math.abs(daysBetween(from, to, timeZone));
  return say(`From ${sayDay(from, timeZone)} to ${sayDay(to, timeZone)} it is ${count(days, match[1])}.`);
};

/** "How many days until Christmas?", "how long is it since 1 May?". */
const countdown: DateAnswer = (question, { now, timeZone }) => {
  const match =
    pattern(
      'u',
      '^how (?:many (days|weeks|hours|minutes)|long|far)(?: (?:is it|are left|is left|left',
      '|do i have|are there|remain|away))?(?: away)? (?:until|till|til|to|before',
      '|is) (.+?)(?: (?:away|from now))?$',
    ).exec(question) ?? /^(days|weeks) (?:until|till|to) (.+)$/u.exec(question);
  if (match) return untilOrSince(match[2] ?? '', { unit: match[1], now, timeZone, past: false });
  const since =
    /^how (?:many (days|weeks)|long)(?: (?:is it|has it been|have passed|passed|ago))? (?:since|ago was) (.+)$/u.exec(
      question,
    );
  return since ? untilOrSince(since[2] ?? '', { unit: since[1], now, timeZone, past: true }) : undefined;
};

/** How to count: `unit` as asked, else days; `past` counts back. */
interface Countdown {
  readonly unit: string | undefined;
  readonly now: Date;
  readonly timeZone: string;
  readonly past: boolean;
}

/** In hours only when asked for, or when a time of day was named and it is near; otherwise in days. */
function untilOrSince(words: string, { unit, now, timeZone, past }: Countdown): Intent | undefined {
  const found = findDate(past ? `last ${words}` : words, { now, timeZone }) ?? findDate(words, { now, timeZone });
  if (!found) return undefined;
  const at = past && found.at > now ? addToDate(found.at, -1, { unit: 'year', timeZone }) : found.at;
  const days = Math.abs(daysBetween(now, at, timeZone));
  const byTheClock = unit === 'hours' || unit === 'minutes' || (found.namesTime && days < 2);
  if (byTheClock) return say(`It is ${sayHoursBetween(now, at)} until ${words}.`);
  const lead = past ? 'since' : 'until';
  return say(days === 0 ? 'That is today.' : `It is ${count(days, unit)} ${lead} ${sayDay(at, timeZone)}.`);
}

/** "How old is someone born on 3 May 1990?". */
const age: DateAnswer = (question, { now, timeZone }) => {
  const born = /\bborn (?:on |in )?(.+)$/u.exec(question)?.[1];
  if (!born || !/^how old|^what age|\bage\b/u.test(question)) return undefined;
  const birthday = findDate(born, { now, timeZone })?.at;
  if (!birthday || birthday > now) return undefined;
  return say(`${yearsBetween(birthday, now, timeZone)} years, born on ${sayDay(birthday, timeZone)}.`);
};

/** "Is 2028 a leap year?", "how many days does February 2028 have?". */
const calendarFacts: DateAnswer = (question, { now, timeZone }) => {
  const leap = /\b(?:is|was) (\d{4}) a leap year\b/u.exec(question)?.[1];
  if (leap) return say(`${leap} is ${daysInMonth(Number(leap), 2) === 29 ? '' : 'not '}a leap year.`);
  const asked =
    /^how many days (?:are |has |does |are there )?(?:there )?(?:in |has )?([a-z]+)(?: have)?(?: (\d{4}))?$/u.exec(
      question,
    );
  const month = MONTHS.findIndex((name) => [name, name.slice(0, 3)].some((form) => form.toLowerCase() === asked?.[1]));
  if (!asked || month < 0) return undefined;
  const year = Number(asked[2] ?? localDate(now, timeZone).slice(0, 4));
  return say(`There are ${daysInMonth(year, month + 1)} days in ${MONTHS[month]} ${year}.`);
};

/** The units of `shifted`; a fortnight is two weeks. */
const DAY: { readonly unit: CalendarUnit; readonly length: number } = { unit: 'day', length: 1 };
const UNITS: Readonly<Record<string, typeof DAY>> = {
  day: DAY,
  week: { unit: 'week', length: 1 },
  fortnight: { unit: 'week', length: 2 },
  month: { unit: 'month', length: 1 },
  year: { unit: 'year', length: 1 },
};

/** "3 weeks from today", "10 days before 1 March", "90 days after 2026-01-31", "two weeks ago". */
const shifted: DateAnswer = (question, { now, timeZone }) => {
  const words = withoutAsking(question).replace(
    pattern(
      'u',
      '^(?:(?:the )?(?:what |which )?(?:date|day|weekday)(?: of the week)?(?: will it be| is it',
      '| was it| is| was| will be)?|will it be|was it|be) ?',
    ),
    '',
  );
  const match =
    /^(?:in )?(an?|\w+|\d+) (day|week|month|year|fortnight)s? (from|after|before|prior to|since) (.+)$/u.exec(words);
  const amount = toCount(match?.[1]);
  if (!match || amount === undefined) return undefined;
  const anchor = /^(?:now|today|then)$/u.test(match[4] ?? '') ? now : findDate(match[4] ?? '', { now, timeZone })?.at;
  if (!anchor) return undefined;
  const sign = /before|prior/u.test(match[3] ?? '') ? -1 : 1;
  const { unit, length } = UNITS[match[2] ?? ''] ?? DAY;
  return say(`That is ${sayDay(addToDate(anchor, sign * amount * length, { unit, timeZone }), timeZone)}.`);
};

/** "What day is 25 December?", "what date is next Friday?", "was 1 May 1999 a Saturday?". */
const whichDay: DateAnswer = (question, { now, timeZone }) => {
  const words =
    pattern(
      'u',
      '^(?:on )?(?:what|which) (?:day|date|weekday|day of the week)(?: of the week)? (?:is|was',
      '|will be|will it be|does|did|falls?|it is|is it)(?: it)?(?: on| in)? (.+?)(?: (?:fall|fell',
      '|be)(?: on)?)?$',
    ).exec(question)?.[1] ??
    /^when (?:is|was) ((?:next|last|this|the) .+|\d.+)$/u.exec(question)?.[1] ??
    /^((?:an?|\w+) (?:days?|weeks?|months?|years?) ago)$/u.exec(question)?.[1];
  const found = words === undefined ? undefined : findDate(words, { now, timeZone });
  return found && say(`That is ${sayDay(found.at, timeZone)}.`);
};

/** `3`, `three` or `a`; undefined for any other word. */
function toCount(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d+$/u.test(word)) return Number(word);
  if (/^an?$/u.test(word)) return 1;
  return NUMBER_WORDS.get(word);
}

/** `298 days`; with the unit `weeks` also `2 weeks and 3 days`. */
function count(days: number, unit = 'days'): string {
  const plural = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
  if (unit !== 'weeks' || days < 7) return plural(days, 'day');
  const rest = days % 7;
  return `${plural(Math.floor(days / 7), 'week')}${rest === 0 ? '' : ` and ${plural(rest, 'day')}`}`;
}
