import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as lib from './runtime.ts';
import { storeSettings } from './testing/stores.ts';

const { z } = lib;
/** One assistant for all tests: opening it is what takes time. */
const home = mkdtempSync(join(tmpdir(), 'wooster-'));
const env = { ROUTING_LOCAL_ENABLED: 'false', ...storeSettings(home) };

type Reply = { readonly call: [string, Record<string, unknown>] } | string | ((options: lib.CompleteOptions) => Reply);
let replies: Reply[] = [];
let requests: lib.CompleteOptions[] = [];

/** A provider of one's own that plays a script. */
const scripted: lib.ModelProvider = {
  async complete(options) {
    requests.push(options);
    const next = replies.shift() ?? 'the script is over';
    const reply = typeof next === 'function' ? next(options) : next;
    const usage = { inputTokens: 10, outputTokens: 5 };
    if (typeof reply === 'string') return { data: reply, usage, model: 'm' };
    if (typeof reply === 'function') throw new TypeError('one level of functions');
    const [name, input] = reply.call;
    return {
      data: '',
      usage,
      model: 'm',
      toolCalls: [{ id: `c${requests.length}`, name, input }],
      stopReason: 'tool_use',
    };
  },
};

lib.init({ provider: scripted, home, env });
afterAll(async () => {
  await lib.close();
  rmSync(home, { recursive: true, force: true });
});

function play(...script: Reply[]): void {
  replies = script;
  requests = [];
}

const ANSWER = z.object({ text: z.string(), sources: z.array(z.string()) });
const searchDocs = lib.defineTool({
  name: 'searchDocs',
  description: 'Search internal documentation',
  input: z.object({ query: z.string() }),
  execute: async ({ query }) => ({ found: `about ${query}` }),
});
const search: Reply = { call: ['searchDocs', { query: 'boats' }] };
const answer: Reply = { call: ['answer', { text: 'Boats float.', sources: ['docs'] }] };

test('a tool without labels has the most careful ones, and JSON Schema will do', async () => {
  const input = {
    type: 'object',
    properties: { a: { type: 'number' } },
    required: ['a'],
    not: { properties: { a: { const: 2 } } },
  };
  const got: unknown[] = [];
  const execute = (given: unknown) => void got.push(given);
  const tool = lib.defineTool({ name: 'careful', description: '', input, execute });
  expect(tool).toMatchObject({
    policy: { effect: 'outbound' },
  });
  for (const given of [{ a: 'x' }, { a: 2 }, { a: 1 }]) {
    play({ call: ['careful', given] }, answer);
    await lib.agent({ prompt: 'p', tools: [tool], ...lib.zodSchema(ANSWER) });
  }
  expect(got).toEqual([{ a: 1 }]);
  expect(JSON.stringify(requests[0]?.tools?.[0])).toContain('"required":["a"]');
  const broken = lib.defineTool({ name: 'broken', description: '', input: { type: 'string' }, execute });
  const refused = lib.agent({ prompt: 'p', tools: [broken], ...lib.zodSchema(ANSWER) });
  await expect(refused).rejects.toThrow('The tool "broken" cannot be used: it takes string, not an object with fields');
});

test('an agent calls its tools, and only those, and its answer has the type', async () => {
  play(search, answer);
  const seen: string[] = [];
  const result = await lib.agent({
    prompt: 'Answer using our docs',
    tools: [searchDocs],
    context: { customer: 'Ann' },
    ...lib.zodSchema(ANSWER),
    onToolCall: ({ name }) => seen.push(`call ${name}`),
    onToolResult: ({ output }) => seen.push(JSON.stringify(output)),
  });
  expect(result).toMatchObject({
    data: { text: 'Boats float.', sources: ['docs'] },
    turns: 2,
    totalUsage: { inputTokens: 20, outputTokens: 10 },
    toolCallHistory: [{ call: { name: 'searchDocs', input: { query: 'boats' } }, result: { isError: false } }],
  });
  expect(seen).toEqual(['call searchDocs', '{"found":"about boats"}']);
  expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['searchDocs', 'answer']);
  expect(requests[0]?.systemPrompt).toContain('"customer": "Ann"');
  expect(JSON.stringify(requests[1]?.messages)).toContain('about boats');
});

test('words of the right form will do; others go back once', async () => {
  play('{"text":"a","sources":[]}');
  expect(await lib.agent({ prompt: 'p', ...lib.zodSchema(ANSWER) })).toMatchObject({ data: { text: 'a' }, turns: 1 });
  play('Boats float.', '{"text":"Boats float.","sources":[]}');
  expect(await lib.agent({ prompt: 'p', ...lib.zodSchema(ANSWER) })).toMatchObject({ data: { text: 'Boats float.' } });
  expect(JSON.stringify(requests[1]?.messages)).toContain('Call answer with the whole answer');
  play('Boats float.', 'They do.');
  await expect(lib.agent({ prompt: 'p', ...lib.zodSchema(ANSWER) })).rejects.toMatchObject({ name: 'SchemaViolation' });
});

