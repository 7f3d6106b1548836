import { unitCalled } from '../quantities/units.ts';
import { type ExactTime, exactTime, type Spoken } from '../when/find.ts';
import { spellHolidays } from '../when/holidays.ts';
import { zoneOfPlace } from '../when/places.ts';
import { monthNumber } from '../words/months.ts';
import { fold } from '../words/spelling.ts';
import { WEEKDAYS } from '../words/weekdays.ts';
import { AMOUNT_SLOTS } from './amount-slots.ts';
import { readOnce, type SlotType } from './slot-type.ts';

/** In what a span is counted. */
export type Period = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'working day';

const SECONDS: Readonly<Record<number, Period>> = {
  60: 'minute',
  3600: 'hour',
  86400: 'day',
  604800: 'week',
  2628000: 'month',
  31536000: 'year',
};
const WORKING = /^(?:working |work|business |week)days?$|^(?:arbeits|werk)tagen?$/iu;
const SLEEPS = /^sleeps?$|^mal schlafen$/iu;
/** Words that no day has, for a quick no. */
const OTHER = /[?!;"]|\b(?:is|are|and|und|ist|sind|how|what|wie|was)\b/iu;

/** The period that a unit of time counts, by any of its names. */
export function periodOf(words: string): Period | undefined {
  if (WORKING.test(words)) return 'working day';
  if (SLEEPS.test(words)) return 'day';
  const unit = unitCalled(words)?.meanings.find(({ kind }) => kind === 'time');
  return unit && SECONDS[unit.is];
}

const timeIn = readOnce((words, spoken) => (OTHER.test(words) ? undefined : exactTime(words, spoken)));

const timed = (isTime: (found: ExactTime) => boolean): SlotType => ({
  most: 8,
  read: (words, spoken) => {
    const found = timeIn(words, spoken);
    return found && isTime(found) ? words : undefined;
  },
});

/** The number of a day of the week, Sunday being 0; both days of a weekend. */
export function weekdaysCalled(words: string): readonly number[] {
  if (/^(?:weekend|wochenende)$/iu.test(words)) return [6, 0];
  const name = fold(words);
  return [WEEKDAYS.en, WEEKDAYS.de].flatMap((days) =>
    days.flatMap(({ names }, at) => (names.includes(name) ? [at] : [])),
  );
}

/** The number of a month, January being 1, and the year where it is said. */
export function monthCalled(words: string): { readonly month: number; readonly year?: number } | undefined {
  const [, name = '', year] = /^(\p{L}+)\.?(?: (\d{4}))?$/u.exec(words) ?? [];
  const month = monthNumber(name);
  return month === undefined ? undefined : { month, ...(year !== undefined && { year: Number(year) }) };
}

/** "The difference between London and us". */
export function isHere(words: string): boolean {
  return /^(?:here|us|me|hier|uns|mir)$/iu.test(words);
}

/** The zone of a place, of "here" the owner's. */
export function zoneNamed(words: string, { timeZone }: Pick<Spoken, 'timeZone'>): string | undefined {
  return isHere(words) ? timeZone : zoneOfPlace(words);
}

const isWhile = (words: string, spoken: Spoken) => AMOUNT_SLOTS.duration?.read(words, spoken) !== undefined;
const DAY_ALONE = /^(?:the |dem |den )?\d{1,2}(?:st|nd|rd|th|\.)?$/iu;

function isNamed(words: string, spoken: Spoken): boolean {
  return spellHolidays(words, spoken) !== words || words.split(' ').length > 3;
}

/** `{date}` is a day, `{moment}` a day or an instant, `{clock}` a time of day. */
export const DATE_SLOTS: Readonly<Record<string, SlotType>> = {
  date: timed(({ namesTime }) => !namesTime),
  /** A day of which people ask when it is: "Easter", "the third Thursday in March". */
  holiday: {
    most: 8,
    read: (words, spoken) => (isNamed(words, spoken) && DATE_SLOTS.date?.read(words, spoken) ? words : undefined),
  },
  /** Also "3" of "3 to 17 December". */
  daylike: {
    most: 8,
    read: (words, spoken) => (DAY_ALONE.test(words) ? words : DATE_SLOTS.moment?.read(words, spoken)),
  },
  birth: {
    most: 6,
    read: (words, spoken) => DATE_SLOTS.year?.read(words, spoken) ?? DATE_SLOTS.date?.read(words, spoken),
  },
  moment: timed(() => true),
  /** A while is none: "10 minutes". */
  clock: {
    most: 8,
    read: (words, spoken) => (isWhile(words, spoken) || !timeIn(words, spoken)?.namesTime ? undefined : words),
  },
  year: { most: 1, read: (words) => (/^(?:1[5-9]|2[01])\d\d$/u.test(words) ? words : undefined) },
  month: { most: 2, read: (words) => (monthCalled(words) ? words : undefined) },
  weekday: { most: 1, read: (words) => (weekdaysCalled(words.replace(/s$/u, '')).length > 0 ? words : undefined) },
  period: { most: 2, read: periodOf },
  place: { most: 4, read: (words, spoken) => (zoneNamed(words, spoken) ? words : undefined) },
};
