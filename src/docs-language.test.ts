import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSource } from './lang/check/check.ts';
import { printProgram } from './lang/format/format.ts';
import { parse } from './lang/grammar/parse.ts';
import { openCommands } from './testing/commands.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The fenced blocks of a page in one language. */
function blocks(page: string, language: string): string[] {
  return [...read(page).matchAll(/^```(\w+)\n(.*?)^```$/gmsu)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}

const problems = (source: string) =>
  checkSource(source, 'x.tl', { read: () => '', tools: ['queryRAG', 'listNotes', 'showLists'] }).main.diagnostics;

describe('the guide to the language', () => {
  const pages = ['docs/language.md', 'docs/programs.md'].flatMap((page) => blocks(page, 'tl'));

  test.each(pages.map((source, index) => [index, source]))(
    'program %i is sound, and laid out as by fmt',
    (_index, source) => {
      expect(problems(String(source))).toEqual([]);
      expect(printProgram(parse(String(source)).program, String(source))).toBe(source);
    },
  );

  test('shows an example that is there', () => {
    expect(blocks('docs/language.md', 'tl')).toContain(read('examples/morning-brief.tl'));
  });

  test('has commands that run', async () => {
    const { run } = await openCommands({ session: { yes: true } });
    const lines = blocks('docs/language.md', 'sh').join('').replaceAll(' --yes', '').trim().split('\n');
    for (const line of lines) {
      const words = [...line.matchAll(/"([^"]*)"|\S+/gu)]
        .map(([word, quoted]) => quoted ?? word)
        .slice(1)
        .map((word) => (word.startsWith('examples/') ? join(ROOT, word) : word));
      expect((await run(words)).code, line).toBe(0);
    }
  });
});

test.each(blocks('docs/language-reference.md', 'tl'))('the example of the reference can be read: %s', (source) => {
  const isType = source.startsWith('string[]');
  expect(parse(isType ? `let a: ${source} = b` : source).diagnostics).toEqual([]);
});

test('examples are laid out as by fmt', () => {
  for (const file of readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.tl'))) {
    const source = read(`examples/${file}`);
    expect(printProgram(parse(source).program, source), file).toBe(source);
  }
});
