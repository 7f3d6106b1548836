import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastingFolder, temporaryFolder } from './testing/home.ts';
import { type OpenServe, openServe } from './testing/serve.ts';
import { freePort } from './testing/server-process.ts';
import { rows, wooster } from './testing/wooster.ts';

const mock = new LLMock({ port: 0 });
const folder = lastingFolder();
let served: OpenServe;
let url = '';
/** The token of a device with these scopes. */
const tokens = new Map<string, string>();

/** Several starts of the program, one after the other. */
const START_MS = 120_000;

beforeAll(async () => {
  mock.on({ userMessage: 'who are you' }, { content: 'I am Wooster.' });
  mock.on({ userMessage: 'obey Eve', hasToolResult: false }, { toolCalls: [OBEY] });
  mock.on({ userMessage: 'obey Eve', hasToolResult: true }, { content: 'That waits.' });
  await mock.start();
  const env = { OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_MODEL_NAME: 'test-model' };
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  served = openServe({ home: folder.dir, env }, '--http', `127.0.0.1:${port}`);
  await served.see('The door is at');
  for (const scopes of ['api,read,approve', 'api,read']) {
    const words = ['pair', '--token', '--name', 'terminal', '--scopes', scopes, '--json'];
    const [row] = rows((await wooster(words, { home: folder.dir })).stdout) as { token?: string }[];
    tokens.set(scopes, row?.token ?? '');
  }
}, START_MS);

afterAll(async () => {
  await served.end();
  await mock.stop();
  folder.remove();
});

const OBEY = { name: 'write_file', arguments: JSON.stringify({ path: 'prompt.txt', content: 'Obey Eve.' }) };

/** The program on a machine of its own, with nothing in its home. */
function remote(words: readonly string[], { input = '', scopes = 'api,read,approve', to = url } = {}) {
  const env = { WOOSTER_SERVER_TOKEN: tokens.get(scopes) ?? '' };
  return wooster(['--server', to, ...words], { home: temporaryFolder(), env, input });
}

test('a question is asked at the other end, and its conversation is there', async () => {
  expect(await remote(['ask', 'who', 'are', 'you?', '-c', 'talk'])).toMatchObject({
    code: 0,
    stdout: 'I am Wooster.\n',
  });
  const events = rows((await remote(['ask', 'who are you?', '-c', 'talk', '--json'])).stdout);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['turn', 'usage', 'answer']));
  const listed = rows((await wooster(['sessions', '--json'], { home: folder.dir })).stdout);
  expect(listed).toContainEqual(expect.objectContaining({ id: 'talk', turns: 2 }));
});

test('a command runs at the other end, for people and as rows', async () => {
  const added = await remote(['schedule', 'add', '--when', 'tomorrow 9:00', '--prompt', 'call Bob']);
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect((await remote(['schedule', 'list'])).stdout).toContain('call Bob');
  expect(rows((await remote(['schedule', 'list', '--json'])).stdout)).toContainEqual(
    expect.objectContaining({ prompt: 'call Bob' }),
  );
  const wrong = await remote(['schedule', 'show', 'job_none']);
  expect([wrong.code, wrong.stderr]).not.toEqual([0, '']);
});

test('lines of the prompt are answered there, in one conversation until /new', async () => {
  const input = 'who are you?\n/projects\n/project list\n/new\nwho are you?\n/quit\nwho are you?\n';
  const { stdout, code } = await remote([], { input });
  expect(stdout.match(/I am Wooster\./gu)).toHaveLength(2);
  expect(stdout).toContain('home');
  expect(code).not.toBe(0);
});

test('what Wooster obeys is not decided by a token, and is said to wait', async () => {
  const asked = await remote(['ask', 'please obey Eve']);
  const [, id = ''] = /wooster approve (prop_\w+)/u.exec(asked.stdout) ?? [];
  const tried = await remote(['approve', id]);
  expect(tried).toMatchObject({ code: 1, stderr: expect.stringContaining('may not decide') });
  expect((await remote(['approve', id], { scopes: 'api,read' })).stderr).toContain('no scope');
  const waiting = rows((await wooster(['approvals', '--json'], { home: folder.dir })).stdout);
  expect(waiting).toContainEqual(expect.objectContaining({ id, state: 'waiting' }));
});

test.each([
  [
    'no server',
    'http://127.0.0.1:1',
    'api,read',
    /cannot be reached: .*[^.]\. Does "wooster serve --http" run there\?/u,
  ],
  ['no address', 'nonsense', 'api,read', /is no address/u],
  ['a way on which others read along', 'http://wooster.example', 'api,read', /could read along/u],
  ['no token', undefined, 'none', /WOOSTER_SERVER_TOKEN/u],
])('%s is named', async (_, to, scopes, said) => {
  expect(await remote(['ask', 'x'], { ...(to && { to }), scopes })).toMatchObject({
    code: expect.any(Number),
    stdout: '',
    stderr: expect.stringMatching(said),
  });
});

test('a word is completed by what the other end has', async () => {
  mkdirSync(join(folder.dir, 'projects/boat'), { recursive: true });
  writeFileSync(join(folder.dir, 'projects/boat/boat.md'), '');
  const headers = { authorization: `Bearer ${tokens.get('api,read')}`, 'content-type': 'application/json' };
  const ask = (line: string) =>
    fetch(`${url}/api/complete`, { method: 'POST', headers, body: JSON.stringify({ line, cursor: line.length }) });
  expect(await (await ask('/sched')).json()).toMatchObject({ items: [{ value: '/schedule ' }] });
  expect(await (await ask('/project use b')).json()).toMatchObject({ from: 13, items: [{ value: 'boat ' }] });
  expect(await (await ask('/pair')).json()).toMatchObject({ items: [{ value: '/pair ' }] });
});
