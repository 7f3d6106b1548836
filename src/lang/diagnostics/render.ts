import type { Diagnostic } from './diagnostic.ts';

/** Of longer lines only the part around the error is shown. */
const WIDEST = 100;

/**
 * A diagnostic as people read it: `FILE:LINE:COLUMN: error TL2001: message`, the line with carets under the error, and
 * the hint.
 *
 * @param source  the text that it was found in.
 */
export function renderDiagnostic(diagnostic: Diagnostic, source: string): string {
  const { hint } = diagnostic;
  return [
    headline(diagnostic),
    ...excerpt(diagnostic, source),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
  ].join('\n');
}

/** The first line of a rendered diagnostic. */
function headline({ file, location, severity, code, message }: Diagnostic): string {
  const { line, column } = location.start;
  return `${file || '<text>'}:${line}:${column}: ${severity} ${code}: ${message}`;
}

/** The source line with its number, and carets under the error. */
function excerpt({ location: { start, end } }: Diagnostic, source: string): string[] {
  const lineStart = start.offset - start.column + 1;
  const lineEnd = source.indexOf('\n', lineStart);
  const line = source.slice(lineStart, lineEnd < 0 ? source.length : lineEnd).replace(/\r$/u, '');
  const from = Math.max(0, Math.min(start.column - 1 - WIDEST / 2, line.length - WIDEST));
  const shown = visible(line.slice(from, from + WIDEST));
  const before = visible(line.slice(from, start.column - 1));
  const marked = end.line === start.line ? line.slice(start.column - 1, end.column - 1) : line.slice(start.column - 1);
  const carets = Math.max(1, Math.min([...visible(marked)].length, WIDEST - [...before].length));
  const gutter = ' '.repeat(String(start.line).length);
  const [cutBefore, cutAfter] = [from > 0 ? '…' : '', from + WIDEST < line.length ? '…' : ''];
  return [
    `  ${start.line} | ${cutBefore}${shown}${cutAfter}`,
    `  ${gutter} | ${' '.repeat([...before].length + cutBefore.length)}${'^'.repeat(carets)}`,
  ];
}

/** One column for each character: a tab becomes one space, an invisible character a box. */
function visible(text: string): string {
  return text.replaceAll('\t', ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '□');
}
