import { setFlagsFromString } from 'node:v8';

/**
 * A regular expression too long for one line. Its source is the pieces, joined verbatim: blanks count.
 *
 * @throws SyntaxError when the result is not a regular expression.
 */
export function pattern(flags: string, ...pieces: readonly string[]): RegExp {
  return new RegExp(pieces.join(''), flags);
}

let enabled = false;

/**
 * A regular expression that takes time in proportion to the text, whatever its form: V8's engine without backtracking.
 * For expressions that come from a model or a document. It supports neither look-around nor back references, and its
 * characters are UTF-16 code units.
 *
 * @returns undefined when the pattern is not valid, or cannot be run in linear time.
 * @see https://v8.dev/blog/non-backtracking-regexp
 */
export function linearPattern(source: string): RegExp | undefined {
  if (!enabled) setFlagsFromString('--enable-experimental-regexp-engine');
  enabled = true;
  try {
    return new RegExp(source, 'l');
  } catch {
    return undefined;
  }
}
