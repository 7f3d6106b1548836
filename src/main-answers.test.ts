import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { MODES } from './base/turn.ts';
import { temporaryFolder } from './testing/home.ts';
import { wooster } from './testing/wooster.ts';

const ROOT = resolve(import.meta.dirname, '..');
const INGESTING_MS = 120_000;

test(
  'the question of docs/start.md finds the page that answers it, not the page that asks it',
  async () => {
    const home = temporaryFolder();
    const ingested = await wooster(['ingest', resolve(ROOT, 'docs'), resolve(ROOT, 'README.md')], { home });
    expect(ingested.code, ingested.stderr).toBe(0);
    for (const mode of MODES) {
      const ran = await wooster(['ask', 'Which code stands for a locked database?', '--mode', mode], { home });
      expect(ran.stdout, mode).toMatch(/store_unavailable.*\[errors\.md/su);
      expect(ran.stdout, mode).not.toContain('bin/wooster ask');
    }
  },
  INGESTING_MS,
);
