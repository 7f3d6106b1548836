import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { everyItem, listPrompts, listTools } from './listed-tools.ts';

type Page = Readonly<Record<string, unknown>>;

/** A client whose server returns these pages in order, repeating the last one. */
function asked(pages: readonly Page[], capabilities: object | undefined = { prompts: {} }) {
  const requests: unknown[] = [];
  const client = {
    getServerCapabilities: () => capabilities,
    request: async (request: unknown, schema: z.ZodType, options: unknown) => {
      requests.push([request, options]);
      return schema.parse(pages[Math.min(requests.length, pages.length) - 1]);
    },
  };
  return { client: client as unknown as Client, requests };
}

const OPTIONS = { timeoutMs: 5 };
const times = <T>(count: number, each: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => each(index));
const tools = async (list: readonly unknown[]) => listTools(asked([{ tools: list }]).client, OPTIONS);
const names = async (list: readonly unknown[]) => (await tools(list)).map(({ name }) => name);

describe('a list', () => {
  test('is asked for page by page, in time and until the asking ends', async () => {
    const { client, requests } = asked([
      { tools: [1, 2], nextCursor: 'next' },
      { tools: [3], nextCursor: 7 },
    ]);
    const { signal } = new AbortController();
    expect(await everyItem(client, 'tools', { timeoutMs: 5, signal })).toEqual([1, 2, 3]);
    expect(requests).toEqual([
      [
        { method: 'tools/list', params: {} },
        { timeout: 5, signal },
      ],
      [
        { method: 'tools/list', params: { cursor: 'next' } },
        { timeout: 5, signal },
      ],
    ]);
  });

  test('may be empty, and asked for without an end', async () => {
    const { client, requests } = asked([{ resources: [] }]);
    expect(await everyItem(client, 'resources', OPTIONS)).toEqual([]);
    expect(requests).toStrictEqual([[{ method: 'resources/list', params: {} }, { timeout: 5 }]]);
  });

  test.each([{}, { tools: {} }, { tools: 'none' }, { prompts: [] }])('is none in %j', async (page) => {
    const wanted = new Error('its answer to tools/list has no list of tools');
    await expect(everyItem(asked([page]).client, 'tools', OPTIONS)).rejects.toThrow(wanted);
  });

  test('ends with the sixteenth page or has no end', async () => {
    const more = { tools: [1], nextCursor: 'again' };
    const ends = asked([...times(15, () => more), { tools: [1] }]);
    expect(await everyItem(ends.client, 'tools', OPTIONS)).toHaveLength(16);
    const endless = asked([more]);
    const wanted = new Error('its list of tools has no end');
    await expect(everyItem(endless.client, 'tools', OPTIONS)).rejects.toThrow(wanted);
    expect(endless.requests).toHaveLength(16);
  });

  test('of more than a thousand is not asked for more', async () => {
    const pages = (count: number) => asked([{ tools: times(count, () => 1), nextCursor: 'next' }, { tools: [2] }]);
    expect(await everyItem(pages(1000).client, 'tools', OPTIONS)).toHaveLength(1001);
    expect(await everyItem(pages(1001).client, 'tools', OPTIONS)).toHaveLength(1001);
  });

  test('has no more than ten thousand on a page', async () => {
    const { client } = asked([{ tools: times(10_001, () => 1) }]);
    expect(await everyItem(client, 'tools', OPTIONS)).toHaveLength(10_000);
  });
});

