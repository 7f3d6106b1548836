import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/prompts.md'), 'utf8');

/** The page is generated from the program; generated.test.ts keeps it fresh. */
test.each([
  ['classic: tool declarations', 800],
  ['classic: tool declarations, in full', 1700],
  ['code: system prompt', 1650],
  ['code: compact system prompt', 1350],
])('%s take at most %i tokens', (name, most) => {
  const tokens = new RegExp(`\\| ${name} \\| (\\d+) \\|`, 'u').exec(PAGE)?.[1];
  expect(Number(tokens)).toBeGreaterThan(0);
  expect(Number(tokens)).toBeLessThanOrEqual(most);
});

test.each([
  ['code: system prompt', 2500],
  ['code: compact system prompt', 2200],
])('with every bundled plugin on, %s takes at most %i tokens', (name, most) => {
  const tokens = new RegExp(`\\| ${name} \\| \\d+ \\| (\\d+) \\|`, 'u').exec(PAGE)?.[1];
  expect(Number(tokens)).toBeGreaterThan(0);
  expect(Number(tokens)).toBeLessThanOrEqual(most);
});
