import { expect, test } from 'vitest';
import { citation, citedIn, fileLabel } from './citation.ts';

test.each([
  [{ file: 'a.md' }, '[a.md]'],
  [{ file: 'a.md', lines: [3, 3] }, '[a.md, line 3]'],
  [{ file: 'a.md', lines: [3, 9] }, '[a.md, lines 3-9]'],
  [{ file: 'a.pdf', pages: [4, 4], lines: [3, 9] }, '[a.pdf, p. 4]'],
  [{ file: 'a.pdf', pages: [4, 6], place: 'x' }, '[a.pdf, pp. 4-6]'],
  [{ file: 'a.pptx', place: 'slide 2', lines: [3, 9] }, '[a.pptx, slide 2]'],
  [{ file: 'lease.md', heading: ['Lease', '12. Notice'], lines: [40, 44] }, '[lease.md, 12. Notice, lines 40-44]'],
  [{ file: 'a.md', heading: ['Tea, [green]\nand black'], lines: [3, 3] }, '[a.md, Tea green and black, line 3]'],
  [{ file: 'to/my lease.md', heading: ['My lease'], lines: [3, 3] }, '[to/my lease.md, line 3]'],
  [{ file: 'a.md', heading: ['About b.json'], lines: [3, 3] }, '[a.md, line 3]'],
  [{ file: 'a.md', heading: ['2026-01-02 03:04'], lines: [3, 3] }, '[a.md, line 3]'],
  [{ file: 'a.ts', heading: ['lines 1-9'], lines: [3, 3] }, '[a.ts, line 3]'],
  [{ file: 'a.xlsx', heading: ['Budget'], place: 'Budget, row 4' }, '[a.xlsx, Budget, row 4]'],
  [{ file: 'a\n\tb\u2028.md', place: '' }, '[a b .md]'],
] as const)('%j is cited as %s', (locator, expected) => expect(citation(locator)).toBe(expected));

test('the name of a file is one line', () => expect(fileLabel('a\u0000\u001f\u007f\u0085\u2029ä.md')).toBe('a ä.md'));

test.each([
  { file: 'lease.md', heading: '12. Notice', kind: 'line', from: 40, to: 44 },
  { file: 'Invoice, March.pdf', heading: undefined, kind: 'page', from: 4, to: 4 },
  { file: 'a, b.md', heading: 'v1.2 and later', kind: 'line', from: 3, to: 3 },
] as const)('what is cited is read back: %j', ({ kind, ...place }) => {
  const span = [place.from, place.to] as const;
  const where = kind === 'page' ? { pages: span } : { lines: span };
  const text = citation({ ...where, file: place.file, heading: place.heading ? ['Top', place.heading] : [] });
  expect(citedIn(`So it is ${text}.`)[1]).toEqual({ text, place: { kind, ...place } });
});
