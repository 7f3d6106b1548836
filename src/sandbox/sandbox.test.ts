import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { ScriptOptions } from './contract.ts';
import { createSandbox } from './sandbox.ts';

const sandbox = createSandbox({ log: silentLog, poolSize: 2 });
afterAll(() => sandbox.close());

const options = (more: Partial<ScriptOptions> = {}): ScriptOptions => ({
  functions: [
    { name: 'echo', kind: 'value', tool: true },
    { name: 'fail', kind: 'value', tool: true },
    { name: 'hang', kind: 'value', tool: true },
    { name: 'parallel', kind: 'batch' },
    { name: 'output', kind: 'fire' },
  ],
  bridge: {
    log: () => {},
    call: (name, args) => {
      if (name === 'hang') return new Promise(() => {});
      return Promise.resolve(name === 'fail' ? { ok: false, error: 'no good' } : { ok: true, value: args[0] });
    },
  },
  signal: new AbortController().signal,
  ...more,
});

test('the value of the last expression is the result', async () => {
  expect(await sandbox.run('const a = 20;\na + 22', options())).toMatchObject({ value: 42, logs: [] });
});

test('a failed call has the line, the column and the text of the source', async () => {
  const { failed } = await sandbox.run("const a = 1;\n  fail('x');", options());
  expect(failed).toEqual({
    reason: 'exception',
    message: 'ToolError: no good',
    line: 2,
    column: 3,
    context: "fail('x');",
  });
});

test('a syntax error has its place without a process being started', async () => {
  const { failed } = await sandbox.run('const x = 5;\n  foo bar', options());
  expect(failed).toMatchObject({ reason: 'syntax', line: 2, column: 7, context: 'foo bar' });
});

test.each([
  ['an endless loop', 'while (true) {}', 'timeout'],
  ['a promise that never settles', 'await new Promise(() => {})', 'timeout'],
  ['a call that never ends', 'hang()', 'timeout'],
] as const)('%s ends by its limit and the next script runs', async (_name, source, reason) => {
  const limits = { idleMs: 500, timeoutMs: 800 };
  expect(await sandbox.run(source, options({ limits }))).toMatchObject({ failed: { reason } });
  expect(await sandbox.run('1', options())).toMatchObject({ value: 1 });
});

test('what was logged before a loop that does not end is kept', async () => {
  const source = "await echo(1); console.log('before'); while (true) {}";
  const { failed, logs } = await sandbox.run(source, options({ limits: { idleMs: 500 } }));
  expect([failed?.reason, logs]).toEqual(['timeout', ['before']]);
});

test.each([
  ['a call', 'echo(depth)'],
  ['a call that is not waited for', '[tools.echo(depth)]'],
  ['a line', 'console.log(depth)'],
])('%s from deeper and deeper fails like anything else there, and what comes next works', async (_what, call) => {
  const source = `
    const from = (levels, depth) => (levels === 0 ? ${call} : from(levels - 1, depth));
    let depth = 2000;
    let failure = '';
    for (let misses = 0; misses < 50; depth += misses > 0 ? 1 : 100) {
      try { from(depth, depth); } catch (error) { misses += 1; failure = error.message; }
    }
    return [depth > 10_000, failure, await echo('next')];`;
  const limits = { maxCalls: 10_000, maxLogLines: 10_000, idleMs: 15_000, cpuMs: 15_000, timeoutMs: 20_000 };
  const { value, failed } = await sandbox.run(source, options({ limits }));
  expect(value ?? failed).toEqual([true, 'Maximum call stack size exceeded', 'next']);
});

test('memory ends by its limit and the next script runs', async () => {
  const limits = { idleMs: 20_000, cpuMs: 20_000, timeoutMs: 20_000 };
  const source = "const list = []; while (true) list.push(new Array(1000).fill('x'));";
  expect(await sandbox.run(source, options({ limits }))).toMatchObject({ failed: { reason: 'memory' } });
  expect(await sandbox.run('1', options())).toMatchObject({ value: 1 });
});

