import { describe, expect, test } from 'vitest';
import { compiledBody } from '../../testing/compiled-script.ts';
import { tablesOf } from '../../testing/rows.ts';

const rows = tablesOf(import.meta.dirname, 'flow');

/** Nothing else of a script may change than its calls: `add(1)` is only started, `add(2)` is waited for. */
function expectCalls(source: string): void {
  const calls = source.replaceAll('add(1)', '$w0.p.add(1)').replaceAll('add(2)', '(await $w0.p.add(2))');
  expect(compiledBody(`${source}\n0`)).toBe(`${calls}\nreturn (0);`);
}

describe('a call goes on while the script does', () => {
  test.each(rows<[string, string]>('a call goes on while the script does'))('%s', (_where, source) => {
    expectCalls(source);
  });
});

describe('a call is waited for', () => {
  test.each(rows<[string, string]>('a call is waited for'))('%s', (_where, source) => {
    expectCalls(source);
  });
});
