import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/prompts.md'), 'utf8');

/** The page is generated from the program; generated.test.ts keeps it fresh. */
test.each([
  ['classic: tool declarations', 900],
  // Together with those above: the bar of 900 for all of our own is missed in a home that has everything.
  ['classic: declarations that come with the first', 840],
  ['code: system prompt', 1500],
  ['code: compact system prompt', 900],
])('%s take at most %i tokens', (name, most) => {
  const tokens = new RegExp(`\\| ${name} \\| (\\d+) \\|`, 'u').exec(PAGE)?.[1];
  expect(Number(tokens)).toBeGreaterThan(0);
  expect(Number(tokens)).toBeLessThanOrEqual(most);
});
