/** One bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Printed after the bar. */
  readonly note: string;
}

/** Cells of the longest bar. */
const WIDTH = 28;
/** Block characters for the part of a cell that the end of a bar fills. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
/** Longer labels are cut. */
const LABEL_CHARS = 40;

/** Horizontal bars for a terminal, scaled so that the longest takes the whole width. One line per bar. */
export function barChart(bars: readonly Bar[]): string[] {
  const labelWidth = Math.min(LABEL_CHARS, Math.max(0, ...bars.map(({ label }) => label.length)));
  const most = Math.max(0, ...bars.map(({ value }) => value));
  return bars.map(({ label, value, note }) => {
    const drawn = bar(most === 0 ? 0 : value / most).padEnd(WIDTH);
    return `${label.slice(0, labelWidth).padEnd(labelWidth)} ${drawn} ${note}`;
  });
}

/** One bar. @param share from 0 to 1; anything above zero shows at least a sliver. @param width of a whole one. */
export function bar(share: number, width = WIDTH): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
