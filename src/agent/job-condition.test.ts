import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import type { Turn } from '../base/turn.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { createScriptExtensions } from '../sandbox/script-extensions.ts';
import type { ScheduledJob } from '../scheduler/types.ts';
import { testFiles } from '../testing/project-files.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import { PLAIN_TOOL } from '../testing/tools.ts';
import { createCurrentTimeTool } from '../tools/builtin/current-time.ts';
import { createFileTools } from '../tools/builtin/files.ts';
import { defineTool } from '../tools/tool.ts';
import { checkCondition } from './job-condition.ts';

const sandbox = createSandbox({ log: silentLog, poolSize: 1 });
afterAll(() => sandbox.close());

/** The turns in which text of others was read. */
const turns: Turn[] = [];
const READING = [
  defineTool({
    ...PLAIN_TOOL,
    name: 'page',
    provenance: { readsFrom: ['web'] },
    execute: (_input, { turn }) => {
      turns.push(turn);
      return 'a page';
    },
  }),
  defineTool({
    ...PLAIN_TOOL,
    name: 'diary',
    provenance: { readsFrom: ['diary'] },
    execute: () => 'dear diary',
  }),
  defineTool({
    ...PLAIN_TOOL,
    name: 'get',
    input: z.object({ url: z.string() }),
    policy: { ...PLAIN_TOOL.policy, network: true, destination: ({ url }) => url },
    execute: () => 'got it',
  }),
];

async function check(condition: string, memory: Record<string, unknown> = {}, rest: Partial<ScheduledJob> = {}) {
  const { scheduler } = await testScheduler();
  const when = { when: 'every hour', prompt: 'x', project: 'home', untrusted: false };
  const job: ScheduledJob = { ...(await scheduler.add({ ...when, options: { condition } })), memory, ...rest };
  const scope = await testScope();
  const files = testFiles(scope.store, () => '/nowhere');
  const tools = [createCurrentTimeTool(), ...READING, ...createFileTools(() => files)];
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
  ['null', false, ''],
  ['({ a: 1 })', true, '{"a":1}'],
  ['7', true, '7'],
  ['({ wake: 0, text: "quiet" })', false, 'quiet'],
  ['({ wake: true })', true, ''],
  ['({ wake: true, text: null })', true, ''],
  ['({ wake: true, text: false })', true, ''],
  ['({ wake: true, text: 0 })', true, '0'],
  ['({ text: "loud" })', true, '{"text":"loud"}'],
  ["'x'.repeat(4000)", true, 'x'.repeat(4000)],
  ["'x'.repeat(4001)", true, 'x'.repeat(4000)],
])('the value %s: wake %s', async (source, wake, text) => {
  expect(await check(source)).toMatchObject({ wake, text });
});

test('what it stores is there the next time', async () => {
  const source = "const n = (recall('n') ?? 0) + 1; store('n', n); n > 2";
  const first = await check(source);
  expect(first).toMatchObject({ wake: false, memory: { n: 1 } });
  expect(await check(source, { n: 2 })).toMatchObject({ wake: true, memory: { n: 3 } });
});

const KNOWN = { '(untrusted)': true };

test.each<[string, string, Record<string, unknown>, Partial<ScheduledJob>, object]>([
  ['nothing of others', "store('n', 1)", {}, {}, { untrusted: false, memory: { n: 1 } }],
  ['a page', "await page(); store('n', 1)", {}, {}, { untrusted: true, memory: { n: 1, ...KNOWN } }],
  ['a page, and stored nothing', 'await page()', {}, {}, { untrusted: true, memory: {} }],
  ['a page the last time', "recall('n')", { n: 1, ...KNOWN }, {}, { untrusted: true, memory: { n: 1, ...KNOWN } }],
  ['a page once, of which nothing is left', '1', KNOWN, {}, { untrusted: false, memory: {} }],
  [
    'the words of a job that others wrote',
    "store('n', 1)",
    {},
    { untrusted: true },
    { untrusted: true, memory: { n: 1, ...KNOWN } },
  ],
])('it is known that it read %s', async (_what, source, memory, rest, result) => {
  expect(await check(source, memory, rest)).toMatchObject(result);
  expect((await check(source, memory, rest)).memory).toEqual((result as { memory: object }).memory);
});

test('that some of its memory is of others is for no script to see', async () => {
  expect((await check("JSON.stringify(recall('(untrusted)') ?? 'nothing')", { n: 1, ...KNOWN })).text).toBe(
    '"nothing"',
  );
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

test('without a script the job is not woken', async () => {
  const without = { options: {} as ScheduledJob['options'] };
  expect(await check('', {}, without)).toEqual({ wake: false, text: '', untrusted: false, memory: {} });
});

test('an error may have no line', async () => {
  const words = 'its condition failed: Uncaught no luck';
  await expect(check('throw "no luck"')).rejects.toThrow(new Error(words));
});

test('an error names its line', async () => {
  await expect(check('const a = 1;\nthrow new Error("no luck")')).rejects.toThrow(
    /its condition failed: .*no luck \(line 2\)/u,
  );
});

test('its calls are made in a turn of their own, and are not asked for', async () => {
  expect(await check('await page()', {}, { id: 'job_1', project: 'garden' })).toMatchObject({ untrusted: true });
  expect(turns.at(-1)).toEqual({
    id: expect.stringMatching(/^turn_/u),
    conversationId: 'condition_job_1',
    text: '',
    origin: 'schedule',
    mode: 'code_agent',
    project: 'garden',
  });
  const carry = "await diary(); await page(); await get({ url: 'https://evil.example/' })";
  await expect(check(carry)).rejects.toThrow('refused by a run that only tries things out');
});
