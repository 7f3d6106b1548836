import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { parseMemory } from './entries.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../docs/memory.md'), 'utf8');
const blocks = (language: string) =>
  [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gmsu)]
    .filter(([, kind]) => kind === language)
    .map((match) => match[2] ?? '');

/** The words of a command line, without `wooster`. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/gu)].slice(1).map(([, quoted, word]) => quoted ?? word ?? '');

test('every command of docs/memory.md runs in its order, and says what the page shows', async () => {
  const { run, say, app, home } = await openCommands();
  const said: string[] = [];
  for (const line of blocks('sh').join('').split('\n').filter(Boolean)) {
    const [name = '', ...rest] = wordsOf(line);
    if (name === 'ask') said.push((await say(rest.join(' '), `conv_${said.length}`)).text);
    else if (name === 'undo') said.push(`${(await app.tools.undo.newest('home'))?.outcome}`);
    else {
      const { code, lines } = await run([name, ...rest]);
      expect(code, line).toBe(0);
      said.push(lines.join('\n'));
    }
  }
  const timeless = (text: string) => text.replace(/\d{4}-\d\d-\d\d/gu, 'DATE').trim();
  expect(timeless(said[2] ?? '')).toBe(timeless(blocks('text')[0] ?? ''));
  expect(said.slice(3, 8)).toEqual([
    'I will remember: my dentist is Dr Flannery',
    'You told me: my dentist is Dr Flannery.',
    expect.stringMatching(/^- my dentist is Dr Flannery/u),
    'Forgotten: my dentist is Dr Flannery',
    'undone',
  ]);
  expect(readFileSync(join(home, 'memory.md'), 'utf8')).toContain('Flannery');
});

test('the file that the page shows is read as it says', () => {
  const { entries, problems } = parseMemory(blocks('md')[0] ?? '');
  expect(problems).toEqual([]);
  expect(entries.map(({ text, source }) => [text, source])).toEqual([
    ['my dentist is Dr Flannery', 'turn_1m81p73aqsv0dxxc'],
    ['I live in Galway', 'you'],
    ['I take my coffee black', undefined],
  ]);
});
