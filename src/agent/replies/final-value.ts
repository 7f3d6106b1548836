/** What a computation leaves that went wrong, as an answer by itself. */
const NOTHING = /^["'`]?(?:|null|none|undefined|nan|\{\s*\}|\[\s*\]|\[object \w+\]|invalid date)["'`]?[.!]?$/iu;
const ANYWHERE = /\[object [A-Z]\w*\]|\bInvalid Date\b/u;
/** In a value that a script put together: `Total: NaN`, `undefined notes`. */
const IN_VALUE = /(?<!received |`|'|"|typeof )\b(?:NaN|undefined)\b(?!['"`])/u;
/** In words of a model, where `undefined` may be a word of the language: only where a value is said. */
const IN_WORDS =
  /(?:[=:]|\b(?:is|are|was|of|for|at|total|result|ist)\b)\s*["'`$€£]?(?:NaN|undefined)\b|[$€£]\s?NaN\b|\bNaN\s?%/u;

/**
 * What is wrong with an answer as a value, for the model; undefined where nothing is.
 *
 * @param made a script put it together; otherwise the model wrote it.
 * @param request the person's words: somebody who asks about `NaN` may read it.
 */
export function faultOfFinal(text: string, { made, request }: { made: boolean; request: string }): string | undefined {
  const bare = text.trim();
  if (bare === '') return 'it was empty';
  const words = bare.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/gu, ' ');
  const found =
    NOTHING.exec(bare)?.[0] ??
    ANYWHERE.exec(words)?.[0] ??
    (made ? IN_VALUE : IN_WORDS).exec(words)?.[0].replace(/^.*?(?=NaN|undefined)/u, '');
  if (found === undefined) return undefined;
  const word = found.replace(/[^\p{L} [\]{}]/gu, '').trim();
  return word !== '' && request.toLowerCase().includes(word.toLowerCase()) ? undefined : `it held ${found}`;
}
