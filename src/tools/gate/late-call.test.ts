import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool, type Effect } from '../tool.ts';

/** Every wait here, which ends when the test says so. */
let waits: { readonly ms: unknown; readonly end: () => void }[] = [];

beforeEach(() => {
  waits = [];
  vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    waits.push({ ms, end: () => resolve(undefined) });
    return promise;
  });
  syncBuiltinESMExports();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const OWNER = { channel: 'discord', address: 'owner', own: true };

/** A call whose time is up while it runs. @param late how it ends thereafter. */
async function lateCall(effect: Effect, late: () => Promise<unknown>) {
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
  const overdue = Promise.withResolvers<void>();
  const slow = defineTool({
    ...PLAIN_TOOL,
    name: 'slow',
    policy: { ...PLAIN_TOOL.policy, effect, change: 'append', recipient: () => OWNER },
    timeoutMs: 20,
    execute: async () => {
      setImmediate(() => {
        clock.abort();
        setImmediate(overdue.resolve);
      });
      await overdue.promise;
      return late() as Promise<string>;
    },
  });
  const scope = await testScope();
  const result = testToolbox([slow], scope).call('slow', {}, scope);
  await overdue.promise;
  expect(timeout).toHaveBeenCalledWith(20);
  const rows = async () => (await scope.ledger.list()).map(({ state, result: kept }) => [state, kept]);
  return { result, rows };
}

const soon = async () => 'Noted.';
const never = () => new Promise(() => {});
const LATE = { ok: false, told: expect.anything(), reason: 'timeout', error: 'slow did not answer within 20 ms.' };

test('a local call that is done just after its time, as after a sleep of the machine, counts as done', async () => {
  const { result, rows } = await lateCall('local', soon);
  expect(await result).toMatchObject({ ok: true, value: 'Noted.', text: 'Noted.', cached: false });
  expect(await rows()).toEqual([['done', '"Noted."']]);
});

test('a local call that does not end within two seconds more has failed', async () => {
  const { result, rows } = await lateCall('local', never);
  await vi.waitFor(() => expect(waits).toMatchObject([{ ms: 2000 }]));
  expect(await rows()).toEqual([['intent', null]]);
  waits[0]?.end();
  expect(await result).toEqual(LATE);
  expect(await rows()).toEqual([['failed', LATE.error]]);
});

test.each<[Effect, unknown[]]>([
  ['outbound', [['intent', null]]],
  ['none', []],
])('a late call with effect %s is not waited for, and what it may have done is not known', async (effect, kept) => {
  const { result, rows } = await lateCall(effect, soon);
  expect(await result).toEqual(LATE);
  expect(await rows()).toEqual(kept);
  expect(waits).toEqual([]);
});

test('a local call that acts while its turn is cancelled is waited for, and counts as done', async () => {
  const [began, acts] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const tool = defineTool({
    ...PLAIN_TOOL,
    name: 'slow',
    policy: { ...PLAIN_TOOL.policy, effect: 'local', change: 'append' },
    execute: async () => {
      began.resolve();
      return acts.promise;
    },
  });
  const turn = new AbortController();
  const scope = await testScope({ signal: turn.signal });
  const result = testToolbox([tool], scope).call('slow', {}, scope);
  await began.promise;
  turn.abort();
  await vi.waitFor(() => expect(waits).toMatchObject([{ ms: 2000 }]));
  acts.resolve('Noted.');
  expect(await result).toMatchObject({ ok: true, value: 'Noted.' });
  expect(await scope.ledger.list()).toMatchObject([{ state: 'done' }]);
});
