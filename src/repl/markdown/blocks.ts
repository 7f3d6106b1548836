import type { Token, TokensList } from 'marked';

/** What splits Markdown into blocks: `marked.lexer`. */
export type Lexer = (source: string) => TokensList | Token[];

/** Text read as blocks. */
export interface Blocks {
  /** Blocks that more text cannot change. */
  readonly finished: readonly Token[];
  /** The block that is still growing. */
  readonly open: readonly Token[];
  /** The source of `open`. */
  readonly rest: string;
}

/** A longer block is shown as plain text: it was hardly written as Markdown. */
const MAX_BLOCK_CHARS = 32_768;

/**
 * Split off the blocks that are complete: all but the last one. They look the same as if the whole text had been parsed
 * at once, except for references whose address comes later.
 *
 * @param source  LF line ends only.
 */
export function splitBlocks(lexer: Lexer, source: string): Blocks {
  const tokens = lexed(lexer, source);
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const first = tokens.findIndex(({ type }) => type !== 'space');
  if (last <= first) return { finished: [], open: tokens, rest: source };
  const finished = tokens.slice(0, last);
  const length = finished.reduce((sum, { raw }) => sum + raw.length, 0);
  return { finished, open: tokens.slice(last), rest: source.slice(length) };
}

/** The blocks of a complete text. Hostile nesting overflows the parser's stack: such text is shown as it is. */
export function lexed(lexer: Lexer, source: string): Token[] {
  if (source.length > MAX_BLOCK_CHARS && !source.slice(-MAX_BLOCK_CHARS).includes('\n\n')) return [plain(source)];
  try {
    return [...lexer(source)];
  } catch (error) {
    if (error instanceof RangeError) return [plain(source)];
    throw error;
  }
}

function plain(source: string): Token {
  return { type: 'plain', raw: source, text: source };
}
