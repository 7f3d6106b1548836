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
      .filter((path) => !THEIRS.includes(path) && !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  test('links only to pages that exist', () => {
    const links = [...read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/gu)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });
});
