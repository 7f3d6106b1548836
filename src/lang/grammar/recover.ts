import type { Token } from './scan.ts';

/** Where to go on after an error. */
export interface Resume {
  readonly at: number;
  /** How many blocks more are open there than where the failed statement began. */
  readonly openBlocks: number;
}

/** A line that begins with one of these begins a statement, whatever is missing above it. */
const BEGINS_STATEMENT = new Set('let print type fn tool if try test assert return import for while param'.split(' '));
/** They continue a statement that has a block: their blocks are skipped with it. */
const GOES_ON = new Set(['else', 'catch']);

/**
 * The offset where the next statement begins: a line that begins with a statement's word, or any line that no bracket
 * opened by the failed statement reaches into.
 *
 * @param from      where the failed statement begins.
 * @param failedAt  where the error is.
 */
export function nextStatement(
  source: string,
  tokens: readonly Token[],
  { from, failedAt }: { from: number; failedAt: number },
): Resume {
  let braces = 0;
  let others = 0;
  for (let index = firstAt(tokens, from); index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    const text = source.slice(token.start, Math.min(token.end, token.start + 12));
    const passed = token.start > from && token.start >= failedAt;
    const isField = source[tokens[index + 1]?.start ?? 0] === ':';
    if (passed && token.firstOnLine && !isField && beginsHere(text, { braces, others }))
      return { at: token.start, openBlocks: braces };
    if (text === '{') braces += 1;
    else if (text === '(' || text === '[') others += 1;
    else if (text === ')' || text === ']') others = Math.max(0, others - 1);
    else if (text === '}' && braces > 0) {
      braces -= 1;
      others = 0;
      if (braces === 0 && passed && !goesOn(source, tokens[index + 1])) return { at: token.end, openBlocks: 0 };
    } else if (text === '}' && passed) return { at: token.start === failedAt ? token.end : token.start, openBlocks: 0 };
  }
  return { at: source.length, openBlocks: 0 };
}

function beginsHere(text: string, { braces, others }: { braces: number; others: number }): boolean {
  if (BEGINS_STATEMENT.has(text)) return true;
  return braces === 0 && others === 0 && /^[A-Za-z_"'`]/u.test(text) && !GOES_ON.has(text);
}

/**
 * Step over the `}` that ends a block, and over the start of a block that continues the same statement.
 *
 * @returns where to resume: after the brace, or inside the next block.
 */
export function behindBlock(source: string, tokens: readonly Token[], at: number): Resume {
  const index = firstAt(tokens, at) + 1;
  if (!goesOn(source, tokens[index])) return { at: at + 1, openBlocks: -1 };
  for (let next = index; next < tokens.length; next += 1) {
    const { start, end } = tokens[next] as Token;
    if (source[start] === '{') return { at: end, openBlocks: 0 };
  }
  return { at: source.length, openBlocks: 0 };
}

function goesOn(source: string, token: Token | undefined): boolean {
  return token !== undefined && GOES_ON.has(source.slice(token.start, token.end));
}

/** The index of the first token at or after an offset. */
export function firstAt(tokens: readonly Token[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
