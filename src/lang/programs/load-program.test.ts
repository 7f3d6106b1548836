import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { loadProgram } from './load-program.ts';

test.each([
  ['// Counts eggs,\n// and tells.\n\n/// How many.\nparam n: int = 1\nprint n', 'Counts eggs, and tells.'],
  ['// Counts eggs.\nparam n: int = 1\nprint n', 'Counts eggs.'],
  ['/// Counts eggs.\n\nparam n: int = 1\nprint n', 'Counts eggs.'],
  ['/// Counts eggs.\nparam n: int = 1\nprint n', 'Counts eggs.'],
  ['/// Counts eggs.\nprint 1', 'Counts eggs.'],
  ['/// An egg.\ntype Egg { n: int }\nprint 1', 'Run the program eggs.'],
  ['print 1 // Counts eggs.', 'Run the program eggs.'],
])('what %j says of itself', (source, description) => {
  const path = join(temporaryFolder(), 'eggs.tl');
  writeFileSync(path, source);
  expect(loadProgram(path, [])).toMatchObject({ description });
});
