import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from 'marked';
import { ENTRY_HEADING } from '../journal.ts';
import type { Block, Parsed } from './parsed.ts';
import { readText } from './text.ts';

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/u;
const ENTRY_HEADINGS = new RegExp(ENTRY_HEADING, 'gmu');
const FRONT_MATTER_TITLE = /^title:(.*)$/mu;
/** Marks are removed from headings up to this length: on longer text the expressions would be slow. */
const MOST_HEADING_CHARS = 1000;

/**
 * Read headings, paragraphs, lists, fenced code and tables, with their lines. Text keeps its Markdown. Of front matter
 * only the title is used. Each note of a journal is read by itself: what one leaves open ends with it.
 */
export function readMarkdown(source: string, path = '', from?: number): Parsed {
  const text = source.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const [frontMatter = '', properties = ''] = (from === undefined && FRONT_MATTER.exec(text)) || [];
  const tokens = blockTokens(text.slice(frontMatter.length));
  if (!tokens) return readText(text, path, from);
  const collector = new BlockCollector(1 + newlines(frontMatter));
  for (const token of tokens) collector.add(token);
  const blocks = collector.end();
  const [first] = blocks;
  const heading = first?.kind === 'heading' ? first.text : undefined;
  return { title: unquoted(FRONT_MATTER_TITLE.exec(properties)?.[1] ?? '') || heading, blocks };
}

function unquoted(value: string): string {
  return value.trim().replace(/^["']/u, '').replace(/["']$/u, '');
}

/** @returns undefined if the lexer gives up or has lost part of the text: lines would be wrong then. */
function blockTokens(text: string): Token[] | undefined {
  try {
    const options = { ...getDefaults(), tokenizer: new FlatTokenizer() };
    const tokens = notesOf(text).flatMap((note) => new Lexer(options).blockTokens(note, []));
    return tokens.reduce((sum, { raw }) => sum + raw.length, 0) === text.length ? tokens : undefined;
  } catch {
    return undefined;
  }
}

function notesOf(text: string): string[] {
  const starts = [0, ...[...text.matchAll(ENTRY_HEADINGS)].map(({ index }) => index), text.length];
  return starts.slice(1).map((end, at) => text.slice(starts[at], end));
}

/**
 * Takes quotes and lists as they stand. Nothing here needs what is inside them, and nesting is what makes a Markdown
 * parser slow: with marked's own rules, a megabyte of `>` or of lines below one bullet takes minutes.
 */
class FlatTokenizer extends Tokenizer {
  override blockquote(source: string): Tokens.Blockquote | undefined {
    const raw = this.rules.block.blockquote.exec(source)?.[0].replace(/\n+$/u, '');
    return raw ? { type: 'blockquote', raw, text: raw, tokens: [] } : undefined;
  }

  override list(source: string): Tokens.List | undefined {
    if (!this.rules.block.list.test(source)) return undefined;
    const raw = source.slice(0, endOfList(source)).trimEnd();
    return { type: 'list', raw, ordered: false, start: '', loose: false, items: [] };
  }
}

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/u;
const INDENTED = /^(?: {2}|\t)/u;
/** Ends a paragraph without a blank line: a heading, fence, quote, tag, table or rule. */
const INTERRUPTION = /^ {0,3}(?:#{1,6}\s|`{3}|~{3}|[>|<]|([-*_])(?:[ \t]*\1){2,}[ \t]*$)/u;

/** A list consists of items, of indented lines, and of lines that continue a paragraph without indentation. */
function endOfList(source: string): number {
  let blank = false;
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf('\n', at) < 0 ? source.length : source.indexOf('\n', at) + 1;
    const line = source.slice(at, end).trimEnd();
    const isBlank = line.trim() === '';
    const continues = !INTERRUPTION.test(line) && (ITEM.test(line) || !blank);
    if (at > 0 && !isBlank && !continues && !INDENTED.test(line)) return at;
    blank = isBlank;
    at = end;
  }
  return source.length;
}

/** Turns tokens into blocks and counts lines. */
class BlockCollector {
  readonly #blocks: Block[] = [];
  /** The line, from 1, on which the next token begins. */
  #line: number;
  /** Text that may continue in the next token: a list right after its paragraph stays with it. */
  #text = '';
  #textLine = 0;

  constructor(line: number) {
    this.#line = line;
  }

  add(token: Token): void {
    if (token.type === 'heading' && isIntended(token as Tokens.Heading)) this.#addHeading(token as Tokens.Heading);
    else if (token.type === 'code' && token.codeBlockStyle !== 'indented') this.#addBlock('code', token.raw);
    else if (token.type === 'table') this.#addTable(token.raw);
    else if (token.type === 'space' || token.type === 'hr') this.#endText();
    else this.#addText(token.raw);
    this.#line += newlines(token.raw);
  }

  end(): readonly Block[] {
    this.#endText();
    return this.#blocks;
  }

  #addHeading({ depth, text, raw }: Tokens.Heading): void {
    this.#endText();
    const clean = text.length > MOST_HEADING_CHARS ? text.trim() : plain(text);
    if (clean !== '')
      this.#blocks.push({ kind: 'heading', level: depth, text: clean, lines: this.#span(this.#line, raw) });
  }

  #addTable(raw: string): void {
    this.#endText();
    const [header = '', , ...rest] = raw.trimEnd().split('\n');
    // The rule below the header is a line, too.
    const firstRow = this.#line + 2;
    const rows = rest.map((row, index) => ({ text: row.trim(), line: firstRow + index, number: index + 1 }));
    this.#blocks.push({ kind: 'table', header: header.trim(), rows, lines: this.#span(this.#line, raw) });
  }

  #addText(raw: string): void {
    if (this.#text === '') this.#textLine = this.#line;
    this.#text += raw;
    if (raw.endsWith('\n\n')) this.#endText();
  }

  #endText(): void {
    const text = this.#text;
    this.#text = '';
    if (text.trim() !== '') this.#addBlock('text', text, this.#textLine);
  }

  #addBlock(kind: 'text' | 'code', raw: string, line = this.#line): void {
    if (kind === 'code') this.#endText();
    this.#blocks.push({ kind, text: raw.trimEnd(), lines: this.#span(line, raw) });
  }

  #span(line: number, raw: string): [number, number] {
    return [line, line + newlines(raw.trimEnd())];
  }
}

/** Whether a heading was meant as one. In notes, a dash or two below a paragraph is seldom an underline. */
function isIntended({ raw }: Tokens.Heading): boolean {
  if (/^ {0,3}#/u.test(raw)) return true;
  const [, underline = '', ...more] = raw.trimEnd().split('\n');
  return more.length === 0 && underline.trim().length > 2;
}

/** A heading without emphasis marks and link targets. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replace(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/gu, '$1')
    .trim();
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
