import { eastAsianWidth } from 'get-east-asian-width';

const ASCII = /^[\u0020-\u007e]*$/u;
/** Characters that may belong to the one before: only text with them needs the segmenter, whose first use is slow. */
const JOINED = /\u200d|\p{M}|[\u1100-\u11ff\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/u;
/** Clusters that are drawn two cells wide: emoji of several characters, flags, keycaps, Hangul of single letters. */
const WIDE_CLUSTER = /\u200d|\ufe0f|\u20e3|[\u1100-\u11ff]|\p{Emoji_Modifier}|\p{Regional_Indicator}{2}/u;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;

const widths = new Map<string, number>();
const segmenter = lazily(() => new Intl.Segmenter());

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Grapheme clusters: letters with their accents, emoji of several characters, flags. */
export function graphemes(text: string): string[] {
  if (!JOINED.test(text)) return [...text];
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

/** Cells that a text takes on a terminal. Control characters take none. */
export function cellsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  return graphemes(text).reduce((sum, cluster) => sum + clusterCells(cluster), 0);
}

/** Cells of one of the `graphemes`. */
export function clusterCells(cluster: string): number {
  if (cluster.length === 1 && ASCII.test(cluster)) return 1;
  const known = widths.get(cluster);
  if (known !== undefined) return known;
  const cells = WIDE_CLUSTER.test(cluster) ? 2 : Math.max(...Array.from(cluster, codePointCells));
  // Few clusters occur in practice; bounded, so that a hostile text cannot fill the memory.
  if (widths.size < 10_000) widths.set(cluster, cells);
  return cells;
}

function codePointCells(char: string): number {
  return ZERO_WIDTH.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0);
}

/** Take off the front what fits into `cells`; at least one character, so that a loop over the rest ends. */
export function takeCells(text: string, cells: number): [taken: string, rest: string] {
  if (text.length <= cells && ASCII.test(text)) return [text, ''];
  let used = 0;
  let at = 0;
  for (const cluster of graphemes(text)) {
    used += clusterCells(cluster);
    if (used > cells && at > 0) break;
    at += cluster.length;
  }
  return [text.slice(0, at), text.slice(at)];
}

/** Cut to `cells`, with an ellipsis where something is missing. */
export function clip(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  return cells < 2 ? '' : `${takeCells(text, cells - 1)[0]}…`;
}
