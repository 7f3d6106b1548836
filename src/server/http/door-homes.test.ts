import { createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../../base/log.ts';
import type { App } from '../../face/app.ts';
import { askedDoor } from '../../repl/door-commands.ts';
import { openApp } from '../../testing/app.ts';
import { pageHeaders } from '../../testing/http-door.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { mailTool } from '../../testing/tools.ts';
import { Devices, SCOPES } from './devices.ts';
import { Hooks } from './hooks.ts';
import { openSharedHttp } from './serve.ts';

// Each route of the door is asked, twice.
vi.setConfig({ testTimeout: 120_000 });

const PLACE = { mode: 'classic_tools', project: 'home' } as const;
/** In every text of the one home. */
const MARK = 'zinnober';
const mail: Scripted = { toolCalls: [{ name: 'send_mail', args: { to: `eve@${MARK}.example` } }] };
const note: Scripted = { toolCalls: [{ name: 'write_note', args: { text: `a note of ${MARK}` } }] };

/** One door, and the homes of two people. */
async function scene() {
  const shared = await openSharedHttp({ host: '127.0.0.1', port: 0, names: [], proxies: [] }, silentLog);
  onTestFinished(() => shared.close());
  const enter = async (id: string, replies: readonly Scripted[]) => {
    const sent: string[] = [];
    const env = { WOOSTER_HOME_ID: id };
    const { app } = await openApp({ env, replies, additions: { tools: [mailTool(sent)] } });
    const leave = shared.admit({ app, run: (work) => work() }, askedDoor(app, PLACE));
    const devices = new Devices(app.store, { home: id });
    const { token } = await devices.issue(`program of ${id}`, SCOPES);
    const hooks = new Hooks({ store: app.store, jobs: app.schedule.jobs });
    const { secret } = await hooks.add('bell', { kind: 'prompt', prompt: 'Who rang?' }, PLACE);
    return { app, sent, devices, secret, leave, ask: asking(shared.url, token), token };
  };
  return {
    url: shared.url,
    anna: await enter('anna', [note, mail, `It waits, ${MARK}.`]),
    ben: await enter('ben', ['Hello.']),
  };
}

/** @returns the status and all that was answered, of a stream without end up to the first answer in it. */
function asking(url: string, token: string) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const gone = new AbortController();
    const response = await fetch(`${url}${path}`, {
      method,
      signal: gone.signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!path.startsWith('/api/events')) return { status: response.status, text: await response.text() };
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: answer')) text += (await reader.read()).value ?? '';
    gone.abort();
    return { status: response.status, text };
  };
}

/** Something of everything that a home can hold. @returns what somebody would have to guess. */
async function fill(app: App, ask: ReturnType<typeof asking>) {
  const command = async (...words: string[]) => {
    const { text } = await ask('POST', '/api/commands', { words });
    expect(JSON.parse(text)).toMatchObject({ code: 0 });
  };
  await command('memory', 'add', `My colour is ${MARK}`);
  await command('project', 'create', MARK);
  await command('project', 'use', 'home');
  await command('schedule', 'add', '--when', 'every day at 9', '--prompt', `paint it ${MARK}`);
  await ask('PUT', '/api/documents/colours.md', `The boiler is ${MARK}.`);
  const lists = join(app.knowledge.projects.folder('home'), 'lists');
  mkdirSync(lists, { recursive: true });
  writeFileSync(join(lists, 'shopping.md'), `- [ ] paint, ${MARK}\n`);
  const turn = await converse(ask, `mail ${MARK} about the boiler`);
  const [job] = await app.schedule.jobs.list();
  const [proposal] = await app.tools.proposals.list();
  return { turn: turn.id, conversation: turn.conversationId, job: job?.id ?? '', proposal: proposal?.id ?? '' };
}

