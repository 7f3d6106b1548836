import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { needsEngine, TEST_ENGINES } from './testing/local/engine.ts';
import { writeScripted } from './testing/local/gguf.ts';
import { rows, wooster, woosterOnTerminal } from './testing/wooster.ts';

/** A file that says one sentence, outside the home. */
function sentence(name = 'says.gguf'): string {
  const path = join(temporaryFolder(), name);
  writeScripted(path, ['The boat', ' is', ' at', ' pier', ' seven', '.']);
  return path;
}

/** A home to which npm has brought the engine already. */
function homeWithEngine(): string {
  const home = temporaryFolder();
  symlinkSync(TEST_ENGINES, join(home, 'engines'));
  return home;
}

describe.runIf(needsEngine())('a model on a machine with nothing but Node', () => {
  test('is there after one yes, answers, and leaves no trace when it is removed', { timeout: 60_000 }, async () => {
    const home = homeWithEngine();
    const terminal = woosterOnTerminal([], { home });
    await terminal.see('>');
    terminal.type(`/models install ${sentence()}\r`);
    await terminal.see('Install? [y/N]');
    terminal.type('y\r');
    await terminal.see('is installed as local:says');
    terminal.type('Which pier is the green boat of Mrs Lindqvist moored at?\r');
    await terminal.see('The boat is at pier seven.');
    terminal.type('/models remove says\r');
    await terminal.see('and the engine with it');
    terminal.type('/quit\r');
    expect(await terminal.ended()).toBe(0);
    expect(readdirSync(home).filter((name) => ['models', 'engines'].includes(name))).toEqual([]);
  });

  test('is chosen in setup without a terminal', { timeout: 60_000 }, async () => {
    const home = homeWithEngine();
    const file = sentence('My Boat (Q4).gguf');
    const refused = await wooster(['setup', '--provider', 'local', '--model', file], { home });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const set = await wooster(['setup', '--provider', 'local', '--model', file, '--yes'], { home });
    expect({ code: set.code, stderr: set.stderr }).toEqual({ code: 0, stderr: '' });
    const listed = await wooster(['models', '--json'], { home });
    expect(rows(listed.stdout)[0]).toMatchObject({
      provider: 'local',
      name: 'my-boat-q4-',
      local: true,
      contextWindow: 8192,
    });
    const tried = await wooster(['models', 'try', '--json'], { home });
    expect(rows(tried.stdout)).toMatchObject([{ name: 'my-boat-q4-', text: 'The boat is at pier seven.' }]);
  });
});

test('nothing is installed without a yes, and nothing that has no checksum', async () => {
  const home = temporaryFolder();
  const declined = await wooster(['models', 'install', sentence()], { home });
  expect([declined.code, declined.stdout.trim()]).toEqual([1, 'Nothing was installed.']);
  const unpinned = await wooster(['models', 'install', 'qwen3.5-4b', '--yes'], { home });
  expect(unpinned.stderr).toContain('node scripts/pin-models.ts qwen3.5-4b');
  const unhashed = await wooster(['models', 'install', 'https://example.org/model.gguf', '--yes'], { home });
  expect([unhashed.code, unhashed.stderr]).toEqual([2, expect.stringContaining('--sha256')]);
  const absent = await wooster(['models', 'install', 'nobody', '--yes'], { home });
  expect(absent.stderr).toContain('no model and no file nobody');
  expect(readdirSync(home).filter((name) => ['models', 'engines'].includes(name))).toEqual([]);
});

test('the doctor tells whoever has only the built-in model what to do', async () => {
  const { stdout } = await wooster(['doctor'], { home: temporaryFolder() });
  expect(stdout).toContain('`wooster models install`');
});