describe('a tool', () => {
  const HASH = '99b93d89ae4c39bfef5636c39e59368a00cd96f0978dbfb947cb33e659d35234';

  test('is what its server says of it, by a hash of what a model is told', async () => {
    const [full] = await tools([
      {
        ...{ name: 'say', description: 'Say it.', title: 'Say' },
        ...{ inputSchema: { type: 'object', a: 1 }, outputSchema: { b: 2 } },
        annotations: { destructiveHint: true, readOnlyHint: true },
        execution: { taskSupport: 'optional' },
      },
    ]);
    expect(full).toEqual({
      ...{ name: 'say', description: 'Say it.', inputSchema: { type: 'object', a: 1 }, outputSchema: { b: 2 } },
      ...{ destructive: true, hash: HASH },
    });
  });

  test.each<[what: string, more: object, read: object]>([
    ['nothing', {}, { description: '', inputSchema: { type: 'object' } }],
    ['a description that is no text', { description: 7 }, { description: '', inputSchema: { type: 'object' } }],
    ['fields of any type', { inputSchema: { a: 1 } }, { description: '', inputSchema: { a: 1 } }],
    ['a result that is no schema', { outputSchema: 'text' }, { description: '', inputSchema: { type: 'object' } }],
    ['a hint that is none', { annotations: 'all' }, { description: '', inputSchema: { type: 'object' } }],
    [
      'a hint that says no',
      { annotations: { destructiveHint: false } },
      { description: '', inputSchema: { type: 'object' } },
    ],
    ['a run that is none', { execution: 'any' }, { description: '', inputSchema: { type: 'object' } }],
  ])('of which a server says %s is one', async (_what, more, read) => {
    expect(await tools([{ name: 'say', ...more }])).toStrictEqual([{ name: 'say', ...read, hash: expect.any(String) }]);
  });

  test.each<[what: string, tool: unknown]>([
    ['no object', 7],
    ['no name', { description: 'x' }],
    ['an empty name', { name: '' }],
    ['a name of 129 characters', { name: 'n'.repeat(129) }],
    ['no fields', { name: 'say', inputSchema: { type: 'string' } }],
    ['fields that are none', { name: 'say', inputSchema: 'all' }],
    ['only tasks', { name: 'say', execution: { taskSupport: 'required' } }],
  ])('with %s is left out, and the others are not', async (_what, tool) => {
    expect(await names([tool, { name: 'other' }])).toEqual(['other']);
  });

  test('may have a name of 128 characters', async () => {
    expect(await names([{ name: 'n'.repeat(128) }])).toEqual(['n'.repeat(128)]);
  });

  test('keeps 4000 characters of its description', async () => {
    const [tool] = await tools([{ name: 'say', description: `${'x'.repeat(4000)}y` }]);
    expect(tool?.description).toBe('x'.repeat(4000));
  });

  test('has a schema of at most 50,000 characters; without one for its result it goes', async () => {
    const ofLength = (length: number) => ({ a: 'x'.repeat(length - JSON.stringify({ a: '' }).length) });
    expect(await names([{ name: 'fits', inputSchema: ofLength(50_000) }])).toEqual(['fits']);
    expect(await names([{ name: 'long', inputSchema: ofLength(50_001) }])).toEqual([]);
    const [fits, long] = await tools([
      { name: 'fits', outputSchema: ofLength(50_000) },
      { name: 'long', outputSchema: ofLength(50_001) },
    ]);
    expect([fits?.outputSchema, long?.outputSchema]).toEqual([ofLength(50_000), undefined]);
  });

  test('of a name that was there is not taken', async () => {
    const list = [{ name: 'a', description: 'first' }, { name: 'b' }, { name: 'a', description: 'second' }];
    expect((await tools(list)).map(({ name, description }) => [name, description])).toEqual([
      ['a', 'first'],
      ['b', ''],
    ]);
  });

  test('is one of a thousand at most', async () => {
    expect(await names(times(1003, (index) => ({ name: `t${index}` })))).toEqual(times(1000, (index) => `t${index}`));
  });

  test('is looked at with 24 others before somebody else gets their turn', async () => {
    const others = async (count: number) => {
      let turns = 0;
      setImmediate(() => {
        turns += 1;
      });
      await tools(times(count, (index) => ({ name: `t${index}` })));
      const met = turns;
      await turn();
      return met;
    };
    expect([await others(24), await others(25)]).toEqual([0, 1]);
  });
});

describe('a prompt', () => {
  const prompts = async (list: readonly unknown[]) => listPrompts(asked([{ prompts: list }]).client, OPTIONS);

  test('is what its server says of it', async () => {
    const given = {
      ...{ name: 'weather', description: 'Of a city.', title: 'Weather' },
      arguments: [{ name: 'city', required: true, description: 'Where' }, { name: 'day' }],
    };
    expect(await prompts([given])).toMatchObject([
      {
        ...{ name: 'weather', description: 'Of a city.' },
        arguments: [
          { name: 'city', required: true },
          { name: 'day', required: false },
        ],
      },
    ]);
  });

  test.each([{}, { description: 7, arguments: 'all' }, { arguments: [{ name: '' }] }, { arguments: [{}] }])(
    'of which a server says %j is one without more',
    async (more) => {
      expect(await prompts([{ name: 'weather', ...more }])).toEqual([
        { name: 'weather', description: '', arguments: [] },
      ]);
    },
  );

  test('has names that are not too long, or is left out', async () => {
    const argument = (length: number) => ({ name: 'p', arguments: [{ name: 'a'.repeat(length) }] });
    const [fits, long, ...none] = await prompts([
      argument(64),
      argument(65),
      { name: 'p'.repeat(129) },
      { name: '' },
      7,
    ]);
    expect([fits?.arguments.length, long?.arguments.length, none]).toEqual([1, 0, []]);
    expect(await prompts([{ name: 'p'.repeat(128) }])).toHaveLength(1);
  });

  test('keeps 4000 characters of its description, and is one of a hundred', async () => {
    const found = await prompts(times(101, () => ({ name: 'p', description: `${'x'.repeat(4000)}y` })));
    expect(found).toHaveLength(100);
    expect(found[0]?.description).toBe('x'.repeat(4000));
  });

  test.each([undefined, {}, { tools: {} }])('is not asked for where a server has %j', async (capabilities) => {
    const { client, requests } = asked([{ prompts: [{ name: 'p' }] }], capabilities ?? {});
    if (!capabilities) client.getServerCapabilities = () => undefined;
    expect([await listPrompts(client, OPTIONS), requests]).toEqual([[], []]);
  });
});
