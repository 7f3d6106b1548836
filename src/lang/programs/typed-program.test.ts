import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import type { ProgramFailure, ProgramResult } from '../runtime/run-program.ts';
import { TypedProgram } from './typed-program.ts';

const RATES = 'fn rate(): int { return 2 }\n';

interface Run {
  /** The whole program, without what it imports. */
  readonly source: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly code: string;
}

/** A program typed in piece by piece; nothing really runs: `result` says what comes of each piece. */
function typing(result: (source: string) => Omit<ProgramResult, 'ms'> = () => ({ value: {} })) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'rates.tl'), RATES);
  const runs: Run[] = [];
  const program = new TypedProgram({
    tools: ['queryRAG'],
    folder,
    run: async ({ checked, compiled }, values) => {
      runs.push({ source: checked.main.source, values, code: compiled.code });
      return { ms: 1, ...result(checked.main.source) };
    },
  });
  return { program, runs, folder, enter: (typed: string) => program.enter(typed) };
}

test.each([
  ['print 1', false],
  ['fn f() {', true],
  ['fn f() {\n  print 1\n}', false],
  ['print [1,', true],
  ['print "one', true],
  ['print `a ${', true],
  ['/* what', true],
  ['print 1 + \\', true],
  ['print 1 + \\  ', true],
  ['print "\\\\"', false],
  ['print 1 }', false],
  [`print ${'['.repeat(300)}`, false],
  ['', false],
])('%j goes on: %s', (typed, goesOn) => {
  expect(TypedProgram.goesOn(typed)).toBe(goesOn);
});

describe('what was typed stays', () => {
  test('as names, and as values where it has run', async () => {
    const { program, runs, enter } = typing((source) => ({
      value: source.includes('print') ? { n: 1 } : { n: 1, m: 2 },
    }));
    expect(await enter('let n = 1')).toEqual({ state: 'done' });
    expect(
      await enter('fn f(): int { return n }\ntype A { a: int }\ntool t(): int { return 1 }\nparam p: int = 1'),
    ).toEqual({
      state: 'done',
    });
    expect(await enter('print f() + n')).toEqual({ state: 'done' });
    expect(program.names).toEqual(['n', 'f', 'A', 't', 'p']);
    expect(runs.map(({ source, values }) => [source, values])).toEqual([
      ['let n = 1', {}],
      [
        'let n = 1\nfn f(): int { return n }\ntype A { a: int }\ntool t(): int { return 1 }\nparam p: int = 1',
        { n: 1, m: 2 },
      ],
      [
        'let n = 1\nfn f(): int { return n }\ntype A { a: int }\ntool t(): int { return 1 }\nparam p: int = 1\nprint f() + n',
        { n: 1, m: 2 },
      ],
    ]);
  });

  test('until it is declared anew', async () => {
    const { program, runs, enter } = typing(() => ({ value: { n: 1, m: 2 } }));
    await enter('let n = 1\nlet m = 2');
    await enter('let n = "x"');
    expect(program.names).toEqual(['m', 'n']);
    expect(runs[1]?.source).toBe('let m = 2\nlet n = "x"');
    expect(runs[1]?.values).toEqual({ m: 2 });
    expect(await enter('print n.length')).toEqual({ state: 'done' });
  });

  test('until all is forgotten', async () => {
    const { program, runs, enter } = typing(() => ({ value: { n: 1 } }));
    await enter('import { rate } from "./rates"\nlet n = rate()');
    program.forget();
    expect(program.names).toEqual([]);
    await enter('print 2');
    expect(runs[1]).toMatchObject({ source: 'print 2' });
    expect(runs[1]?.values).toEqual({});
    expect(await enter('print n')).toMatchObject({ state: 'wrong' });
  });

  test('with its imports, which are relative to the folder', async () => {
    const { program, runs, enter } = typing();
    expect(await enter('import { rate } from "./rates"\nprint rate()')).toEqual({ state: 'done' });
    expect(runs[0]?.source).toBe(`import { rate } from "./rates"\n${' '.repeat(30)}\nprint rate()`);
    expect(await enter('print rate() + 1')).toEqual({ state: 'done' });
    expect(runs[1]?.source).toBe('import { rate } from "./rates"\nprint rate() + 1');
    expect(program.names).toEqual([]);
  });

  test('only where it has run well', async () => {
    const failed: ProgramFailure = { name: 'Timeout', message: 'It took too long.', details: {} };
    const { program, runs, enter } = typing((source) => (source.includes('rate') ? { failed } : { value: { n: 1 } }));
    await enter('let n = 1');
    expect(await enter('import { rate } from "./rates"\nlet m = rate()')).toEqual({
      state: 'failed',
      failure: failed,
      text: 'input: error Timeout: It took too long.',
    });
    expect(program.names).toEqual(['n']);
    await enter('print n');
    expect(runs[2]).toMatchObject({ source: 'let n = 1\nprint n', values: { n: 1 } });
  });

  test('without values where none came back', async () => {
    const { runs, enter } = typing(() => ({ value: undefined }));
    await enter('let n = 1');
    await enter('print n');
    expect(runs[1]?.values).toEqual({});
  });

  test('as it came out, and is not made again', async () => {
    const { runs, enter } = typing();
    await enter('let n = 11');
    await enter('print n');
    const kept = 'Object.hasOwn($.args, "n")';
    expect(runs.map(({ code }) => code.includes(kept))).toEqual([false, true]);
  });
});

