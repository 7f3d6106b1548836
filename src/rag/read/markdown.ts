import type { Block, Parsed, TableRow } from './parsed.ts';

const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})/u;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/u;
const TABLE_RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/u;
const FRONT_MATTER_TITLE = /^title:\s*["']?(.*?)["']?\s*$/mu;

/** Headings, paragraphs, fenced code and tables with their lines; front matter only gives the title. */
export function readMarkdown(source: string): Parsed {
  const lines = source.replace(/^\uFEFF/u, '').split(/\r\n|\n|\r/u);
  const reader = new MarkdownReader(lines);
  return reader.read();
}

class MarkdownReader {
  readonly #lines: readonly string[];
  readonly #blocks: Block[] = [];
  #at = 0;
  #paragraphFrom = -1;
  #title: string | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  read(): Parsed {
    this.#skipFrontMatter();
    while (this.#at < this.#lines.length) this.#step(this.#line(this.#at));
    this.#endParagraph();
    return { title: this.#title ?? this.#firstHeading(), blocks: this.#blocks };
  }

  #step(line: string): void {
    const heading = HEADING.exec(line);
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) this.#readFence(fence);
    else if (heading) this.#addHeading(heading[1]?.length ?? 1, heading[2] ?? '', 1);
    else if (this.#isUnderlined(line)) this.#addHeading(this.#line(this.#at + 1).includes('=') ? 1 : 2, line.trim(), 2);
    else if (line.includes('|') && TABLE_RULE.test(this.#line(this.#at + 1))) this.#readTable();
    else this.#readText(line);
  }

  #readText(line: string): void {
    if (line.trim() === '') this.#endParagraph();
    else if (this.#paragraphFrom < 0) this.#paragraphFrom = this.#at;
    this.#at++;
  }

  #isUnderlined(line: string): boolean {
    const alone = this.#paragraphFrom < 0 && line.trim() !== '' && !/^\s*[-*+>|]/u.test(line);
    return alone && UNDERLINE.test(this.#line(this.#at + 1)) && this.#line(this.#at + 1).trim().length > 2;
  }

  #addHeading(level: number, text: string, lines: number): void {
    this.#endParagraph();
    const clean = plain(text);
    if (clean !== '') this.#blocks.push({ kind: 'heading', level, text: clean, lines: this.#span(this.#at, lines) });
    this.#at += lines;
  }

  #readFence(fence: string): void {
    this.#endParagraph();
    const from = this.#at++;
    const end = new RegExp(`^ {0,3}${fence[0] === '`' ? '`' : '~'}{${fence.length},}\\s*$`, 'u');
    while (this.#at < this.#lines.length && !end.test(this.#line(this.#at))) this.#at++;
    this.#at = Math.min(this.#at + 1, this.#lines.length);
    const text = this.#lines.slice(from, this.#at).join('\n');
    this.#blocks.push({ kind: 'code', text, lines: this.#span(from, this.#at - from) });
  }

  #readTable(): void {
    this.#endParagraph();
    const from = this.#at;
    const header = this.#line(from).trim();
    this.#at += 2;
    const rows: TableRow[] = [];
    while (this.#line(this.#at).includes('|')) {
      rows.push({ text: this.#line(this.#at).trim(), line: this.#at + 1, number: rows.length + 1 });
      this.#at++;
    }
    this.#blocks.push({ kind: 'table', header, rows, lines: this.#span(from, this.#at - from) });
  }

  #endParagraph(): void {
    if (this.#paragraphFrom < 0) return;
    const from = this.#paragraphFrom;
    this.#paragraphFrom = -1;
    const text = this.#lines.slice(from, this.#at).join('\n').trimEnd();
    this.#blocks.push({ kind: 'text', text, lines: this.#span(from, this.#at - from) });
  }

  #skipFrontMatter(): void {
    if (this.#line(0).trim() !== '---') return;
    const end = this.#lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/u.test(line));
    if (end < 0) return;
    this.#title = FRONT_MATTER_TITLE.exec(this.#lines.slice(1, end).join('\n'))?.[1] || undefined;
    this.#at = end + 1;
  }

  #firstHeading(): string | undefined {
    const first = this.#blocks[0];
    return first?.kind === 'heading' ? first.text : undefined;
  }

  #line(at: number): string {
    return this.#lines[at] ?? '';
  }

  #span(from: number, count: number): [number, number] {
    return [from + 1, from + count];
  }
}

/** A heading without emphasis marks and link targets. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/gu, '$1')
    .trim();
}
