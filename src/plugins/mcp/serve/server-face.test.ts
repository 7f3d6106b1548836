import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import * as sdk from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { ToolResult } from '../../../tools/gate/types.ts';
import { defineTool } from '../../../tools/tool.ts';
import { type Served, type ServedDocument, serverFace } from './server-face.ts';

const SEARCHED = 'wooster://search?q=';

/** What is served unless a test says otherwise; requests are recorded. */
function served(more: Partial<Served> = {}) {
  const asked: unknown[] = [];
  const what: Served = {
    ...{ version: '1.2.3', project: 'trip to/Rome', prompts: [] },
    tools: async () => [],
    async call(name, input, signal) {
      asked.push([name, input, signal instanceof AbortSignal]);
      return { ok: true, text: 'done', value: undefined } as unknown as ToolResult;
    },
    documents: async () => [],
    async read(path, signal) {
      asked.push([path, signal instanceof AbortSignal]);
      return path === 'none' ? undefined : `text of ${path}`;
    },
    async search(query, signal) {
      asked.push([query, signal instanceof AbortSignal]);
      return `about ${query}`;
    },
    redact: (text) => text.replaceAll('secret', '[secret]'),
    ...more,
  };
  return { what, asked };
}

/** A connected client. */
async function other(what: Served): Promise<Client> {
  const [theirs, ours] = InMemoryTransport.createLinkedPair();
  const server = serverFace(what, sdk);
  const client = new Client({ name: 'other', version: '1' });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  await server.connect(ours as never);
  await client.connect(theirs);
  return client;
}

const plain = (fields: object) => z.object(fields as z.ZodRawShape);

test('another program is told who we are', async () => {
  const client = await other(served().what);
  expect(client.getServerVersion()).toEqual({ name: 'wooster', version: '1.2.3' });
  expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
  expect(client.getInstructions()).toBe(
    'Wooster, the owner\'s personal assistant; its project is "trip to/Rome". ' +
      'A call that needs the owner waits as a proposal: tell them its id, and do not repeat it.',
  );
});

describe('tools', () => {
  const next = defineTool({
    name: 'tides.next',
    description: 'Say when.',
    ...{ input: plain({ kind: z.string() }), output: plain({ at: z.string() }), execute: () => ({ at: '' }) },
    policy: { effect: 'none', network: true },
  });
  const forget = defineTool({
    name: 'forget',
    description: 'Forget it.',
    ...{ input: plain({}), output: z.string(), execute: () => '' },
    policy: { effect: 'local', change: 'delete' },
  });
  const keep = defineTool({
    name: 'keep',
    description: 'Keep it.',
    ...{ input: plain({}), execute: () => '' },
    policy: { effect: 'local', change: 'overwrite' },
    durability: { versioned: true },
  });
  const mail = defineTool({
    name: 'mail',
    description: 'Mail it.',
    ...{ input: plain({}), execute: () => '' },
    policy: { effect: 'outbound' },
  });

  test('are listed by what they take, give and do', async () => {
    const { tools } = await (await other(served({ tools: async () => [next, forget, keep, mail] }).what)).listTools();
    const hints = (readOnlyHint: boolean, destructiveHint: boolean, openWorldHint: boolean) => ({
      annotations: { readOnlyHint, destructiveHint, openWorldHint },
    });
    expect(tools).toMatchObject([
      { name: 'tides_next', description: 'Say when.', ...hints(true, false, true) },
      { name: 'forget', description: 'Forget it.', ...hints(false, true, false) },
      { name: 'keep', ...hints(false, false, false) },
      { name: 'mail', ...hints(false, true, true) },
    ]);
    const kind = { type: 'string' };
    expect(tools[0]?.inputSchema).toEqual({ type: 'object', properties: { kind }, required: ['kind'] });
    expect(tools[0]?.outputSchema).toMatchObject({ type: 'object', properties: { at: kind }, required: ['at'] });
    expect(tools[0]?.outputSchema).not.toHaveProperty('$schema');
    expect(tools.slice(1).map(({ outputSchema }) => outputSchema)).toEqual([undefined, undefined, undefined]);
  });

  test.each<[what: string, name: string, result: object, answer: object]>([
    [
      'fields where it says so',
      'tides_next',
      { ok: true, text: '14:05', value: { at: '14:05' } },
      { content: [{ type: 'text', text: '14:05' }], structuredContent: { at: '14:05' } },
    ],
    [
      'text where it gives no fields',
      'forget',
      { ok: true, text: 'gone', value: { a: 1 } },
      { content: [{ type: 'text', text: 'gone' }] },
    ],
    [
      'text where it says nothing',
      'keep',
      { ok: true, text: 'kept', value: { a: 1 } },
      { content: [{ type: 'text', text: 'kept' }] },
    ],
    [
      'what went wrong',
      'mail',
      { ok: false, error: 'nobody there' },
      { content: [{ type: 'text', text: 'nobody there' }], isError: true },
    ],
    [
      'what went wrong, of a tool that is not there',
      'none',
      { ok: false, error: 'not found' },
      { content: [{ type: 'text', text: 'not found' }], isError: true },
    ],
  ])('give %s', async (_what, name, result, answer) => {
    const tools = async () => [next, forget, keep, mail];
    const client = await other(served({ tools, call: async () => result as ToolResult }).what);
    expect(await client.callTool({ name, arguments: { kind: 'low' } })).toStrictEqual(answer);
  });

  test('are called by our gate, also without fields', async () => {
    const { what, asked } = served({ tools: async () => [next] });
    const client = await other(what);
    await client.callTool({ name: 'keep', arguments: { a: 1 } });
    await client.callTool({ name: 'keep' });
    expect(asked).toEqual([
      ['keep', { a: 1 }, true],
      ['keep', {}, true],
    ]);
  });
});

