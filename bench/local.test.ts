import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../src/testing/home.ts';
import { needsEngine, TEST_ENGINES } from '../src/testing/local/engine.ts';
import { writeScripted } from '../src/testing/local/gguf.ts';
import { wooster } from '../src/testing/wooster.ts';

const BENCH = join(import.meta.dirname, 'local.ts');

test.runIf(needsEngine())(
  'tells how fast an installed model is, and tries it with tasks',
  { timeout: 120_000 },
  async () => {
    const home = temporaryFolder();
    symlinkSync(TEST_ENGINES, join(home, 'engines'));
    const file = join(temporaryFolder(), 'says.gguf');
    writeScripted(file, ['The boat', ' is', ' at', ' pier', ' seven', '.']);
    expect(await wooster(['models', 'install', file, '--yes'], { home })).toMatchObject({ code: 0 });
    const words = ['--disable-warning=ExperimentalWarning', BENCH, home, '--task', 'add-to-the-list'];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    expect(stdout).toMatch(/reading a prompt .*\d tokens\/s \(\d+ tokens\)/u);
    expect(stdout).toMatch(/writing .*\d tokens\/s/u);
    expect(stdout).toMatch(/second turn reads .*\d+ of \d+ tokens/u);
    expect(stdout.match(/of the \d+\.\d\d s promised/gu)).toHaveLength(4);
    // What is tried is the model that was measured.
    expect(stdout).toMatch(/says\s+classic_tools\s+0 of 1\s/u);
    expect(stdout).toContain('the answer does not contain "milk": The boat is at pier seven.');
  },
);
