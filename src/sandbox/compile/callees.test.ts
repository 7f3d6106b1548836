import { describe, expect, test } from 'vitest';
import { compiledBody } from '../../testing/compiled-script.ts';
import { tablesOf } from '../../testing/rows.ts';

const rows = tablesOf(import.meta.dirname, 'callees');

describe('a call is of a tool', () => {
  test.each(rows<[string, string, string]>('a call is of a tool'))('%s', (_how, source, body) => {
    expect(compiledBody(source)).toBe(body);
  });
});

/** Each ends in an expression, which is all that changes. */
describe('a call is of something else', () => {
  test.each(rows<[string, string, string]>('a call is of something else'))('%s', (_what, before, last) => {
    expect(compiledBody(before + last)).toBe(`${before}return (${last});`);
  });
});

test('where names cannot be resolved, calls stay as they are written', () => {
  expect(compiledBody('with (x) { add(1); }')).toBe('with (x) { add(1); }');
});
