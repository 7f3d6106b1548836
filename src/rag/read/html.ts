import { Parser } from 'htmlparser2';
import { isTooDeep } from '../../base/deep-markup.ts';
import type { Block, Parsed, Position, TableRow } from './parsed.ts';

/** Elements whose content is not text of the page. */
const IGNORED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'iframe',
  'select',
  'button',
  'math',
]);
/** Elements that begin and end a paragraph. */
const BREAKS = new Set(
  [
    'address article aside blockquote body br dd details div dl dt figcaption figure footer form header hr html li',
    'main ol p pre section summary table tbody td th thead tr ul',
  ].flatMap((names) => names.split(' ')),
);

export interface HtmlOptions {
  /** The position of all blocks when source lines mean nothing to a person: a chapter of a book, a mail. */
  readonly position?: Position;
  readonly xml?: boolean;
  /** Show a line break of the source as a space, as a browser does; otherwise passages keep the source's lines. */
  readonly foldLines?: boolean;
  /** The address of the page: links are written as `[words](address)`. Absent: their words alone. */
  readonly linksFrom?: string;
}

/** Where a reader can go from a page. */
const FOLLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** Longer addresses carry data or a picture. */
const MAX_LINK_CHARS = 1000;

/** Read headings, paragraphs, preformatted text and tables of a page, with the lines of the source. */
export function readHtml(source: string, options: HtmlOptions = {}): Parsed {
  const reader = new HtmlReader(source, options);
  return reader.read();
}

class HtmlReader {
  readonly #source: string;
  readonly #options: HtmlOptions;
  readonly #lineStarts: readonly number[];
  readonly #blocks: Block[] = [];
  /** How many ignored elements are open. */
  #ignored = 0;
  #text = '';
  /** Whether `#text` has nothing but white space; asking the growing text itself takes quadratic time. */
  #blank = true;
  /** Offset of the first visible character of `#text`. */
  #from = 0;
  #pre = 0;
  /** Level of the open heading, 0 for none. */
  #heading = 0;
  #title = '';
  #inTitle = false;
  /** The words of the first heading, without links. */
  #firstHeading: string | undefined;
  /** The open link, and where its words begin in the text that is being read. */
  #link: { readonly to: string; from: number } | undefined;
  /** The outermost open table; the text of inner ones goes to its cells. */
  #table: { rows: { cells: string[]; head: boolean; line: number }[]; depth: number } | undefined;

  constructor(source: string, options: HtmlOptions) {
    this.#source = source;
    this.#options = options;
    this.#lineStarts = lineStarts(source);
  }

