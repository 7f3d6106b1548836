import type { Token, Tokens } from 'marked';
import type { Blocks } from './blocks.ts';

/** A part of a code block that was too long to be kept open. */
export interface CodePart extends Tokens.Code {
  /** Its beginning was handed out: no mark above it. */
  readonly continued?: boolean;
  /** More comes: no mark below it. */
  readonly unclosed?: boolean;
}

const MAX_OPEN_ITEMS = 40;
/** An item may still grow, and the one before it may turn out to be followed by an empty line. */
const KEPT_ITEMS = 2;
const MAX_OPEN_LINES = 60;
const KEPT_LINES = 20;

/**
 * Long lists and code blocks are finished piece by piece: laying out everything at every token would take quadratic
 * time, and rows that no longer fit the window could not be read before the end.
 */
export function cutLong(blocks: Blocks): Blocks {
  const at = blocks.open.findIndex(({ type }) => type !== 'space');
  const block = blocks.open[at];
  const from = blocks.open.slice(0, at).reduce((sum, { raw }) => sum + raw.length, 0);
  if (block?.type === 'list') return cutList(blocks, block as Tokens.List, from);
  return block?.type === 'code' ? cutCode(blocks, block as Tokens.Code, from) : blocks;
}

function cutList(blocks: Blocks, list: Tokens.List, from: number): Blocks {
  if (list.items.length <= MAX_OPEN_ITEMS) return blocks;
  const items = list.items.slice(0, -KEPT_ITEMS);
  const raw = items.map((item) => item.raw).join('');
  if (!list.raw.startsWith(raw)) return blocks;
  const start = typeof list.start === 'number' ? list.start + items.length : list.start;
  const open = { ...list, items: list.items.slice(-KEPT_ITEMS), raw: list.raw.slice(raw.length), start } as Token;
  return {
    finished: [...blocks.finished, { ...list, items, raw } as Token],
    open: [open],
    rest: blocks.rest.slice(from + raw.length),
  };
}

function cutCode(blocks: Blocks, code: CodePart, from: number): Blocks {
  const fence = /^ {0,3}(?:```|~~~)[^\n]*\n/u.exec(code.raw)?.[0];
  const lines = code.text.split('\n');
  if (fence === undefined || lines.length <= MAX_OPEN_LINES) return blocks;
  const kept = lines.slice(-KEPT_LINES).join('\n');
  const keptAt = code.raw.lastIndexOf(kept);
  // The text of an indented block differs from its source, so such a block stays open as a whole.
  if (keptAt < 0) return blocks;
  const behind = blocks.rest.slice(from + code.raw.length);
  const source = code.raw.slice(keptAt);
  const head = { ...code, text: lines.slice(0, -KEPT_LINES).join('\n'), raw: fence, unclosed: true } as Token;
  return {
    finished: [...blocks.finished, head],
    open: [{ ...code, text: kept, raw: fence + source, continued: true } as Token],
    rest: fence + source + behind,
  };
}
