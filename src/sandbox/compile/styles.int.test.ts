import { afterAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { tablesOf } from '../../testing/rows.ts';
import { playScript } from '../../testing/script-world.ts';
import { createSandbox } from '../sandbox.ts';

const rows = tablesOf(import.meta.dirname, 'styles.int');
const sandbox = createSandbox({ log: silentLog, poolSize: 2 });
afterAll(() => sandbox.close());

const STYLES = ['none', 'await', 'then', 'all'] as const;
type Style = (typeof STYLES)[number];

/**
 * Programs in one notation for all styles: `@{call}` is a call of a tool or of a function that calls one, `@fn`
 * stands before a function that calls tools, `@map{list}{fn}` maps a list.
 */
const PROGRAMS = rows<[name: string, source: string, value: unknown]>('programs');

function inStyle(source: string, style: Style): string {
  const expand = (text: string): string => {
    let out = '';
    for (let i = 0; i < text.length; ) {
      if (text.startsWith('@{', i)) {
        const inner = braces(text, i + 1);
        out += call(expand(inner), style);
        i += inner.length + 3;
      } else if (text.startsWith('@map{', i)) {
        const list = braces(text, i + 4);
        const fn = braces(text, i + 6 + list.length);
        const mapped = `${expand(list)}.map(${expand(fn)})`;
        out += style === 'none' ? mapped : `(await Promise.all(${mapped}))`;
        i += list.length + fn.length + 8;
      } else if (text.startsWith('@fn', i)) {
        out += style === 'none' ? '' : 'async ';
        i += text[i + 3] === ' ' ? 4 : 3;
      } else out += text[i++];
    }
    return out;
  };
  return expand(source);
}

/** The text between a brace and its partner. */
function braces(text: string, open: number): string {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}' && --depth === 0) return text.slice(open + 1, i);
  }
  throw new Error(`unbalanced: ${text}`);
}

function call(inner: string, style: Style): string {
  if (style === 'none') return inner;
  if (style === 'await') return `(await ${inner})`;
  return style === 'then' ? `(await ${inner}.then((v) => v))` : `(await Promise.all([${inner}]))[0]`;
}

/** A line that begins with `(` belongs to the line before, in every language without semicolons. */
function guardLines(source: string): string {
  return source.replace(/\n(\s*)\(/gu, '\n$1;(');
}

describe.each(PROGRAMS)('%s', (_name, source, value) => {
  test('gives the same answer, error and calls in every style', async () => {
    const played = await Promise.all(STYLES.map((style) => playScript(sandbox, guardLines(inStyle(source, style)))));
    const [none] = played;
    for (const each of played) {
      expect({ value: each.value, failed: each.failed, line: each.line, outputs: each.outputs }).toEqual({
        value,
        failed: none?.failed,
        line: none?.line,
        outputs: none?.outputs,
      });
      expect([...each.calls].sort()).toEqual([...(none?.calls ?? [])].sort());
    }
    if (value !== undefined) expect(none?.failed).toBeUndefined();
  });
});

/** Programs that can be written in one way only, with what they must give and how many calls run side by side. */
const SINGLE = rows<[name: string, source: string, atOnce: number, value: unknown]>('single');

test.each(SINGLE)('%s', async (_name, source, atOnce, value) => {
  const played = await playScript(sandbox, source, { limits: { timeoutMs: 10_000 } });
  expect({ value: played.value, failed: played.failed }).toEqual({ value, failed: undefined });
  expect(played.mostAtOnce).toBe(atOnce);
});

test('the place of an error is exact behind rewritten calls', async () => {
  const source = 'const [a, b] = [add(1, 1), tools.add(2, 2)];\nconst c = item(1).missing.field + add(a, b);';
  const { result } = await playScript(sandbox, source);
  expect(result.failed).toMatchObject({ line: 2, column: (source.split('\n')[1]?.indexOf('field') as number) + 1 });
});
