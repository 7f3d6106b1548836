import type { Parser } from 'htmlparser2';

/** The nesting limit of elements, as in browsers. */
const DEEPEST = 512;

/**
 * Whether an element that was just opened exceeds the nesting limit; if so, it is dropped. For every tag a parser walks
 * all open elements, so a megabyte of unclosed tags would keep it busy for a minute.
 */
export function isTooDeep(parser: Parser, name: string): boolean {
  const stack = Reflect.get(parser, 'stack') as string[];
  // Void elements are never on the stack.
  if (stack.length <= DEEPEST || stack[0] !== name) return false;
  stack.shift();
  return true;
}