  read(): Parsed {
    const parser: Parser = new Parser(
      {
        onopentag: (name, attributes) => {
          if (isTooDeep(parser, name)) return;
          this.#open(name, parser.startIndex);
          if (name === 'a' && this.#ignored === 0) this.#openLink(attributes.href);
        },
        onclosetag: (name, isImplied) => {
          // A title that is never closed is the rest of the page, with its markup.
          if (name === 'title' && isImplied) this.#title = '';
          this.#close(name, parser.startIndex);
        },
        ontext: (text) => this.#addText(text, parser.startIndex),
      },
      { decodeEntities: true, xmlMode: this.#options.xml === true },
    );
    parser.end(this.#source);
    this.#flush(this.#source.length);
    return { title: tidy(this.#title) || this.#firstHeading, blocks: this.#blocks };
  }

  #open(name: string, at: number): void {
    if (IGNORED.has(name)) this.#ignored++;
    if (this.#ignored > 0) return;
    if (name === 'title') this.#inTitle = true;
    if (name === 'table') this.#openTable(at);
    if (this.#table && name === 'tr') this.#table.rows.push({ cells: [], head: false, line: this.#lineAt(at) });
    if (this.#table && (name === 'td' || name === 'th')) this.#openCell(name);
    if (this.#table) return;
    if (/^h[1-6]$/u.test(name)) {
      this.#flush(at);
      this.#heading = Number(name[1]);
    } else if (BREAKS.has(name)) this.#break(name, at);
    if (name === 'pre') this.#pre++;
  }

  #close(name: string, at: number): void {
    if (IGNORED.has(name)) {
      this.#ignored = Math.max(0, this.#ignored - 1);
      return;
    }
    if (this.#ignored > 0) return;
    if (name === 'title') this.#inTitle = false;
    if (name === 'a') this.#closeLink();
    if (name === 'table') this.#closeTable(at);
    if (this.#table) return;
    if (/^h[1-6]$/u.test(name)) {
      this.#flush(at);
      this.#heading = 0;
    } else if (BREAKS.has(name) && name !== 'br') this.#flush(at);
    if (name === 'pre') this.#pre = Math.max(0, this.#pre - 1);
  }

  #break(name: string, at: number): void {
    if (name === 'br' && (this.#pre > 0 || !this.#blank)) this.#text += '\n';
    else this.#flush(at);
  }

  #addText(text: string, at: number): void {
    if (this.#ignored > 0) return;
    if (this.#inTitle) this.#title += text;
    else if (this.#table) this.#addCellText(text);
    else {
      const starts = this.#blank && text.trim() !== '';
      if (starts) this.#from = at + (text.length - text.trimStart().length);
      this.#blank &&= !starts;
      this.#text += this.#pre === 0 && this.#options.foldLines ? text.replace(/\s+/gu, ' ') : text;
    }
  }

  #openLink(href = ''): void {
    this.#closeLink();
    const { linksFrom } = this.#options;
    // A place on the same page is read with it.
    if (linksFrom === undefined || href.trim().startsWith('#')) return;
    const to = URL.parse(href.trim(), linksFrom);
    if (!to || !FOLLOWED.has(to.protocol) || to.href.length > MAX_LINK_CHARS) return;
    this.#link = { to: to.href, from: this.#here().length };
  }

  #closeLink(): void {
    this.#linkWords();
    this.#link = undefined;
  }

  /** Write the address behind the words that were read since the link began, or since its last block ended. */
  #linkWords(): void {
    const link = this.#link;
    if (!link) return;
    const text = this.#here();
    const words = text.slice(link.from).trim();
    if (words !== '') this.#setHere(`${text.slice(0, link.from)}${linked(text.slice(link.from), words, link.to)}`);
    link.from = 0;
  }

  /** The text that is being read: of a cell or of a block. */
  #here(): string {
    return this.#table ? (this.#table.rows.at(-1)?.cells.at(-1) ?? '') : this.#text;
  }

  #setHere(text: string): void {
    const cells = this.#table?.rows.at(-1)?.cells;
    if (!this.#table) this.#text = text;
    else if (cells && cells.length > 0) cells[cells.length - 1] = text;
  }

  #flush(at: number): void {
    if (this.#heading > 0 && !this.#blank) this.#firstHeading ??= tidy(this.#text).replace(/\s+/gu, ' ');
    this.#linkWords();
    const text = this.#pre > 0 ? this.#text.replace(/\s+$/u, '') : tidy(this.#text);
    this.#text = '';
    this.#blank = true;
    if (text.trim() === '') return;
    const position = this.#position(this.#from, at);
    if (this.#heading > 0)
      this.#blocks.push({ kind: 'heading', level: this.#heading, text: text.replace(/\s+/gu, ' '), ...position });
    else this.#blocks.push({ kind: this.#pre > 0 ? 'code' : 'text', text, ...position });
  }

  #openTable(at: number): void {
    this.#flush(at);
    if (this.#table) this.#table.depth++;
    else this.#table = { rows: [], depth: 1 };
  }

  #openCell(name: string): void {
    const row = this.#table?.rows.at(-1);
    if (!row) return;
    this.#linkWords();
    row.cells.push('');
    if (name === 'th') row.head = true;
  }

  #addCellText(text: string): void {
    const cells = this.#table?.rows.at(-1)?.cells;
    if (!cells || cells.length === 0) return;
    cells[cells.length - 1] += text;
  }

  #closeTable(at: number): void {
    this.#linkWords();
    const table = this.#table;
    if (!table || --table.depth > 0) return;
    this.#table = undefined;
    const rows = table.rows.filter((row) => row.cells.some((cell) => cell.trim() !== ''));
    const [first, ...rest] = rows;
    if (!first) return;
    const line = (row: typeof first) => row.cells.map(tidy).join(' | ');
    const body = first.head && rest.length > 0 ? rest : rows;
    const numbered: TableRow[] = body.map((row, index) => ({
      text: line(row),
      line: this.#options.position ? undefined : row.line,
      number: index + 1,
    }));
    const header = body === rest ? line(first) : '';
    this.#blocks.push({ kind: 'table', header, rows: numbered, ...this.#position(this.#offsetOfLine(first.line), at) });
  }

  #position(from: number, to: number): Position {
    if (this.#options.position) return this.#options.position;
    return { lines: [this.#lineAt(from), this.#lineAt(Math.max(from, to - 1))] };
  }

  #offsetOfLine(line: number): number {
    return this.#lineStarts[line - 1] ?? 0;
  }

  #lineAt(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

/** The words of a link with its address; the blanks around them stay outside. */
function linked(text: string, words: string, to: string): string {
  const start = text.indexOf(words);
  const address = to.replace(/[()]/gu, (bracket) => (bracket === '(' ? '%28' : '%29'));
  return `${text.slice(0, start)}[${words.replace(/\s+/gu, ' ')}](${address})${text.slice(start + words.length)}`;
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
