import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openApp } from '../../testing/app.ts';
import { testDoor } from '../../testing/http-door.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { Hooks } from './hooks.ts';
import { openHttp } from './serve.ts';

const PLACE = { project: 'home', mode: 'classic_tools' } as const;

/** A hook, and its door. */
async function scene(replies: readonly Scripted[] = []) {
  const { app, model } = await openApp({ replies });
  const place = { host: '127.0.0.1', port: 0, names: [], proxies: [], ...PLACE };
  const door = await openHttp(app, { ...place, ...testDoor() });
  onTestFinished(() => door.close());
  const hooks = new Hooks({ store: app.store, jobs: app.schedule.jobs });
  const { secret } = await hooks.add('bell', { kind: 'prompt', prompt: 'Who rang?' }, PLACE);
  return { app, model, hooks, secret, ...senderTo(`${door.url}/hooks`, secret) };
}

interface Sent {
  readonly name?: string;
  readonly id?: string;
  readonly at?: number;
  readonly body?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends messages as Standard Webhooks say. */
function senderTo(url: string, secret: string) {
  const signed = (id: string, at: number, body: string, key = secret) => {
    const bytes = Buffer.from(key.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', bytes).update(`${id}.${at}.${body}`).digest('base64')}`;
  };
  const send = ({
    name = 'bell',
    id = 'm1',
    at = Math.floor(Date.now() / 1000),
    body = '{"who":"Eve"}',
    ...more
  }: Sent) =>
    fetch(`${url}/${name}`, {
      method: 'POST',
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': signed(id, at, body, more.key),
        ...more.headers,
      },
      body,
    });
  return { send, signed };
}

async function codeOf(response: Response): Promise<unknown[]> {
  const body = (await response.json()) as { error?: { code: string }; run?: string };
  return [response.status, body.error?.code ?? 'run'];
}

test('a signed message begins a job once, and the same message again is the same job', async () => {
  const { app, send } = await scene();
  const first = (await (await send({})).json()) as { run: string };
  expect(await (await send({})).json()).toEqual(first);
  expect(await codeOf(await send({ body: '{"who":"Bob"}' }))).toEqual([422, 'id_used']);
  const jobs = await app.schedule.jobs.list('home');
  const own = jobs.filter(({ prompt }) => prompt === 'Who rang?');
  expect(own.map(({ id }) => id)).toEqual([first.run]);
  expect(own[0]?.options.material).toMatchObject([{ text: '{"who":"Eve"}', untrusted: true }]);
  expect(own[0]?.restricted).toBe(false);
});

test('what came is read as text of somebody else', async () => {
  const { app, model, send } = await scene(['Eve rang.']);
  const { run } = (await (await send({})).json()) as { run: string };
  expect(await app.schedule.jobs.runNow(run)).toMatchObject({ state: 'succeeded', output: 'Eve rang.' });
  expect(model.requests[0]?.messages.at(-1)?.text).toMatch(/Who rang\?[\s\S]*<material[\s\S]*Eve/u);
  const labels = app.store.read.selectFrom('conversations').select('read_untrusted');
  expect(await labels.execute()).toEqual([{ read_untrusted: 1 }]);
});

test.each<[string, Sent]>([
  ['another secret', { key: 'whsec_c29tZXRoaW5nIGVsc2UgdGhhdCBpcyBsb25nIGVub3VnaA==' }],
  ['no secret at all', { key: '' }],
  ['no signature', { headers: { 'webhook-signature': '' } }],
  ['a signature of another kind', { headers: { 'webhook-signature': 'v2,abc' } }],
  ['no id', { headers: { 'webhook-id': '' } }],
  ['an old time', { at: Math.floor(Date.now() / 1000) - 600 }],
  ['a time to come', { at: Math.floor(Date.now() / 1000) + 600 }],
  ['another name', { name: 'none' }],
  ['a token', { headers: { 'webhook-signature': 'v1,', authorization: 'Bearer wst_whatever_it_is' } }],
])('a message with %s is refused', async (_, sent) => {
  const { app, send } = await scene();
  expect(await codeOf(await send(sent))).toEqual([401, 'bad_signature']);
  expect((await app.schedule.jobs.list('home')).filter(({ prompt }) => prompt === 'Who rang?')).toEqual([]);
});

test('one right signature among several is enough', async () => {
  const { send, signed } = await scene();
  const at = Math.floor(Date.now() / 1000);
  const all = `v1,bm9uZQ== ${signed('m1', at, '{}')}`;
  expect((await send({ body: '{}', at, headers: { 'webhook-signature': all } })).status).toBe(202);
});

test.each(['', 'whsec_', 'whsec_c2hvcnQ='])('a hook whose secret is %j takes nothing', async (secret) => {
  const { app, send } = await scene();
  await app.store.db.updateTable('hooks').set({ secret }).execute();
  expect(await codeOf(await send({ key: secret }))).toEqual([401, 'bad_signature']);
});

test('guessing is locked out, and a signed message passes all the same', async () => {
  const { send } = await scene();
  for (let at = 0; at < 20; at += 1) await send({ key: 'whsec_AAAA' });
  expect(await codeOf(await send({ key: 'whsec_AAAA' }))).toEqual([429, 'locked']);
  expect((await send({})).status).toBe(202);
});

test('more than sixty messages a minute, and one of more than 1 MB, are refused', async () => {
  const { send } = await scene();
  expect(await codeOf(await send({ id: 'big', body: 'x'.repeat(1024 * 1024 + 1) }))).toEqual([413, 'too_large']);
  for (let at = 0; at < 60; at += 1) expect((await send({ id: 'same' })).status).toBe(202);
  expect(await codeOf(await send({ id: 'same' }))).toEqual([429, 'too_many']);
});

test('a job is run by its hook, and is told as busy while it runs', async () => {
  const ended = Promise.withResolvers<string>();
  const { app, hooks, send } = await scene([() => ended.promise, 'Again.']);
  const job = await app.schedule.jobs.add({
    when: 'every day at 9',
    prompt: 'Report',
    project: 'home',
    untrusted: false,
  });
  const { secret } = await hooks.add('report', { kind: 'job', job: job.id }, PLACE);
  const { run } = (await (await send({ name: 'report', key: secret })).json()) as { run: string };
  expect(run).toMatch(/^run_/u);
  expect((await send({ name: 'report', key: secret, id: 'm2' })).status).toBe(400);
  ended.resolve('Done.');
  await vi.waitFor(async () => {
    const { history } = await app.schedule.jobs.show(job.id);
    expect(history).toMatchObject([{ id: run, state: 'succeeded', output: 'Done.' }]);
  }, 25_000);
});

test('hooks are listed without their secrets, and one that is removed takes nothing', async () => {
  const { hooks, secret, send } = await scene();
  await hooks.add('run', { kind: 'program', path: '/x/y.tl', hash: 'abc', param: 'text' }, PLACE);
  const listed = await hooks.list();
  expect(listed.map(({ begins }) => begins)).toEqual([
    { kind: 'prompt', prompt: 'Who rang?' },
    { kind: 'program', path: '/x/y.tl', hash: 'abc', param: 'text' },
  ]);
  expect(JSON.stringify(listed)).not.toContain(secret);
  await expect(hooks.add('bell', { kind: 'prompt', prompt: 'x' }, PLACE)).rejects.toThrow(/already/u);
  await expect(hooks.add('../x', { kind: 'prompt', prompt: 'x' }, PLACE)).rejects.toThrow(/cannot be the name/u);
  await expect(hooks.add('job', { kind: 'job', job: 'job_none' }, PLACE)).rejects.toThrow();
  await hooks.remove('bell');
  await expect(hooks.remove('bell')).rejects.toThrow(/no hook/u);
  expect((await send({})).status).toBe(401);
});
