import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlRun } from '../../testing/sql.ts';
import { changedTool, PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool, type Tool } from '../tool.ts';

const base = {
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
} as const;

const echo = defineTool({
  ...base,
  name: 'say.echo',
  positional: ['text'],
  aliases: { text: ['message'] },
  description: 'Echo.',
  input: z.object({ text: z.string(), times: z.number().int().default(1) }),
  execute: ({ text, times }) => text.repeat(times),
});

/** An outbound tool that counts how often it really acted. */
function sender(act: (text: string) => unknown = (text) => `sent ${text}`) {
  const sent: string[] = [];
  const tool = defineTool({
    ...base,
    name: 'send',
    description: 'Send.',
    input: z.object({ text: z.string() }),
    policy: {
      ...base.policy,
      effect: 'outbound',
      recipient: () => ({ channel: 'discord', address: 'owner', own: true }),
    },
    execute: async ({ text }) => {
      sent.push(text);
      return act(text);
    },
  });
  return { sent, tool };
}

test.each([
  ['say.echo', { text: 'a' }],
  ['say_echo', { text: 'a' }],
  ['sayEcho', { text: 'a' }],
  ['sayEcho', 'a'],
  ['sayEcho', { message: 'a' }],
  ['sayEcho', { input: { text: 'a' } }],
])('%s(%j) reaches the tool', async (name, input) => {
  const scope = await testScope();
  const result = await testToolbox([echo], scope).call(name, input, scope);
  expect(result).toEqual({ ok: true, value: 'a', text: 'a', cached: false, told: { code: 'ok', values: {} } });
  expect(scope.events).toMatchObject([{ type: 'call' }, { type: 'tool', name: 'say.echo', ok: true, preview: 'a' }]);
});

test('a bad input names the field and nothing runs', async () => {
  const scope = await testScope();
  const { sent, tool } = sender();
  const result = await testToolbox([tool], scope).call('send', { text: { a: 1, b: 2 } }, scope);
  expect(result).toMatchObject({
    ok: false,
    told: expect.anything(),
    reason: 'invalid_input',
    error: expect.stringContaining('text:'),
  });
  expect(sent).toEqual([]);
});

test('an unknown tool suggests the nearest', async () => {
  const scope = await testScope();
  const result = await testToolbox([echo], scope).call('saysEchoo', {}, scope);
  expect(result).toEqual({
    ok: false,
    told: expect.anything(),
    reason: 'unknown_tool',
    error: 'Tool "saysEchoo" not found. Did you mean "say_echo"?',
  });
});

test('two names that a model could not tell apart are refused', async () => {
  const twin = { ...echo, name: 'say_echo' } satisfies Tool;
  await expect(async () => testToolbox([echo, twin], await testScope())).rejects.toThrow('say_echo');
});

test('a tool that throws, or hangs past its limit, is a result', async () => {
  const boom = defineTool({
    ...base,
    name: 'boom',
    description: '',
    input: z.object({}),
    execute: () => Promise.reject(new Error('no')),
  });
  const hang = defineTool({
    ...base,
    name: 'hang',
    description: '',
    input: z.object({}),
    timeoutMs: 20,
    execute: () => new Promise(() => {}),
  });
  const scope = await testScope();
  const toolbox = testToolbox([boom, hang], scope);
  expect(await toolbox.call('boom', {}, scope)).toEqual({
    ok: false,
    told: expect.anything(),
    reason: 'failed',
    error: 'boom failed: no',
  });
  expect(await toolbox.call('hang', {}, scope)).toMatchObject({
    ok: false,
    told: expect.anything(),
    reason: 'timeout',
  });
});

test('a cancelled turn runs nothing more', async () => {
  const scope = await testScope({ signal: AbortSignal.abort() });
  const { sent, tool } = sender();
  expect(await testToolbox([tool], scope).call('send', { text: 'a' }, scope)).toMatchObject({
    ok: false,
    told: expect.anything(),
    reason: 'aborted',
  });
  expect(sent).toEqual([]);
});

test('secrets in results and errors are hidden', async () => {
  const leak = defineTool({
    ...base,
    name: 'leak',
    description: '',
    input: z.object({}),
    execute: () => ({ key: `sk-${'a'.repeat(20)}` }),
  });
  const scope = await testScope();
  expect(await testToolbox([leak], scope).call('leak', {}, scope)).toMatchObject({ value: { key: '[secret]' } });
});

test('reading marks the conversation before the model sees the text', async () => {
  const page = defineTool({
    ...base,
    name: 'page',
    description: '',
    input: z.object({ url: z.string() }),
    policy: { ...base.policy, destination: ({ url }) => url },
    provenance: {},
    execute: () => 'text',
  });
  const scope = await testScope();
  await testToolbox([page], scope).call('page', { url: 'https://a.example/' }, scope);
  expect(scope.labels.provenance()).toEqual({ untrusted: true, private: true, sources: ['page https://a.example/'] });
});

test('an equal call after a failure gives the recorded result instead of acting', async () => {
  const scope = await testScope();
  const { sent, tool } = sender();
  const toolbox = testToolbox([tool], scope);
  await toolbox.call('send', { text: 'a' }, scope);
  scope.ledger.rewind();
  const again = await toolbox.call('send', { text: 'a' }, scope);
  const text = 'Done before in this turn and not repeated.\nsent a';
  expect(again).toMatchObject({ ok: true, value: 'sent a', text, cached: true });
  expect(sent).toEqual(['a']);
  expect(scope.events.at(-1)).toMatchObject({ cached: true });
});

