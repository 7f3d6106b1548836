import { expect, test } from 'vitest';
import { headAndTail } from '../../base/text.ts';
import type { Sandbox, ScriptOptions, ScriptResult } from '../../sandbox/contract.ts';
import { createScriptExtensions } from '../../sandbox/script-extensions.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { WRITE_NOTE } from '../../testing/tools.ts';
import { propertiesOf, toSchema } from '../../tools/signature.ts';
import type { TurnToolsRun } from '../types.ts';
import { createRunCodeTool } from './run-code-tool.ts';

/** The tool over a sandbox that ends each script as it is told. */
async function open(result: Partial<ScriptResult> = {}, registry = createScriptExtensions()) {
  const scope = await testScope();
  const ran: (readonly [string, ScriptOptions])[] = [];
  const settled: string[] = [];
  const ledger = { settle: () => settled.push('settle'), rewind: () => settled.push('rewind') };
  const run = async (source: string, options: ScriptOptions) => {
    ran.push([source, options]);
    settled.push('run');
    options.bridge.log('looking');
    return { logs: [], droppedLogs: 0, calls: [], ms: 1, ...result };
  };
  const turn = {
    ...scope,
    toolbox: testToolbox([WRITE_NOTE], scope),
    scope: { ...scope, ledger },
    pick: async () => null,
  };
  const tool = createRunCodeTool(
    { sandbox: { run } as unknown as Sandbox, registry, memoryLimitMb: 64 },
    turn as unknown as TurnToolsRun,
  );
  const call = async (input: Record<string, unknown>) => tool.execute(input, { signal: scope.context.signal } as never);
  return { tool, call, ran, settled, scope };
}

test.each([
  ['a value', { value: 3 }, 3],
  ['no value', {}, null],
  ['a value and logs', { value: 3, logs: ['one'] }, { result: 3, logs: ['one'] }],
  ['logs alone', { logs: ['one'] }, { result: null, logs: ['one'] }],
  ['a timeout', { failed: { reason: 'timeout', message: 'too long' } }, { error: 'too long', timeout: true }],
  ['too much work', { failed: { reason: 'cpu', message: 'too busy' } }, { error: 'too busy', timeout: true }],
] as const)('a script gives %s', async (_name, result, outcome) => {
  const { call, settled } = await open(result);
  expect(await call({ code: 'a()' })).toEqual(outcome);
  expect(settled).toEqual(['settle', 'run', 'failed' in result ? 'rewind' : 'settle']);
});

const LONG_LOG = `begin ${'x'.repeat(5000)} end`;
const THREW = { reason: 'exception', message: 'it broke' } as const;

test.each([
  ['its message', { failed: THREW }, 'it broke'],
  ['its place', { failed: { ...THREW, line: 2, column: 3 } }, 'it broke (line 2, column 3)'],
  ['its line', { failed: { ...THREW, line: 2, column: 3, context: 'a(;' } }, 'it broke (line 2, column 3: a(;)'],
  ['its log', { failed: THREW, logs: ['one', 'two'] }, 'it broke\nLog:\none\ntwo'],
  ['both ends of a long log', { failed: THREW, logs: [LONG_LOG] }, `it broke\nLog:\n${headAndTail(LONG_LOG, 4000)}`],
])('a script that threw is an error with %s', async (_name, result, message) => {
  const { call, settled } = await open(result);
  await expect(call({ code: 'a()' })).rejects.toThrow(new Error(message));
  expect(settled).toEqual(['settle', 'run', 'rewind']);
});

test('a script gets its input, its limits and the tools of the turn', async () => {
  const { call, ran, scope } = await open();
  await call({ code: 'a()', input: [1], timeout: 500 });
  await call({ code: 'b()' });
  expect(ran.map(([source, { globals, limits }]) => [source, globals, limits])).toEqual([
    ['a()', { input: [1] }, { timeoutMs: 500, memoryMb: 64 }],
    ['b()', { input: null }, { timeoutMs: 30_000, memoryMb: 64 }],
  ]);
  const names = ran[0]?.[1].functions.map(({ name }) => name) ?? [];
  expect([names.includes('writeNote'), names.includes('finalAnswer')]).toEqual([true, false]);
  expect(scope.events).toEqual([
    { type: 'log', text: 'looking' },
    { type: 'log', text: 'looking' },
  ]);
});

test('the calls of a script end with it', async () => {
  const { call, ran } = await open();
  await call({ code: 'a()' });
  await call({ code: 'b()' });
  const [first] = ran;
  expect(await first?.[1].bridge.call('writeNote', ['milk'])).toMatchObject({ ok: false });
});

test.each([
  [{ code: '' }, false],
  [{ code: 'a', timeout: 0 }, false],
  [{ code: 'a', timeout: 1 }, true],
  [{ code: 'a', timeout: 600_000 }, true],
  [{ code: 'a', timeout: 600_001 }, false],
  [{ code: 'a', timeout: 1.5 }, false],
])('the input %j is taken: %s', async (input, ok) => {
  const { tool } = await open();
  expect(tool.input.safeParse(input).success).toBe(ok);
});

const HEAD = [
  'Run JavaScript with the tools as functions, for many calls or computing:',
  "(await queryRAG('boat')).passages.length",
  'Returns the last value. Also: parallel, llm, toolSchema(name).',
].join('\n');

test('it is described with its fields and the modules that scripts may import', async () => {
  const plain = await open();
  expect(plain.tool).toMatchObject({
    ...{ name: 'interpreter.run-code', description: HEAD, positional: ['code', 'input', 'timeout'] },
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    timeoutMs: 86_400_000,
    aliases: { code: ['source', 'script', 'javascript', 'js'], timeout: ['timeoutMs', 'timeout_ms'] },
  });
  const registry = createScriptExtensions();
  registry.addModule('units', '');
  registry.addModule('dates', '');
  registry.addFunction('moveFile', () => null);
  const { tool } = await open({}, registry);
  expect(tool.description).toBe(`${HEAD}\nModules to import: units, dates.`);
  const { input, timeout } = propertiesOf(toSchema(tool.input, 'input'));
  expect([input, timeout]).toMatchObject([
    { description: 'data that the code finds as `input`' },
    { description: 'ms, 30000 unless given' },
  ]);
});
