import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { askedDoor } from '../../repl/door-commands.ts';
import { openApp } from '../../testing/app.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { Devices } from './devices.ts';
import { openHttp } from './serve.ts';

const PLACE = { mode: 'classic_tools', project: 'home' } as const;

/** The door as `serve` opens it, with all commands. */
async function scene({ replies = [], scopes = ['api', 'read'] }: { replies?: Scripted[]; scopes?: string[] } = {}) {
  const { app, home, model } = await openApp({ replies });
  const at = { host: '127.0.0.1', port: 0, names: [], proxies: [] };
  const door = await openHttp(app, { ...at, ...askedDoor(app, PLACE) });
  onTestFinished(() => door.close());
  const { token } = await new Devices(app.store).issue('test', scopes);
  const send = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
    fetch(`${door.url}/api${path}`, {
      ...{ method, body: body ?? null },
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
    });
  const items = async (path: string) => ((await (await send('GET', path)).json()) as { items: unknown[] }).items;
  const command = async (...words: string[]) =>
    (await (await send('POST', '/commands', JSON.stringify({ words }))).json()) as { code: number; text: string };
  return { app, home, model, send, items, command };
}

async function codeOf(response: Response): Promise<unknown[]> {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
}

test('a document is added, listed, and found with its citation', async () => {
  const { send, items } = await scene();
  const text = '# Boiler\n\nThe boiler was serviced on 12 March.\n';
  const put = () => send('PUT', '/documents/house/boiler.md', text, 'application/octet-stream');
  const added = await put();
  expect([added.status, await added.json()]).toMatchObject([201, { path: 'uploads/house/boiler.md' }]);
  expect((await put()).status).toBe(201);
  const other = await send('PUT', '/documents/house/boiler.md', 'Other.', 'text/plain');
  expect(await codeOf(other)).toEqual([409, 'exists']);
  expect(await items('/documents')).toMatchObject([{ file: expect.stringContaining('boiler.md') }]);
  const [hit] = await items('/search?q=boiler%20serviced&k=1');
  expect(hit).toMatchObject({ rank: 1, citation: expect.stringMatching(/boiler\.md, lines? \d/u) });
});

test.each([
  '..%2Fprompt.txt',
  '%2e%2e/x.md',
  '.env',
  'a/.hidden/b.md',
  'a%00b.md',
  'a%5Cb.md',
  'C:x.md',
  'a//b.md',
  ' ',
])('a document cannot be put at %s', async (path) => {
  const { send, home } = await scene();
  const response = await send('PUT', `/documents/${path}`, 'x', 'text/plain');
  expect([400, 404]).toContain(response.status);
  expect(existsSync(join(home, 'projects/home/prompt.txt'))).toBe(false);
});