test('an equal call that is meant acts again: within one script, and after one that ended well', async () => {
  const scope = await testScope();
  const { sent, tool } = sender();
  const toolbox = testToolbox([tool], scope);
  await toolbox.call('send', { text: 'a' }, scope);
  await toolbox.call('send', { text: 'a' }, scope);
  scope.ledger.settle();
  scope.ledger.rewind();
  await toolbox.call('send', { text: 'a' }, scope);
  expect(sent).toEqual(['a', 'a', 'a']);
});

test('the fallback repeats nothing of the whole turn', async () => {
  const scope = await testScope();
  const { sent, tool } = sender();
  const toolbox = testToolbox([tool], scope);
  await toolbox.call('send', { text: 'a' }, scope);
  scope.ledger.settle();
  await toolbox.call('send', { text: 'b' }, scope);
  scope.ledger.rewindAll();
  await toolbox.call('send', { text: 'b' }, scope);
  await toolbox.call('send', { text: 'a' }, scope);
  expect(sent).toEqual(['a', 'b']);
});

test('a call whose outcome is unknown is not repeated; one that failed is', async () => {
  const scope = await testScope();
  let fail = true;
  const { sent, tool } = sender(() => {
    if (fail) throw new Error('refused');
    return 'ok';
  });
  const toolbox = testToolbox([tool], scope);
  await toolbox.call('send', { text: 'a' }, scope);
  fail = false;
  scope.ledger.rewind();
  expect(await toolbox.call('send', { text: 'a' }, scope)).toMatchObject({ ok: true, cached: false });
  await sqlRun(scope.store, "UPDATE effects SET state = 'intent'");
  scope.ledger.rewind();
  expect(await toolbox.call('send', { text: 'a' }, scope)).toMatchObject({
    ok: false,
    error: expect.stringContaining('outcome is unknown'),
  });
  expect(sent).toEqual(['a', 'a']);
});

test.each([
  ['denied', [], 0],
  ['once', ['a', 'a'], 2],
  ['turn', ['a', 'a'], 1],
  ['always', ['a', 'a'], 1],
] as const)(
  'sending to others needs approval, whatever was read; %s lets %j through with %i questions',
  async (verdict, expected, questions) => {
    const scope = await testScope({ decide: { verdict, by: 'test' } });
    const { sent, tool: own } = sender();
    const tool = changedTool(own, {
      policy: { recipient: async () => ({ channel: 'mail', address: 'bob', own: false }) },
    });
    const toolbox = testToolbox([tool], scope);
    await toolbox.call('send', { text: 'a' }, scope);
    await toolbox.call('send', { text: 'a' }, scope);
    expect(sent).toEqual(expected);
    const asked = scope.events.filter((event) => event.type === 'approval' && event.decision === undefined);
    expect(asked.length).toBe(verdict === 'denied' ? 1 : questions);
  },
);

test('nothing of a local-only project leaves the machine, approved or not', async () => {
  const scope = await testScope();
  const { sent, tool } = sender();
  const web = defineTool({
    ...base,
    name: 'look',
    description: 'Look.',
    input: z.object({}),
    policy: { ...base.policy, network: true },
    execute: () => 'seen',
  });
  const here = changedTool(tool, {
    name: 'say',
    policy: { recipient: async () => ({ channel: 'here', address: 'owner', own: true }) },
  });
  const toolbox = testToolbox([tool, web, here], scope, { isLocalOnly: () => true });
  for (const [name, input] of [
    ['send', { text: 'a' }],
    ['look', {}],
  ] as const) {
    const result = await toolbox.call(name, input, scope);
    expect(result).toMatchObject({
      ok: false,
      told: expect.anything(),
      reason: 'denied',
      error: expect.stringContaining('local only'),
    });
  }
  expect(sent).toEqual([]);
  expect(await toolbox.call('say', { text: 'a' }, scope)).toMatchObject({ ok: true });
});

describe('an input or a result that cannot be walked', () => {
  const nested = (levels: number) => {
    let value: unknown = [];
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const odd = (effect: 'none' | 'local', execute: () => unknown) =>
    defineTool({
      ...PLAIN_TOOL,
      name: 'odd',
      input: z.object({ data: z.unknown() }),
      policy: { ...PLAIN_TOOL.policy, effect },
      execute,
    });

  test('an input that is nested too deeply is refused, and shown as such', async () => {
    const scope = await testScope();
    const toolbox = testToolbox([odd('none', () => 'ran')], scope);
    const result = await toolbox.call('odd', { data: nested(20_000) }, scope);
    expect(result).toMatchObject({
      ok: false,
      told: expect.anything(),
      reason: 'invalid_input',
      error: expect.stringContaining('nested'),
    });
    const input = '(nested too deeply)';
    expect(scope.events).toMatchObject([
      { type: 'call', input },
      { type: 'tool', name: 'odd', ok: false, input },
    ]);
    expect(await toolbox.call('odd', { data: nested(50) }, scope)).toMatchObject({ ok: true });
  });

  test.each([
    ['a big integer', () => 7n],
    ['a cycle', cycle],
    ['too many levels', () => nested(20_000)],
  ])('%s as a result is an error, and after an effect words', async (_name, make) => {
    const scope = await testScope();
    const text = expect.stringMatching(/^odd ran, but its result cannot be passed on: ./u);
    const read = await testToolbox([odd('none', make)], scope).call('odd', { data: 1 }, scope);
    expect(read).toEqual({ ok: false, told: expect.anything(), reason: 'failed', error: text });
    const acted = await testToolbox([odd('local', make)], scope).call('odd', { data: 1 }, scope);
    expect(acted).toMatchObject({ ok: true, value: text, text, cached: false });
    expect(await scope.ledger.list()).toMatchObject([{ state: 'done' }]);
  });

  function cycle(): unknown {
    const loop: unknown[] = [];
    loop.push(loop);
    return loop;
  }
});
