import { expect, test } from 'vitest';
import { z } from 'zod';
import { createScriptExtensions } from '../../sandbox/script-extensions.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import { type BuiltInDeps, builtInFunctions } from './built-in-functions.ts';
import type { PickModel } from './llm.ts';
import { nameTools } from './names.ts';
import { ScriptOutput } from './script-output.ts';

const QUERY = defineTool({
  ...PLAIN_TOOL,
  name: 'query_rag',
  functionName: 'queryRAG',
  description: `Search the documents. ${'Then use write_note. '.repeat(20)}`,
  input: z.object({ query: z.string(), k: z.int().default(5) }),
  execute: () => '',
});
const LOG = defineTool({ ...PLAIN_TOOL, name: 'log', description: 'Keep a log.', execute: () => '' });
const NAMED = nameTools([QUERY, WRITE_NOTE, LOG]);
const SHORT = `Search the documents. ${'Then use writeNote. '.repeat(5)}Then use writeNote.`;

function open(more: Partial<BuiltInDeps> = {}) {
  const lines: string[] = [];
  const functions = builtInFunctions({
    pick: (() => Promise.reject(new Error('no model'))) as PickModel,
    registry: createScriptExtensions(),
    output: undefined,
    tools: () => NAMED,
    find: (name) => NAMED.find(({ tool, plain }) => tool.name === name || plain === name)?.tool,
    hasArtifacts: false,
    callTool: async () => null,
    redact: (text) => text.replaceAll('hunter2', '[secret]'),
    log: (line) => lines.push(line),
    ...more,
  });
  const call = (name: string, ...args: readonly unknown[]) =>
    functions.get(name)?.act(args, new AbortController().signal);
  return { functions, call, lines };
}

test('a script has functions of its own, and more where it may speak and keep', () => {
  const figures = ['daysBetween', 'addDays', 'sum'];
  const own = ['discoverTools', 'toolSchema', 'parallel', 'sleep', 'parseUrl', ...figures, 'llm', 'llmJson'];
  expect([...open().functions.keys()]).toEqual(own);
  const more = open({ output: new ScriptOutput(() => {}), hasArtifacts: true });
  const kinds = [...more.functions].map(([name, { kind, network }]) => [name, kind, network ?? false]);
  expect(kinds).toEqual([
    ...own.map((name) => [name, name === 'parallel' ? 'batch' : 'value', name.startsWith('llm')]),
    ['output', 'fire', false],
    ['finalAnswer', 'fire', false],
    ['complete', 'value', false],
    ['done', 'fire', false],
    ['storeArtifact', 'value', false],
    ['getArtifact', 'value', false],
    ['listArtifacts', 'value', false],
  ]);
});

test('figures are worked out: days between dates, a date so many days later, exact sums', () => {
  const { call } = open();
  expect(call('daysBetween', '2026-11-01', '2027-01-02')).toBe(62);
  expect(call('addDays', '2026-11-01', 9)).toBe('2026-11-10');
  expect(call('sum', [0.1, 0.2])).toBe(0.3);
  expect(call('sum', 1, 2)).toBe(3);
  expect(() => call('sum', ['a'])).toThrow('"a" is no number');
});

test('functions of plugins get the arguments as they were given', () => {
  const registry = createScriptExtensions();
  registry.addFunction('join', (...words) => words.join('+'));
  registry.addFunction('sleep', () => 'taken');
  registry.addFunction('await', () => 'no name');
  const { functions, call } = open({ registry });
  expect([call('join', 'a', 'b'), functions.get('join')?.kind]).toEqual(['a+b', 'value']);
  expect([functions.has('await'), functions.size]).toEqual([false, 11]);
  expect(call('parallel')).toBeUndefined();
});

test('all tools are listed, or those that some words are about', () => {
  const query = {
    id: 'query_rag',
    name: 'queryRAG',
    signature: 'queryRAG({ query, k?: number }): unknown',
    description: SHORT,
  };
  const note = {
    id: 'write_note',
    name: 'writeNote',
    signature: 'writeNote(text): unknown',
    description: 'Append a note.',
  };
  const log = { id: 'log', name: 'tools["log"]', signature: 'tools["log"](): unknown', description: 'Keep a log.' };
  const { call } = open();
  expect(call('discoverTools')).toEqual([query, note, log]);
  expect(call('discoverTools', ' \n')).toEqual([query, note, log]);
  expect(call('discoverTools', 3)).toEqual([query, note, log]);
  expect(call('discoverTools', 'keep a log')).toEqual([log]);
  expect(call('discoverTools', 'note in documents')).toEqual([note, query]);
  expect(call('discoverTools', 'rocket')).toEqual([]);
});