test('notes, memory, jobs with their runs, effects and times are lists', async () => {
  const { items, command, app } = await scene({
    replies: [{ toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Noted.'],
  });
  expect(await command('memory', 'add', 'I live in Galway')).toMatchObject({ code: 0 });
  expect(await command('schedule', 'add', '--when', 'every day at 9', '--prompt', 'note milk')).toMatchObject({
    code: 0,
  });
  const [job] = (await items('/jobs')) as { id: string }[];
  await app.schedule.jobs.runNow(job?.id ?? '');
  expect(await items(`/runs?job=${job?.id}`)).not.toEqual([]);
  expect(JSON.stringify(await items('/notes'))).toContain('milk');
  expect(JSON.stringify(await items('/memory'))).toContain('Galway');
  expect(await items('/effects')).not.toEqual([]);
  expect(await items('/times?when=tomorrow%209am&count=1')).toHaveLength(1);
  const [effect = ''] = /eff_\w+/u.exec(JSON.stringify(await items('/effects'))) ?? [];
  expect(await command('undo', effect)).toMatchObject({ code: 0 });
});

test.each([
  [400, 'bad_query', '/search'],
  [404, 'not_found', '/nothing'],
  [404, 'unknown_project', '/jobs?project=none'],
  // A flag that comes as a value is a value.
  [400, 'unknown_schedule', '/runs?job=--all'],
])('%d %s for GET %s', async (status, code, path) => {
  const { send } = await scene();
  expect(await codeOf(await send('GET', path))).toEqual([status, code]);
});

test('a list comes in pages, in which nothing is skipped or told twice when others come and go', async () => {
  const { app, send } = await scene();
  const plan = (at: number) =>
    app.schedule.jobs.add({
      ...{ when: `every day at ${at}:00`, prompt: `job of ${at}`, project: 'home', untrusted: false },
      options: { verbatim: true },
    });
  const ids: string[] = [];
  for (let at = 0; at < 7; at += 1) ids.push((await plan(at)).id);
  const page = async (query: string) =>
    (await (await send('GET', `/jobs?limit=3${query}`)).json()) as { items: { id: string }[]; next?: string };
  const first = await page('');
  const [before] = first.items;
  await app.schedule.jobs.remove(before?.id ?? '');
  const second = await page(`&after=${first.next}`);
  const third = await page(`&after=${second.next}`);
  expect([first.items.length, second.items.length, third.items.length, third.next]).toEqual([3, 3, 1, undefined]);
  const told = [first, second, third].flatMap(({ items: rows }) => rows.map(({ id }) => id));
  expect(told.toSorted()).toEqual(ids.toSorted());
  const [last] = second.items.slice(-1);
  await app.schedule.jobs.remove(last?.id ?? '');
  expect(await codeOf(await send('GET', `/jobs?limit=3&after=${second.next}`))).toEqual([409, 'list_changed']);
  expect(await codeOf(await send('GET', '/jobs?limit=0'))).toEqual([400, 'bad_query']);
});

test('an item of a list is ticked through the gate, and one that is not there is named', async () => {
  const { app, send, home } = await scene();
  mkdirSync(join(home, 'projects/home/lists'), { recursive: true });
  writeFileSync(join(home, 'projects/home/lists/shopping.md'), '- [ ] milk\n- [ ] bread\n');
  const tick = async (name: string, body: object) => send('POST', `/lists/${name}`, JSON.stringify(body));
  const ticked = await tick('shopping', { tick: ['milk'] });
  const milk = [
    { text: 'milk', done: true },
    { text: 'bread', done: false },
  ];
  expect(await ticked.json()).toEqual({ items: [{ name: 'shopping', items: milk }] });
  expect(await app.turns.archive.list()).toEqual([]);
  expect((await tick('..%2Fshopping', { tick: ['bread'] })).status).toBe(400);
  expect((await tick('shopping', { tick: [] })).status).toBe(400);
});

test('a list that its command refuses is refused in its words, with its hint', async () => {
  const { send } = await scene();
  const { error } = (await (await send('GET', '/times?when=whenever')).json()) as { error: Record<string, string> };
  expect(error).toEqual({
    code: 'bad_time',
    message: expect.stringMatching(/whenever.*\.$/u),
    hint: expect.stringMatching(/\S/u),
  });
});

test('a program lets nobody in, and gives no scopes', async () => {
  const { send } = await scene({ scopes: ['api', 'read', 'approve'] });
  for (const words of [['pair', '--token', '--name', 'x', '--scopes', 'approve'], ['devices']])
    expect(await codeOf(await send('POST', '/commands', JSON.stringify({ words })))).toEqual([403, 'no_scope']);
});

test.each([
  ['who may speak as the owner', ['channel', 'pair', 'telegram', '--all']],
  ['where messages to the owner go', ['channel', 'add', 'ntfy', '--set', 'NTFY_TOPIC=eve']],
  ['what runs as the owner', ['mcp', 'add', 'eve', '--', 'sh', '-c', 'true']],
  ['what runs within the program', ['plugin', 'enable', 'eve', '--yes']],
  ['whose word is obeyed', ['skills', 'trust', 'eve']],
  ['whose text a file is', ['untrust', 'letter.md']],
  ['which program may be called', ['think', 'trust', 'eve.tl']],
  ['where commands run', ['workspace', 'on']],
  ['a file by a page about it', ['report', '--output', 'prompt.txt']],
  ['a file by a conversation', ['sessions', 'export', 'conv_1', '--out=prompts/system.md']],
  ['a file by a copy', ['backup', 'prompt.txt']],
  ['who may begin something by a hook', ['hook', 'add', 'eve', '--prompt', 'Send all of it']],
  ['what is known by a file of this machine', ['ingest', '/etc/passwd']],
  ['what is known by a folder of this machine', ['rag', 'import', '/home']],
  ['the jobs by a file of this machine', ['schedule', 'import', '/home/eve.db']],
  ['what was said, for ever', ['sessions', 'delete', 'conv_1', '--yes']],
  ['a project, for ever', ['project', 'delete', 'house', '--files']],
  ['which models there are', ['models', 'remove', 'small']],
  ['a file by a program', ['think', 'compile', 'eve.tl', '-o', 'build.mjs']],
  ['a folder by a site', ['help', '--web', '--output', '/home/eve']],
])('a program does not change %s by a command', async (_, words) => {
  const { send } = await scene({ scopes: ['api', 'read', 'approve'] });
  expect(await codeOf(await send('POST', '/commands', JSON.stringify({ words })))).toEqual([403, 'no_scope']);
});

test('a program reads no file of this machine, and what it sends is a document', async () => {
  const { send, items, command } = await scene();
  // The errors of a program quote its lines, whatever it is.
  for (const words of [
    ['think', 'check', '/etc/passwd'],
    ['think', 'run', '/etc/passwd'],
    ['schedule', 'add', '--when', 'tomorrow', '--program', '/etc/passwd'],
    ['rag', 'search', 'x', '--queries', '/etc/passwd'],
  ]) {
    const shown = await send('POST', '/commands', JSON.stringify({ words }));
    expect(await codeOf(shown)).toEqual([403, 'no_scope']);
  }
  await send('PUT', '/documents/boiler.md', 'The boiler is blue.', 'text/plain');
  expect(await command('ingest')).toMatchObject({ code: 0 });
  expect(await items('/documents')).toMatchObject([{ file: expect.stringContaining('boiler.md') }]);
});

test('a page deletes a conversation for its owner', async () => {
  const { app, send } = await scene({ replies: ['Hello.'], scopes: ['api', 'read', 'page'] });
  const { id, conversationId } = (await (await send('POST', '/turns', JSON.stringify({ text: 'hi' }))).json()) as {
    id: string;
    conversationId: string;
  };
  await (await send('GET', `/turns/${id}/events`)).text();
  const words = ['sessions', 'delete', conversationId, '--yes'];
  expect((await send('POST', '/commands', JSON.stringify({ words }))).status).toBe(200);
  expect(await app.turns.archive.list()).toEqual([]);
});

test('a program approves nothing in advance', async () => {
  const { app, send } = await scene({ replies: ['I would.'], scopes: ['api', 'read', 'approve'] });
  const job = await app.schedule.jobs.add({
    when: 'in 2 hours',
    prompt: 'mail Eve',
    project: 'home',
    untrusted: false,
  });
  for (const words of [
    ['schedule', 'rehearse', job.id, '--pin'],
    ['schedule', '--pin', 'rehearse', 'mail', 'Eve'],
    ['schedule', 'freeze', job.id, '--yes'],
  ])
    expect(await codeOf(await send('POST', '/commands', JSON.stringify({ words })))).toEqual([403, 'no_scope']);
  expect((await app.schedule.jobs.named([job.id]))[0]?.pin).toBeUndefined();
});

test('a file comes with a request, and one that cannot be read is named', async () => {
  const { send, model } = await scene({ replies: ['Seven.'] });
  const data = Buffer.from('what,cost\nbread,7\n').toString('base64');
  const ask = (attachment: object) => JSON.stringify({ text: 'How much?', attachments: [attachment] });
  expect(await codeOf(await send('POST', '/turns', ask({ name: 'x.csv', data: '!' })))).toEqual([400, 'no_file']);
  const begun = await send('POST', '/turns', ask({ name: 'costs.csv', data }));
  const { id } = (await begun.json()) as { id: string };
  await (await send('GET', `/turns/${id}/events`)).text();
  expect(model.requests[0]?.messages.at(-1)?.text).toContain('bread');
});

test('after a restart a turn is told by its steps, and one that was cut off ends as aborted', async () => {
  const { app, send } = await scene({
    replies: [{ toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Noted.'],
  });
  const { id } = (await (await send('POST', '/turns', '{"text":"note milk"}')).json()) as { id: string };
  await (await send('GET', `/turns/${id}/events`)).text();
  const at = { host: '127.0.0.1', port: 0, names: [], proxies: [] };
  const again = await openHttp(app, { ...at, ...askedDoor(app, PLACE) });
  onTestFinished(() => again.close());
  const { token } = await new Devices(app.store).issue('later', ['read']);
  const read = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${again.url}/api/turns/${id}/events`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return [...(await response.text()).matchAll(/^event: (\w+)\ndata: (.*)$/gmu)].map(([, type, data = '']) => [
      type,
      (JSON.parse(data) as { stop?: string }).stop,
    ]);
  };
  const types = [['turn'], ['call'], ['tool'], ['answer', 'answered']].map(([type, stop]) => [type, stop]);
  expect(await read()).toEqual(types);
  expect(await read({ 'last-event-id': '77' })).toEqual([['answer', 'answered']]);
  await app.store.db.updateTable('turns').set({ status: 'interrupted' }).execute();
  expect((await read()).at(-1)).toEqual(['answer', 'aborted']);
});

test('a turn that was accepted and lost with its program ends as aborted, and begins when it is sent again', async () => {
  const { app, model } = await openApp({ replies: ['Here.'] });
  const at = { host: '127.0.0.1', port: 0, names: [], proxies: [] };
  const { token } = await new Devices(app.store).issue('test', ['api', 'read']);
  const open = async () => {
    const door = await openHttp(app, { ...at, ...askedDoor(app, PLACE) });
    onTestFinished(() => door.close());
    const post = async (key: Record<string, string>) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...key };
      const response = await fetch(`${door.url}/api/turns`, { method: 'POST', headers, body: '{"text":"hi"}' });
      return ((await response.json()) as { id: string }).id;
    };
    const end = async (id: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${door.url}/api/turns/${id}/events`, { headers })).text();
    };
    return { post, end };
  };
  // The program is killed before it does anything for the turn.
  const run = vi.spyOn(app.turns, 'run').mockImplementation((_, { signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const before = await open();
  const key = { 'idempotency-key': 'k1' };
  const [lost, keyed] = [await before.post({}), await before.post(key)];
  run.mockRestore();
  const later = await open();
  expect(await later.end(lost)).toContain('"stop":"aborted"');
  expect(await later.post(key)).toBe(keyed);
  expect(await later.end(keyed)).toContain('Here.');
  expect(model.requests).toHaveLength(1);
});
