/** Markdown of a passage as plain text on few lines: no marks, tables row by row. Citations stay. */
export function readable(markdown: string): string {
  return markdown
    .split('\n')
    .filter((line) => !/^(?:[\s:|-]{3,}$|```|~~~)/u.test(line.trim()))
    .map((line) => row(line.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?)/u, '')))
    .join('\n')
    .replace(/!?\[([^[\]\n]+)\]\((?:[^()\n]|\([^()\n]*\))+\)/gu, '$1')
    .replace(/(\*\*|__)(?=\S)([^\n]{1,500}?)(?<=\S)\1/gu, '$2')
    .replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^\n*_]{1,500}?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu, '$2')
    .replace(/`([^`\n]+)`/gu, '$1')
    .trim();
}

/** `| a | b |` and `a | b` as `a, b;`. */
function row(line: string): string {
  const inner = /^\s*\|(.*)\|\s*$/u.exec(line)?.[1];
  if (inner === undefined && !line.includes(' | ')) return line;
  const cells = (inner ?? line).split('|').map((cell) => cell.trim());
  return `${cells.filter(Boolean).join(', ')};`;
}
