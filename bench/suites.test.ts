import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './harness/results.ts';
import { SUITES } from './suites.ts';

const names = SUITES.map(({ name }) => name);

test('every suite has a name of its own and a program', () => {
  expect(new Set(names).size).toBe(names.length);
  expect(SUITES.filter(({ program }) => !existsSync(join(ROOT, 'bench', program)))).toEqual([]);
});

test('every program that reports is a suite', () => {
  const programs = ['', 'rag/'].flatMap((folder) =>
    readdirSync(join(ROOT, 'bench', folder))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => `${folder}${file}`),
  );
  const reporting = programs.filter((path) => /^\s*report\(/mu.test(readFileSync(join(ROOT, 'bench', path), 'utf8')));
  expect(SUITES.map(({ program }) => program).toSorted()).toEqual(reporting.toSorted());
});

test('pages that name a suite or a script name one that exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((p) => p.endsWith('.md'));
  const texts = [...pages.map((page) => `docs/${page}`), 'CONTRIBUTING.md', 'bench/rag/README.md'].map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const named = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
  const suites = named(/npm run bench -- ([a-z][\w-]*)/gu);
  expect(suites).toContain('turn');
  expect(suites.filter((name) => !names.includes(name))).toEqual([]);
  expect(named(/npm run (bench[\w:]*)/gu).filter((name) => !(name in scripts))).toEqual([]);
});

test('a rival is no package of the product', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const rivals = Object.keys(read('bench/package.json').devDependencies);
  const ours = Object.keys(read('package.json').dependencies);
  expect(rivals.filter((name) => ours.includes(name) && name !== 'isolated-vm')).toEqual([]);
});
