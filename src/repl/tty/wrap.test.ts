import { expect, test } from 'vitest';
import { wrapPieces, wrapText } from './wrap.ts';

test.each([-1, 0, 1, 2])('on %i columns every row takes something, so there is an end', (columns) => {
  for (const text of ['Wooster', '  two words', '界界', 'e\u0301a']) {
    const rows = wrapText(text, columns);
    expect(rows.length).toBeLessThanOrEqual(text.length + 1);
    expect(rows.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    expect(wrapPieces([{ text }], columns).length).toBeLessThanOrEqual(text.length + 1);
  }
});
