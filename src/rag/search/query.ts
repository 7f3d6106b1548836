/** A query split into its words and its conditions. */
export interface ParsedQuery {
  readonly text: string;
  readonly conditions: Conditions;
}

export interface Conditions {
  /** Parts of the path, or globs, at least one of which must match. */
  readonly files: readonly string[];
  readonly dates: readonly { readonly sign: '<' | '<=' | '=' | '>=' | '>'; readonly day: string }[];
  /** Each must occur in the chunk verbatim, ignoring case. */
  readonly phrases: readonly string[];
  /** None may occur in the chunk as a whole word or phrase. */
  readonly without: readonly string[];
}

const CONDITION =
  /(?<=^|\s)(?:file:(?:"([^"]+)"|(\S+))|dt(<=|>=|<|>|=)(\d{4}(?:-\d{2}){0,2})|([+-])"([^"]+)")(?=\s|$)/gu;
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

/** Whether a day (ISO) meets a condition, whose `2024-05` and `2024` stand for all their days. */
export function fitsDate(day: string, { sign, day: limit }: Conditions['dates'][number]): boolean {
  const part = day.slice(0, limit.length);
  if (sign === '=') return part === limit;
  if (sign === '<') return part < limit;
  if (sign === '<=') return part <= limit;
  return sign === '>' ? part > limit : part >= limit;
}
