import type { Block, Box, Seen } from '../parsed.ts';
import type { FoundLine, FoundWord, Rect } from './tesseract-lines.ts';

/** Words further apart than the letters are tall, this many times, stand in different columns. */
const COLUMN_GAP = 2;
/** A line that ends left of this share of its paragraph's width was meant to end there. */
const FULL = 0.8;
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
    const sure = words.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE);
    return sure.length === 0 ? [] : [{ paragraph, ...lineOf(sure) }];
  });
  return [...Map.groupBy(lines, ({ paragraph }) => paragraph).values()].map((own): Block => {
    const boxes = own.map(({ rect }) => boxOf(rect));
    const { y0, y1 } = around(own.map(({ rect }) => rect));
    const place = y0 + y1 < height ? 'upper half' : 'lower half';
    return { kind: 'text', text: textOf(own), page, place, seen: seenOf(own, boxes) };
  });
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

function textOf(lines: readonly Line[]): string {
  const { x0, x1 } = around(lines.map(({ rect }) => rect));
  const goesOn = ({ rect, hasCells }: Line, next: Line | undefined) =>
    !hasCells && next?.hasCells === false && rect.x1 >= x0 + FULL * (x1 - x0);
  return lines
    .reduce((text, line, at) => {
      if (!goesOn(line, lines[at + 1])) return `${text}${line.text}\n`;
      // A word that was cut at the end of its line, unless it is one that always has a hyphen.
      const isCut = /\p{Ll}-$/u.test(line.text) && /^\p{Ll}/u.test(lines[at + 1]?.text ?? '');
      return text + (isCut ? line.text.slice(0, -1) : `${line.text} `);
    }, '')
    .trimEnd();
}

function seenOf(lines: readonly Line[], boxes: readonly Box[]): Seen {
  const words = lines.flatMap((line) => line.words);
  const mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  const figures = words.filter(({ text }) => /\d/u.test(text)).map(({ confidence }) => confidence);
  return { boxes, confidence: Math.round(Math.min(mean, ...figures)) };
}

function around(rects: readonly Rect[]): Rect {
  return {
    x0: Math.min(...rects.map(({ x0 }) => x0)),
    y0: Math.min(...rects.map(({ y0 }) => y0)),
    x1: Math.max(...rects.map(({ x1 }) => x1)),
    y1: Math.max(...rects.map(({ y1 }) => y1)),
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
