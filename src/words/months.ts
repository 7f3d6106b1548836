import { fold, type Language, type Named, oneOf, readNames } from './spelling.ts';

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

/** The number of a month, January being 1, by a name or a short form in either language; undefined for other words. */
export function monthNumber(word: string): number | undefined {
  const said = fold(word);
  const isIt = ({ names, short }: Named) => names.includes(said) || short.includes(said);
  const at = Math.max(MONTHS.en.findIndex(isIt), MONTHS.de.findIndex(isIt));
  return at < 0 ? undefined : at + 1;
}

/** Source of a regular expression that matches the name of a month in these languages. */
export function month(...languages: readonly Language[]): string {
  return oneOf(new Set(languages.flatMap((language) => MONTHS[language].map(({ name }) => name))));
}
