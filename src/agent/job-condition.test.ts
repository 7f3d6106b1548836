import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { createScriptExtensions } from '../sandbox/script-extensions.ts';
import type { ScheduledJob } from '../scheduler/types.ts';
import { testFiles } from '../testing/project-files.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import { createCurrentTimeTool } from '../tools/builtin/current-time.ts';
import { createFileTools } from '../tools/builtin/files.ts';
import { checkCondition } from './job-condition.ts';

const sandbox = createSandbox({ log: silentLog, poolSize: 1 });
afterAll(() => sandbox.close());

async function check(condition: string, memory: Record<string, unknown> = {}) {
  const { scheduler } = await testScheduler();
  const when = { when: 'every hour', prompt: 'x', project: 'home', untrusted: false };
  const job: ScheduledJob = { ...(await scheduler.add({ ...when, options: { condition } })), memory };
  const scope = await testScope();
  const files = testFiles(scope.store, () => '/nowhere');
  const tools = [createCurrentTimeTool(), ...createFileTools(() => files)];
  const deps = {
    toolbox: () => testToolbox(tools, scope),
    sandbox,
    registry: createScriptExtensions(),
    redactor: new Redactor(),
    store: scope.store,
    memoryLimitMb: 64,
    now: scope.context.now,
    timeZone: scope.context.timeZone,
  };
  return checkCondition(deps, job, new AbortController().signal);
}

test.each([
  ['false', false, ''],
  ["''", false, ''],
  ['0', false, ''],
  ['[]', false, ''],
  ['undefined', false, ''],
  ['true', true, ''],
  ["'price 3'", true, 'price 3'],
  ['({ wake: false, text: "quiet" })', false, 'quiet'],
  ['({ wake: true, text: "loud" })', true, 'loud'],
  ['[1, 2]', true, '[1,2]'],
])('the value %s: wake %s', async (source, wake, text) => {
  expect(await check(source)).toMatchObject({ wake, text });
});

test('what it stores is there the next time', async () => {
  const source = "const n = (recall('n') ?? 0) + 1; store('n', n); n > 2";
  const first = await check(source);
  expect(first).toMatchObject({ wake: false, memory: { n: 1 } });
  expect(await check(source, { n: 2 })).toMatchObject({ wake: true, memory: { n: 3 } });
});

test('it has the tools that read', async () => {
  expect((await check('Boolean(await currentTime())')).wake).toBe(true);
});

test.each([
  ['the tools that write', "writeFile('a.md', 'x')", 'writeFile'],
  ['a model', "await llm('hello')", 'a condition cannot ask a model'],
])('it has not %s', async (_name, source, message) => {
  await expect(check(source)).rejects.toThrow(message);
});

test('an error names its line', async () => {
  await expect(check('const a = 1;\nthrow new Error("no luck")')).rejects.toThrow(
    /its condition failed: .*no luck \(line 2\)/u,
  );
});
