import type { Checked } from '../check/check.ts';
import type { Compiled } from './compile.ts';

/** A compiled program that stands for itself: all that is needed to run it, and to say where it failed. */
export interface CompiledProgram extends Pick<Compiled, 'code' | 'places' | 'shapes' | 'params'> {
  /** The files of the program, each after those that it imports. */
  readonly sources: readonly { readonly file: string; readonly source: string }[];
}

export function compiledProgram({ modules }: Checked, { code, places, shapes, params }: Compiled): CompiledProgram {
  return { sources: modules.map(({ file, source }) => ({ file, source })), params, shapes, places, code };
}

/**
 * A program as a module: `node OUT NAME=VALUE` runs it, and `import { run } from './OUT'` gives it to another program.
 * Its code is held as text, since it runs in the sandbox like any other.
 *
 * @returns the text, and the number of lines in front of the program's code.
 */
export function moduleText(program: CompiledProgram): { readonly text: string; readonly before: number } {
  const { code, sources, ...facts } = program;
  const main = sources.at(-1)?.file ?? 'a program';
  const rows = Object.entries({ sources, ...facts }).map(([name, value]) => `  ${name}: ${json(value)},`);
  const before = [`// Made of ${oneLine(main)} by "wooster think compile".`, IMPORT, '', START, ...rows, '  code: ['];
  const lines = code.split('\n').map((line) => `    ${json(line)},`);
  return { text: [...before, ...lines, `  ].join('\\n'),`, '});', '', MAIN].join('\n'), before: before.length };
}

const IMPORT = "import { close, compiled } from 'wooster/runtime';";
const START = 'export const run = compiled({';

const MAIN = `if (import.meta.main) {
  const given = process.argv.slice(2).map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1)]);
  try {
    const { shown } = await run(Object.fromEntries(given), { print: (text) => console.log(text) });
    if (shown !== '') console.log(shown);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await close();
  }
}
`;

function oneLine(file: string): string {
  return file.replace(/\s+/gu, ' ');
}

/** Line separators of Unicode end a line of JavaScript. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}
