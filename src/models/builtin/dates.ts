import { NUMBER_WORDS } from '../../when/number-words.ts';
import { withoutAsking } from './calculation.ts';
import { daysBetween, findMoment, sayDay, sayTime } from './moment.ts';
import { type Plan, type Recognizer, say, type Utterance } from './utterance.ts';

/** Feast days that people count to, as day and month (Easter moves and is left out). */
const FEASTS: readonly (readonly [RegExp, string])[] = [
  [/\bchristmas eve\b/giu, '24 December'],
  [/\b(?:christmas(?: day)?|xmas)\b/giu, '25 December'],
  [/\bboxing day\b/giu, '26 December'],
  [/\bnew year'?s eve\b|\bsilvester\b/giu, '31 December'],
  [/\b(?:the )?new year(?:'?s)?(?: day)?\b/giu, '1 January'],
  [/\bvalentine'?s(?: day)?\b/giu, '14 February'],
  [/\bhalloween\b/giu, '31 October'],
];

/** Questions about the calendar and the clock. */
export const dates: Recognizer = (utterance) => {
  const question = withFeasts(utterance.lower.replace(/[?!.\s]+$/u, ''));
  for (const answer of [clock, between, countdown, age, calendarFacts, shifted, whichDay]) {
    const plan = answer(question, utterance);
    if (plan) return plan;
  }
  return undefined;
};

type DateAnswer = (question: string, utterance: Utterance) => Plan | undefined;

const clock: DateAnswer = (question, { now }) => {
  if (
    /^(?:what(?:'s| is) the (?:current )?time|what time is it|(?:the )?(?:current )?time|do you have the time|how late is it)(?: (?:now|right now|please))?$/u.test(
      question,
    )
  ) {
    return say(`It is ${sayTime(new Date(now.setMilliseconds(0)))} on ${sayDay(now)}.`);
  }
  if (
    /^(?:what(?:'s| is)? (?:the |today'?s )?(?:current )?(?:date|day)(?: is)?(?: (?:it|today|today's))?(?: today| now)?|what(?:'s| is) today(?:'s date)?|today'?s date|(?:the )?date(?: today)?|which day is (?:it|today)|what day of the week is it(?: today)?)$/u.test(
      question,
    )
  ) {
    return say(`Today is ${sayDay(now)}.`);
  }
  const unit = /^(?:what|which) (year|month|week)(?: number)? (?:is (?:it|this)|are we in|is it now)$/u.exec(
    question,
  )?.[1];
  if (unit === 'year') return say(`It is ${now.getFullYear()}.`);
  if (unit === 'month') return say(`It is ${now.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' })}.`);
  return unit === 'week' ? say(`It is week ${isoWeek(now)} (ISO 8601).`) : undefined;
};

const between: DateAnswer = (question, { now }) => {
  const match = /\b(days|weeks|months|years|time)\b.*\b(?:between|from) (.+?) (?:and|to|until) (.+)$/u.exec(question);
  if (!match) return undefined;
  const from = findMoment(match[2] ?? '', now);
  const to = findMoment(match[3] ?? '', from?.date ?? now);
  if (!from || !to) return undefined;
  const days = Math.abs(daysBetween(from.date, to.date));
  return say(`From ${sayDay(from.date)} to ${sayDay(to.date)} it is ${count(days, match[1])}.`);
};

const countdown: DateAnswer = (question, { now }) => {
  const match =
    /^how (?:many (days|weeks|hours|minutes)|long|far)(?: (?:is it|are left|is left|left|do i have|are there|remain|away))?(?: away)? (?:until|till|til|to|before|is) (.+?)(?: (?:away|from now))?$/u.exec(
      question,
    ) ?? /^(days|weeks) (?:until|till|to) (.+)$/u.exec(question);
  if (match) return untilOrSince(match[2] ?? '', { unit: match[1], now, past: false });
  const since =
    /^how (?:many (days|weeks)|long)(?: (?:is it|has it been|have passed|passed|ago))? (?:since|ago was) (.+)$/u.exec(
      question,
    );
  return since ? untilOrSince(since[2] ?? '', { unit: since[1], now, past: true }) : undefined;
};

function untilOrSince(
  words: string,
  options: { unit: string | undefined; now: Date; past: boolean },
): Plan | undefined {
  const { unit, now, past } = options;
  const moment = findMoment(past ? `last ${words}` : words, now) ?? findMoment(words, now);
  if (!moment) return undefined;
  const { date } = moment;
  if (past && date > now) date.setFullYear(date.getFullYear() - 1);
  const days = Math.abs(daysBetween(now, date));
  const clockTime = moment.hasTime && days < 2;
  if (unit === 'hours' || unit === 'minutes' || clockTime) return say(`It is ${hoursTo(now, date)} until ${words}.`);
  const lead = past ? 'since' : 'until';
  return say(days === 0 ? 'That is today.' : `It is ${count(days, unit)} ${lead} ${sayDay(date)}.`);
}

const age: DateAnswer = (question, { now }) => {
  const born = /\bborn (?:on |in )?(.+)$/u.exec(question)?.[1];
  if (!born || !/^how old|^what age|\bage\b/u.test(question)) return undefined;
  const birthday = findMoment(`${born} was`, now)?.date;
  if (!birthday || birthday > now) return undefined;
  const had = now.getMonth() - birthday.getMonth() || now.getDate() - birthday.getDate();
  return say(`${now.getFullYear() - birthday.getFullYear() - (had < 0 ? 1 : 0)} years, born on ${sayDay(birthday)}.`);
};

const calendarFacts: DateAnswer = (question, { now }) => {
  const leap = /\b(?:is|was) (\d{4}) a leap year\b/u.exec(question)?.[1];
  if (leap) return say(`${leap} is ${daysIn(Number(leap), 1) === 29 ? '' : 'not '}a leap year.`);
  const month =
    /^how many days (?:are |has |does |are there )?(?:there )?(?:in |has )?([a-z]+)(?: have)?(?: (\d{4}))?$/u.exec(
      question,
    );
  const index = MONTHS.findIndex((name) => name === month?.[1] || name.slice(0, 3) === month?.[1]);
  if (!month || index < 0) return undefined;
  const year = Number(month[2] ?? now.getFullYear());
  return say(
    `There are ${daysIn(year, index)} days in ${MONTHS[index]?.replace(/^./u, (c) => c.toUpperCase())} ${year}.`,
  );
};

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** "3 weeks from today", "10 days before 1 March", "90 days after 2026-01-31", "two weeks ago". */
const shifted: DateAnswer = (question, { now }) => {
  const words = withoutAsking(question).replace(
    /^(?:(?:the )?(?:what |which )?(?:date|day|weekday)(?: of the week)?(?: will it be| is it| was it| is| was| will be)?|will it be|was it|be) ?/u,
    '',
  );
  const match =
    /^(?:in )?(an?|\w+|\d+) (day|week|month|year|fortnight)s? (from|after|before|prior to|since) (.+)$/u.exec(words);
  const amount = toCount(match?.[1]);
  if (!match || amount === undefined) return undefined;
  const anchor = /^(?:now|today|then)$/u.test(match[4] ?? '') ? now : findMoment(match[4] ?? '', now)?.date;
  if (!anchor) return undefined;
  const sign = /before|prior/u.test(match[3] ?? '') ? -1 : 1;
  return say(`That is ${sayDay(shift(anchor, sign * amount, match[2] ?? 'day'))}.`);
};

/** "What day is 25 December?", "what date is next Friday?", "was 1 May 1999 a Saturday?". */
const whichDay: DateAnswer = (question, { now }) => {
  const words =
    /^(?:on )?(?:what|which) (?:day|date|weekday|day of the week)(?: of the week)? (?:is|was|will be|will it be|does|did|falls?|it is|is it)(?: it)?(?: on| in)? (.+?)(?: (?:fall|fell|be)(?: on)?)?$/u.exec(
      question,
    )?.[1] ??
    /^when (?:is|was) ((?:next|last|this|the) .+|\d.+)$/u.exec(question)?.[1] ??
    /^((?:an?|\w+) (?:days?|weeks?|months?|years?) ago)$/u.exec(question)?.[1];
  const moment = words && findMoment(words, now);
  return moment ? say(`That is ${sayDay(moment.date)}.`) : undefined;
};

function toCount(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d+$/u.test(word)) return Number(word);
  if (/^an?$/u.test(word)) return 1;
  const index = NUMBER_WORDS.indexOf(word);
  return index < 0 ? undefined : index;
}

function shift(from: Date, amount: number, unit: string): Date {
  const date = new Date(from);
  if (unit === 'day') date.setDate(date.getDate() + amount);
  else if (unit === 'week') date.setDate(date.getDate() + amount * 7);
  else if (unit === 'fortnight') date.setDate(date.getDate() + amount * 14);
  else shiftMonths(date, unit === 'year' ? amount * 12 : amount);
  return date;
}

/** The 31st plus one month is the last day of that month. */
function shiftMonths(date: Date, months: number): void {
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + months);
  date.setDate(Math.min(day, daysIn(date.getFullYear(), date.getMonth())));
}

function daysIn(year: number, month: number): number {
  return new Date(year, month + 1, 0).getDate();
}

function count(days: number, unit = 'days'): string {
  const plural = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
  if (unit !== 'weeks' || days < 7) return plural(days, 'day');
  const rest = days % 7;
  return `${plural(Math.floor(days / 7), 'week')}${rest === 0 ? '' : ` and ${plural(rest, 'day')}`}`;
}

function hoursTo(now: Date, date: Date): string {
  const minutes = Math.round(Math.abs(date.getTime() - now.getTime()) / 60_000);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} minutes` : `${hours} hours and ${minutes % 60} minutes`;
}

/** The week that holds the date's Thursday; weeks start on Monday. */
function isoWeek(date: Date): number {
  const day = new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  return Math.ceil(((day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7);
}

function withFeasts(question: string): string {
  return FEASTS.reduce((text, [words, day]) => text.replace(words, day), question);
}
