import type { Block, Box, Seen } from '../parsed.ts';
import { around, type FoundLine, type FoundWord, type Rect } from './tesseract-lines.ts';

/** Words further apart than the letters are tall, this many times, stand in different columns. */
const COLUMN_GAP = 2;
/** Lines further apart than they are tall, this many times, are of different paragraphs. */
const PARAGRAPH_GAP = 1.1;
/** Addresses and lists have shorter lines, each of them meant to end where it does. */
const LEAST_RUNNING = 35;
/** What joins the cells of a row, as in all tables that are read. */
const CELLS = ' | ';
/** Below this, what was found is more likely a stain or a pattern. */
const LEAST_CONFIDENCE = 20;

/** A line as it is shown. */
interface Line {
  readonly text: string;
  readonly words: readonly FoundWord[];
  readonly rect: Rect;
  readonly hasCells: boolean;
}

/** A picture whose text was recognised. */
export interface ReadPicture {
  readonly lines: readonly FoundLine[];
  /** Of what was recognised, in pixels. */
  readonly height: number;
  /** Where a part of it is in the page, which may have been turned for it. */
  readonly boxOf: (rect: Rect) => Box;
}

/** The text of a page by paragraphs. Lines of running text are joined, rows of a table or a receipt are not. */
export function blocksOf({ lines: found, height, boxOf }: ReadPicture, page?: number): Block[] {
  const lines = found.flatMap(({ paragraph, words }) => {
    const sure = words.filter(({ text, confidence }) => confidence >= LEAST_CONFIDENCE && /[\p{L}\p{N}]/u.test(text));
    return sure.length === 0 ? [] : [{ paragraph, ...lineOf(sure) }];
  });
  const right = Math.max(0, ...lines.map(({ rect }) => rect.x1));
  return paragraphsOf(lines).map((own): Block => {
    const boxes = own.map(({ rect }) => boxOf(rect));
    const { y0, y1 } = around(own.map(({ rect }) => rect));
    const place = y0 + y1 < height ? 'upper half' : 'lower half';
    return { kind: 'text', text: textOf(own, right), page, place, seen: seenOf(own, boxes) };
  });
}

/** Tesseract joins what stands far apart where a page is not quite level. */
function paragraphsOf(lines: readonly (Line & Pick<FoundLine, 'paragraph'>)[]): Line[][] {
  const paragraphs: Line[][] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const gap = before ? line.rect.y0 - before.rect.y1 : 0;
    const isNear = before?.paragraph === line.paragraph && Math.abs(gap) < PARAGRAPH_GAP * heightOf(line);
    if (isNear) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

function lineOf(words: readonly FoundWord[]): Line {
  const height = median(words.map(({ bbox }) => bbox.y1 - bbox.y0));
  const parts = words.map(({ text, bbox }, at) => {
    const before = words[at - 1]?.bbox;
    if (before === undefined) return text;
    return `${bbox.x0 - before.x1 > COLUMN_GAP * height ? CELLS : ' '}${text}`;
  });
  const text = parts.join('');
  return { text, words, rect: around(words.map(({ bbox }) => bbox)), hasCells: text.includes(CELLS) };
}

/** @param right  where the lines of the page end. */
function textOf(lines: readonly Line[], right: number): string {
  return lines
    .reduce((text, line, at) => {
      const next = lines[at + 1];
      if (next === undefined || !goesOn(line, next, right)) return `${text}${line.text}\n`;
      // A word that was cut at the end of its line, unless it is one that always has a hyphen.
      const isCut = /\p{Ll}-$/u.test(line.text) && /^\p{Ll}/u.test(next.text);
      return text + (isCut ? line.text.slice(0, -1) : `${line.text} `);
    }, '')
    .trimEnd();
}

/** Whether a line ends for want of room: the next one begins with a small letter, or with a word that is too long. */
function goesOn(line: Line, next: Line, right: number): boolean {
  if (line.hasCells || next.hasCells) return false;
  if (/^\p{Ll}/u.test(next.text)) return true;
  const [word] = next.words;
  const needed = (word ? word.bbox.x1 - word.bbox.x0 : 0) + heightOf(line) / 2;
  return line.text.length >= LEAST_RUNNING && line.rect.x1 + needed > right;
}

function heightOf({ words }: Line): number {
  return median(words.map(({ bbox }) => bbox.y1 - bbox.y0));
}

function seenOf(lines: readonly Line[], boxes: readonly Box[]): Seen {
  const words = lines.flatMap((line) => line.words);
  const mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  const figures = words.filter(({ text }) => /\d/u.test(text)).map(({ confidence }) => confidence);
  return { boxes, confidence: Math.round(Math.min(mean, ...figures)) };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
