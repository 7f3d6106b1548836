import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../base/log.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import type { Running } from '../running.ts';
import { answerRequest } from './answer-request.ts';

const { signal } = new AbortController();

/** A plugin "moon" with these tools answers. */
async function answer(method: string, params: unknown, tools: readonly Tool[] = []) {
  const running = { plugin: { name: 'moon', version: '1.2.3' }, tools } as unknown as Running;
  return answerRequest({ running, timeZone: 'Europe/Oslo', log: silentLog }, { method, params }, signal);
}

const phase = (execute: (input: unknown, context: ToolContext) => unknown = () => 'full', name = 'moon.phase') =>
  defineTool({
    name,
    description: 'How full it is.',
    input: z.object({ day: z.int(), at: z.object({ hour: z.int() }).optional() }),
    policy: { effect: 'none' },
    execute: execute as never,
  });

test('it is greeted in the version that was asked for', async () => {
  expect(await answer('initialize', { protocolVersion: '2025-06-18' })).toEqual({
    ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
    serverInfo: { name: 'moon', version: '1.2.3' },
  });
  expect(await answer('initialize', undefined)).toMatchObject({ capabilities: { tools: {} } });
});

test('it lives', async () => {
  expect(await answer('ping', undefined)).toEqual({});
});

test.each(['resources/list', 'tools', ''])('it has no method %j', async (method) => {
  await expect(answer(method, {})).rejects.toThrow(new Error(`there is no method ${method}`));
});

test('its tools are listed by their names without its own, and by what they take and do', async () => {
  const other = defineTool({
    name: 'moonrise',
    description: 'When it rises.',
    ...{ input: z.object({}), execute: () => 'soon' },
    policy: { effect: 'local' },
  });
  const { tools } = (await answer('tools/list', {}, [phase(), other])) as { tools: Record<string, unknown>[] };
  expect(tools).toMatchObject([
    {
      ...{ name: 'phase', description: 'How full it is.', annotations: { readOnlyHint: true } },
      inputSchema: { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] },
    },
    { name: 'moonrise', description: 'When it rises.', annotations: { readOnlyHint: false } },
  ]);
  expect(tools[0]?.inputSchema).not.toHaveProperty('$schema');
});

describe('a call', () => {
  const call = (params: unknown, tool = phase()) => answer('tools/call', params, [tool]);
  const run = (execute: (input: unknown, context: ToolContext) => unknown) =>
    call({ name: 'phase', arguments: { day: 3 } }, phase(execute));
  const said = (text: string) => [{ type: 'text', text }];

  test.each<[what: string, value: unknown, answered: object]>([
    ['a text', 'full', { content: said('full') }],
    ['fields', { percent: 21 }, { content: said('{"percent":21}'), structuredContent: { percent: 21 } }],
    ['a list', [1, 2], { content: said('[1,2]') }],
    ['a number', 7, { content: said('7') }],
    ['nothing', undefined, { content: said('') }],
  ])('that gives %s', async (_what, value, answered) => {
    expect(await run(async () => value)).toStrictEqual(answered);
  });

  test('that throws has failed with its words', async () => {
    const failed = { isError: true, content: said('clouds') };
    expect(await run(() => Promise.reject(new Error('clouds')))).toEqual(failed);
  });

  test('with other fields than it takes has failed, each with what is wrong', async () => {
    const { isError, content } = (await call({ name: 'phase', arguments: { at: { hour: 'one' } } })) as {
      isError: boolean;
      content: { text: string }[];
    };
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^day: [^;]+; at\.hour: [^;]+$/u)]);
    expect(await call({ name: 'phase', arguments: 7 })).toMatchObject({
      content: [{ text: expect.stringMatching(/^input: /u) }],
    });
    expect(await call({ name: 'phase' })).toMatchObject({ content: [{ text: expect.stringMatching(/^day: /u) }] });
  });

  test.each([
    [{ name: 'moon.phase' }, 'moon.phase'],
    [{}, 'undefined'],
    [7, 'undefined'],
  ])('of what is not there is refused: %j', async (params, name) => {
    await expect(call(params)).rejects.toThrow(new Error(`there is no tool ${name}`));
  });

  test('learns nothing of the conversation', async () => {
    const seen: unknown[] = [];
    await run((input, context) => void seen.push(input, context));
    const [input, { now, holds: _, isSaid: __, voiceOf: ___, ...context }] = seen as [unknown, ToolContext];
    expect([input, context]).toEqual([
      { day: 3 },
      {
        turn: { id: '', conversationId: '', text: '', origin: 'mcp', mode: 'classic_tools', project: '' },
        ...{ signal, log: silentLog, said: [], untrusted: true, timeZone: 'Europe/Oslo' },
      },
    ]);
    expect(now()).toBeInstanceOf(Date);
  });
});
