import { lexer } from 'marked';
import type { Draft } from '../prompt/board.ts';
import { type Ink, inkRow, type Piece, wrapPieces } from '../tty/wrap.ts';
import { type Blocks, lexed, splitBlocks } from './blocks.ts';
import { CodeColours } from './code.ts';
import { type CodePart, cutLong } from './cut.ts';
import { blocksRows, endsApart, textPieces } from './rows.ts';

type Tokens = Readonly<ReturnType<typeof lexed>>;

/** The Markdown of an answer while it streams: finished blocks are handed out, the last one stays open. */
export class AnswerDraft implements Draft {
  readonly #ink: Ink;
  readonly #colours: CodeColours;
  /** Prefix of the first block, until that is handed out. */
  #prefix: string;
  /** The source of the open block. */
  #source = '';
  /** An empty row comes before the next block. */
  #apart = false;
  /** The beginning of the code that comes next was handed out. */
  #inCode = false;
  #handedOut = false;

  /** @param changed  called when it looks different without new text: colours have been loaded. */
  constructor(prefix: string, ink: Ink, changed: () => void) {
    this.#prefix = prefix;
    this.#ink = ink;
    this.#colours = new CodeColours(changed);
  }

  /** Whether rows were handed out, which cannot be taken back. */
  get handedOut(): boolean {
    return this.#handedOut;
  }

  add(text: string): void {
    this.#source += text;
    if (!this.#handedOut) this.#source = this.#source.trimStart();
  }

  render(columns: number): { finished: string[]; open: string[] } {
    const { finished, open, rest } = cutLong(this.#continued(splitBlocks(lexer, this.#source)));
    const done = finished.length > 0 ? this.#handOut(finished, columns) : [];
    this.#source = rest;
    return { finished: done, open: this.#rows(open, columns) };
  }

  /** The text has ended: all rows that were not handed out yet. */
  finish(columns: number): string[] {
    const whole = { finished: lexed(lexer, this.#source.trimEnd()), open: [], rest: '' };
    const rows = this.#handOut(this.#continued(whole).finished, columns);
    this.#source = '';
    return rows;
  }

  /** Code of which a part was handed out goes on without a mark above it. */
  #continued(blocks: Blocks): Blocks {
    if (!this.#inCode) return blocks;
    const mark = (tokens: Tokens): Tokens => {
      const [first, ...others] = tokens;
      return first?.type === 'code' ? [{ ...first, continued: true } as CodePart, ...others] : tokens;
    };
    if (blocks.finished.length > 0) return { ...blocks, finished: mark(blocks.finished) };
    return { ...blocks, open: mark(blocks.open) };
  }

  #handOut(tokens: Tokens, columns: number): string[] {
    const rows = this.#rows(tokens, columns);
    if (rows.length === 0) return rows;
    this.#handedOut = true;
    this.#prefix = '';
    const last = tokens.at(-1);
    this.#inCode = last?.type === 'code' && (last as CodePart).unclosed === true;
    this.#apart = last !== undefined && !this.#inCode && endsApart(last);
    return rows;
  }

  #rows(tokens: Tokens, columns: number): string[] {
    const page = { width: columns - 1, ink: this.#ink, colours: this.#colours };
    const rows = this.#prefix === '' ? blocksRows(tokens, page) : this.#prefixed(tokens, columns - 1);
    const apart = this.#apart && rows.length > 0 ? [''] : [];
    return [...apart, ...rows.map((row) => inkRow(row, this.#ink))];
  }

  /** The prefix stands in front of a paragraph, and above anything else. */
  #prefixed(tokens: Tokens, width: number): Piece[][] {
    const page = { width, ink: this.#ink, colours: this.#colours };
    const prefix = { text: this.#prefix, style: '1' };
    const [first, ...others] = tokens;
    if (!first || first.type === 'space') return first ? this.#prefixed(others, width) : [];
    if (first.type !== 'paragraph') return [[{ ...prefix, text: prefix.text.trimEnd() }], ...blocksRows(tokens, page)];
    const rest = blocksRows(others, page);
    const apart = rest.length > 0 && (endsApart(first) || others[0]?.type === 'space') ? [[]] : [];
    return [...wrapPieces([prefix, ...textPieces(first, this.#ink)], width), ...apart, ...rest];
  }
}
