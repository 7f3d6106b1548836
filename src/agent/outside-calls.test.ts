import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { testContext } from '../testing/agent.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import { sqlAll, sqlGet } from '../testing/sql.ts';
import { openTestStore, withTransactions } from '../testing/stores.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { OutsideCalls, type OutsideCallsOptions } from './outside-calls.ts';

const page = defineTool({
  ...PLAIN_TOOL,
  name: 'page',
  provenance: { readsFrom: ['web'] },
  execute: () => 'the page',
});
const find = defineTool({
  ...PLAIN_TOOL,
  name: 'find',
  output: z.object({ url: z.string() }),
  provenance: { readsFrom: ['web'], found: ({ url }) => [url] },
  execute: () => ({ url: 'https://found.example/a' }),
});
const get = defineTool({
  ...PLAIN_TOOL,
  name: 'get',
  input: z.object({ url: z.string() }),
  policy: { ...PLAIN_TOOL.policy, network: true, destination: ({ url }) => url },
  provenance: { readsFrom: ['web'] },
  execute: ({ url }) => `got ${url}`,
});
const diary = defineTool({
  ...PLAIN_TOOL,
  name: 'diary',
  provenance: { readsFrom: ['diary'] },
  execute: () => 'dear diary',
});
const TOOLS: readonly Tool[] = [WRITE_NOTE, page, find, get, diary];

async function outside(
  options: Partial<OutsideCallsOptions> = {},
  { tools = [], ...given }: { readonly store?: Store; readonly tools?: readonly Tool[] } = {},
) {
  const store = given.store ?? (await openTestStore());
  const scope = await testScope({ store });
  const calls = new OutsideCalls({
    store,
    toolbox: testToolbox([...TOOLS, ...tools], scope),
    origin: 'mcp',
    mode: 'classic_tools',
    project: 'home',
    conversationId: 'conv_mcp',
    context: (signal) => testContext(signal === undefined ? {} : { signal }),
    ...options,
  });
  const turns = () => sqlAll(store, 'SELECT conversation_id, origin, mode, text, status FROM turns ORDER BY seq');
  const labels = () =>
    sqlGet(store, 'SELECT read_untrusted, read_private, label_sources FROM conversations WHERE id = ?', 'conv_mcp');
  return { calls, store, turns, labels };
}

const FOUND = { url: 'https://found.example/a' };
const TURN = { conversation_id: 'conv_mcp', origin: 'mcp', mode: 'classic_tools' };
const UNASKED = { ...TURN, text: '(tools called by another program)' };

test('each call is a turn of its own, and its end is written down', async () => {
  const stop = new AbortController();
  const stopping = defineTool({
    ...PLAIN_TOOL,
    name: 'stopping',
    execute: () => {
      stop.abort(new Error('stopped'));
      return new Promise(() => {});
    },
  });
  const { calls, turns, store } = await outside({}, { tools: [stopping] });
  expect(await calls.call('write_note', { text: 'milk' })).toMatchObject({ ok: true, value: 'noted: milk' });
  expect(await calls.call('nothing', {})).toMatchObject({ ok: false, reason: 'unknown_tool' });
  expect(await calls.call('stopping', {}, stop.signal)).toMatchObject({ ok: false, reason: 'aborted' });
  await calls.read({ untrusted: false, private: false }, 'the weather');
  expect(await turns()).toEqual([
    { ...UNASKED, status: 'answered' },
    { ...UNASKED, status: 'failed' },
    { ...UNASKED, status: 'aborted' },
    { ...UNASKED, status: 'answered' },
  ]);
  expect(await sqlAll(store, 'SELECT tool, state FROM effects')).toEqual([{ tool: 'write_note', state: 'done' }]);
  expect(await sqlAll(store, "SELECT id FROM turns WHERE id NOT LIKE 'turn%'")).toEqual([]);
  const kinds = await sqlAll(store, "SELECT kind FROM messages WHERE kind <> 'text'");
  expect(kinds).toEqual([]);
});

