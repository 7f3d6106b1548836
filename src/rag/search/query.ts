import { contentTokens, tokens } from '../analysis/words.ts';

/** A query with its conditions taken out. */
export interface ParsedQuery {
  readonly text: string;
  readonly conditions: Conditions;
}

export interface Conditions {
  /** Part of the path, or a glob, of which one must fit. */
  readonly files: readonly string[];
  readonly dates: readonly { readonly sign: '<' | '<=' | '=' | '>=' | '>'; readonly day: string }[];
  /** Each must stand in the passage, in this order, whatever the case. */
  readonly phrases: readonly string[];
  /** None may stand in the passage as a whole word or phrase. */
  readonly without: readonly string[];
}

const CONDITION =
  /(?<=^|\s)(?:file:(?:"([^"]+)"|(\S+))|dt(<=|>=|<|>|=)(\d{4}(?:-\d{2}){0,2})|([+-])"([^"]+)")(?=\s|$)/gu;
/** Words that point back to what was said before. */
const REFERRING =
  /^(?:and|so|then|it|its|this|that|these|those|they|them|their|he|him|his|she|her|hers|one|ones|there|same|else|more|also)$/u;
const FEW_WORDS = 2;

/** Split a query: `file:notes/*.md dt>=2024-05 +"exact words" -"not this" what is searched for`. */
export function parseQuery(source: string): ParsedQuery {
  const files: string[] = [];
  const dates: Conditions['dates'][number][] = [];
  const phrases: string[] = [];
  const without: string[] = [];
  const text = source.replace(CONDITION, (_match, quoted, file, sign, day, mark, phrase) => {
    if (quoted !== undefined || file !== undefined) files.push(String(quoted ?? file));
    else if (sign !== undefined) dates.push({ sign, day: String(day) });
    else if (mark === '+') phrases.push(String(phrase));
    else without.push(String(phrase));
    return mark === '+' ? String(phrase) : '';
  });
  return { text: text.replace(/\s+/gu, ' ').trim(), conditions: { files, dates, phrases, without } };
}

export function isConditional({ files, dates, phrases, without }: Conditions): boolean {
  return files.length + dates.length + phrases.length + without.length > 0;
}

/**
 * The query with what an earlier question was about, when it points back or says too little by itself: "and its
 * author?" after "who publishes the Almanac" also searches for the Almanac. Its own words count twice.
 *
 * @param history earlier questions, oldest first.
 */
export function resolveQuery(text: string, history: readonly string[]): string {
  const before = history.findLast((question) => contentTokens(question).length >= FEW_WORDS);
  if (before === undefined) return text;
  const all = tokens(text);
  const own = contentTokens(text);
  const pointsBack =
    all
      .slice(0, 2)
      .concat(all.slice(-2))
      .some((token) => REFERRING.test(token)) && own.length <= 4;
  if (!pointsBack && own.length >= FEW_WORDS) return text;
  return `${text} ${text} ${contentTokens(before).join(' ')}`;
}

/** Whether a day is on the right side of a condition; `2024-05` and `2024` stand for all their days. */
export function fitsDate(day: string, { sign, day: limit }: Conditions['dates'][number]): boolean {
  const part = day.slice(0, limit.length);
  if (sign === '=') return part === limit;
  if (sign === '<') return part < limit;
  if (sign === '<=') return part <= limit;
  return sign === '>' ? part > limit : part >= limit;
}
