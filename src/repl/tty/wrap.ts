import { cellsOf, clusterCells, graphemes, takeCells } from './width.ts';

/** Text in one style. */
export interface Piece {
  readonly text: string;
  /** SGR parameters, such as `1;36`; none for plain text. */
  readonly style?: string | undefined;
}

/** How rows are drawn. */
export interface Ink {
  /** Colours, bold and the like. */
  readonly styles: boolean;
  /** Lines and bullets may be drawn with more than ASCII. */
  readonly unicode: boolean;
}

const ASCII = /^[\u0020-\u007e]*$/u;

type Atom =
  | { readonly kind: 'word'; readonly pieces: readonly Piece[]; readonly cells: number }
  | { readonly kind: 'space'; readonly piece: Piece }
  | { readonly kind: 'break' };

/**
 * Wrap at words; Chinese, Japanese and Korean at any character; words wider than a row are cut.
 *
 * @param columns less than one counts as one, as every row has to take something.
 */
export function wrapPieces(pieces: readonly Piece[], columns: number): Piece[][] {
  const width = Math.max(1, columns);
  const rows: Piece[][] = [[]];
  let used = 0;
  let spaces: Piece[] = [];
  const newRow = () => {
    rows.push([]);
    used = 0;
    spaces = [];
  };
  for (const atom of atomsOf(pieces)) {
    if (atom.kind === 'break') newRow();
    else if (atom.kind === 'space') spaces.push(atom.piece);
    else {
      const gap = spaces.reduce((sum, { text }) => sum + text.length, 0);
      if (used > 0 && used + gap + atom.cells > width) newRow();
      const room = width - used;
      const lead = spaces.length > 0 && gap + Math.min(atom.cells, width) <= room ? spaces : [];
      const fitting = [...lead, ...atom.pieces];
      const cells = atom.cells + (lead.length > 0 ? gap : 0);
      spaces = [];
      if (cells <= room) {
        rows.at(-1)?.push(...fitting);
        used += cells;
        continue;
      }
      for (const row of cutRows(fitting, room, width)) {
        if (row.first) rows.at(-1)?.push(...row.pieces);
        else rows.push([...row.pieces]);
        used = row.first ? used + row.cells : row.cells;
      }
    }
  }
  return rows;
}

/** One line of plain text, wrapped below its own indent. */
export function wrapText(text: string, width: number): string[] {
  if (text.length <= width && cellsOf(text) <= width) return [text];
  const indent = /^ */u.exec(text)?.[0] ?? '';
  const deep = indent.length * 2 > width;
  const rows = wrapPieces([{ text: deep ? text : text.trimStart() }], deep ? width : width - indent.length);
  return rows.map((row) => (deep ? '' : indent) + row.map((piece) => piece.text).join(''));
}

/** A row as bytes for the terminal; every row opens and closes its own styles. */
export function inkRow(row: readonly Piece[], { styles }: Ink): string {
  return row
    .map(({ text, style }) => (styles && style && text !== '' ? `\u001b[${style}m${text}\u001b[0m` : text))
    .join('');
}

/** Split at spaces, at line ends and on both sides of wide characters. */
function atomsOf(pieces: readonly Piece[]): Atom[] {
  const atoms: Atom[] = [];
  let word: Piece[] = [];
  let cells = 0;
  const endWord = () => {
    if (word.length > 0) atoms.push({ kind: 'word', pieces: word, cells });
    word = [];
    cells = 0;
  };
  const add = (piece: Piece, width: number) => {
    word.push(piece);
    cells += width;
  };
  for (const piece of pieces) {
    for (const part of piece.text.replaceAll('\t', '    ').split(/(\n| +)/u)) {
      if (part === '') continue;
      const like = { ...piece, text: part };
      if (part === '\n' || part.startsWith(' ')) {
        endWord();
        atoms.push(part === '\n' ? { kind: 'break' } : { kind: 'space', piece: like });
      } else
        for (const run of runsOf(part)) {
          if (run.wide) endWord();
          add({ ...piece, text: run.text }, run.cells);
          if (run.wide) endWord();
        }
    }
  }
  endWord();
  return atoms;
}

interface Run {
  readonly text: string;
  readonly cells: number;
  readonly wide: boolean;
}

/** Streaming text is laid out again and again, and measuring non-ASCII text is slow. */
const knownRuns = new Map<string, readonly Run[]>();
const MAX_KNOWN = 4000;
const MAX_KNOWN_CHARS = 60;

/** Runs of narrow characters, and each wide one by itself; closing punctuation stays with what it closes. */
function runsOf(word: string): readonly Run[] {
  if (ASCII.test(word)) return [{ text: word, cells: word.length, wide: false }];
  const known = knownRuns.get(word);
  if (known) return known;
  const runs = measured(word);
  if (knownRuns.size >= MAX_KNOWN) knownRuns.clear();
  if (word.length <= MAX_KNOWN_CHARS) knownRuns.set(word, runs);
  return runs;
}

function measured(word: string): readonly Run[] {
  const runs: { text: string; cells: number; wide: boolean }[] = [];
  for (const text of graphemes(word)) {
    const width = clusterCells(text);
    const last = runs.at(-1);
    const closes = /^[、。，．：；！？）」』】〉》]$/u.test(text);
    if (last && (closes || (width < 2 && !last.wide))) {
      last.text += text;
      last.cells += width;
    } else runs.push({ text, cells: width, wide: width === 2 });
  }
  return runs;
}

/** Cut pieces so that the first row has `room` cells and every other `width`. */
function cutRows(pieces: readonly Piece[], room: number, width: number) {
  const rows: { pieces: Piece[]; cells: number; first: boolean }[] = [{ pieces: [], cells: 0, first: true }];
  let left = room;
  for (const piece of pieces) {
    let rest = piece.text;
    while (rest !== '') {
      const need = cellsOf(rest);
      const [taken, after] = need <= left ? [rest, ''] : left <= 0 ? ['', rest] : takeCells(rest, left);
      const cells = cellsOf(taken);
      const row = rows.at(-1);
      if (taken !== '') row?.pieces.push({ ...piece, text: taken });
      if (row) row.cells += cells;
      left -= cells;
      rest = after;
      if (rest !== '') {
        rows.push({ pieces: [], cells: 0, first: false });
        left = width;
      }
    }
  }
  return rows;
}