test('parallel keeps the order and gives a failure its own slot', async () => {
  const source =
    "parallel([{tool: 'echo', input: 1}, {tool: 'fail'}, {tool: 'output', input: 'x'}, {tool: 'echo', input: 2}])";
  expect((await sandbox.run(source, options())).value).toEqual([
    1,
    { error: 'no good' },
    { error: '"output" is not a tool' },
    2,
  ]);
});

test('parallel with anything but a list of calls throws', async () => {
  const { failed } = await sandbox.run("parallel('echo')", options());
  expect(failed?.message).toBe('ToolError: parallel() expects an array of {tool, input} objects');
});

test('imports come from registered modules only', async () => {
  const modules = { double: 'export const two = 2; export default (x) => x * two;' };
  const source = "import double, { two } from 'double';\nimport * as all from 'double';\n[double(4), two, all.two]";
  expect((await sandbox.run(source, options({ modules }))).value).toEqual([8, 2, 2]);
  const unknown = await sandbox.run("\nimport x from 'duble'", options({ modules }));
  expect(unknown.failed).toMatchObject({ line: 2, message: expect.stringContaining('did you mean "double"') });
});

test('store is seen at once and recall finds what was there before', async () => {
  const stored: unknown[] = [];
  const memory = { initial: { before: [1] }, set: (key: string, value: unknown) => stored.push([key, value]) };
  const source = "store('now', {a: 1}); [recall('before'), recall('now'), recall('never') === undefined]";
  expect((await sandbox.run(source, options({ memory }))).value).toEqual([[1], { a: 1 }, true]);
  expect(stored).toEqual([['now', { a: 1 }]]);
});

test('an abort ends a script in the middle of a call', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  expect(await sandbox.run('hang()', options({ signal: stop.signal }))).toMatchObject({
    failed: { reason: 'aborted' },
  });
});

test('lines beyond the limit are dropped and counted; the script goes on', async () => {
  const source = 'for (let i = 0; i < 5500; i++) log(i);\n"done"';
  const result = await sandbox.run(source, options());
  expect(result).toMatchObject({ value: 'done', droppedLogs: 3500 });
  expect(result.logs).toHaveLength(2000);
  expect(result.failed).toBeUndefined();
});

test('a reply that JSON cannot hold is an error of that call', async () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  const bridge = { log: () => {}, call: async () => ({ ok: true, value: loop }) as const };
  const source = 'let said = ""; try { await echo(1) } catch (error) { said = error.message } said';
  const { value, failed } = await sandbox.run(source, options({ bridge }));
  expect(failed).toBeUndefined();
  expect(value).toContain('cannot be written as JSON');
  const sync = await sandbox.run('[1].filter(() => echo(1))', options({ bridge }));
  expect(sync.failed?.message).toContain('cannot be written as JSON');
});

const DEEP = 'let deep = []; for (let i = 0; i < 20000; i++) deep = [deep];';

test.each([
  ['an argument', `${DEEP} await echo(deep)`],
  [
    'an argument that JSON.stringify still writes',
    'let deep = []; for (let i = 0; i < 2000; i++) deep = [deep]; echo(deep)',
  ],
  ['a stored value', `${DEEP} store("deep", deep)`],
  ['an input of parallel', `${DEEP} await parallel([{ tool: "echo", input: deep }])`],
])('%s that is nested too deeply fails in the script', async (_name, source) => {
  const { failed } = await sandbox.run(source, options());
  expect(failed).toMatchObject({ reason: 'exception' });
  expect(await sandbox.run('await echo([[[1]]])', options())).toMatchObject({ value: [[[1]]] });
});

test('a value that is nested too deeply is cut', async () => {
  const source = 'let deep = []; for (let i = 0; i < 1000; i++) deep = [deep]; deep';
  expect(await sandbox.run(source, options())).toMatchObject({ value: { truncated: true } });
});
