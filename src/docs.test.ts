import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from './base/errors.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
].filter((path) => existsSync(join(ROOT, path)));

/** Files that are the user's to make. */
const THEIRS = ['config/local.json'];

test('docs/errors.md lists every error code and no other', () => {
  const listed = [...read('docs/errors.md').matchAll(/^\| `(\w+)` \|/gmu)].map((match) => match[1] ?? '');
  expect(listed.toSorted()).toEqual(ERROR_CODES.toSorted());
});

describe.each(pages)('%s', (page) => {
  test('names only paths that exist', () => {
    const named = read(page).matchAll(/`((?:src|bin|config|prompts|plugins|docs|bench|scripts|vendor)\/[\w./-]*\w)`/gu);
    const missing = [...named]
      .map((match) => match[1] ?? '')
      .filter(
        (path) => !THEIRS.includes(path) && !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, `${path}.ts`)),
      );
    expect(missing).toEqual([]);
  });

  test('links only to pages that exist', () => {
    const links = [...read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/gu)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });
});

describe('docs/embedding.md', () => {
  const page = read('docs/embedding.md');

  test.each(readdirSync(join(ROOT, 'examples')).filter((name) => name.startsWith('embed')))(
    'shows %s as it is',
    (name) => {
      expect(page).toContain(`\`\`\`ts\n${read(`examples/${name}`)}\`\`\``);
    },
  );

  test('explains every option and every event, and no other', () => {
    const listed = (heading: string) => {
      const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
      const cells = [...section.matchAll(/^\| (`.*?) \|/gmu)].map((match) => match[1] ?? '');
      return cells
        .flatMap((cell) => [...cell.matchAll(/`(\w+)`/gu)].map((match) => match[1]))
        .filter((name) => name !== 'type');
    };
    const types = read('src/embed/types.ts').split('interface AssistantOptions {')[1]?.split('\n}')[0] ?? '';
    const options = [...types.matchAll(/^ {2}readonly (\w+)\?/gmu)].map((match) => match[1]);
    expect(listed('Options of `createAssistant`').toSorted()).toEqual(options.toSorted());
    const union = read('src/base/turn.ts').split('export type TurnEvent =')[1] ?? '';
    const events = [...union.matchAll(/type: '(\w+)'/gu)].map((match) => match[1]);
    expect(listed('Events').toSorted()).toEqual(events.toSorted());
  });
});
