/** What a diagnostic code means, for `wooster think explain CODE` and docs/language-errors.md. */
export interface CodeEntry {
  readonly severity: 'error' | 'warning';
  /** What is wrong, in a few words: the heading of its section on the page. */
  readonly title: string;
  /** Why it is wrong and what to do, in one to three sentences. */
  readonly explanation: string;
  /** A program with the problem, and its correction. Left out where that takes several files, or a huge one. */
  readonly example?: { readonly wrong: string; readonly right: string };
}

/** Checks the entries while keeping the literal types of their codes. */
export function defineCodes<const Codes extends Readonly<Record<string, CodeEntry>>>(
  codes: Codes,
): { readonly [Code in keyof Codes]: CodeEntry } {
  return codes;
}
