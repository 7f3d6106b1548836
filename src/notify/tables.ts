const TABLE = /(?:^\|.*\|[^\S\n]*(?:\n|$)){2,}/gmu;
const RULE = /^\s*:?-+:?\s*$/u;
const FENCED = /(^```[\s\S]*?^```[^\S\n]*$)/mu;

/** A text of Markdown with its tables drawn in fences, where every letter has the same width; code stays as it is. */
export function withTables(text: string): string {
  const parts = text.split(FENCED);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(TABLE, drawn))).join('');
}

function drawn(table: string): string {
  const rows = table.trimEnd().split('\n').map(cellsOf);
  const [head = [], rule = [], ...body] = rows;
  if (!rule.every((cell) => RULE.test(cell))) return table;
  const shown = [head, ...body];
  const widths = head.map((_, column) => Math.max(...shown.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => padded(row[column] ?? '', width))
      .join('  ')
      .trimEnd();
  const under = widths.map((width) => '-'.repeat(width)).join('  ');
  return `\`\`\`\n${[line(head), under, ...body.map(line)].join('\n')}\n\`\`\`\n`;
}

function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .replace(/^\||\|$/gu, '')
    .split('|');
  return cells.map((cell) => cell.trim());
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - [...text].length);
}
