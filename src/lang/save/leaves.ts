import { isRecord } from '../../base/json.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';

/** A part of a value, by the expression that reads it. */
export interface Leaf {
  readonly value: unknown;
  readonly path: string;
}

const MOST_LEAVES = 2000;
const DEEPEST = 6;
const NAME = /^[A-Za-z_]\w*$/u;

/** A value and all its parts, those at the top first. @param path how the value itself is read. */
export function leavesOf(value: unknown, path: string): readonly Leaf[] {
  const found: Leaf[] = [{ value, path }];
  for (let at = 0, depth = 0; at < found.length && found.length < MOST_LEAVES && depth < DEEPEST; depth += 1) {
    const level = found.slice(at);
    at = found.length;
    for (const leaf of level) found.push(...partsOf(leaf));
  }
  return found.slice(0, MOST_LEAVES);
}

function partsOf({ value, path }: Leaf): Leaf[] {
  if (Array.isArray(value)) return value.map((each: unknown, index) => ({ value: each, path: `${path}[${index}]` }));
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([name, each]) => ({
    value: each,
    path: NAME.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`,
  }));
}

/** The words of a text that say something, and its figures, folded. */
export function wordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,:'’-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.filter(
    (word) => /\d/u.test(word) || (word.length > 2 && !STOP_WORDS.en.has(word) && !STOP_WORDS.de.has(word)),
  );
}

export function isFigure(word: string): boolean {
  return /\d/u.test(word);
}
