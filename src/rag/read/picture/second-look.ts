import { SURE } from '../seen.ts';
import { fromRaw, type Grey, raw } from './image.ts';
import { around, type FoundLine, type FoundWord, type Recognise, type Rect } from './tesseract-lines.ts';

/** A page has few unsure figures, or is not worth the time. */
const MOST_LOOKED_AT = 60;
/** Figures that count as sure by a little are often wrong as well. */
const LOOKED_AT = SURE + 7;
/** Around a word, as shares of its height: white above and below it, and little of its neighbours. */
const MARGIN = { x: 0.25, y: 0.5 } as const;
/** Words of a sentence stand further apart, as a share of their height. */
const NEAR = 0.8;
/** Beside the one within the page. */
const VIEWS = [
  { as: 'line', scale: 1.5 },
  { as: 'word', scale: 1 },
  { as: 'word', scale: 2 },
] as const;
/** What two views agree on has to outweigh the next best so many times to be as sure as the surer of them. */
const OUTWEIGHS = 2;

interface Reading {
  readonly text: string;
  readonly confidence: number;
}

/**
 * Look again at figures that were not read surely, each by itself: within a page, the point of "134.75" is easily a
 * digit or a stain. What views agree on is taken.
 *
 * @param picture  what the lines were found in.
 */
export async function lookedAtAgain(
  lines: readonly FoundLine[],
  picture: Grey,
  recognise: Recognise,
): Promise<readonly FoundLine[]> {
  let left = MOST_LOOKED_AT;
  const looked = async (parts: readonly FoundWord[]): Promise<readonly FoundWord[]> => {
    const [word] = parts;
    if (word === undefined || !(parts.length > 1 || isUnsureFigure(word)) || left-- <= 0) return parts;
    const bbox = around(parts.map((part) => part.bbox));
    const views: Reading[] = parts.length > 1 ? [] : [word];
    for (const view of VIEWS) views.push(await viewed(bbox, picture, { ...view, recognise }));
    const found = agreed(views);
    const isWhole = parts.length === 1 || found.text === parts.map(({ text }) => text).join('');
    return isWhole ? [{ ...found, bbox }] : parts;
  };
  const again: FoundLine[] = [];
  for (const line of lines) {
    const words: FoundWord[] = [];
    for (const parts of figuresIn(line.words)) words.push(...(await looked(parts)));
    again.push({ ...line, words });
  }
  return again;
}

function isUnsureFigure({ text, confidence }: FoundWord): boolean {
  return /\d/u.test(text) && confidence < LOOKED_AT;
}

/** The words, and in one what may be a figure that was taken apart at its mark: "1556," and "36". */
function figuresIn(words: readonly FoundWord[]): readonly (readonly FoundWord[])[] {
  const all: FoundWord[][] = [];
  for (const word of words) {
    const before = all.at(-1)?.at(-1);
    const gap = before ? (word.bbox.x0 - before.bbox.x1) / (before.bbox.y1 - before.bbox.y0) : 0;
    const isSplit = before && gap < NEAR && /\d[.,]$/u.test(before.text) && /^\d+$/u.test(word.text);
    if (isSplit) all.at(-1)?.push(word);
    else all.push([word]);
  }
  return all;
}

async function viewed(
  { x0, y0, x1, y1 }: Rect,
  picture: Grey,
  { as, scale, recognise }: (typeof VIEWS)[number] & { readonly recognise: Recognise },
): Promise<Reading> {
  const [marginX, marginY] = [Math.round(MARGIN.x * (y1 - y0)), Math.round(MARGIN.y * (y1 - y0))];
  const [left, top] = [Math.max(0, x0 - marginX), Math.max(0, y0 - marginY)];
  const width = Math.min(picture.width, x1 + marginX) - left;
  const height = Math.min(picture.height, y1 + marginY) - top;
  const part = (await fromRaw(picture)).extract({ left, top, width, height });
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const found = (await recognise(await raw(part.resize({ ...size, fit: 'fill' })), as)).flatMap(({ words }) => words);
  const [word] = found;
  return word !== undefined && found.length === 1 ? word : { text: '', confidence: 0 };
}

/** What two views read, by the sum of their confidences; without such, the first, as unsure as the least sure. */
function agreed(views: readonly Reading[]): Reading {
  const votes = [...Map.groupBy(views, ({ text }) => text)]
    .map(([text, own]) => ({ text, sure: own.map(({ confidence }) => confidence) }))
    .sort((a, b) => sum(b.sure) - sum(a.sure));
  const best = votes.find(({ text, sure }) => text !== '' && sure.length > 1);
  const { text = '' } = views[0] ?? {};
  if (best === undefined) return { text, confidence: Math.min(...views.map(({ confidence }) => confidence)) };
  const next = Math.max(0, ...votes.filter((vote) => vote !== best).map(({ sure }) => sum(sure)));
  const isClear = best.sure.length > 2 || sum(best.sure) >= OUTWEIGHS * next;
  return { text: best.text, confidence: isClear ? Math.max(...best.sure) : Math.min(...best.sure) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
