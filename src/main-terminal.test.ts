import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { type Terminal, woosterOnTerminal } from './testing/wooster.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const UP = '\u001b[A';

const server = new LLMock({ port: 0 });

beforeAll(async () => {
  server.on({ userMessage: 'slowly' }, { content: `${'word '.repeat(60)}end` }, { latency: 50, chunkSize: 5 });
  server.on({ userMessage: 'capital' }, { content: 'Oslo it is.' });
  const call = (name: string, input: unknown) => ({ toolCalls: [{ name, arguments: JSON.stringify(input) }] });
  server.on({ userMessage: 'renew the prompt', hasToolResult: false }, call('read_file', { path: 'prompt.txt' }));
  server.on(
    { userMessage: 'renew the prompt', toolResultContains: 'old' },
    call('write_file', { path: 'prompt.txt', content: 'new' }),
  );
  server.on({ userMessage: 'renew the prompt', hasToolResult: true }, { content: 'That is settled.' });
  await server.start();
});
afterAll(() => server.stop());

const withServer = () => ({ OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test-not-a-real-key-0000' });

function open(home = temporaryFolder(), env: Record<string, string> = {}): Terminal {
  return woosterOnTerminal([], { home, env });
}

test('a one-shot answer is cancelled by SIGINT with exit code 130', async () => {
  const terminal = woosterOnTerminal(['ask', 'count slowly'], { home: temporaryFolder(), env: withServer() });
  await terminal.see('word');
  terminal.type(CTRL_C);
  expect(await terminal.ended()).toBe(130);
  expect(terminal.shown()).not.toContain('end');
});

describe('approval to overwrite a file that Wooster obeys', () => {
  test.each([
    ['y', 'new'],
    ['n', 'old'],
    ['\r', 'old'],
  ])('answered with %j leaves the file %s', async (reply, content) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'projects/home'), { recursive: true });
    writeFileSync(join(home, 'projects/home/prompt.txt'), 'old');
    const terminal = open(home, withServer());
    await terminal.see('> ');
    terminal.type('renew the prompt\r');
    await terminal.see('Wooster wants to use write_file');
    await terminal.see('Allow it?');
    expect(readFileSync(join(home, 'projects/home/prompt.txt'), 'utf8')).toBe('old');
    // Keys count only when it has been on the screen for a moment.
    await new Promise((resolve) => setTimeout(resolve, 400));
    terminal.type(reply);
    await terminal.see('Wooster: That is settled.');
    expect(readFileSync(join(home, 'projects/home/prompt.txt'), 'utf8')).toBe(content);
  });
});

test('a call that a background turn leaves behind is offered when nothing is being typed, and run once', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'projects/home'), { recursive: true });
  writeFileSync(join(home, 'projects/home/prompt.txt'), 'old');
  const terminal = open(home, withServer());
  await terminal.see('> ');
  terminal.type('/bg renew the prompt\r');
  await terminal.see('Job 1 answered');
  await terminal.see('Run it now?');
  await new Promise((resolve) => setTimeout(resolve, 400));
  terminal.type('y');
  terminal.type('\r');
  await terminal.see('Wrote 3 characters to prompt.txt.');
  expect(readFileSync(join(home, 'projects/home/prompt.txt'), 'utf8')).toBe('new');
});

describe('on a terminal', () => {
  test('a line typed before the program has loaded, and one typed during an answer, wait for their turn', async () => {
    const terminal = open(temporaryFolder(), withServer());
    terminal.type('count slowly\r');
    await terminal.see('Wooster: word');
    terminal.type('what is the capital of Norway?\r');
    await terminal.see('end');
    await terminal.see('Wooster: Oslo it is.');
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });

  test('tokens appear while they come, Ctrl-C cancels the answer, and the conversation goes on', async () => {
    const terminal = open(temporaryFolder(), withServer());
    await terminal.see('> ');
    terminal.type('tell me slowly\r');
    await terminal.see('Wooster: word word');
    terminal.type(CTRL_C);
    await terminal.see('(cancelled)');
    expect(terminal.shown()).not.toContain('end');
    terminal.type('what is the capital of Norway?\r');
    await terminal.see('Wooster: Oslo it is.');
    terminal.type('/quit\r');
    expect(await terminal.ended()).toBe(0);
  });

  test('Ctrl-C with nothing running asks, and twice leaves', async () => {
    const terminal = open();
    await terminal.see('> ');
    terminal.type(CTRL_C);
    await terminal.see('(press Ctrl-C again, or type /quit, to leave)');
    // On a busy machine the second may come too late to count; the third does not.
    terminal.type(CTRL_C + CTRL_C);
    expect(await terminal.ended()).toBe(0);
  });

  test('Ctrl-C on a half-typed line drops the line and nothing else', async () => {
    const terminal = open();
    await terminal.see('> ');
    terminal.type('nonsense');
    await terminal.see('nonsense');
    terminal.type(`${CTRL_C}what is 2 + 3?\r`);
    await terminal.see('Wooster: ');
    await terminal.see('5');
    expect(terminal.shown()).not.toContain('press Ctrl-C again');
  });

  test('pasted lines are one question', async () => {
    const terminal = open(temporaryFolder(), withServer());
    await terminal.see('> ');
    server.clearRequests();
    terminal.type('\u001b[200~what is\rthe capital\rof Norway?\r\u001b[201~');
    await terminal.see('of Norway?');
    expect(server.getRequests()).toHaveLength(0);
    terminal.type('\r');
    await terminal.see('Wooster: Oslo it is.');
    expect(server.getRequests()).toHaveLength(1);
  });

  test('Tab completes a command and Up brings back a line of an earlier session', async () => {
    const home = temporaryFolder();
    const first = open(home);
    await first.see('> ');
    first.type('/doct');
    first.type('\t');
    await first.see('/doctor');
    first.type('\r');
    await first.see('database');
    first.type('/quit\r');
    await first.ended();
    const history = join(home, 'state/history');
    const sent = readFileSync(history, 'utf8').trim().split('\n');
    expect(sent.map((line) => JSON.parse(line))).toMatchObject([{ text: '/doctor' }, { text: '/quit' }]);
    expect(statSync(history).mode & 0o077).toBe(0);
    const second = open(home);
    await second.see('> ');
    second.type(UP + UP);
    await second.see('/doctor');
    second.type('\r');
    await second.see('database');
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it cleanly', async (name, code) => {
    const terminal = open();
    await terminal.see('> ');
    terminal.type('what is 2 + 3?\r');
    await terminal.see('5');
    terminal.signal(name);
    expect(await terminal.ended()).toBe(code);
  });
});