test('a search also finds what a field is described with, and tells it', () => {
  const input = z.object({ x: z.string().describe('brightness of the lamp') });
  const lights = defineTool({
    ...PLAIN_TOOL,
    name: 'frobnicate',
    description: 'Turns it on.',
    input,
    execute: () => '',
  });
  const { call } = open({ tools: () => [...NAMED, ...nameTools([lights])], find: () => lights });
  expect(call('discoverTools', 'brightness')).toEqual([
    {
      ...{ id: 'frobnicate', name: 'frobnicate', signature: 'frobnicate({ x }): unknown' },
      description: 'Turns it on. `x`: brightness of the lamp',
    },
  ]);
  expect(call('toolSchema', 'frobnicate')).toMatchObject({
    ...{ description: 'Turns it on.', properties: { x: { description: 'brightness of the lamp' } } },
  });
});

test('a search gives all tools that fit', () => {
  const many = Array.from({ length: 25 }, (_, index) =>
    defineTool({ ...PLAIN_TOOL, name: `page_${index}`, execute: () => '' }),
  );
  const { call } = open({ tools: () => nameTools(many) });
  expect([(call('discoverTools', 'page') as unknown[]).length, (call('discoverTools') as unknown[]).length]).toEqual([
    ...[25, 25],
  ]);
});

test('the schema of a tool is told, and for a wrong name the nearest one', () => {
  const { call } = open();
  expect(call('toolSchema', 'queryRAG')).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: expect.stringMatching(/^Search the documents\. Then use writeNote\./u),
    type: 'object',
    properties: { query: { type: 'string' }, k: expect.objectContaining({ type: 'integer', default: 5 }) },
    required: ['query'],
  });
  expect(() => call('toolSchema', 'writNote')).toThrow(
    new Error('Tool "writNote" not found. Did you mean "writeNote"?'),
  );
  expect(() => call('toolSchema', 'query_rog')).toThrow(
    new Error('Tool "query_rog" not found. Did you mean "query_rag"?'),
  );
  expect(() => call('toolSchema', 'lag')).toThrow(new Error('Tool "lag" not found. Did you mean "log"?'));
  expect(() => call('toolSchema', 'rocket')).toThrow(new Error('Tool "rocket" not found.'));
  expect(() => call('toolSchema')).toThrow(new Error('Tool "undefined" not found.'));
});

test('the schema of a tool is told where a field has a type of its own', () => {
  const day = defineTool({ ...PLAIN_TOOL, name: 'day', input: z.object({ at: z.date() }), execute: () => '' });
  const schema = open({ find: () => day }).call('toolSchema', 'day');
  expect(schema).toMatchObject({ type: 'object', properties: { at: {} } });
});

