import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { rows, wooster, woosterOnTerminal } from './testing/wooster.ts';

const KEY = 'sk-test-right-key-0123456789';
const WRONG = 'sk-test-wrong-key-0123456789';
const CTRL_C = '\u0003';
/** Several starts of the program in one test, on a machine that may have much else to do. */
const LONG_MS = 120_000;
const DOWN = '\u001b[B';
const server = new LLMock({ port: 0, auth: { apiKeys: [KEY] } });
const BEFORE = '# mine\nWOOSTER_TIME_ZONE=Europe/Oslo\n';

beforeAll(async () => {
  server.on({ userMessage: 'ready' }, { content: 'ready' });
  await server.start();
});
afterAll(() => server.stop());

/**
 * A home with an `.env` that others may read, and a folder with a document.
 *
 * @param manager  what `systemctl` of this machine does, as a line of shell: absent, there is none for the user.
 */
function newHome(manager = 'exit 1') {
  const home = temporaryFolder();
  const programs = temporaryFolder();
  for (const name of ['systemctl', 'launchctl', 'loginctl'])
    writeFileSync(join(programs, name), `#!/bin/sh\n${manager}\n`, { mode: 0o755 });
  const env = { HOME: home, PATH: `${programs}:${process.env.PATH}` };
  const envFile = join(home, '.env');
  writeFileSync(envFile, BEFORE, { mode: 0o644 });
  const docs = temporaryFolder();
  writeFileSync(join(docs, 'house.md'), 'The cellar key hangs behind the door.\n');
  return { home, envFile, docs, env };
}

describe('setup on a terminal', () => {
  test(
    'tells a refused key, takes another, and keeps neither on the screen',
    async () => {
      const { home, envFile, docs, env } = newHome();
      const terminal = woosterOnTerminal(['setup'], { home, env });
      await terminal.see('Which model shall answer?');
      // From the last one, the built-in model, past the one that is fetched, to a server.
      terminal.type('\u001b[A\u001b[A\r');
      await terminal.see('Address of the server');
      terminal.type(`${server.url}/v1\r`);
      await terminal.see('Does it want a key?');
      terminal.type('y');
      await terminal.see('Key of the server');
      terminal.type(`${WRONG}\r`);
      await terminal.see('Model');
      terminal.type('gpt-4o\r');
      await terminal.see('401');
      await terminal.see('What now?');
      terminal.type('\r');
      await terminal.see('Address of the server');
      terminal.type(`${server.url}/v1\r`);
      await terminal.see('Does it want a key?');
      terminal.type('y');
      await terminal.see('Key of the server');
      terminal.type(`${KEY}\r`);
      await terminal.see('Which of its models?');
      terminal.type(`${DOWN}\r`);
      await terminal.see('gpt-4o is the model.');
      await terminal.see('Folder with documents');
      expect(readFileSync(envFile, 'utf8')).toBe(BEFORE);
      terminal.type(`${docs}\r`);
      await terminal.see('Name of the project');
      terminal.type('papers\r');
      await terminal.see('should reminders reach you');
      terminal.type('\r');
      await terminal.see('Install 3 programs');
      terminal.type('\r');
      await terminal.see('1 read');
      expect(await terminal.ended()).toBe(0);
      for (const secret of [KEY, WRONG]) expect(terminal.bytes()).not.toContain(secret);
      const url = `${server.url}/v1`;
      const added = `OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${KEY}\nOPENAI_MODEL_NAME=gpt-4o\nMODEL_NAME=compatible:gpt-4o\n`;
      expect(readFileSync(envFile, 'utf8')).toBe(BEFORE + added);
      expect(statSync(envFile).mode & 0o777).toBe(0o600);
      const found = await wooster(['rag', 'search', 'cellar key', '--json'], { home });
      expect(rows(found.stdout)[0]).toMatchObject({ file: 'house.md' });
    },
    LONG_MS,
  );

  test.each([
    ['menus', [], 'Key of OpenAI'],
    ['numbers', ['--plain'], 'Key of OpenAI'],
  ])('%s: Ctrl-C at the key leaves everything as it was', async (_name, args, question) => {
    const { home, envFile, env } = newHome();
    const terminal = woosterOnTerminal(['setup', ...args], { home, env });
    await terminal.see('Which model shall answer?');
    if (args.length > 0) {
      await terminal.see('Number');
      terminal.type('1\r');
    } else terminal.type(`${DOWN}\r`);
    await terminal.see(question);
    terminal.type(KEY);
    terminal.type(CTRL_C);
    await terminal.see('Nothing was changed.');
    expect(await terminal.ended()).toBe(130);
    expect(readFileSync(envFile, 'utf8')).toBe(BEFORE);
    expect(statSync(envFile).mode & 0o777).toBe(0o644);
    expect(terminal.bytes()).not.toContain(KEY);
    expect(existsSync(join(home, 'projects', 'papers'))).toBe(false);
  });

  test('with numbers for screen readers: no escape sequence, and the key is not shown', async () => {
    const { home, envFile, env } = newHome();
    const terminal = woosterOnTerminal(['setup', '--plain'], { home, env });
    await terminal.see('Number (Enter: 6):');
    terminal.type('4\r');
    await terminal.see('Address of the server');
    terminal.type(`${server.url}/v1\r`);
    await terminal.see('[y/N]');
    terminal.type('y\r');
    await terminal.see('Key of the server, not shown:');
    terminal.type(`${KEY}\r`);
    await terminal.see('Which of its models?');
    await terminal.see('Number');
    terminal.type('\r');
    await terminal.see('Folder with documents');
    terminal.type('\r');
    await terminal.see('should reminders reach you');
    await terminal.see('Number (Enter: 1):');
    terminal.type('\r');
    await terminal.see('Install 3 programs');
    terminal.type('\r');
    expect(await terminal.ended()).toBe(0);
    for (const shown of [KEY, '\u001b']) expect(terminal.bytes()).not.toContain(shown);
    expect(readFileSync(envFile, 'utf8')).toContain(`OPENAI_API_KEY=${KEY}\n`);
  });
});

