import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { readServers } from './server-settings.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8');

/** The fenced blocks of the page, in order. */
const blocks = [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gmsu)].map(([, language, text = '']) => ({ language, text }));

/** A dozen starts of the program, one after the other. */
const PAGE_MS = 240_000;

test(
  'every command of docs/mcp.md runs and prints what it shows',
  () => {
    const env = { PATH: process.env.PATH, WOOSTER_HOME: temporaryFolder(), ROUTING_LOCAL_ENABLED: 'false' };
    let output = '';
    for (const { language, text } of blocks) {
      // The last commands of a block are enough to represent it.
      if (language === 'text') expect(output.replace(/\d+ ms/gu, 'N ms')).toContain(text.trimEnd());
      if (language !== 'sh') continue;
      output = '';
      for (const line of text.split('\n').filter(Boolean)) {
        const ran = spawnSync('sh', ['-c', line], { cwd: ROOT, env, encoding: 'utf8', input: '' });
        expect(ran.status, `${line}\n${ran.stdout}${ran.stderr}`).toBe(0);
        output += ran.stdout;
      }
    }
  },
  PAGE_MS,
);

test('every entry that docs/mcp.md shows is one', () => {
  const shown = blocks.filter(({ language }) => language === 'json').map(({ text }) => readServers(text));
  expect(shown.map(({ servers, bad }) => [servers.map(({ name }) => name), bad])).toEqual([
    [['notes', 'far'], []],
    [['wooster'], []],
  ]);
});

test('docs/mcp.md explains every field of an entry', () => {
  const source = readFileSync(join(import.meta.dirname, 'server-settings.ts'), 'utf8');
  const schema = /const Entry = z\.looseObject\(\{(.*?)\n\}\);/su.exec(source)?.[1] ?? '';
  const fields = [...schema.matchAll(/^ {2}(\w+):/gmu)].map(([, name]) => name);
  const rows = [...PAGE.matchAll(/^\| (`.*?) \|/gmu)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/gu)]);
  expect(rows.map(([, name]) => name).toSorted()).toEqual(fields.toSorted());
});
