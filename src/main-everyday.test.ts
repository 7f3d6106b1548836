import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MODES } from './base/turn.ts';
import { temporaryFolder } from './testing/home.ts';
import { ownJobs, rows, wooster, woosterOnTerminal } from './testing/wooster.ts';
import { bubblewrap } from './workspace/bubblewrap.ts';

const BOILER = `# House

## Boiler

The boiler was serviced on 12 March by Nordvarme. The pressure has to stay at 1.5 bar.

## Garden

The apple tree is an Aroma.
`;

/** A home whose `home` project has one document ingested. */
async function homeWithDocument(): Promise<string> {
  const home = temporaryFolder();
  const documents = join(home, 'papers');
  mkdirSync(documents);
  writeFileSync(join(documents, 'house.md'), BOILER);
  const ran = await wooster(['ingest', 'papers'], { home });
  expect(ran.code, ran.stderr).toBe(0);
  return home;
}

describe.each(MODES)('with no key and no server, in %s', (mode) => {
  test('says what it can do, and what it is', async () => {
    const ran = await wooster(['ask', 'what can you do?', '--mode', mode], { home: temporaryFolder() });
    expect(ran.code, ran.stderr).toBe(0);
    for (const word of [/note/iu, /document/iu, /remind|schedule/iu, /built-in/iu]) expect(ran.stdout).toMatch(word);
  });

  test('takes a note', async () => {
    const home = temporaryFolder();
    const ran = await wooster(['ask', 'take a note: buy oat milk', '--mode', mode, '--json'], { home });
    expect(ran.code, ran.stderr).toBe(0);
    expect(rows(ran.stdout)).toContainEqual(expect.objectContaining({ type: 'tool', name: 'write_note', ok: true }));
    expect(readFileSync(join(home, 'projects/home/home.md'), 'utf8')).toContain('buy oat milk');
  });

  test('keeps "in 1 minute say hello" for the time it names', async () => {
    const home = temporaryFolder();
    const before = Date.now();
    const ran = await wooster(['ask', 'in 1 minute say hello', '--mode', mode], { home });
    const after = Date.now();
    expect(ran.code, ran.stderr).toBe(0);
    const jobs = ownJobs((await wooster(['schedule', 'list', '--json'], { home })).stdout);
    expect(jobs).toMatchObject([{ prompt: expect.stringMatching(/hello/u) }]);
    const due = new Date(String(jobs[0]?.next)).getTime();
    // Times are kept to the second.
    expect(due).toBeGreaterThanOrEqual(before + 59_000);
    expect(due).toBeLessThanOrEqual(after + 61_000);
  });

  test('says hello in 2 seconds when asked to', async () => {
    const terminal = woosterOnTerminal(['--mode', mode], { home: temporaryFolder() });
    await terminal.see('> ');
    terminal.type('in 2 seconds say hello\r');
    await terminal.see('Wooster: ');
    await terminal.see('ello');
    terminal.type('/quit\r');
    expect(await terminal.ended()).toBe(0);
  });

  test('answers from the documents and cites them', async () => {
    const home = await homeWithDocument();
    const ran = await wooster(['ask', 'When was the boiler serviced?', '--mode', mode], { home });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('12 March');
    expect(ran.stdout).toMatch(/\[house\.md, Boiler, lines? \d+/u);
  });
});

test('doctor names the embedding model and the projects that it may not see', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'projects', 'diary'), { recursive: true });
  writeFileSync(join(home, 'projects', 'diary', 'wooster.config.json'), '{"localOnly": true}');
  mkdirSync(join(home, 'projects', 'torn'));
  writeFileSync(join(home, 'projects', 'torn', 'wooster.config.json'), '{"localOnly": tr');
  const env = { OPENAI_EMBEDDING_MODEL_NAME: 'small' };
  const ran = await wooster(['doctor', '--json'], { home, env });
  expect(rows(ran.stdout).filter(({ name }) => name === 'embedding')).toMatchObject([
    { state: 'ok', detail: 'openai:small' },
    { state: 'ok', detail: 'project diary is local only: searched without openai:small' },
    { state: 'fail', detail: expect.stringContaining('wooster.config.json') },
  ]);
  // What is not set up is not called ok.
  const channels = rows(ran.stdout).filter(({ name }) => name === 'channel');
  expect(new Set(channels.map(({ state }) => state))).toEqual(new Set(['off']));
  expect(ran.code).toBe(1);
});

const walled = (await bubblewrap().problem()) === undefined;

describe('doctor on the workspace', () => {
  const nowhere = { WORKSPACE_BACKEND: 'docker', DOCKER_HOST: 'unix:///nowhere/docker.sock' };
  const row = async (env: Record<string, string>) => {
    const ran = await wooster(['doctor', '--json'], { home: temporaryFolder(), env });
    return rows(ran.stdout).find(({ name }) => name === 'workspace');
  };

  test('says why there is none, and what to install; nobody counts on it', async () => {
    expect(await row(nowhere)).toMatchObject({
      state: 'off',
      detail: expect.stringMatching(/^not available \(optional\): .*docker (?:does not answer|is not installed)/u),
      hint: expect.stringContaining('Install bubblewrap'),
    });
  });

  test('makes a note of it where every conversation should have one', async () => {
    expect(await row({ ...nowhere, WORKSPACE_ENABLED: 'true' })).toMatchObject({ state: 'warn' });
  });

  test.runIf(walled)('names the one whose limits hold', async () => {
    expect(await row({ WORKSPACE_BACKEND: 'bubblewrap' })).toEqual({
      name: 'workspace',
      state: 'ok',
      detail: 'bubblewrap: all limits tested and enforced',
    });
  });
});
