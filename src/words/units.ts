import { type Language, type Named, oneOf, readNames } from './spelling.ts';

export type UnitOfTime =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year'
  | 'workday'
  | 'weekend';

/** A quantity of a unit, and its names: a fortnight is two weeks. */
export interface TimeUnit extends Named {
  readonly n: number;
  readonly unit: UnitOfTime;
}

const unitOf = (unit: UnitOfTime, words: string, n = 1): TimeUnit[] =>
  readNames(words).map((named) => ({ ...named, n, unit }));

export const TIME_UNITS: Readonly<Record<Language, readonly TimeUnit[]>> = {
  en: [
    ...unitOf('second', 'second seconds: sec secs s'),
    ...unitOf('minute', 'minute minutes: min mins m'),
    ...unitOf('hour', 'hour hours: hr hrs h'),
    ...unitOf('day', 'day days'),
    ...unitOf('week', 'week weeks'),
    ...unitOf('week', 'fortnight fortnights', 2),
    ...unitOf('month', 'month months'),
    ...unitOf('quarter', 'quarter quarters'),
    ...unitOf('year', 'year years'),
    ...unitOf('workday', 'weekday weekdays workday workdays'),
    ...unitOf('weekend', 'weekend weekends'),
  ],
  de: [
    ...unitOf('second', 'Sekunde Sekunden: Sek s'),
    ...unitOf('minute', 'Minute Minuten: min m'),
    ...unitOf('minute', 'Viertelstunde Viertelstunden', 15),
    ...unitOf('minute', 'Dreiviertelstunde', 45),
    ...unitOf('hour', 'Stunde Stunden: Std h'),
    ...unitOf('day', 'Tag Tage Tagen Tages'),
    ...unitOf('week', 'Woche Wochen'),
    ...unitOf('month', 'Monat Monate Monaten Monats'),
    ...unitOf('quarter', 'Quartal Quartale Quartals'),
    ...unitOf('year', 'Jahr Jahre Jahren Jahres'),
    ...unitOf('workday', 'Werktag Werktage Werktagen werktags Arbeitstag Arbeitstage Arbeitstagen'),
    ...unitOf('workday', 'Wochentag wochentags'),
    ...unitOf('weekend', 'Wochenende Wochenenden'),
  ],
};

const PLAIN: readonly UnitOfTime[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const plain = [...TIME_UNITS.en, ...TIME_UNITS.de].filter(({ unit }) => PLAIN.includes(unit));

/** Sources of regular expressions that match a unit from seconds to years by its name in either language, */
export const timeUnit = oneOf(new Set(plain.flatMap(({ names }) => names)));
/** and also by its short forms. */
export const anyTimeUnit = oneOf(new Set(plain.flatMap(({ names, short }) => [...names, ...short])));