test('a backslash at the end of a line is no part of the program', async () => {
  const { runs, enter } = typing();
  expect(await enter('print 1 + \\ \t\n  2 + \\\n 3')).toEqual({ state: 'done' });
  expect(runs[0]?.source).toBe('print 1 + \n  2 + \n 3');
});

describe('what is wrong', () => {
  test.each([
    ['let = 1', ['input:1:5: error TL1001: expected a name, found `=`', '  1 | let = 1', '    |     ^']],
    [
      'print 1\nprint pirce + 1',
      [
        ...['input:2:7: error TL2001: there is nothing called `pirce`', '  2 | print pirce + 1', '    |       ^^^^^'],
        '  hint: did you mean `price`?',
      ],
    ],
  ])('%j has its place in what was typed', async (typed, lines) => {
    const { runs, enter } = typing();
    await enter('let price = 1\nfn f(): int { return price }');
    expect(await enter(typed)).toEqual({ state: 'wrong', errors: [lines.join('\n')] });
    expect(runs).toHaveLength(1);
  });

  test('is told all at once, without mere warnings', async () => {
    const { enter } = typing();
    const found = await enter('fn f() { let unused = 1 }\nprint a1\nprint b1');
    expect(found.state === 'wrong' && found.errors.map((each) => each.split('\n')[0])).toEqual([
      'input:2:7: error TL2001: there is nothing called `a1`',
      'input:3:7: error TL2001: there is nothing called `b1`',
    ]);
  });

  test('in what was declared before, now that something is another', async () => {
    const { enter } = typing();
    await enter('fn f(a: int): int { return a }');
    await enter('fn g(): int { return f(1) }');
    expect(await enter('fn f(a: string): string { return a }')).toEqual({
      state: 'wrong',
      errors: [
        expect.stringMatching(
          /^What was declared before does not fit any more:\ninput:1:22: error TL3001: expected int, found string\n/u,
        ),
        expect.stringMatching(
          /^What was declared before does not fit any more:\ninput:1:24: error TL3001: expected string, found int\n/u,
        ),
      ],
    });
  });

  test('in an imported file has its place there', async () => {
    const { enter, folder } = typing();
    writeFileSync(join(folder, 'bad.tl'), 'fn bad(): int { return "x" }');
    const found = await enter('import { bad } from "./bad"\nprint bad()');
    expect(found.state === 'wrong' && found.errors).toEqual([
      expect.stringMatching(/bad\.tl:1:24: error TL3001: expected int, found string\n {2}1 \| fn bad/u),
    ]);
  });

  test('in an import is no matter of what was declared before', async () => {
    const { enter } = typing();
    await enter('let n = 1');
    const found = await enter('import { rat } from "./rates"\nprint n');
    expect(found.state === 'wrong' && found.errors.map((each) => each.split('\n')[0])).toEqual([
      expect.stringMatching(/^input:1:10: error TL2007: .*rates\.tl has no `rat`$/u),
    ]);
  });
});

describe('a failure', () => {
  const failing = (line: number, column: number, file?: string) => {
    const { enter, folder } = typing((source) => {
      if (!source.includes('print')) return { value: {} };
      const at = { file: join(folder, file ?? 'input'), line, column };
      return { failed: { name: 'DivisionByZero', message: 'It is 0.', at, details: {} } };
    });
    return { enter, folder };
  };

  test('has its place in what was typed', async () => {
    const { enter } = failing(3, 7);
    await enter('fn f(): int { return 1 }\nlet zero = 0');
    expect(await enter('print zero')).toMatchObject({
      state: 'failed',
      failure: { name: 'DivisionByZero' },
      text: 'input:1:7: error DivisionByZero: It is 0.\n  1 | print zero\n    |       ^^^^',
    });
  });

  test('or in what was declared before', async () => {
    const { enter } = failing(2, 5);
    await enter('fn f(): int { return 1 }\nlet zero = 0');
    expect(await enter('print f()')).toMatchObject({
      text: 'input:2:5: error DivisionByZero: It is 0.\n  2 | let zero = 0\n    |     ^^^^',
    });
  });

  test('or in no file that is known', async () => {
    const { enter, folder } = failing(1, 1, 'other.tl');
    expect(await enter('print 1')).toMatchObject({ text: `${join(folder, 'input')}: error DivisionByZero: It is 0.` });
  });
});
