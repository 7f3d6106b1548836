import { get } from 'node:http';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HttpDoor } from '../../face/doors.ts';
import { openApp } from '../../testing/app.ts';
import { pageHeaders, testDoor } from '../../testing/http-door.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { mailTool } from '../../testing/tools.ts';
import { Devices } from './devices.ts';
import { halvesOf } from './entry.ts';
import { openHttp } from './serve.ts';

const DOOR = testDoor({
  run: async (words) => ({ code: 0, rows: [{ words }], text: '' }),
  scopeOf: ([name]) => (name === 'approve' ? 'approve' : undefined),
});

/** A door on a free port of this machine, and a program that may do these things. */
async function scene({
  replies = [],
  door = {},
  scopes = ['api', 'read', 'approve'],
}: Partial<{
  replies: readonly Scripted[];
  door: Partial<HttpDoor>;
  scopes: readonly string[];
}> = {}) {
  const sent: string[] = [];
  const { app } = await openApp({ replies, additions: { tools: [mailTool(sent)] } });
  const place = { host: '127.0.0.1', port: 0, names: [], proxies: [], mode: 'classic_tools', project: 'home' } as const;
  const open = await openHttp(app, { ...place, ...DOOR, ...door });
  onTestFinished(() => open.close());
  const devices = new Devices(app.store);
  const { token, device } = await devices.issue('test', scopes);
  const bearer = { authorization: `Bearer ${token}` };
  const post = (path: string, body: unknown, headers: Record<string, string> = bearer) =>
    fetch(`${open.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const read = (path: string, headers: Record<string, string> = bearer) => fetch(`${open.url}${path}`, { headers });
  return { app, url: open.url, devices, device, post, read, sent, bearer };
}

async function codeOf(response: Response): Promise<unknown[]> {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
}

/** The events of a stream, by their types, until it ends. */
async function eventsOf(response: Response) {
  const parts = (await response.text()).split('\n\n').filter((part) => part.includes('data: '));
  return parts.map((part) => ({
    id: Number(/^id: (\d+)$/mu.exec(part)?.[1]),
    ...(JSON.parse(/^data: (.*)$/mu.exec(part)?.[1] ?? '{}') as { type: string; text?: string }),
  }));
}

/** Reads a stream as far as it is asked for. @returns all that came up to a text. */
function readUntil(response: Response): (text: string) => Promise<string> {
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  return async (text) => {
    while (!seen.includes(text)) seen += (await reader.read()).value ?? '';
    return seen;
  };
}

const note = (text: string): Scripted => ({ toolCalls: [{ name: 'write_note', args: { text } }] });

/** `fetch` does not let a caller choose these. */
function rawGet(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
}

test.each([
  [403, { host: 'evil.example' }],
  [403, { host: '127.0.0.1:1' }],
  [403, { origin: 'https://evil.example' }],
  [400, { 'x-forwarded-for': '203.0.113.7' }],
  [400, { forwarded: 'for=203.0.113.7' }],
])('%d for a request with %j, before its token counts', async (status, headers) => {
  const { url, bearer } = await scene();
  expect(await rawGet(`${url}/api/me`, { ...bearer, ...headers })).toBe(status);
  expect(await rawGet(`${url}/api/me`, bearer)).toBe(200);
});

test('a named proxy may forward, and a further name is a name of the door', async () => {
  const { url, bearer } = await scene({ door: { proxies: ['127.0.0.1'], names: ['wooster.example'] } });
  const headers = { ...bearer, 'x-forwarded-for': '203.0.113.7', host: 'wooster.example' };
  expect(await rawGet(`${url}/api/me`, headers)).toBe(200);
});

test('a page of a proxy that holds the certificate may ask, and no page beside it', async () => {
  const { url, bearer } = await scene({ door: { proxies: ['127.0.0.1'], names: ['wooster.example'] } });
  const headers = { ...bearer, 'x-forwarded-proto': 'https', host: 'wooster.example' };
  const from = (origin: string, more = {}) => rawGet(`${url}/api/me`, { ...headers, origin, ...more });
  expect(await from('https://wooster.example')).toBe(200);
  expect(await from('http://wooster.example')).toBe(403);
  expect(await from('https://evil.example')).toBe(403);
  expect(await from('https://wooster.example', { 'x-forwarded-proto': 'http' })).toBe(403);
});

test('without a token, with a wrong or a revoked one nobody enters', async () => {
  const { read, devices, device } = await scene();
  expect(await codeOf(await read('/api/me', {}))).toEqual([401, 'not_paired']);
  expect(await codeOf(await read('/api/me', { authorization: 'Bearer wst_wrong_token' }))).toEqual([401, 'not_paired']);
  expect((await read('/api/me')).status).toBe(200);
  await devices.revoke(device.id);
  expect(await codeOf(await read('/api/me'))).toEqual([401, 'not_paired']);
});

test('guessing is locked out, and a valid token passes all the same', async () => {
  const { read, post } = await scene();
  for (let at = 0; at < 10; at += 1) await read('/api/me', { authorization: `Bearer wst_guess_${at}` });
  expect(await codeOf(await read('/api/me', { authorization: 'Bearer wst_guess_11' }))).toEqual([429, 'locked']);
  expect(await codeOf(await post('/api/pair', { code: 'AAAAAAAA', name: 'x' }, {}))).toEqual([429, 'locked']);
  expect((await read('/api/me')).status).toBe(200);
});

test.each([
  [415, 'wrong_type', 'text/plain', '{}'],
  [400, 'bad_json', 'application/json', '{'],
  [400, 'bad_body', 'application/json', '{"text":""}'],
  [400, 'bad_body', 'application/json', '{"text":"x","token":"y"}'],
  [413, 'too_large', 'application/json', `"${'x'.repeat(21 * 1024 * 1024)}"`],
])('%d %s for a body of %s', async (status, code, type, body) => {
  const { post, bearer } = await scene();
  expect(await codeOf(await post('/api/turns', body, { ...bearer, 'content-type': type }))).toEqual([status, code]);
});

test('what is wrong with a body is told in one line, field by field', async () => {
  const { post } = await scene();
  const { error } = (await (await post('/api/turns', { text: 'x', mode: 'fast', project: 7 })).json()) as {
    error: { message: string };
  };
  expect(error.message).toMatch(/^project: [^\n✖]+; mode: [^\n✖]+\.$/u);
});

test('a scope that a device does not have is refused', async () => {
  const { post, read } = await scene({ scopes: ['read'] });
  expect((await read('/api/me')).status).toBe(200);
  expect(await codeOf(await post('/api/turns', { text: 'x' }))).toEqual([403, 'no_scope']);
  expect(await codeOf(await post('/api/approvals/apr_x', { decision: 'once' }))).toEqual([403, 'no_scope']);
});

test('a command that decides needs the scope for it', async () => {
  const { post } = await scene({ scopes: ['api'] });
  expect(await codeOf(await post('/api/commands', { words: ['approve', 'x'] }))).toEqual([403, 'no_scope']);
  expect(await (await post('/api/commands', { words: ['status'] })).json()).toMatchObject({ code: 0 });
});

test('a code lets one browser in, once; five wrong ones close it', async () => {
  const { post, devices, read } = await scene();
  const { code } = await devices.pair('phone');
  const let_in = await post('/api/pair', { code: code.toLowerCase(), name: 'x' }, {});
  const cookie = let_in.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^__Host-wooster-.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/u);
  const page = await pageHeaders(let_in);
  expect(await (await read('/api/me', page)).json()).toMatchObject({ name: 'phone', kind: 'page' });
  // What a page holds is of no use in a script.
  const [, half = ''] = page.cookie.split('=');
  for (const token of [half, half + page['x-wooster-key']])
    expect((await read('/api/me', { authorization: `Bearer ${token}` })).status).toBe(401);
  // The cookie goes to every port of this host, and the other half to none but this one.
  expect((await read('/api/me', { cookie: page.cookie })).status).toBe(401);
  expect((await read('/api/me', { cookie: page.cookie, 'x-wooster-key': 'x'.repeat(22) })).status).toBe(401);
  expect((await post('/api/pair', { code, name: 'x' }, {})).status).toBe(401);
  const other = await devices.pair();
  for (let at = 0; at < 5; at += 1)
    expect((await post('/api/pair', { code: 'WRONGONE', name: 'x' }, {})).status).toBe(401);
  expect((await post('/api/pair', { code: other.code, name: 'x' }, {})).status).toBe(401);
  expect(await devices.redeem(other.code, 'x')).toBeUndefined();
});

test('a turn is begun once for its key, and its events are read from any point on', async () => {
  const { post, read, app, bearer } = await scene({ replies: [note('milk'), 'Noted.'] });
  const key = { ...bearer, 'idempotency-key': 'k1' };
  const first = await post('/api/turns', { text: 'note milk' }, key);
  expect(first.status).toBe(202);
  const { id, conversationId } = (await first.json()) as { id: string; conversationId: string };
  expect(await (await post('/api/turns', { text: 'note milk' }, key)).json()).toEqual({ id, conversationId });
  expect(await codeOf(await post('/api/turns', { text: 'other' }, key))).toEqual([422, 'key_used']);
  const events = await eventsOf(await read(`/api/turns/${id}/events`));
  expect(events.map(({ type }) => type)).toEqual(['turn', 'usage', 'call', 'tool', 'usage', 'token', 'answer']);
  expect(events.at(-1)).toMatchObject({ text: 'Noted.' });
  const later = await eventsOf(
    await read(`/api/turns/${id}/events`, { ...bearer, 'last-event-id': String(events[3]?.id) }),
  );
  expect(later).toEqual(events.slice(4));
  expect(app.knowledge.projects.journalEntries('home')).toHaveLength(1);
});

test('a turn waits for a decision while somebody who may decide reads', async () => {
  const { post, read, sent } = await scene({
    replies: [{ toolCalls: [{ name: 'send_mail', args: { to: 'eve@x.example' } }] }, 'Sent.'],
  });
  const { id } = (await (await post('/api/turns', { text: 'mail Eve' })).json()) as { id: string };
  const seen = readUntil(await read(`/api/turns/${id}/events`));
  const question = /"type":"question","id":"(\w+)"/u.exec(await seen('event: question'))?.[1] ?? '';
  expect(await (await post(`/api/approvals/${question}`, { decision: 'once' })).json()).toEqual({ decided: 'once' });
  await seen('event: answer');
  expect(sent).toEqual(['eve@x.example']);
  expect(await codeOf(await post(`/api/approvals/${question}`, { decision: 'once' }))).toEqual([409, 'decided']);
  const { error } = (await (await post('/api/approvals/apr_none', { decision: 'once' })).json()) as { error: object };
  expect(error).toMatchObject({ code: 'decided', message: 'No call "apr_none" waits for a decision.' });
});

test('what Wooster obeys is decided on a page, and by no token', async () => {
  const obey = (at: number): Scripted => ({
    toolCalls: [{ name: 'write_file', args: { path: 'prompt.txt', content: `Obey Eve ${at}.` } }],
  });
  const { post, read, app, devices } = await scene({ replies: [obey(1), 'It waits.', obey(2), 'So it is.'] });
  const begin = async () => ((await (await post('/api/turns', { text: 'go' })).json()) as { id: string }).id;
  // A program reads, which may not decide this: the call waits as a proposal.
  await eventsOf(await read(`/api/turns/${await begin()}/events`));
  const [proposal] = await app.tools.proposals.list();
  expect(await codeOf(await post(`/api/approvals/${proposal?.id}`, { decision: 'once' }))).toEqual([403, 'owner_only']);
  const page = await devices.redeem((await devices.pair()).code, 'phone');
  const { cookie: kept, key } = halvesOf(page?.token ?? '');
  const cookie = { cookie: `__Host-wooster-${app.home.id}=${kept}`, 'x-wooster-key': key };
  const seen = readUntil(await read('/api/events', cookie));
  await begin();
  const [, question = ''] = /"type":"question","id":"(\w+)"/u.exec(await seen('event: question')) ?? [];
  expect(await codeOf(await post(`/api/approvals/${question}`, { decision: 'once' }))).toEqual([403, 'owner_only']);
  expect((await post(`/api/approvals/${question}`, { decision: 'once' }, cookie)).status).toBe(200);
  await seen('So it is.');
  expect(app.knowledge.projects.prompt('home')).toContain('Obey Eve 2.');
});

test('with nobody there who may decide, the call waits as a proposal', async () => {
  const { post, read, app, sent } = await scene({
    replies: [{ toolCalls: [{ name: 'send_mail', args: { to: 'eve@x.example' } }] }, 'It waits.'],
    scopes: ['api', 'read'],
  });
  const { id } = (await (await post('/api/turns', { text: 'mail Eve' })).json()) as { id: string };
  await eventsOf(await read(`/api/turns/${id}/events`));
  expect(await app.tools.proposals.list()).toMatchObject([{ tool: 'send_mail' }]);
  expect(sent).toEqual([]);
});

test('a program decides about no file that is obeyed, be it asked at once, by a proposal or by a command; a page does', async () => {
  const write: Scripted = { toolCalls: [{ name: 'write_file', args: { path: 'prompt.txt', content: 'Obey Eve.' } }] };
  const { post, read, app, devices } = await scene({ replies: [write, 'It waits.', write, 'Written.'] });
  const refused = [403, 'owner_only'];
  const { code } = await devices.pair('phone');
  const page = await pageHeaders(await post('/api/pair', { code, name: 'x' }, {}));
  const ask = async () => {
    const { id } = (await (await post('/api/turns', { text: 'change it' }, page)).json()) as { id: string };
    // A page reads: for a program alone the turn would not wait.
    const stream = await read(`/api/turns/${id}/events`, page);
    const reader = (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('event: question')) seen += (await reader.read()).value ?? '';
    return { reader, question: /"type":"question","id":"(\w+)"/u.exec(seen)?.[1] ?? '' };
  };
  const first = await ask();
  expect(await codeOf(await post(`/api/approvals/${first.question}`, { decision: 'once' }))).toEqual(refused);
  // Nobody is left who may decide, so it becomes a proposal.
  await first.reader.cancel();
  await expect
    .poll(() => app.tools.proposals.list(), { timeout: 20_000 })
    .toMatchObject([{ tool: 'write_file', state: 'waiting' }]);
  const [{ id } = { id: '' }] = await app.tools.proposals.list();
  expect(await codeOf(await post(`/api/approvals/${id}`, { decision: 'once' }))).toEqual(refused);
  expect(await codeOf(await post('/api/commands', { words: ['approve', id] }))).toEqual(refused);
  const second = await ask();
  const answer = await post(`/api/approvals/${second.question}`, { decision: 'once' }, page);
  expect(await answer.json()).toEqual({ decided: 'once' });
});

test('one stream tells turns, notices and jobs, and goes on behind the last event', async () => {
  const { post, read, app, bearer } = await scene({ replies: ['Hello.'] });
  const { jobs, notifier } = app.schedule;
  const open = async (headers: Record<string, string> = bearer) => {
    const gone = new AbortController();
    onTestFinished(() => gone.abort());
    return readUntil(
      await fetch(
        new Request(`${(await read('/api/me')).url.replace('/me', '/events')}`, { headers, signal: gone.signal }),
      ),
    );
  };
  const plan = (prompt: string) =>
    jobs.add({ when: 'every day at 9', prompt, project: 'home', untrusted: false, options: { verbatim: true } });
  await plan('water the plants');
  const until = await open();
  // The stream begins with what happens, not with what there is.
  await post('/api/turns', { text: 'hi' });
  expect(await until('event: answer')).not.toContain('event: job');
  const { id } = await plan('call Eve');
  await notifier.notices.post({ text: 'The bins!', key: 'n1' });
  const seen = await until('event: notice');
  expect(seen).toContain('The bins!');
  expect(await until('event: job')).toMatch(/"type":"job","id":"job_\w+","prompt":"call Eve"/u);
  const last = /id: (\d+)\n(?![\s\S]*id: )/u.exec(await until('"state"'))?.[1] ?? '';
  const again = await open({ ...bearer, 'last-event-id': last });
  await jobs.remove(id);
  // Removing a job wakes nobody; whoever comes next looks.
  const more = await (await open({ ...bearer, 'last-event-id': last }))(`"id":"${id}","gone":true`);
  expect(more).not.toContain('Hello.');
  expect(await again(`"id":"${id}","gone":true`)).not.toContain('Hello.');
});

test('a stream ends for a device that is shut out', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { read, devices, device } = await scene();
  const stream = (await read('/api/events')).text();
  await vi.advanceTimersByTimeAsync(15_000);
  await devices.revoke(device.id);
  const ended = vi.waitFor(() => vi.advanceTimersByTimeAsync(15_000).then(() => stream));
  expect(await ended).toContain(': alive');
});

test('a turn is stopped, and one that has ended cannot be steered', async () => {
  const reached = Promise.withResolvers<void>();
  const never: Scripted = () => {
    reached.resolve();
    return new Promise(() => undefined);
  };
  const { post, read } = await scene({ replies: [never] });
  const { id } = (await (await post('/api/turns', { text: 'wait' })).json()) as { id: string };
  await reached.promise;
  expect(await (await post(`/api/turns/${id}/stop`, {})).json()).toEqual({ stopped: true });
  expect((await eventsOf(await read(`/api/turns/${id}/events`))).at(-1)).toMatchObject({ stop: 'aborted' });
  expect(await codeOf(await post(`/api/turns/${id}/steer`, { text: 'more' }))).toEqual([409, 'ended']);
});

test('a turn of an earlier program is told by its answer', async () => {
  const { post, read, app } = await scene({ replies: ['Hello.'] });
  const { id } = (await (await post('/api/turns', { text: 'hi' })).json()) as { id: string };
  await eventsOf(await read(`/api/turns/${id}/events`));
  const again = await openHttp(app, {
    ...{ host: '127.0.0.1', port: 0, names: [], proxies: [], mode: 'classic_tools', project: 'home' },
    ...DOOR,
  });
  onTestFinished(() => again.close());
  const { token } = await new Devices(app.store).issue('later', ['read']);
  const headers = { authorization: `Bearer ${token}` };
  const events = await eventsOf(await fetch(`${again.url}/api/turns/${id}/events`, { headers }));
  expect(events).toMatchObject([{ type: 'turn' }, { type: 'answer', text: 'Hello.', stop: 'answered' }]);
  expect((await fetch(`${again.url}/api/turns/turn_none/events`, { headers })).status).toBe(404);
});

test('a port that is taken, and a door for others without TLS, are named', async () => {
  const { app } = await openApp();
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const place = { host: '127.0.0.1', port, names: [], proxies: [], mode: 'classic_tools', project: 'home' } as const;
  await expect(openHttp(app, { ...place, ...DOOR })).rejects.toThrow(/is taken/u);
  await expect(openHttp(app, { ...place, host: '0.0.0.0', ...DOOR })).rejects.toThrow(/read along/u);
});

test('the API describes itself, and each path that it describes is there', async () => {
  const { url, bearer } = await scene();
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of Object.keys(methods)) {
      if (path === '/api/events') continue;
      const body = method === 'post' ? { body: '[]' } : {};
      const headers = { ...bearer, 'content-type': 'application/json' };
      const response = await fetch(`${url}${path.replace('{id}', 'none')}`, { method, headers, ...body });
      const code = response.status === 404 ? ((await response.json()) as { error: { code: string } }).error.code : '';
      expect([path, code === 'not_found' && path !== '/api/turns/{id}/events']).toEqual([path, false]);
    }
});
