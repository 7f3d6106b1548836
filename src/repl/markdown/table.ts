import type { Tokens } from 'marked';
import { cellsOf } from '../tty/width.ts';
import { type Ink, type Piece, wrapPieces } from '../tty/wrap.ts';
import { inlinePieces } from './inline.ts';

type Cell = readonly Piece[];
type Align = 'center' | 'left' | 'right' | null;

const MIN_CELLS = 4;
const GAP_CELLS = 3;

/** A table with aligned columns; cells are wrapped when it is too wide. Where even that fails, rows become records. */
export function tableRows(table: Tokens.Table, width: number, ink: Ink): Piece[][] {
  const header = table.header.map((cell) => inlinePieces(cell.tokens, ink, '1'));
  const body = table.rows.map((row) => row.map((cell) => inlinePieces(cell.tokens, ink)));
  const widths = fitted([header, ...body], width);
  if (!widths) return records(header, body, width);
  const [bar, line, cross] = ink.unicode ? ['│', '─', '┼'] : ['|', '-', '+'];
  const between = { text: ` ${bar} `, style: '2' };
  const draw = (cells: readonly Cell[]) => drawnRow(cells, widths, table.align, between);
  const rule = widths.map((cells) => line.repeat(cells)).join(`${line}${cross}${line}`);
  return [...draw(header), [{ text: rule, style: '2' }], ...body.flatMap(draw)];
}

/** Widths of the columns: their natural width, else shrunk towards their widest word; undefined if that fails. */
function fitted(rows: readonly (readonly Cell[])[], width: number): number[] | undefined {
  const columns = rows[0]?.length ?? 0;
  const room = width - GAP_CELLS * (columns - 1);
  const measured = Array.from({ length: columns }, (_, column) => {
    const texts = rows.map((row) => (row[column] ?? []).map(({ text }) => text).join(''));
    const widest = (parts: readonly string[]) => Math.max(0, ...parts.map(cellsOf));
    const wanted = Math.max(1, widest(texts.flatMap((text) => text.split('\n'))));
    return {
      wanted,
      least: Math.min(wanted, Math.max(MIN_CELLS, widest(texts.flatMap((text) => text.split(/\s+/u))))),
    };
  });
  const wanted = measured.reduce((sum, column) => sum + column.wanted, 0);
  if (wanted <= room) return measured.map((column) => column.wanted);
  const least = measured.reduce((sum, column) => sum + column.least, 0);
  if (least > room) return undefined;
  const share = (room - least) / Math.max(1, wanted - least);
  return measured.map((column) => column.least + Math.floor((column.wanted - column.least) * share));
}

function drawnRow(
  cells: readonly Cell[],
  widths: readonly number[],
  align: readonly Align[],
  between: Piece,
): Piece[][] {
  const wrapped = widths.map((width, column) => wrapPieces(cells[column] ?? [], width));
  const height = Math.max(...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, row) =>
    wrapped.flatMap((rows, column) => {
      const isLast = column === widths.length - 1;
      const cell = padded(rows[row] ?? [], widths[column] ?? 0, align[column] ?? null, isLast);
      return column === 0 ? cell : [between, ...cell];
    }),
  );
}

function padded(cell: Cell, width: number, align: Align, isLast: boolean): Piece[] {
  const space = width - cell.reduce((sum, { text }) => sum + cellsOf(text), 0);
  const left = align === 'right' ? space : align === 'center' ? Math.floor(space / 2) : 0;
  const right = isLast ? 0 : space - left;
  const spaces = (count: number) => (count > 0 ? [{ text: ' '.repeat(count) }] : []);
  return [...spaces(left), ...cell, ...spaces(right)];
}

/** `name: value` lines, one block per row. */
function records(header: readonly Cell[], body: readonly (readonly Cell[])[], width: number): Piece[][] {
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => wrapPieces([...(header[column] ?? []), { text: ': ' }, ...cell], width)),
  ]);
}