test.each([
  ['classic_tools', { call: ['answer', { n: 3 }] }, { call: ['answer', { n: 4 }] }],
  ['classic_tools', '{"n":3}', '{"n":4}'],
  ['code_agent', '```js\nfinalAnswer({ n: 3 });\n```', '```js\nfinalAnswer({ n: 4 });\n```'],
] as const)('what no schema can say is said once as well: %s %j', async (mode, wrong, right) => {
  const even = z.object({ n: z.int().refine((n) => n % 2 === 0, 'must be even') });
  play(wrong as Reply, right as Reply);
  expect(await lib.agent({ prompt: 'p', mode, ...lib.zodSchema(even) })).toMatchObject({ data: { n: 4 } });
  expect(JSON.stringify(requests[1])).toContain('must be even');
});

test('in code mode a script calls the same tools', async () => {
  play("```js\nconst r = await searchDocs({ query: 'boats' });\nfinalAnswer({ text: r.found, sources: [] });\n```");
  const result = await lib.agent({ prompt: 'p', tools: [searchDocs], mode: 'code_agent', ...lib.zodSchema(ANSWER) });
  expect(result).toMatchObject({ data: { text: 'about boats', sources: [] }, turns: 1 });
  expect(result.toolCallHistory.map(({ call }) => call.name)).toEqual(['searchDocs']);
});

test('an agent that never stops calling tools is stopped', async () => {
  let count = 0;
  play(...Array.from({ length: 9 }, (): Reply => ({ call: ['searchDocs', { query: String(count++) }] })));
  const asked = lib.agent({ prompt: 'p', tools: [searchDocs], maxTurns: 3 });
  await expect(asked).rejects.toMatchObject({ name: 'AgentMaxTurnsError', maxTurns: 3, actualTurns: 3 });
  expect(requests).toHaveLength(3);
});

test('the failure of a tool goes to the model first', async () => {
  const broken = lib.defineTool({
    name: 'broken',
    description: 'Breaks',
    input: z.object({}),
    execute: async () => Promise.reject(new Error('no such shelf')),
  });
  play({ call: ['broken', {}] }, 'It is broken.');
  const { data, toolCallHistory } = await lib.agent({ prompt: 'p', tools: [broken] });
  expect(data).toContain('It is broken.');
  expect(toolCallHistory[0]?.result).toMatchObject({ isError: true });
  expect(JSON.stringify(requests[1]?.messages)).toContain('no such shelf');
});

test('guards count for the answer, and a retry says why', async () => {
  play('short', 'long enough');
  const guards = [{ name: 'length', constraint: 8, rangeEnd: 50 }];
  expect(await lib.agent({ prompt: 'p', guards, retryCount: 2 })).toMatchObject({ data: 'long enough' });
  expect(JSON.stringify(requests[1])).toContain('refused');
});

test('an abort ends a tool that is running', async () => {
  const stop = new AbortController();
  const slow = lib.defineTool({
    name: 'slow',
    description: 'Waits',
    input: z.object({}),
    execute: (_, { signal }) =>
      new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
  });
  play({ call: ['slow', {}] });
  const asked = lib.agent({
    prompt: 'p',
    tools: [slow],
    abortSignal: stop.signal,
    onToolCall: () => stop.abort(new Error('enough')),
  });
  await expect(asked).rejects.toThrow('enough');
});

test('built-in tools have the names that programs use, and stay behind the gate', async () => {
  play({ call: ['writeFile', { path: 'a.txt', content: 'hi' }] }, { call: ['readFile', { path: 'a.txt' }] }, 'read');
  const { toolCallHistory } = await lib.agent({ prompt: 'p', tools: [lib.writeFile, lib.readFile] });
  expect(toolCallHistory.map(({ call, result }) => [call.name, result.isError])).toEqual([
    ['writeFile', false],
    ['readFile', false],
  ]);
  play(
    { call: ['fetchUrl', { url: 'http://127.0.0.1:1/' }] },
    { call: ['readFile', { path: '../../etc/passwd' }] },
    'no',
  );
  const refused = await lib.agent({ prompt: 'p', tools: [lib.fetchUrl, lib.readFile] });
  expect(refused.toolCallHistory.every(({ result }) => result.isError)).toBe(true);
});

test('somebody who is asked may refuse a tool without labels', async () => {
  play(search, 'refused');
  const approve = async () => ({ verdict: 'denied', by: 'me' }) as const;
  const { toolCallHistory } = await lib.agent({ prompt: 'p', tools: [searchDocs], approve });
  expect(toolCallHistory[0]?.result.isError).toBe(true);
});
