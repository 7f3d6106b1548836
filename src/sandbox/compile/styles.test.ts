import { describe, expect, test } from 'vitest';
import { compiledBody } from '../../testing/compiled-script.ts';
import { tablesOf } from '../../testing/rows.ts';

const rows = tablesOf(import.meta.dirname, 'styles');

/** `source` is followed by a last value, which is returned. */
function becomes(source: string): string {
  const body = compiledBody(`${source}\n0`);
  expect(body.endsWith('\nreturn (0);')).toBe(true);
  return body.slice(0, -'\nreturn (0);'.length);
}

describe('a statement that begins with a call', () => {
  test.each(rows<[string, string, string]>('a statement that begins with a call keeps its meaning'))(
    '%s keeps its meaning',
    (_what, source, body) => {
      expect(becomes(source)).toBe(body);
    },
  );
});

describe('a function waits with its calls', () => {
  test.each(rows<[string, string, string]>('a function waits with its calls'))('%s', (_which, source, part) => {
    expect(becomes(source)).toContain(part);
  });
});

describe('a call blocks where nothing can wait:', () => {
  test.each(rows<[string, string]>('a call blocks where nothing can wait'))('%s', (_where, source) => {
    expect(becomes(source)).toBe(source);
  });
});

describe('a function is not waited for', () => {
  test.each(rows<[string, string]>('a function is not waited for'))('%s', (_which, source) => {
    expect(becomes(source)).toBe(source);
  });
});

describe('a tool that is handed over', () => {
  test.each(rows<[string, string, string]>('a tool that is handed over gets one argument only'))(
    '%s, gets one argument only',
    (_to, source, body) => {
      expect(becomes(source)).toBe(body);
    },
  );

  test.each([
    ...['map', 'flatMap', 'filter', 'forEach', 'some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex'],
  ])('to %s, gets one argument only', (name) => {
    expect(becomes(`x = y.${name}(add);`)).toBe(`x = y.${name}($w0.b1.add);`);
  });

  test.each(rows<[string, string]>('a tool that is handed over stays as it is'))(
    '%s, stays as it is',
    (_to, source) => {
      expect(becomes(source)).toBe(source);
    },
  );
});

describe('a loop by forEach', () => {
  test.each([
    ['is awaited', 'y.forEach(async (n) => n);', 'await $w0.after(y.forEach($w0.each(async (n) => n)));'],
    [
      'is awaited with its calls',
      'y.forEach(async function (n) { add(n); });',
      'await $w0.after(y.forEach($w0.each(async function (n) { await $w0.p.add(n); })));',
    ],
    [
      'is awaited in a function',
      'const f = async () => { y.forEach(async (n) => n); };',
      'const f = async () => { await $w0.after(y.forEach($w0.each(async (n) => n))); };',
    ],
    [
      'is awaited over a result',
      'item(1).x.forEach(async (n) => n);',
      'await $w0.after(void 0,(await $w0.p.item(1)).x.forEach($w0.each(async (n) => n)));',
    ],
  ])('%s', (_what, source, body) => {
    expect(becomes(source)).toBe(body);
  });

  test.each(rows<[string, string]>('a loop by forEach stays as it is'))('%s stays as it is', (_what, source) => {
    expect(becomes(source)).toBe(source);
  });

  test('may be the last value', () => {
    const body = 'return (await $w0.after(y.forEach($w0.each(async (n) => n))));';
    expect(compiledBody('y.forEach(async (n) => n)')).toBe(body);
    expect(compiledBody('y.forEach(async (n) => n);')).toBe(body);
  });
});

describe('a chain', () => {
  test.each(rows<[string, string, string]>('a chain works whether that is a promise or not'))(
    '%s works whether that is a promise or not',
    (_on, source, part) => {
      expect(becomes(source)).toContain(part);
    },
  );

  test.each(rows<[string, string]>('a chain stays as it is'))('%s stays as it is', (_on, source) => {
    expect(becomes(source)).toBe(source);
  });

  test('on something that a call is part of waits for the call', () => {
    expect(becomes('x = y[add(1)].then(f);')).toBe('x = y[(await $w0.p.add(1))].then(f);');
  });
});

describe('a statement that starts something', () => {
  test.each(rows<[string, string, string]>('a statement that starts something'))('%s', (_how, source, body) => {
    expect(becomes(source)).toBe(body);
  });
});

test('a script of more than 20,000 parts stays as it is written', () => {
  const more = 'x;'.repeat(9997);
  expect(compiledBody(`add();${more}0`)).toBe(`await $w0.p.add();${more}return (0);`);
  expect(compiledBody(`add(1);${more}0`)).toBe(`add(1);${more}return (0);`);
});
