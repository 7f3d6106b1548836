import type { Locator } from './types.ts';

/** `[notes/oslo.md, lines 3-9]`, `[report.pdf, p. 4]`, `[plan.pptx, slide 2]`. */
export function citation(locator: Omit<Locator, 'heading'>): string {
  const where = whereIn(locator);
  const file = fileLabel(locator.file);
  return where === '' ? `[${file}]` : `[${file}, ${where}]`;
}

/** A file's name on one line, whatever characters it contains. */
export function fileLabel(file: string): string {
  return file.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/gu, ' ');
}

function whereIn({ pages, place, lines }: Omit<Locator, 'heading'>): string {
  if (pages) return pages[0] === pages[1] ? `p. ${pages[0]}` : `pp. ${pages[0]}-${pages[1]}`;
  if (place) return place;
  if (lines) return lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]}-${lines[1]}`;
  return '';
}
