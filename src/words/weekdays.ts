import { type Language, type Named, oneOf, readNames } from './spelling.ts';

/** Sunday first, as `Date` counts. */
export const WEEKDAYS: Readonly<Record<Language, readonly Named[]>> = {
  en: readNames(
    `Sunday: Sun; Monday: Mon; Tuesday: Tue Tues; Wednesday: Wed Weds; Thursday: Thu Thur Thurs; Friday: Fri;
     Saturday: Sat`,
  ),
  de: readNames('Sonntag; Montag: Mo; Dienstag: Di; Mittwoch: Mi; Donnerstag: Do; Freitag: Fr; Samstag Sonnabend: Sa'),
};

/** The name of a day by its number, Sunday being 0: `Tuesday`. */
export function weekdayName(day: number, language: Language = 'en'): string {
  return WEEKDAYS[language][day]?.name ?? '';
}

/** `Tue`, as a wall clock shows it. */
export function shortWeekday(day: number): string {
  return weekdayName(day).slice(0, 3);
}

/** Source of a regular expression that matches the name of a day; see `anyWeekday` for other forms. */
export function weekday(language: Language): string {
  return oneOf(WEEKDAYS[language].map(({ name }) => name));
}

/** Source of a regular expression that matches a day in either language, including `Mondays` and `montags`. */
export const anyWeekday = `(?:${weekday('en')}|${weekday('de')})s?`;
