import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generateFiles } from '../scripts/generated-files.ts';

const ROOT = resolve(import.meta.dirname, '..');

test('generated files are fresh; `npm run generate` writes them', async () => {
  for (const [path, content] of Object.entries(await generateFiles())) {
    expect(readFileSync(resolve(ROOT, path), 'utf8'), path).toBe(content);
  }
});
