import { expect, test } from 'vitest';
import type { Sandbox, ScriptOptions, ScriptResult } from '../../sandbox/contract.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { replayTurn } from './replay.ts';
import { Trace } from './trace.ts';
import type { WorldCall } from './world.ts';

const ended = (more: Partial<ScriptResult>): ScriptResult => ({ logs: [], droppedLogs: 0, calls: [], ms: 1, ...more });
const made = (name: string, args: readonly unknown[], value: unknown): WorldCall => ({
  ...{ name, args },
  reply: { ok: true, value },
});
const FUNCTIONS = [
  { name: 'look', kind: 'value' as const },
  { name: 'write_note', kind: 'value' as const, tool: true, global: false },
];

/** Record a turn of one script, and run it again as `again` does. */
async function replay(
  recorded: { calls?: readonly WorldCall[]; result?: Partial<ScriptResult> },
  again: (options: ScriptOptions) => Promise<Partial<ScriptResult>>,
) {
  const traceDir = temporaryFolder();
  const trace = new Trace(traceDir, 'turn_1', undefined);
  trace.script({
    ...{ source: 'a()', at: new Date('2026-01-15T09:00:00Z'), seed: 7, memory: { n: 1 }, globals: { input: 2 } },
    ...{ modules: { units: 'export const km = 1;' }, functions: FUNCTIONS },
  });
  for (const call of recorded.calls ?? []) trace.call(call);
  if (recorded.result) trace.result(ended(recorded.result));
  const ran: (readonly [string, ScriptOptions])[] = [];
  const run = async (source: string, options: ScriptOptions) => {
    ran.push([source, options]);
    options.memory?.set('n', 2);
    options.bridge.log('a line');
    return ended(await again(options));
  };
  const sandbox = { run } as unknown as Sandbox;
  return { replayed: await replayTurn({ sandbox, traceDir }, 'turn_1', new AbortController().signal), ran };
}

test('a script is run again as it ran, with the replies that it got', async () => {
  const calls = [made('look', [1], 'a'), made('look', [1], 'b'), made('look', [{ x: 1, y: 2 }], null)];
  const failed: WorldCall = { name: 'write_note', args: [], reply: { ok: false, error: 'no' } };
  const { replayed, ran } = await replay(
    { calls: [...calls, failed], result: { value: 3, logs: ['one'] } },
    async ({ bridge }) => {
      expect(await bridge.call('look', [{ y: 2, x: 1 }])).toEqual({ ok: true, value: null });
      expect(await bridge.call('look', [1])).toEqual({ ok: true, value: 'a' });
      expect(await bridge.call('look', [1])).toEqual({ ok: true, value: 'b' });
      expect(await bridge.call('write_note', [])).toEqual({ ok: false, error: 'no' });
      return { value: 3, logs: ['one'] };
    },
  );
  expect(replayed).toEqual([{ script: 1, calls: 4, differences: [] }]);
  const [source, { functions, modules, globals, memory, now, seed }] = ran[0] ?? ['', {} as ScriptOptions];
  expect([source, functions, modules, globals, memory?.initial, now, seed]).toEqual([
    ...['a()', FUNCTIONS, { units: 'export const km = 1;' }, { input: 2 }, { n: 1 }],
    ...[new Date('2026-01-15T09:00:00Z'), 7],
  ]);
});

test('calls that differ are told', async () => {
  const { replayed } = await replay(
    { calls: [made('look', [1], 'a'), made('look', ['x'.repeat(300)], 'b')], result: {} },
    async ({ bridge }) => {
      expect(await bridge.call('look', [2])).toEqual({ ok: false, error: 'look: not in the trace' });
      await bridge.call('look', ['y'.repeat(300)]);
      return {};
    },
  );
  expect(replayed[0]?.differences).toEqual([
    'a call that was not recorded: look [2]',
    `a call that was not recorded: look ["${'y'.repeat(193)}`,
    'a recorded call that was not made: look [1]',
    `a recorded call that was not made: look ["${'x'.repeat(193)}`,
  ]);
});

test('a call that is made once more than it was recorded differs', async () => {
  const { replayed } = await replay({ calls: [made('look', [1], 'a')], result: {} }, async ({ bridge }) => {
    await bridge.call('look', [1]);
    await bridge.call('look', [1]);
    return {};
  });
  expect(replayed[0]?.differences).toEqual(['a call that was not recorded: look [1]']);
});

test.each([
  ['a value', { value: 1 }, { value: [2] }, ['value: 1 became [2]']],
  ['a value that is gone', { value: 1 }, {}, ['value: 1 became null']],
  ['a long value', { value: 'x'.repeat(400) }, {}, [`value: "${'x'.repeat(299)} became null`]],
  ['a log', { logs: ['one'] }, { logs: ['one', 'two'] }, ['log: ["one"] became ["one","two"]']],
  ['a failure', {}, { failed: { reason: 'exception', message: 'it broke' } }, ['failure: null became "it broke"']],
  [
    'a place',
    { failed: { reason: 'exception', message: 'it broke', line: 2 } },
    { failed: { reason: 'exception', message: 'it broke', line: 3 } },
    ['line: 2 became 3'],
  ],
  ['the order of fields', { value: { a: 1, b: 2 } }, { value: { b: 2, a: 1 } }, []],
] as const)('%s that differs is told', async (_name, before, now, differences) => {
  const { replayed } = await replay({ result: before }, async () => now);
  expect(replayed[0]?.differences).toEqual(differences);
});

test('a script that was stopped has nothing to compare with', async () => {
  const { replayed } = await replay({ calls: [made('look', [1], 'a')] }, async ({ bridge }) => {
    await bridge.call('look', [1]);
    return { value: 1 };
  });
  expect(replayed[0]?.differences).toEqual(['the trace has no result: the program was stopped while the script ran']);
});
