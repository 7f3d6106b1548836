import type { Parser } from 'htmlparser2';

/** How deep elements nest at most, as in browsers. */
const DEEPEST = 512;

/**
 * Whether an element that was just opened is nested too deep to be one; it is forgotten then. With each tag a parser
 * takes as long as elements are open, so a megabyte of tags that nobody closes would keep it busy for a minute.
 */
export function isTooDeep(parser: Parser, name: string): boolean {
  const stack = Reflect.get(parser, 'stack') as string[];
  // Elements without content are not on it.
  if (stack.length <= DEEPEST || stack[0] !== name) return false;
  stack.shift();
  return true;
}
