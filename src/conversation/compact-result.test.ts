import { expect, test } from 'vitest';
import { compactFeedback, compactResult, compactValue } from './compact-result.ts';

test('a short result stays as it is, a long one keeps its first 600 characters', () => {
  expect(compactResult('Noted.')).toBe('Noted.');
  expect(compactResult('x'.repeat(600))).toBe('x'.repeat(600));
  expect(compactResult('x'.repeat(601))).toBe(`${'x'.repeat(600)}…`);
  // A number or a string is no record, although it is JSON.
  expect(compactResult('12.50')).toBe('12.50');
  expect(compactValue('x'.repeat(601))).toBe(`${'x'.repeat(600)}…`);
});

test('ids, paths and citations stay whole, texts keep 240 characters, and what says nothing later goes', () => {
  const result = JSON.stringify({
    passages: [
      { citation: 'lease.md:4-9', text: 'y'.repeat(241), score: 0.91, context: 'x', ms: 4, snippetHtml: '<b>' },
    ],
    from: 'documents',
  });
  expect(JSON.parse(compactResult(result))).toEqual({
    passages: [{ citation: 'lease.md:4-9', text: `${'y'.repeat(240)}…` }],
    from: 'documents',
  });
});

test('of a long list the first eight stay, and how many more there were', () => {
  expect(JSON.parse(compactValue([1, 2, 3, 4, 5, 6, 7, 8]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(JSON.parse(compactValue([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, '… 2 more']);
});

test('what is nested deeper than four levels is left out, values are not', () => {
  expect(JSON.parse(compactValue({ a: { b: { c: { d: 1 } } } }))).toEqual({ a: { b: { c: { d: 1 } } } });
  expect(JSON.parse(compactValue({ a: { b: { c: { d: { e: 1 }, f: null } } } }))).toEqual({
    a: { b: { c: { d: '…', f: null } } },
  });
});

test('as a whole it has 2,400 characters at most', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field${n}`, 'z'.repeat(200)]));
  expect(compactValue(many)).toHaveLength(2401);
  expect(compactFeedback('x'.repeat(3000))).toBe(`${'x'.repeat(2400)}…`);
  expect(compactFeedback('x'.repeat(2400))).toBe('x'.repeat(2400));
  expect(compactValue(undefined)).toBe('');
});

const passage = (at: number) => ({ citation: `[lease.md, line ${at}]`, text: `${at} ${'y'.repeat(900)}` });

test('passages that the answer cites come first, and nearly whole', () => {
  const result = { passages: Array.from({ length: 12 }, (_, at) => passage(at)), from: 'documents' };
  const { passages } = JSON.parse(compactResult(JSON.stringify(result), 'It is so [lease.md, line 11].'));
  expect(passages.slice(0, 2)).toEqual([passage(11), { ...passage(0), text: `0 ${'y'.repeat(238)}…` }]);
  expect(passages).toHaveLength(9);
});

test('of a long text the paragraphs that the answer is about stay, in their order, and what is missing is marked', () => {
  const chapters = Array.from({ length: 40 }, (_, at) => `Chapter ${at}. ${'Water and oil. '.repeat(20)}`);
  chapters[30] = `Chapter 30. The pilot light is lit with the green button. ${'Wait. '.repeat(20)}`;
  chapters[12] = `Chapter 12. The green hose belongs to the stove. ${'Wait. '.repeat(20)}`;
  const kept = compactResult(
    ['[handbook.md]', ...chapters].join('\n\n'),
    'Press the green button for the pilot light.',
  );
  expect(kept).toBe(`[handbook.md]\n\n…\n\n${chapters[12]}\n\n…\n\n${chapters[30]}`);
});
