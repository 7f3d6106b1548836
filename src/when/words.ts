import { AssistantError } from '../base/errors.ts';
import { NUMBER_WORDS } from '../base/number-words.ts';

/**
 * Text from which recognised parts are taken one by one, lower-cased and with single spaces around every word. What is
 * left at the end was not understood: it is named in the error instead of being ignored.
 */
export class Words {
  readonly said: string;
  #rest: string;

  constructor(said: string) {
    this.said = said;
    this.#rest = ` ${said
      .toLowerCase()
      .replace(/[,.!?]+(?=\s|$)|,/gu, ' , ')
      .replace(/\s+/gu, ' ')} `;
  }

  get rest(): string {
    return this.#rest;
  }

  /** Remove the first match and return it with its groups. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#rest);
    if (!match) return undefined;
    this.#rest = `${this.#rest.slice(0, match.index)} ${this.#rest.slice(match.index + match[0].length)}`.replace(
      / +/gu,
      ' ',
    );
    return match;
  }

  /** Remove every match, one after the other: taking one may bring the words of the next together. */
  takeAll(pattern: RegExp): RegExpExecArray[] {
    const found: RegExpExecArray[] = [];
    for (let match = this.take(pattern); match; match = this.take(pattern)) found.push(match);
    return found;
  }

  /** Rewrite wordings into ones that a later pattern knows. */
  replace(pattern: RegExp, by: string | ((match: string) => string)): void {
    this.#rest = typeof by === 'string' ? this.#rest.replace(pattern, by) : this.#rest.replace(pattern, by);
  }

  /** Words that carry no meaning of their own are dropped; anything else left over is an error. */
  expectNothingLeft(): void {
    const left = this.#rest.replace(/\b(?:on|at|the|of|and|in|for|a|please|time|day|o'clock)\b|,/gu, ' ').trim();
    if (left !== '') throw notUnderstood(this.said, left.replace(/\s+/gu, ' '));
  }
}

/**
 * The error for a time that was not understood.
 *
 * @param part the words that are not clear, or what is not clear about them.
 */
export function notUnderstood(said: string, part?: string): AssistantError {
  const what = part === undefined || part === said.toLowerCase() ? '' : `: "${part}" is not clear`;
  return new AssistantError('bad_time', `"${said}" is not a time I understand${what}.`, {
    hint: [
      'Say it like "tomorrow 8am", "in 20 minutes", "every weekday at 9", "every 2 hours", ',
      '"2026-12-24 18:00" or as cron "0 9 * * 1-5".',
    ].join(''),
  });
}

/** `3`, `three`, `half a` (0.5), `other` (2); 1 for `a`, for no word and for any other word. */
export function readCount(word: string | undefined): number {
  const clean = (word ?? '1').trim();
  if (/^(?:\d+(?:\.\d+)?)$/u.test(clean)) return Number(clean);
  if (clean === 'half a' || clean === 'half an' || clean === 'half') return 0.5;
  if (clean === 'other') return 2;
  if (clean === 'a couple of') return 2;
  if (clean === 'a few') return 3;
  return NUMBER_WORDS.get(clean) ?? 1;
}

/** A regular expression source for the counts above. */
export const COUNT = `\\d+(?:\\.\\d+)?|${[...NUMBER_WORDS.keys()].slice(1).join('|')}|half an?|an?|a couple of|a few`;

/** Patterns here are made of the program's own parts, never of what a person wrote, so there are only so many. */
const compiled = new Map<string, RegExp>();

/** A regular expression made of parts, compiled once. */
export function regex(source: string, flags = 'u'): RegExp {
  const key = `${flags} ${source}`;
  const found = compiled.get(key) ?? new RegExp(source, flags);
  compiled.set(key, found);
  return found;
}