test('setup offers to keep serving and programs to start from, each with one yes, and neither again', {
  timeout: LONG_MS,
}, async () => {
  const { home, env } = newHome(`echo "$@" >> "$HOME/asked"`);
  const terminal = woosterOnTerminal(['setup', '--plain'], { home, env });
  await terminal.see('Which model shall answer?');
  terminal.type('\r');
  await terminal.see('Folder with documents');
  terminal.type('\r');
  await terminal.see('should reminders reach you');
  terminal.type('\r');
  await terminal.see('Keep Wooster running in the background');
  expect(existsSync(join(home, 'state', 'service.env'))).toBe(false);
  terminal.type('y\r');
  await terminal.see('Install 3 programs');
  expect(existsSync(join(home, 'programs'))).toBe(false);
  terminal.type('y\r');
  await terminal.see('is installed and started');
  await terminal.see('run weekly-review');
  expect(await terminal.ended()).toBe(0);
  expect(readFileSync(join(home, 'asked'), 'utf8')).toMatch(/enable --now wooster-|bootstrap gui/u);
  expect(statSync(join(home, 'state', 'service.env')).mode & 0o777).toBe(0o600);
  const again = woosterOnTerminal(['setup', '--plain'], { home, env });
  await again.see('Which model shall answer?');
  again.type('\r');
  await again.see('Folder with documents');
  again.type('\r');
  await again.see('should reminders reach you');
  again.type('\r');
  await again.see('Done.');
  expect(again.shown()).not.toMatch(/Keep Wooster running|Install 3/u);
});

describe('setup without a terminal', () => {
  test(
    'takes flags, and the key from standard input; what was set up answers',
    async () => {
      const { home, docs } = newHome();
      // As it stands in a browser's address bar: without a scheme and a path.
      const url = server.url.replace('http://', '');
      const args = ['setup', '--provider', 'server', '--url', url, '--key-stdin', '--model', 'gpt-4o', '--json'];
      const made = await wooster([...args, '--folder', docs, '--project', 'papers'], { home, input: `${KEY}\n` });
      expect(made).toMatchObject({ code: 0 });
      expect(made.stdout + made.stderr).not.toContain(KEY);
      expect(rows(made.stdout)).toMatchObject([
        { provider: 'compatible', model: 'gpt-4o' },
        { type: 'ingest', indexed: 1 },
      ]);
      const asked = await wooster(['ask', 'are you ready?'], { home });
      expect(asked).toMatchObject({ code: 0, stdout: 'ready\n' });
    },
    LONG_MS,
  );

  test('a refused key changes nothing and says 401', async () => {
    const { home, envFile } = newHome();
    const args = ['setup', '--provider', 'server', '--url', `${server.url}/v1`, '--key-stdin', '--model', 'gpt-4o'];
    const { code, stderr } = await wooster(args, { home, input: WRONG });
    expect(code).not.toBe(0);
    expect(stderr).toContain('401');
    expect(stderr).not.toContain(WRONG);
    expect(readFileSync(envFile, 'utf8')).toBe(BEFORE);
  });

  test('needs a provider', async () => {
    const { home } = newHome();
    const { code, stderr } = await wooster(['setup'], { home });
    expect(code).toBe(2);
    expect(stderr).toContain('--provider');
  });
});

test('the prompt offers the set-up while only the built-in model is there', async () => {
  const { home } = newHome();
  const terminal = woosterOnTerminal([], { home });
  await terminal.see('`wooster setup` connects another.');
  terminal.type('/quit\r');
  expect(await terminal.ended()).toBe(0);
});