test.each([['1'], [undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])('nobody sleeps for %s', async (ms) => {
  await expect(open().call('sleep', ms)).rejects.toThrow(new TypeError('sleep(ms): ms must be a number'));
});

test('sleep ends at once where nothing is left, and with its script', async () => {
  expect(await open().call('sleep', -5)).toBeUndefined();
  const sleep = open().functions.get('sleep');
  await expect(sleep?.act([600_001], AbortSignal.abort(new Error('over')))).rejects.toThrow('aborted');
});

test('the parts of a URL are read', () => {
  expect(open().call('parseUrl', 'https://example.org:8080/a/b?x=1&y=2#top')).toEqual({
    href: 'https://example.org:8080/a/b?x=1&y=2#top',
    protocol: 'https:',
    hostname: 'example.org',
    port: '8080',
    pathname: '/a/b',
    search: '?x=1&y=2',
    hash: '#top',
    origin: 'https://example.org:8080',
    query: { x: '1', y: '2' },
  });
  expect(() => open().call('parseUrl', 'no url')).toThrow('Invalid URL');
});

test('what a script says has no secrets, and only its first answer counts', () => {
  const shown: string[] = [];
  const output = new ScriptOutput((text) => shown.push(text));
  const { call, lines } = open({ output });
  call('output', 'it is hunter2');
  call('output', { word: 'hunter2' });
  call('finalAnswer', 'hunter2!');
  expect([shown, output.answer, lines]).toEqual([['it is [secret]', '{\n  "word": "hunter2"\n}'], '[secret]!', []]);
  call('finalAnswer', 'two');
  call('complete', { response: 'three' });
  call('done');
  expect([output.answer, lines]).toEqual([
    '[secret]!',
    [
      'finalAnswer was refused: the turn has already ended',
      'complete was refused: the turn has already ended',
      'done was refused: the turn has already ended',
    ],
  ]);
});

test.each([
  ['done', [], 'one'],
  ['complete', [{ response: 'two' }], 'two'],
])('%s ends a turn', (name, args, answer) => {
  const output = new ScriptOutput(() => {});
  const { call, lines } = open({ output });
  call('output', 'one');
  call(name, ...args);
  expect([output.answer, lines]).toEqual([answer, []]);
});

test('values are kept and read by the tools for it', async () => {
  const calls: unknown[] = [];
  const { call } = open({
    hasArtifacts: true,
    callTool: async (id, input) => {
      calls.push([id, input]);
      return id === 'artifact.store' ? { id: 'a1' } : [id];
    },
  });
  expect(await call('storeArtifact', [1], 'numbers')).toBe('a1');
  expect(await call('storeArtifact', [1])).toBe('a1');
  expect(await call('getArtifact', 'a1')).toEqual(['artifact.get']);
  expect(await call('listArtifacts', 'all')).toEqual(['artifact.list']);
  expect(calls).toEqual([
    ['artifact.store', { data: [1], description: 'numbers' }],
    ['artifact.store', { data: [1] }],
    ['artifact.get', { id: 'a1' }],
    ['artifact.list', {}],
  ]);
});

function model(...replies: readonly string[]) {
  const scripted = new ScriptedModel(replies);
  const picked: unknown[] = [];
  const pick = async (...request: unknown[]) => {
    picked.push(request);
    return { model: scripted } as unknown as Awaited<ReturnType<PickModel>>;
  };
  const asked = () => scripted.requests.map(({ messages }) => messages.map(({ text }) => text).join('|'));
  return { picked, asked, ...open({ pick: pick as PickModel }) };
}

test('a model is asked for text', async () => {
  const { call, asked, picked } = model(' In short.\n');
  expect(await call('llm', 'Sum it up')).toBe('In short.');
  expect([asked(), picked]).toEqual([['Sum it up'], [['CODE_ASSISTANCE', { purpose: 'llm' }]]]);
});

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

test('a model is asked for a value, which may have to fit a schema', async () => {
  const { call, asked, picked } = model('[1]', '{"n": 4}', 'null');
  expect([await call('llmJson', 'List'), await call('llmJson', 'Count', SCHEMA)]).toEqual([[1], { n: 4 }]);
  expect(await call('llmJson', 'Nothing', null)).toBeNull();
  expect(asked()).toEqual([
    'List\n\nAnswer with one JSON value only.',
    `Count\n\nAnswer with one JSON value only that fits this JSON Schema:\n${JSON.stringify(SCHEMA)}`,
    'Nothing\n\nAnswer with one JSON value only.',
  ]);
  expect(picked[0]).toEqual(['CODE_ASSISTANCE', { purpose: 'llm', jsonResponse: true }]);
});

test('a schema may be for any value, and say more than fields', async () => {
  const numbers = { type: 'array', items: { type: 'number' }, minItems: 2 };
  expect(await model('[1, 2]').call('llmJson', 'List', numbers)).toEqual([1, 2]);
  await expect(model('[1]').call('llmJson', 'List', numbers)).rejects.toThrow('does not fit the schema');
});

test.each(['llm', 'llmJson'])('what %s asks ends with its script', async (name) => {
  const seen: unknown[] = [];
  const invoke = async (_text: string, options: unknown) => {
    seen.push(options);
    return { text: '1' };
  };
  const { functions } = open({ pick: (async () => ({ model: { invoke } })) as unknown as PickModel });
  const { signal } = new AbortController();
  await functions.get(name)?.act(['Sum it up'], signal);
  expect(seen).toEqual([{ signal }]);
});

test.each([
  ['JSON', '{"a": 1}', { a: 1 }],
  ['fenced JSON', '```json\n{"a": 1}\n```', { a: 1 }],
  ['JSON in a plain fence', '``` {"a": 1} ```', { a: 1 }],
  ['a text in quotes', '"a"', 'a'],
  ['words', ' one and two ', 'one and two'],
  ['words before a fence', 'See\n```json\n{}\n```', 'See\n```json\n{}\n```'],
  ['words behind a fence', '```json\n{}\n``` see', '```json\n{}\n``` see'],
])('without a schema a reply may be %s', async (_name, reply, value) => {
  expect(await model(reply).call('llmJson', 'List')).toEqual(value);
});

test.each([
  ['{"n": "four"}', '✖ Instance type "string" is invalid. Expected "number"\n  → at n'],
  ['four', 'it is not JSON'],
])('a reply that does not fit its schema is an error: %s', async (reply, problem) => {
  await expect(model(reply).call('llmJson', 'Count', SCHEMA)).rejects.toThrow(
    new Error(`llmJson: the model's reply does not fit the schema: ${problem}`),
  );
});

test.each([
  ['llm', [3], 'llm(prompt): the prompt must be text'],
  ['llm', [' '], 'llm(prompt): the prompt must be text'],
  ['llmJson', [], 'llmJson(prompt): the prompt must be text'],
  ['llmJson', ['Count', 'n'], 'llmJson(prompt, schema): the schema must be a JSON Schema object'],
  ['llmJson', ['Count', []], 'llmJson(prompt, schema): the schema must be a JSON Schema object'],
])('%s refuses %j', async (name, args, message) => {
  await expect(model('').call(name, ...args)).rejects.toThrow(new TypeError(message));
});
