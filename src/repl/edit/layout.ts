import { clusterCells, graphemes } from '../tty/width.ts';
import { PASTE_MARKS } from './pastes.ts';

/** One row of the text being edited, as it is drawn. */
export interface EditRow {
  readonly text: string;
  /** Offsets into the text: the row holds what is from `from` up to `to`. */
  readonly from: number;
  readonly to: number;
}

export interface Layout {
  readonly rows: readonly EditRow[];
  readonly cursor: { readonly row: number; readonly cell: number };
}

const TAB = '    ';

/**
 * Where every character of a text being edited stands when rows are `width` cells wide. Characters are never split.
 *
 * @param labels  what is shown instead of a placeholder.
 */
export function layOut(text: string, cursor: number, width: number, labels: (mark: string) => string): Layout {
  const rows: { text: string; from: number; to: number }[] = [{ text: '', from: 0, to: 0 }];
  let at = { row: 0, cell: 0 };
  let [offset, cells] = [0, 0];
  const breakRow = (from: number) => {
    rows.push({ text: '', from, to: from });
    cells = 0;
  };
  for (const cluster of graphemes(text)) {
    const row = rows.at(-1);
    if (cluster === '\n') {
      if (offset === cursor) at = { row: rows.length - 1, cell: cells };
      offset += 1;
      breakRow(offset);
      continue;
    }
    const drawn = PASTE_MARKS.test(cluster) ? labels(cluster) : cluster === '\t' ? TAB : cluster;
    const need = drawn === cluster ? clusterCells(cluster) : drawn.length;
    if (cells > 0 && cells + need > width) breakRow(offset);
    if (offset === cursor) at = { row: rows.length - 1, cell: cells };
    const target = rows.at(-1) ?? row;
    if (target) {
      target.text += drawn;
      target.to = offset + cluster.length;
    }
    offset += cluster.length;
    cells += need;
  }
  if (cursor >= offset) {
    // The cursor behind a full row stands at the start of the next one.
    if (cells >= width) breakRow(offset);
    at = { row: rows.length - 1, cell: cells };
  }
  return { rows, cursor: at };
}

/** The offset in a row that is nearest to `cell`. */
export function offsetAt(row: EditRow, text: string, cell: number, labels: (mark: string) => string): number {
  let [offset, cells] = [row.from, 0];
  for (const cluster of graphemes(text.slice(row.from, row.to))) {
    const drawn = PASTE_MARKS.test(cluster) ? labels(cluster) : cluster === '\t' ? TAB : cluster;
    const need = drawn === cluster ? clusterCells(cluster) : drawn.length;
    if (cells + need > cell) break;
    cells += need;
    offset += cluster.length;
  }
  return offset;
}