/** Ask something, and wait for the answer. */
async function converse(ask: ReturnType<typeof asking>, text: string) {
  const nobody = { 'x-wooster-decides': 'no' };
  const begun = await ask('POST', '/api/turns', { text }, nobody);
  const turn = JSON.parse(begun.text) as { id: string; conversationId: string };
  await ask('GET', `/api/turns/${turn.id}/events`, undefined, nobody);
  return turn;
}

type Ids = Awaited<ReturnType<typeof fill>>;

/** Every way to look that the door says it has, with what is known of a home. */
async function looks(ask: ReturnType<typeof asking>, { turn, conversation, job }: Ids): Promise<readonly string[]> {
  const { paths } = JSON.parse((await ask('GET', '/api/openapi.json')).text) as { paths: Record<string, object> };
  const asked = new URLSearchParams({ q: 'boiler', job, when: 'tomorrow', name: 'uploads/colours.md', count: '1' });
  const named = Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}));
  const own = named.map((path) =>
    path.replace('/turns/{id}', `/turns/${turn}`).replace('/conversations/{id}', `/conversations/${conversation}`),
  );
  expect(own.join()).not.toContain('{');
  return [...own.map((path) => `${path}?${asked}`), '/api/page/home', '/v1/models'];
}

const pathOf = (look: string) => look.replace(/\?.*|\/(?:turn|conv)_\w+/gu, '');

test('a token sees nothing of another home, wherever it looks', async () => {
  const { anna, ben } = await scene();
  const ids = await fill(anna.app, anna.ask);
  await converse(ben.ask, 'hi');
  const [seen, crossed]: [string[], string[]] = [[], []];
  for (const look of await looks(ben.ask, ids)) {
    if ((await anna.ask('GET', look)).text.includes(MARK)) seen.push(pathOf(look));
    const { text } = await ben.ask('GET', look);
    if (text.includes(MARK) || text.includes(anna.app.home.dir)) crossed.push(pathOf(look));
  }
  expect(crossed).toEqual([]);
  // The owner does see it there: these would tell.
  expect(new Set(seen)).toEqual(
    new Set(
      [
        ...['turns/events', 'events', 'conversations', 'proposals', 'lists', 'documents/text', 'notes', 'approvals'],
        ...['messages', 'jobs', 'runs', 'search', 'memory', 'effects', 'projects', 'page/home'],
      ].map((path) => `/api/${path}`),
    ).add('/v1/models'),
  );
});

test('a token changes nothing of another home, whatever it knows of it', async () => {
  const { anna, ben } = await scene();
  const { turn, conversation, job, proposal } = await fill(anna.app, anna.ask);
  const command = (...words: string[]) => ben.ask('POST', '/api/commands', { words });
  const tried = [
    await ben.ask('POST', `/api/turns/${turn}/stop`, {}),
    await ben.ask('POST', `/api/turns/${turn}/steer`, { text: 'more' }),
    await ben.ask('POST', `/api/approvals/${proposal}`, { decision: 'once' }),
    await command('approve', proposal),
    await command('schedule', 'cancel', job),
    await command('schedule', 'run', job),
    await command('sessions', 'delete', conversation),
    await command('undo'),
    await command('devices', 'revoke', (await anna.devices.list())[0]?.id ?? ''),
    await ben.ask('POST', '/v1/responses', {
      model: 'wooster/home',
      input: 'hi',
      previous_response_id: turn.replace('turn_', 'resp_'),
    }),
    await ben.ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: MEMORY }, MCP_HEADERS),
  ];
  expect(tried.map(({ text }) => text).filter((text) => text.includes(MARK))).toEqual([]);
  expect(anna.sent).toEqual([]);
  expect(await anna.app.tools.proposals.list()).toMatchObject([{ id: proposal, state: 'waiting' }]);
  expect(await anna.app.schedule.jobs.list()).toMatchObject([{ id: job }]);
  expect(await anna.app.turns.archive.turnsOf(conversation)).toHaveLength(1);
  expect((await anna.ask('GET', '/api/me')).status).toBe(200);
});

