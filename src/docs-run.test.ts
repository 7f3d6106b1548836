import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { woosterOnTerminal } from './testing/wooster.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The fenced blocks of a page in one language. */
function blocks(page: string, language: string): string[] {
  const fenced = read(page).matchAll(/^```(\w+)\n(.*?)^```$/gmsu);
  return [...fenced].filter((match) => match[1] === language).map((match) => match[2] ?? '');
}

/** What `npm` would run is run by `.ci/run`; here it only has to exist. */
const isNpm = (block: string) => block.split('\n').every((line) => line === '' || line.startsWith('npm '));

/** A dozen starts of the program, one after the other. */
const PAGE_MS = 240_000;

describe.each(['README.md', 'docs/start.md', 'docs/always.md', 'docs/programs.md'])('%s', (page) => {
  test(
    'every command in it runs, in the order of the page',
    () => {
      const env = { PATH: process.env.PATH, WOOSTER_HOME: temporaryFolder(), ROUTING_LOCAL_ENABLED: 'false' };
      for (const block of blocks(page, 'sh').filter((each) => !isNpm(each))) {
        for (const line of block.split('\n').filter(Boolean)) {
          const ran = spawnSync('sh', ['-c', line], { cwd: ROOT, env, encoding: 'utf8', input: '' });
          expect(ran.status, `${line}\n${ran.stdout}${ran.stderr}`).toBe(0);
          expect(ran.stdout, line).not.toBe('');
        }
      }
    },
    PAGE_MS,
  );

  test('the npm scripts it names exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const lines = blocks(page, 'sh').filter(isNpm).join('\n');
    const named = [...lines.matchAll(/^npm (?:run )?([\w:]+)/gmu)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('the transcript in the README is what happens', async () => {
  const transcript = blocks('README.md', 'text').find((block) => block.startsWith('$ bin/wooster\n')) ?? '';
  const wanted = transcript.replace('$ bin/wooster\n', '').trimEnd();
  const terminal = woosterOnTerminal([], { home: temporaryFolder() });
  await terminal.see('> ');
  // What is typed ahead waits for its turn, and is echoed above its answer.
  for (const [line] of wanted.matchAll(/^> .*$/gmu)) terminal.type(`${line.slice(2)}\r`);
  await terminal.ended();
  // Durations, times of day, instants and ids differ from run to run.
  const timeless = (text: string) =>
    text
      // Rows are wrapped where they happen to end.
      .replace(/\s+/gu, ' ')
      .replace(/\d+ ms/gu, 'N ms')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'INSTANT')
      .replace(/(?:today|tomorrow), \w+ \d+ \w+ \d{4} at [\d:]+ \([\w/+-]+\)/gu, 'THEN')
      .trimEnd();
  expect(timeless(terminal.shown())).toBe(timeless(wanted));
});
