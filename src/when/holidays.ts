/**
 * Holidays on a fixed date, as a day and month that chrono knows; the more particular name stands first. Easter and
 * what depends on it are left out: they move.
 */
const HOLIDAYS: readonly (readonly [RegExp, string])[] = [
  [/\bchristmas eve\b/giu, '24 december'],
  [/\b(?:christmas(?: day)?|xmas)\b/giu, '25 december'],
  [/\bboxing day\b/giu, '26 december'],
  [/\bnew year'?s eve\b|\bsilvester\b/giu, '31 december'],
  [/\b(?:the )?new year(?:'?s)?(?: day)?\b/giu, '1 january'],
  [/\bvalentine'?s(?: day)?\b/giu, '14 february'],
  [/\bhalloween\b/giu, '31 october'],
];

/** "How long until christmas" as "how long until 25 december". */
export function spellHolidays(text: string): string {
  return HOLIDAYS.reduce((spelled, [holiday, date]) => spelled.replace(holiday, date), text);
}
