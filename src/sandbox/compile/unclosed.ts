import { type Options, tokenizer } from 'acorn';
import type { Position } from './edits.ts';

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' };
const CLOSINGS: ReadonlySet<string> = new Set(Object.values(CLOSING));

/** A bracket that nothing closes, as far as the text can be read as tokens. Columns count from 1. */
export interface Unclosed extends Position {
  readonly bracket: string;
}

/** The innermost bracket that is open where another one is closed, or where the text ends; undefined: none is. */
export function unclosedIn(source: string, options: Options): Unclosed | undefined {
  const open: Unclosed[] = [];
  try {
    for (const { type, loc } of tokenizer(source, { ...options, locations: true })) {
      const last = open.at(-1);
      if (type.label in CLOSING && loc)
        open.push({ bracket: type.label, line: loc.start.line, column: loc.start.column + 1 });
      else if (CLOSINGS.has(type.label) && CLOSING[last?.bracket ?? ''] === type.label) open.pop();
      else if (CLOSINGS.has(type.label)) return last;
    }
  } catch {
    // What follows is no token of the language: the parser's own words say more.
    return undefined;
  }
  return open.at(-1);
}
