import { expect, test } from 'vitest';
import { AnswerDraft } from './answer-draft.ts';

const INK = { styles: false, unicode: true };
const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

/** All rows of a text that arrives in chunks, and the most that were open at once. */
function rowsOf(text: string, size: number): { rows: string[]; mostOpen: number } {
  const draft = new AnswerDraft('Wooster: ', INK, () => {});
  const rows: string[] = [];
  let mostOpen = 0;
  for (let at = 0; at < text.length; at += size) {
    draft.add(text.slice(at, at + size));
    const { finished, open } = draft.render(40);
    rows.push(...finished);
    mostOpen = Math.max(mostOpen, open.length);
  }
  rows.push(...draft.finish(40));
  return { rows, mostOpen };
}

test.each([
  ['code', `Look:\n\n\`\`\`js\n${lines(300, (n) => (n % 7 ? `f(${n});` : ''))}\n\`\`\`\n\nThe end.`],
  ['code that the answer ends in', `~~~\n${lines(200, (n) => `line ${n % 3}`)}\n~~~`],
  ['a list', `${lines(150, (n) => `- item ${n}${n % 9 ? '' : '\n\n  more'}`)}\n\nThe end.`],
  ['a list in numbers', `${lines(130, (n) => `${1000 + n}. item ${n}`)}\n\nThe end.`],
])('%s longer than the window is finished piece by piece, with the rows of the whole', (_name, text) => {
  const whole = rowsOf(text, text.length).rows;
  for (const size of [1, 5, 17]) {
    const { rows, mostOpen } = rowsOf(text, size);
    expect(rows).toEqual(whole);
    expect(mostOpen).toBeLessThan(80);
  }
});

test('code that is set in loses no line', () => {
  const text = `Look:\n\n  \`\`\`js\n${lines(150, (n) => `  f(${n});`)}\n  \`\`\`\n\nThe end.`;
  expect(rowsOf(text, 7).rows).toEqual(rowsOf(text, text.length).rows);
});
