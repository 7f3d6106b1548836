import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileScript } from './compile.ts';
import { Edits, positionOf } from './edits.ts';

type Style = 'none' | 'await' | 'then' | 'all';
type Render = (style: Style) => string;

const call = (text: string, style: Style): string => {
  if (style === 'none') return text;
  if (style === 'await') return `(await ${text})`;
  return style === 'then' ? `(await ${text}.then((v) => v))` : `(await Promise.all([${text}]))[0]`;
};

const { expression } = fc.letrec<{ expression: Render; leaf: Render }>((tie) => ({
  leaf: fc.oneof(
    fc.integer({ min: 0, max: 9 }).map(
      (n): Render =>
        () =>
          String(n),
    ),
    fc.constantFrom('x', 'y', 'z').map(
      (name): Render =>
        () =>
          name,
    ),
  ),
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.tuple(tie('expression'), tie('expression')).map(
      ([a, b]): Render =>
        (s) =>
          call(`add(${a(s)}, ${b(s)})`, s),
    ),
    fc.tuple(tie('expression'), tie('expression')).map(
      ([a, b]): Render =>
        (s) =>
          call(`tools.sub(${a(s)}, ${b(s)})`, s),
    ),
    fc.tuple(tie('expression'), tie('expression')).map(
      ([a, b]): Render =>
        (s) =>
          `(${a(s)} + ${b(s)})`,
    ),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(
      ([a, b, c]): Render =>
        (s) =>
          `(${a(s)} > 3 ? ${b(s)} : ${c(s)})`,
    ),
    fc.tuple(tie('expression'), tie('expression')).map(
      ([a, b]): Render =>
        (s) =>
          `(${a(s)} || ${b(s)})`,
    ),
    tie('expression').map(
      (a): Render =>
        (s) =>
          `${call(`wrap(${a(s)})`, s)}.n`,
    ),
    tie('expression').map(
      (a): Render =>
        (s) =>
          s === 'none'
            ? `[1, 2].map((q) => add(q, ${a(s)}))[1]`
            : `(await Promise.all([1, 2].map(async (q) => add(q, ${a(s)}))))[1]`,
    ),
    fc.tuple(tie('expression'), tie('expression')).map(
      ([a, b]): Render =>
        (s) =>
          call(
            `(${s === 'none' ? '' : 'async '}(p) => { const r = ${call(`add(p, ${a(s)})`, s)}; return r + ${b(s)}; })(1)`,
            s,
          ),
    ),
  ),
}));

const statement: fc.Arbitrary<Render> = fc.oneof(
  fc.tuple(fc.constantFrom('x', 'y', 'z'), expression).map(
    ([name, e]): Render =>
      (s) =>
        `${name} = ${e(s)};`,
  ),
  fc.tuple(expression, expression).map(
    ([a, b]): Render =>
      (s) =>
        `if (${a(s)} > 2) { x = ${b(s)}; } else { y += 1; }`,
  ),
  expression.map(
    (e): Render =>
      (s) =>
        `for (const i of [1, 2]) { z += ${e(s)} + i; }`,
  ),
  expression.map(
    (e): Render =>
      (s) =>
        `try { x = ${e(s)}; if (x > 20) throw new Error('big'); } catch (error) { y = x % 7; }`,
  ),
  expression.map(
    (e): Render =>
      (s) =>
        `;${call(`put(${e(s)})`, s)};`,
  ),
);

const program = fc.tuple(fc.array(statement, { maxLength: 5 }), expression).map(
  ([body, last]): Render =>
    (s) =>
      ['let x = 1, y = 2, z = 3;', ...body.map((line) => line(s)), `;[x, y, z, ${last(s)}]`].join('\n'),
);

const TOOLS: Readonly<Record<string, (...args: number[]) => unknown>> = {
  add: (a = 0, b = 0) => (a + b) % 1000,
  sub: (a = 0, b = 0) => (a - b) % 1000,
  wrap: (n = 0) => ({ n }),
};

function worldOf(log: unknown[]) {
  const all = { ...TOOLS, put: (n = 0) => void log.push(n) };
  const names = new Set(Object.keys(all));
  const p = Object.fromEntries(
    Object.entries(all).map(([name, fn]) => [name, async (...args: number[]) => fn(...args)]),
  );
  return {
    names,
    blocking: all,
    hidden: {
      p,
      b: all,
      p1: p,
      b1: all,
      chain: (make: () => unknown) => Promise.resolve(make()),
      track: (v: unknown) => v,
    },
  };
}

async function evaluate(source: string): Promise<{ value: unknown; log: unknown[] }> {
  const log: unknown[] = [];
  const { names, blocking, hidden } = worldOf(log);
  const compiled = compileScript(source, { functions: names, tools: names, modules: [] });
  if (!compiled.ok) throw new Error(`${compiled.message}\n${source}`);
  const context = createContext({ ...blocking, tools: blocking });
  const fn = runInContext(compiled.code, context) as (world: unknown) => Promise<unknown>;
  return { value: JSON.parse(JSON.stringify(await fn(hidden))) as unknown, log };
}

/** What plain synchronous JavaScript says, nothing rewritten. */
function oracle(source: string): { value: unknown; log: unknown[] } {
  const log: unknown[] = [];
  const { blocking } = worldOf(log);
  const body = source.replace(/;\[x, y, z, ([\s\S]*)\]$/u, ';return [x, y, z, $1]');
  const value = runInContext(`(() => {${body}\n})()`, createContext({ ...blocking, tools: blocking })) as unknown;
  return { value: JSON.parse(JSON.stringify(value)) as unknown, log };
}

test('every style of a random program gives what plain synchronous code gives', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (render) => {
      const expected = oracle(render('none'));
      for (const style of ['none', 'await', 'then', 'all'] as const)
        expect(await evaluate(render(style))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('every position of an edited text leads back to where it was written', () => {
  const edit = fc.record({
    at: fc.nat(60),
    length: fc.nat(6),
    text: fc.string({ maxLength: 8, unit: 'grapheme-ascii' }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('ab', '\n', 'xyz', ' '), { maxLength: 25 }),
      fc.array(edit, { maxLength: 5 }),
      (parts, wanted) => {
        const source = parts.join('');
        const edits = new Edits(source);
        const taken: [from: number, to: number, text: string][] = [];
        for (const { at, length, text } of wanted) {
          const start = Math.min(at, source.length);
          const end = Math.min(start + length, source.length);
          if (taken.some(([from, to]) => start <= to && end >= from)) continue;
          taken.push([start, end, text]);
          edits.replace(start, end, text);
        }
        const edited = edits.apply();
        for (let i = 0; i < source.length; i++) {
          if (taken.some(([from, to]) => i >= from && i <= to)) continue;
          const before = taken.filter(([from]) => from <= i);
          const shift = before.reduce((sum, [from, to, text]) => sum + text.length - (to - from), 0);
          expect(edited.text[i + shift]).toBe(source[i]);
          expect(edited.original(positionOf(edited.text, i + shift))).toEqual(positionOf(source, i));
        }
      },
    ),
  );
});
