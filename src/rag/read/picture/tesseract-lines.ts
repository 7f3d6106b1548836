import { z } from 'zod';
import type { Grey } from './image.ts';

/** A part of a picture in pixels. */
export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface FoundWord {
  readonly text: string;
  /** From 0 to 100. */
  readonly confidence: number;
  readonly bbox: Rect;
}

/** A line of text in the order of reading. */
export interface FoundLine {
  /** Equal for lines that belong together. */
  readonly paragraph: number;
  readonly words: readonly FoundWord[];
}

/** What a picture is of. */
export type Pictured = 'page' | 'line' | 'word';
/** Finds the lines of text in an upright picture, of a page unless something else is said. */
export type Recognise = (grey: Grey, as?: Pictured) => Promise<readonly FoundLine[]>;

const rect = z.object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() });
const word = z.object({ text: z.string(), confidence: z.number(), bbox: rect });
const line = z.object({ words: z.array(word).nullish() });
const paragraph = z.object({ lines: z.array(line).nullish() });
const block = z.object({ paragraphs: z.array(paragraph).nullish() });
const page = z.object({ blocks: z.array(block).nullish() });

/** The lines of what Tesseract found, as it writes it in JSON. */
export function linesIn(json: string): FoundLine[] {
  const paragraphs = (page.parse(JSON.parse(json)).blocks ?? []).flatMap((each) => each.paragraphs ?? []);
  return paragraphs.flatMap(({ lines }, at) =>
    (lines ?? []).map(({ words }) => ({
      paragraph: at,
      words: (words ?? [])
        .filter(({ text }) => text.trim() !== '')
        .map((each) => ({ ...each, text: each.text.trim() })),
    })),
  );
}

/** The smallest part of a picture that has all of these. */
export function around(rects: readonly Rect[]): Rect {
  return {
    x0: Math.min(...rects.map(({ x0 }) => x0)),
    y0: Math.min(...rects.map(({ y0 }) => y0)),
    x1: Math.max(...rects.map(({ x1 }) => x1)),
    y1: Math.max(...rects.map(({ y1 }) => y1)),
  };
}
