import { type Language, type Named, oneOf, readNames } from './spelling.ts';

/** January first. */
export const MONTHS: Readonly<Record<Language, readonly Named[]>> = {
  en: readNames(
    `January: Jan; February: Feb; March: Mar; April: Apr; May; June: Jun; July: Jul; August: Aug; September: Sep Sept;
     October: Oct; November: Nov; December: Dec`,
  ),
  de: readNames(
    `Januar Jänner: Jan; Februar: Feb; März: Mrz; April: Apr; Mai; Juni: Jun; Juli: Jul; August: Aug;
     September: Sep Sept; Oktober: Okt; November: Nov; Dezember: Dez`,
  ),
};

/** The name of a month by its number, January being 0. */
export function monthName(month: number, language: Language = 'en'): string {
  return MONTHS[language][month]?.name ?? '';
}

/** Source of a regular expression that matches the name of a month in these languages. */
export function month(...languages: readonly Language[]): string {
  return oneOf(new Set(languages.flatMap((language) => MONTHS[language].map(({ name }) => name))));
}