test('what was asked for is kept with the call, where it is known', async () => {
  const { calls, turns } = await outside({ request: 'note milk', origin: 'embed', mode: 'code_agent' });
  await calls.call('write_note', { text: 'milk' });
  expect(await turns()).toEqual([
    { ...TURN, origin: 'embed', mode: 'code_agent', text: 'note milk', status: 'answered' },
  ]);
});

test('without a conversation of the caller there is a new one for all its calls', async () => {
  const { calls, turns } = await outside({ conversationId: undefined });
  await calls.call('write_note', { text: 'milk' });
  await calls.call('write_note', { text: 'eggs' });
  const ids = (await turns()).map((turn) => String(turn.conversation_id));
  expect(ids).toEqual([expect.stringMatching(/^conv_\w+$/u), ids[0]]);
  const other = await outside({ conversationId: undefined });
  await other.calls.call('write_note', { text: 'milk' });
  expect((await other.turns())[0]?.conversation_id).not.toBe(ids[0]);
});

describe('what the calls have read', () => {
  const WITHHELD = { ok: false, reason: 'denied' };

  test.each<[string, readonly (readonly [string, object])[], object]>([
    [
      'nothing private: any page may be read',
      [
        ['page', {}],
        ['get', FOUND],
      ],
      { ok: true },
    ],
    [
      'a diary: no page that nobody named',
      [
        ['page', {}],
        ['diary', {}],
        ['get', FOUND],
      ],
      WITHHELD,
    ],
    [
      'a diary: but one that a search named',
      [
        ['find', {}],
        ['diary', {}],
        ['get', FOUND],
      ],
      { ok: true },
    ],
  ])('%s', async (_what, made, last) => {
    const { calls } = await outside();
    const results = [];
    for (const [name, input] of made) results.push(await calls.call(name, input));
    expect(results.at(-1)).toMatchObject(last);
    expect(results.slice(0, -1).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('counts for calls at the same time', async () => {
    const { calls, labels } = await outside();
    await Promise.all([calls.call('diary', {}), calls.call('page', {})]);
    expect(await calls.call('get', FOUND)).toMatchObject(WITHHELD);
    expect(await labels()).toMatchObject({ read_untrusted: 1, read_private: 1 });
  });

  test.each([
    ['of others', { untrusted: true, private: false }, { read_untrusted: 1, read_private: 0 }],
    ['of the owner', { untrusted: false, private: true }, { read_untrusted: 0, read_private: 1 }],
  ])('holds a text %s that no tool gave', async (_whose, text, flags) => {
    const { calls, labels } = await outside();
    await calls.read(text, 'notes.md');
    expect(await labels()).toEqual({ ...flags, label_sources: '["notes.md"]' });
  });

  test('is nothing at first, unless the inputs may come from anywhere', async () => {
    const clean = await outside();
    await clean.calls.call('write_note', { text: 'milk' });
    expect(await clean.labels()).toEqual({ read_untrusted: 0, read_private: 0, label_sources: '[]' });
    const open = await outside({ untrusted: 'another program' });
    await open.calls.call('write_note', { text: 'milk' });
    expect(await open.labels()).toEqual({ read_untrusted: 1, read_private: 0, label_sources: '["another program"]' });
  });

  test('is looked up again where that failed', async () => {
    const store = await openTestStore();
    let broken = true;
    const failing = withTransactions(store, (work, options) => {
      if (!broken || options?.relaxed) return store.transaction(work, options);
      broken = false;
      return Promise.reject(new Error('the disk is full'));
    });
    const { calls, labels } = await outside({ untrusted: 'another program' }, { store: failing });
    await expect(calls.call('page', {})).rejects.toThrow('the disk is full');
    expect(await calls.call('page', {})).toMatchObject({ ok: true });
    expect(await labels()).toMatchObject({ read_untrusted: 1, label_sources: '["another program","page"]' });
  });
});
