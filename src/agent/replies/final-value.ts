import { isRecord, parseJson } from '../../base/json.ts';

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
    (made ? IN_VALUE : IN_WORDS).exec(words)?.[0].replace(/^[\s\S]*?(?=NaN|undefined)/u, '');
  if (found === undefined) return undefined;
  const word = found.replace(/[^\p{L} [\]{}]/gu, '').trim();
  return request.toLowerCase().includes(word.toLowerCase()) ? undefined : `it held ${found}`;
}

/** Fields of records that say nothing to a person. */
const FOR_PROGRAMS = new Set(['id', 'next', 'enabled', 'score', 'confidence']);

/**
 * Words for a whole value that a script gave as its answer: what a search found with its citations, or one line per
 * record of a list. Any other text stays as it is, and so does JSON that the script wrote itself.
 */
export function inWords(text: string): string {
  if (!/^[[{]\n {2}/u.test(text)) return text;
  const value = parseJson(text);
  if (Array.isArray(value)) return linesOf(value) ?? text;
  if (!isRecord(value) || typeof value.answer !== 'string' || !Array.isArray(value.passages)) return text;
  return [value.answer, linesOf(value.passages)].filter((part) => part).join('\n\n') || text;
}

/** A line for each record; undefined where a list holds anything else. */
function linesOf(list: readonly unknown[]): string | undefined {
  const lines = list.map((each) => (isRecord(each) ? lineOf(each) : ''));
  return lines.includes('') ? undefined : lines.join('\n');
}

function lineOf(record: Record<string, unknown>): string {
  const told = Object.entries(record).filter(([name]) => !FOR_PROGRAMS.has(name));
  if (told.length === 0 || told.some(([, value]) => typeof value === 'object')) return '';
  const parts = told.map(([name, value], index) => {
    return index === 0 || name === 'citation' ? String(value) : `${name}: ${String(value)}`;
  });
  return `- ${parts.join(', ')}`;
}
