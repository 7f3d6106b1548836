import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { RESERVED } from '../grammar/unexpected.ts';
import { CONTEXTUAL } from './words.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The words of the grammar: what is quoted in its rules, without the names of the rules. */
function wordsOfGrammar(): string[] {
  const rules = read('src/lang/grammar/thinklang.peggy')
    .replace(/^\{\{?[\s\S]*?^\}\}?/gmu, '')
    .replace(/^\s*\/\/.*$/gmu, '')
    .replace(/^\w+ "[^"]*"/gmu, '');
  return [...new Set([...rules.matchAll(/"([A-Za-z]\w*)"/gu)].map((match) => match[1] ?? ''))].sort();
}

test('every word of the grammar is known, and no other', () => {
  expect([...RESERVED, ...CONTEXTUAL].sort()).toEqual(wordsOfGrammar());
});

test('the colours of the VS Code extension know the same words', () => {
  const { repository } = JSON.parse(read('editors/vscode/syntaxes/thinklang.tmLanguage.json')) as {
    repository: Record<'words', { patterns: { match: string }[] }>;
  };
  // Lookarounds only find word boundaries; the remaining groups are the words.
  const groups = repository.words.patterns.flatMap(({ match }) => {
    const plain = new RegExp(match, 'u').source.replace(/\\.|\[[^\]]*\]/gu, '');
    return [...plain.replace(/\(\?<?[=!](?:[^()]|\([^()]*\))*\)/gu, '').matchAll(/\(([^()]*)\)/gu)];
  });
  const words = groups.flatMap((match) => (match[1] ?? '').split('|'));
  expect([...new Set(words)].sort()).toEqual(wordsOfGrammar());
});
