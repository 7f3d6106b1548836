import { DAY_MS, zoneOf } from './zone.ts';

/** Holidays on a fixed date, as a day and month that chrono knows; the more specific name comes first. */
const HOLIDAYS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:christmas eve|heiligabend|heilig abend)\b/giu, '24 december'],
  [/\b(?:christmas(?: day)?|xmas|weihnachten)\b/giu, '25 december'],
  [/\bboxing day\b/giu, '26 december'],
  [/\bnew year'?s eve\b|\bsilvester\b/giu, '31 december'],
  [/\b(?:the )?new year(?:'?s)?(?: day)?\b|\bneujahr\b/giu, '1 january'],
  [/\bvalentine'?s(?: day)?\b/giu, '14 february'],
  [/\bhalloween\b/giu, '31 october'],
  [/\bnikolaus(?:tag)?\b/giu, '6 december'],
  [/\b(?:st\.? patrick'?s day|paddy'?s day)\b/giu, '17 march'],
  [/\b(?:burns night)\b/giu, '25 january'],
  [/\b(?:april fools'?(?: day)?)\b/giu, '1 april'],
  [/\b(?:bonfire night|guy fawkes(?: night| day)?)\b/giu, '5 november'],
  [/\b(?:(?:the )?(?:4th|fourth) of july|independence day)\b/giu, '4 july'],
  [/\b(?:veterans'? day|remembrance day)\b/giu, '11 november'],
  [/\btag der (?:deutschen )?einheit\b/giu, '3 october'],
];

/** Feasts that move with Easter: days after Easter Sunday, and their names. The more specific name comes first. */
const MOVABLE: readonly (readonly [days: number, name: RegExp])[] = [
  [-2, /\b(?:good friday|karfreitag)\b(?: (\d{4}))?/giu],
  [1, /\b(?:easter monday|ostermontag)\b(?: (\d{4}))?/giu],
  [39, /\b(?:ascension day|(?:christi )?himmelfahrt)\b(?: (\d{4}))?/giu],
  [50, /\b(?:whit monday|pfingstmontag)\b(?: (\d{4}))?/giu],
  [49, /\b(?:pentecost|whit sunday|whitsun|pfingsten|pfingstsonntag)\b(?: (\d{4}))?/giu],
  [-47, /\b(?:shrove tuesday|pancake day|mardi gras)\b(?: (\d{4}))?/giu],
  [-46, /\b(?:ash wednesday|aschermittwoch)\b(?: (\d{4}))?/giu],
  [-21, /\bmothering sunday\b(?: (\d{4}))?/giu],
  [-7, /\b(?:palm sunday|palmsonntag)\b(?: (\d{4}))?/giu],
  [-48, /\b(?:rosenmontag)\b(?: (\d{4}))?/giu],
  [0, /\b(?:easter sunday|easter|ostersonntag|ostern)\b(?: (\d{4}))?/giu],
];

/** Days counted from a fixed date: the first such day of the week on or after it. Some are US holidays. */
const COUNTED: readonly (readonly [month: number, day: number, name: RegExp, weekday?: number])[] = [
  [11, 22, /\bthanksgiving(?: day)?\b(?: (\d{4}))?/giu, 4],
  [11, 23, /\bblack friday\b(?: (\d{4}))?/giu, 5],
  [11, 26, /\bcyber monday\b(?: (\d{4}))?/giu, 1],
  [9, 1, /\blabor day\b(?: (\d{4}))?/giu, 1],
  [5, 25, /\bmemorial day\b(?: (\d{4}))?/giu, 1],
  [1, 15, /\b(?:mlk|martin luther king(?: jr\.?)?) day\b(?: (\d{4}))?/giu, 1],
  [6, 15, /\bfather'?s day\b(?: (\d{4}))?/giu],
  [11, 8, /\bremembrance sunday\b(?: (\d{4}))?/giu],
  [11, 27, /\b(?:1\.|erste[rn]?|first) advent(?:ssonntag)?\b(?: (\d{4}))?/giu],
  [12, 4, /\b(?:2\.|zweite[rn]?) advent(?:ssonntag)?\b(?: (\d{4}))?/giu],
  [12, 11, /\b(?:3\.|dritte[rn]?) advent(?:ssonntag)?\b(?: (\d{4}))?/giu],
  [12, 18, /\b(?:4\.|vierte[rn]?) advent(?:ssonntag)?\b(?: (\d{4}))?/giu],
  [11, 20, /\b(?:totensonntag|ewigkeitssonntag)\b(?: (\d{4}))?/giu],
  [5, 8, /\bmuttertag\b(?: (\d{4}))?/giu],
];

/** "How long until christmas" as "how long until 25 december"; "easter" as the date of the next one. */
export function spellHolidays(text: string, { timeZone, now }: { timeZone: string; now: Date }): string {
  const fixed = HOLIDAYS.reduce((spelled, [holiday, date]) => spelled.replace(holiday, date), text);
  const today = Math.floor(zoneOf(timeZone).wallAt(now.getTime()) / DAY_MS) * DAY_MS;
  const moving = [
    ...MOVABLE.map(([days, name]) => ({ name, inYear: (year: number) => easterSunday(year) + days * DAY_MS })),
    ...COUNTED.map(([month, day, name, weekday = 0]) => ({
      name,
      inYear: (year: number) => dayFrom({ year, month, day }, weekday),
    })),
  ];
  return moving.reduce(
    (spelled, { name, inYear }) =>
      spelled.replace(name, (_match, year: string | undefined) => {
        const thisYear = new Date(today).getUTCFullYear();
        const at = year ? inYear(Number(year)) : [inYear(thisYear), inYear(thisYear + 1)].find((day) => day >= today);
        return new Date(at ?? today).toISOString().slice(0, 10);
      }),
    fixed,
  );
}

/** The first such day of the week on or after a date, as UTC midnight. */
function dayFrom(date: { year: number; month: number; day: number }, weekday: number): number {
  const at = Date.UTC(date.year, date.month - 1, date.day);
  return at + ((weekday + 7 - new Date(at).getUTCDay()) % 7) * DAY_MS;
}

/** Easter Sunday of a Gregorian year, as UTC midnight. @see Meeus/Jones/Butcher, "Nature", 20 April 1876. */
function easterSunday(year: number): number {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}