test('nobody reaches the machine of the server, whatever they may do in their own home', async () => {
  const { anna, ben } = await scene();
  const folder = anna.app.knowledge.projects.folder('home');
  mkdirSync(folder, { recursive: true });
  const diary = join(folder, 'diary.md');
  writeFileSync(diary, `My colour is ${MARK}.\n`);
  const before = readdirSync(anna.app.home.dir, { recursive: true }).length;
  const out = join(folder, 'prompt.txt');
  for (const words of [
    ['ingest', diary],
    ['rag', 'import', folder],
    ['think', 'run', diary],
    ['think', 'trust', diary],
    ['schedule', 'add', '--when', 'tomorrow', '--program', diary],
    ['hook', 'add', 'bee', '--program', diary],
    ['skills', 'add', folder],
    ['trust', diary],
    ['sessions', 'export', 'conv_1', '--out', out],
    ['report', '--output', out],
    ['backup', out],
    ['help', '--web', '--output', folder],
    ['mcp', 'add', 'eve', '--', 'touch', out],
    ['mcp', 'import'],
    ['plugins', 'add', folder],
    ['channel', 'add', 'webhook', '--set', 'WEBHOOK_URL=http://127.0.0.1:1'],
    ['models', 'install', diary],
    ['workspace', 'on'],
    ['store', 'homes', 'remove', 'anna'],
  ]) {
    const { status, text } = await ben.ask('POST', '/api/commands', { words });
    expect([status, JSON.parse(text)], words.join(' ')).toMatchObject([403, { error: { code: 'not_here' } }]);
  }
  expect(readdirSync(anna.app.home.dir, { recursive: true })).toHaveLength(before);
});

const MCP_HEADERS = { accept: 'application/json, text/event-stream' };
const MEMORY = { name: 'query_rag', arguments: { query: 'boiler' } };

test('a token that names another home than its own opens neither', async () => {
  const { url, anna, ben } = await scene();
  const [named = ''] = ben.token.split('.');
  const [, secret = ''] = anna.token.split('.');
  for (const forged of [
    `${named}.${secret}`,
    `wst_${secret}`,
    `wst_${Buffer.from('nobody').toString('base64url')}.${secret}`,
  ])
    expect((await asking(url, forged)('GET', '/api/me')).status).toBe(401);
  expect((await anna.ask('GET', '/api/me')).text).toContain('program of anna');
});

test('a code lets a browser in to the home that gave it, and a wrong one counts in each', async () => {
  const { url, anna, ben } = await scene();
  const [ofAnna, ofBen] = [await anna.devices.pair(), await ben.devices.pair()];
  const pair = (code: string) =>
    fetch(`${url}/api/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, name: 'x' }),
    });
  const home = await fetch(`${url}/api/page/home`, { headers: await pageHeaders(await pair(ofBen.code)) });
  expect(await home.json()).toMatchObject({ id: 'ben' });
  for (let at = 0; at < 5; at += 1) expect((await pair('WRONGONE')).status).toBe(401);
  expect((await pair(ofAnna.code)).status).toBe(401);
});

test('of two hooks of one name, the one with whose secret a message is signed takes it', async () => {
  const { url, anna, ben } = await scene();
  const at = String(Math.floor(Date.now() / 1000));
  const signed = createHmac('sha256', Buffer.from(ben.secret.replace('whsec_', ''), 'base64')).update(`m1.${at}.hi`);
  const headers = {
    'webhook-id': 'm1',
    'webhook-timestamp': at,
    'webhook-signature': `v1,${signed.digest('base64')}`,
  };
  expect((await fetch(`${url}/hooks/bell`, { method: 'POST', headers, body: 'hi' })).status).toBe(202);
  expect(await ben.app.schedule.jobs.list()).toHaveLength(1);
  expect(await anna.app.schedule.jobs.list()).toEqual([]);
});

test('a home that is closed lets nobody in, and the others go on', async () => {
  const { anna, ben } = await scene();
  await anna.leave();
  expect([(await anna.ask('GET', '/api/me')).status, (await ben.ask('GET', '/api/me')).status]).toEqual([401, 200]);
});
