import type { Kind, Sense, Token } from './token.ts';

/** What a rule read, and the index after it. */
export interface Hit<Value> {
  readonly end: number;
  readonly value: Value;
}

/** Reads words of time that begin at a token; undefined when the rule does not apply. */
export type Rule<Value> = (tokens: readonly Token[], at: number) => Hit<Value> | undefined;

type Values<Rules extends readonly Rule<unknown>[]> = {
  [Index in keyof Rules]: Rules[Index] extends Rule<infer Value> ? Value : never;
};

/** One word in one of its senses. @param name only when the sense has this name. */
export function word(kind: Kind, name?: string): Rule<Sense> {
  return (tokens, at) => {
    const value = tokens[at]?.senses.find(({ is, name: given }) => is === kind && (name ?? given) === given);
    return value && { end: at + 1, value };
  };
}

/** A sequence of rules. */
export function seq<const Rules extends readonly Rule<unknown>[]>(...rules: Rules): Rule<Values<Rules>> {
  return (tokens, at) => {
    const values: unknown[] = [];
    let end = at;
    for (const rule of rules) {
      const hit = rule(tokens, end);
      if (!hit) return undefined;
      values.push(hit.value);
      end = hit.end;
    }
    return { end, value: values as Values<Rules> };
  };
}

/** The alternative that reads the most words; on a tie, the first. */
export function longest<Value>(...rules: readonly Rule<Value>[]): Rule<Value> {
  return (tokens, at) => {
    let best: Hit<Value> | undefined;
    for (const rule of rules) {
      const hit = rule(tokens, at);
      if (hit && hit.end > (best?.end ?? at)) best = hit;
    }
    return best;
  };
}

/** The rule, or nothing. */
export function opt<Value>(rule: Rule<Value>): Rule<Value | undefined> {
  return (tokens, at) => rule(tokens, at) ?? { end: at, value: undefined };
}

/** People use no more small words in a row, and list no more times; a hostile text may repeat one endlessly. */
const MOST_SKIPPED = 8;
const MOST_LISTED = 60;

/** A few words of these kinds, which mean nothing by themselves. */
export function skip(...kinds: readonly Kind[]): Rule<undefined> {
  return (tokens, at) => {
    let end = at;
    while (end < at + MOST_SKIPPED && tokens[end]?.senses.some(({ is }) => kinds.includes(is))) end++;
    return { end, value: undefined };
  };
}

/** One or more, with something between them. */
export function many<Value>(rule: Rule<Value>, between: Rule<unknown> = skip()): Rule<readonly Value[]> {
  return (tokens, at) => {
    const values: Value[] = [];
    let end = at;
    for (let start: number | undefined = at; start !== undefined; start = between(tokens, end)?.end) {
      const hit = rule(tokens, start);
      if (!hit || hit.end === start || values.length === MOST_LISTED) break;
      values.push(hit.value);
      end = hit.end;
    }
    return values.length === 0 ? undefined : { end, value: values };
  };
}

/** Turns the words into a meaning; if that is `undefined`, the rule does not apply. */
export function map<From, To>(rule: Rule<From>, meaning: (value: From) => To | undefined): Rule<To> {
  return (tokens, at) => {
    const hit = rule(tokens, at);
    const value = hit && meaning(hit.value);
    return hit && value !== undefined ? { end: hit.end, value } : undefined;
  };
}

/** Applies only if these words do not follow. */
export function unless<Value>(rule: Rule<Value>, follows: Rule<unknown>): Rule<Value> {
  return (tokens, at) => {
    const hit = rule(tokens, at);
    return hit && !follows(tokens, hit.end) ? hit : undefined;
  };
}
