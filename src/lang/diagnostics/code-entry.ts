/** What a diagnostic code means, for `wooster think explain CODE` and docs/language-errors.md. */
export interface CodeEntry {
  readonly severity: 'error' | 'warning';
  /** What is wrong, in a few words: the title of its part of the page. */
  readonly title: string;
  /** Why it is wrong and what to do, in one to three sentences. */
  readonly explanation: string;
  /** A program that has it, and the same put right. Left out where it takes more than one file, or a huge one. */
  readonly example?: { readonly wrong: string; readonly right: string };
}

/** Keeps the names of the codes while checking their entries. */
export function defineCodes<const Codes extends Readonly<Record<string, CodeEntry>>>(
  codes: Codes,
): { readonly [Code in keyof Codes]: CodeEntry } {
  return codes;
}
