import { expect, test } from 'vitest';
import { citation, fileLabel } from './citation.ts';

test.each([
  [{ file: 'a.md' }, '[a.md]'],
  [{ file: 'a.md', lines: [3, 3] }, '[a.md, line 3]'],
  [{ file: 'a.md', lines: [3, 9] }, '[a.md, lines 3-9]'],
  [{ file: 'a.pdf', pages: [4, 4], lines: [3, 9] }, '[a.pdf, p. 4]'],
  [{ file: 'a.pdf', pages: [4, 6], place: 'x' }, '[a.pdf, pp. 4-6]'],
  [{ file: 'a.pptx', place: 'slide 2', lines: [3, 9] }, '[a.pptx, slide 2]'],
  [{ file: 'a\n\tb\u2028.md', place: '' }, '[a b .md]'],
] as const)('%j is cited as %s', (locator, expected) => expect(citation(locator)).toBe(expected));

test('the name of a file is one line', () => expect(fileLabel('a\u0000\u001f\u007f\u0085\u2029ä.md')).toBe('a ä.md'));