describe('documents', () => {
  const many = (count: number): ServedDocument[] =>
    Array.from({ length: count }, (_, index) => ({ path: `d${index}`, bytes: index }));

  test('are listed by an address that finds them again', async () => {
    const { what, asked } = served({ documents: async () => [{ path: 'a b/ü#.md', bytes: 7 }] });
    const client = await other(what);
    const uri = 'wooster://documents/trip%20to%2FRome/a%20b/%C3%BC%23.md';
    const { resources } = await client.listResources();
    expect(resources).toEqual([{ uri, name: 'a b/ü#.md', size: 7, mimeType: 'text/plain' }]);
    expect(await client.readResource({ uri })).toEqual({
      contents: [{ uri, mimeType: 'text/plain', text: 'text of a b/ü#.md' }],
    });
    expect(asked).toEqual([['a b/ü#.md', true]]);
  });

  test.each<[count: number, cursor: string, names: readonly string[], next: string | undefined]>([
    [201, '0', ['d0', 'd199'], '200'],
    [200, '0', ['d0', 'd199'], undefined],
    [401, '200', ['d200', 'd399'], '400'],
    [201, '200', ['d200', 'd200'], undefined],
    [3, '-1', ['d0', 'd2'], undefined],
    [3, '0.5', ['d0', 'd2'], undefined],
    [3, 'x', ['d0', 'd2'], undefined],
  ])('of %i from %s on are listed two hundred at a time', async (count, cursor, names, next) => {
    const client = await other(
      served({ documents: async ({ from, most }) => many(count).slice(from, from + most) }).what,
    );
    const { resources, nextCursor } = await client.request({ method: 'resources/list', params: { cursor } });
    expect([[resources[0]?.name, resources.at(-1)?.name], nextCursor]).toEqual([names, next]);
  });

  test('are searched by words', async () => {
    const { what, asked } = served();
    const client = await other(what);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      {
        ...{ uriTemplate: 'wooster://search{?q}', name: 'search', mimeType: 'text/plain' },
        description: 'Passages of the documents that some words are about, with citations.',
      },
    ]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read(`${SEARCHED}secret%20boats`)).toMatchObject({ text: 'about [secret] boats' });
    expect(await read('wooster://search')).toMatchObject({ text: 'about ' });
    expect(asked).toEqual([
      ['secret boats', true],
      ['', true],
    ]);
  });

  test('with half an escape in their name are looked for by it', async () => {
    const { what, asked } = served();
    await (await other(what)).readResource({ uri: 'wooster://documents/trip%20to%2FRome/100%/a%20b' });
    expect(asked).toEqual([['100%/a b', true]]);
  });

  test.each([
    'wooster://documents/trip%20to%2FRome/none',
    'wooster://documents/other/a.md',
    'wooster://else/a',
    'https://search/?q=a',
    'no address',
  ])('%s is not there', async (uri) => {
    await expect((await other(served().what)).readResource({ uri })).rejects.toThrow(uri);
  });

  test('that cannot be read are told without a secret', async () => {
    const search = () => Promise.reject(new Error('no secret here'));
    const client = await other(served({ search }).what);
    await expect(client.readResource({ uri: `${SEARCHED}a` })).rejects.toThrow('no [secret] here');
  });
});

describe('prompts', () => {
  const given: unknown[] = [];
  const weather = {
    ...{ name: 'weather', description: 'Of a city.' },
    arguments: [{ name: 'city', description: 'Where', required: true }],
    async text(values: Readonly<Record<string, string>>, signal: AbortSignal) {
      given.push([values, signal instanceof AbortSignal]);
      if (values.city === 'none') throw new Error('no secret city');
      return `The secret weather of ${values.city}?`;
    },
  };

  test('are listed and made of their arguments', async () => {
    const client = await other(served({ prompts: [weather] }).what);
    const { text: _text, ...listed } = weather;
    expect((await client.listPrompts()).prompts).toEqual([listed]);
    expect(await client.getPrompt({ name: 'weather', arguments: { city: 'Oslo' } })).toEqual({
      description: 'Of a city.',
      messages: [{ role: 'user', content: { type: 'text', text: 'The [secret] weather of Oslo?' } }],
    });
    await client.getPrompt({ name: 'weather' });
    expect(given).toEqual([
      [{ city: 'Oslo' }, true],
      [{}, true],
    ]);
  });

  test('that are not there, or fail, are told of', async () => {
    const client = await other(served({ prompts: [weather] }).what);
    await expect(client.getPrompt({ name: 'tides' })).rejects.toThrow('there is no prompt tides');
    const failing = client.getPrompt({ name: 'weather', arguments: { city: 'none' } });
    await expect(failing).rejects.toThrow('no [secret] city');
  });
});
