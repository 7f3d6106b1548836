import { SURE } from '../seen.ts';
import { fromRaw, type Grey, raw } from './image.ts';
import type { Recognise } from './recognise.ts';
import type { FoundLine, FoundWord } from './tesseract-lines.ts';

/** A page has few unsure figures, or is not worth the time. */
const MOST_LOOKED_AT = 60;
/** Around a word, as shares of its height: white above and below it, and little of its neighbours. */
const MARGIN = { x: 0.25, y: 0.5 } as const;
/** Each is another view of a word: larger as a line, and as it is. */
const VIEWS = [
  { as: 'line', scale: 1.5 },
  { as: 'word', scale: 1 },
] as const;

interface Reading {
  readonly text: string;
  readonly confidence: number;
}

/**
 * Look again at figures that were not read surely, each by itself: within a page, the point of "134.75" is easily a
 * digit or a stain. What two of three views agree on is taken.
 *
 * @param picture  what the lines were found in.
 */
export async function lookedAtAgain(
  lines: readonly FoundLine[],
  picture: Grey,
  recognise: Recognise,
): Promise<readonly FoundLine[]> {
  const unsure = lines.flatMap(({ words }) => words).filter(isUnsureFigure);
  const better = new Map<FoundWord, Reading>();
  for (const word of unsure.slice(0, MOST_LOOKED_AT)) {
    const views: Reading[] = [word];
    for (const view of VIEWS) views.push(await viewed(word, picture, { ...view, recognise }));
    better.set(word, agreed(views));
  }
  return lines.map((line) => ({ ...line, words: line.words.map((word) => ({ ...word, ...better.get(word) })) }));
}

function isUnsureFigure({ text, confidence }: FoundWord): boolean {
  return /\d/u.test(text) && confidence < SURE;
}

async function viewed(
  { bbox: { x0, y0, x1, y1 } }: FoundWord,
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

/** As sure as the surest where all agree, and as the less sure of two; without two the first stays as it is. */
function agreed(views: readonly Reading[]): Reading {
  const [first = { text: '', confidence: 0 }] = views;
  const votes = [...Map.groupBy(views, ({ text }) => text)].find(([text, own]) => text !== '' && own.length > 1);
  if (votes === undefined) return { text: first.text, confidence: first.confidence };
  const [text, own] = votes;
  const confidences = own.map(({ confidence }) => confidence);
  return { text, confidence: own.length === views.length ? Math.max(...confidences) : Math.min(...confidences) };
}
