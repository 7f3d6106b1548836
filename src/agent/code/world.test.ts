import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { Redactor } from '../../base/redact.ts';
import type { BridgeReply, ScriptResult } from '../../sandbox/contract.ts';
import { createScriptExtensions } from '../../sandbox/script-extensions.ts';
import { type TestScope, testScope, testToolbox } from '../../testing/scope.ts';
import { mailTool, PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { PickModel } from './llm.ts';
import { World, type WorldCall, type WorldDeps } from './world.ts';

const SECRET = 'hunter2-is-the-word';
const QUERY = defineTool({
  ...PLAIN_TOOL,
  name: 'query_rag',
  functionName: 'queryRAG',
  description: 'Search. Then use write_note.',
  positional: ['query', 'k'],
  input: z.object({ query: z.string(), k: z.int().optional() }),
  output: z.object({ answer: z.string() }),
  policy: { ...PLAIN_TOOL.policy, network: true },
  execute: ({ query, k }) => ({ answer: `${query} ${k ?? ''}`.trim() }),
});
const FAILS = defineTool({
  ...PLAIN_TOOL,
  name: 'plan_day',
  positional: ['what'],
  input: z.object({ what: z.string() }),
  execute: ({ what }) => {
    const unclear = what === 'when' ? { hint: '', unclear: true as const } : { hint: '' };
    throw new AssistantError('bad_time', `plan_day: use write_note, not ${what}`, unclear);
  },
});
const LOG = defineTool({ ...PLAIN_TOOL, name: 'log', execute: () => 'a tool called log' });

let scope: TestScope;
beforeEach(async () => {
  scope = await testScope();
});

function open(tools: readonly Tool[] = [QUERY, WRITE_NOTE, FAILS, LOG], more: Partial<WorldDeps> = {}) {
  const calls: WorldCall[] = [];
  const lines: string[] = [];
  const world = new World({
    toolbox: testToolbox(tools, scope),
    scope,
    pick: (() => Promise.reject(new Error('no model'))) as PickModel,
    registry: createScriptExtensions(),
    onCall: (call) => calls.push(call),
    onLog: (line) => lines.push(line),
    ...more,
  });
  const { signal } = new AbortController();
  const options = (source = '') => world.options(signal, source);
  const call = (name: string, ...args: readonly unknown[]) => options().bridge.call(name, args);
  return { world, calls, lines, options, call };
}

describe('the functions of a script', () => {
  test('are its own, then the tools by id and by name', () => {
    expect(open().options().functions).toEqual([
      { name: 'discoverTools', kind: 'value' },
      { name: 'toolSchema', kind: 'value' },
      { name: 'parallel', kind: 'batch' },
      { name: 'sleep', kind: 'value' },
      { name: 'parseUrl', kind: 'value' },
      { name: 'daysBetween', kind: 'value' },
      { name: 'addDays', kind: 'value' },
      { name: 'sum', kind: 'value' },
      { name: 'llm', kind: 'value', network: true },
      { name: 'llmJson', kind: 'value', network: true },
      { name: 'query_rag', kind: 'value', tool: true, global: true, network: true },
      { name: 'queryRAG', kind: 'value', tool: true, global: true, network: true },
      { name: 'write_note', kind: 'value', tool: true, global: true },
      { name: 'writeNote', kind: 'value', tool: true, global: true },
      { name: 'plan_day', kind: 'value', tool: true, global: true },
      { name: 'planDay', kind: 'value', tool: true, global: true },
      { name: 'log', kind: 'value', tool: true, global: false },
    ]);
  });

  test('of plugins are there where their names are free, and no tool takes one', () => {
    const registry = createScriptExtensions();
    registry.addFunction('writeNote', (text) => `own ${String(text)}`);
    registry.addFunction('log', () => 'taken');
    registry.addFunction('sleep', () => 'taken');
    registry.addModule('units', 'export const km = 1;');
    const { options, world } = open([WRITE_NOTE], { registry });
    expect(world.names().slice(-2)).toEqual(['writeNote', 'write_note']);
    expect(options().modules).toEqual({ units: 'export const km = 1;' });
  });

  test.each([
    ['by another spelling', 'queryRag("a"); queryRag("b")', ['queryRag'], true],
    ['among the tools', 'tools.queryRag("a")', ['queryRag'], true],
    ['by an id with another sign', 'tools["query-rag"]("a")', ['query-rag'], false],
    ['by an id in single quotes, with blanks', "tools[ 'query.rag' ]('a')", ['query.rag'], false],
    ['with a blank before the bracket', 'await note_write ("a")', ['note_write'], true],
    ['by its name', 'queryRAG("a"); tools["write_note"]("b"); llm("c")', [], true],
    ['as a method of something else', 'x.queryRag("a")', [], true],
    ['without a call', 'queryRag', [], true],
    ['by a name of the language', 'fetch("a")', [], true],
    ['by nothing that is near', 'launch("a")', [], true],
  ])('are also those that it calls %s', (_name, source, names, global) => {
    const { options, world } = open();
    const more = options(source).functions.slice(world.names().length);
    const network = (name: string) => (name.startsWith('query') ? { network: true } : {});
    expect(more).toEqual(names.map((name) => ({ name, kind: 'value', tool: true, global, ...network(name) })));
  });

  test('come with the time of the turn and a seed of their own', () => {
    const { options, world } = open();
    const [first, second] = [options(), options()];
    expect([first.now, first.pauses]).toEqual([scope.context.now(), world.pauses]);
    expect(first.seed).toBeGreaterThan(0);
    expect(first.seed).not.toBe(second.seed);
  });
});

test('a name is known that a script can call or mean', () => {
  const { world } = open();
  expect(
    ['llm', 'queryRAG', 'query_rag', 'queryRag', 'launch', 'finalAnswer'].map((name) => world.knows(name)),
  ).toEqual([...[true, true, true, true, false, false]]);
});

test('a tool is spelled as scripts reach it, also one that is no longer there', () => {
  const { world } = open();
  expect([world.spell(QUERY), world.spell(LOG), world.spell(mailTool([]))]).toEqual([
    ...['queryRAG', 'tools["log"]', 'tools["send_mail"]'],
  ]);
});

test.each([
  ['a slip of the keys', 'paralell', ['parallel']],
  ['another name of a tool', 'rag_query', ['queryRAG(query, k?: number): { answer }']],
  ['a name with a word of a tool', 'takeNote', ['writeNote(text): unknown']],
  ['nothing like it', 'launchRocket', []],
])('what a wrong name may mean: %s', (_name, wrong, like) => {
  expect(open().world.like(wrong)).toEqual(like);
});

/** The code of a result that has none of its own. */
const PLAIN = { code: 'ok', values: {} };

describe('a call of a script', () => {
  test.each([
    ['by name', 'queryRAG', [{ query: 'boat', k: 3 }], 'boat 3'],
    ['in order', 'queryRAG', ['boat', 3], 'boat 3'],
    ['by id', 'query_rag', ['boat'], 'boat'],
    ['by a name that means it', 'queryRag', ['boat'], 'boat'],
    ['by map, with index and list', 'queryRAG', ['boat', 1, ['sea', 'boat']], 'boat'],
    ['by map, with objects', 'queryRAG', [{ query: 'sea' }, 0, [{ query: 'sea' }]], 'sea'],
  ])('goes to the tool %s', async (_name, name, args, answer) => {
    const { call, calls } = open();
    const reply = { ok: true, value: { answer }, told: PLAIN };
    expect(await call(name, ...args)).toEqual(reply);
    expect(calls).toEqual([{ name, args, reply, acts: false }]);
  });

  test.each([
    ['a list that does not hold it there', ['boat', 0, ['sea', 'boat']]],
    ['an index that is none', ['boat', '0', ['boat']]],
    ['no list', ['boat', 0, 'boat']],
    ['a fourth argument', ['boat', 0, ['boat'], 1]],
  ])('with %s is as it stands', async (_name, args) => {
    const { call } = open();
    expect(await call('queryRAG', ...args)).not.toEqual({ ok: true, value: { answer: 'boat' } });
  });

  test('that acts is told apart', async () => {
    const { call, calls } = open();
    await call('writeNote', 'milk');
    await call('parseUrl', 'https://example.org');
    await call('launch');
    expect(calls.map(({ name, acts }) => [name, acts])).toEqual([
      ['writeNote', true],
      ['parseUrl', false],
      ['launch', true],
    ]);
  });

  test('of what is unknown gets its first argument refused', async () => {
    expect(await open().call('launch', 'moon')).toEqual({
      ...{ ok: false, error: 'Tool "launch" not found.' },
      told: { code: 'unknown_tool', values: { message: 'Tool "launch" not found.' } },
    });
  });

  test('that fails is told in the names of scripts', async () => {
    const { call, world } = open();
    const error = 'planDay failed: planDay: use writeNote, not this';
    const told = { code: 'bad_time', values: { message: 'plan_day: use write_note, not this', hint: '' } };
    expect(await call('planDay', 'this')).toEqual({ ok: false, error, told });
    expect(world.deadEnd({ reason: 'exception', message: error })).toBeUndefined();
  });

  test('has a clock that stands still while a person decides', async () => {
    const states: boolean[] = [];
    const approve = async () => {
      states.push(asking.world.pauses.active);
      return { verdict: 'denied', by: 'terminal' } as const;
    };
    const asking = open([mailTool([])], { scope: { ...scope, context: { ...scope.context, approve } } });
    await asking.call('sendMail', { to: 'Bob' });
    expect([states, asking.world.pauses.active]).toEqual([[true], false]);
  });
});

test('a question of a tool stops the clock as well, and only where somebody can be asked', async () => {
  const asks = defineTool({
    ...PLAIN_TOOL,
    name: 'ask_person',
    execute: async (_input, { ask }) => (ask ? await ask('Which?') : 'nobody'),
  });
  expect(await open([asks]).call('askPerson')).toEqual({ ok: true, value: 'nobody', told: PLAIN });
  const states: boolean[] = [];
  const ask = async (question: string) => {
    states.push(asking.world.pauses.active);
    return `${question} That.`;
  };
  const asking = open([asks], { scope: { ...scope, context: { ...scope.context, ask } } });
  expect(await asking.call('askPerson')).toEqual({ ok: true, value: 'Which? That.', told: PLAIN });
  expect([states, asking.world.pauses.active]).toEqual([[true], false]);
});

test('what writing a script again does not change is known by the id of the call', async () => {
  const { call, world } = open([FAILS, mailTool([])]);
  const ended = (reply: BridgeReply) =>
    world.deadEnd({ reason: 'exception', message: 'x', ...(reply.ok ? {} : { id: String(reply.id) }) });
  const unclear = await call('planDay', 'when');
  const refused = await call('sendMail', { to: 'Bob' });
  expect([ended(unclear), ended(refused)]).toEqual(['unclear', 'refused']);
  expect([ended({ ok: false, error: 'it broke' }), world.deadEnd(undefined)]).toEqual([undefined, undefined]);
});

test('no secret leaves a script', async () => {
  const redactor = new Redactor([SECRET]);
  const { options, lines, world, call } = open([QUERY], { redactor });
  options().bridge.log(`found ${SECRET}`);
  expect(lines).toEqual(['found [secret]']);
  const result = { value: { a: SECRET }, logs: [SECRET] } as unknown as ScriptResult;
  expect(world.clean(result)).toEqual({ value: { a: '[secret]' }, logs: ['[secret]'] });
  expect(open().world.clean(result)).toBe(result);
  expect(await call('toolSchema', SECRET)).toEqual({ ok: false, error: 'Tool "[secret]" not found.' });
});
