import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import type { ConditionResult, DocumentChange, NewJob } from './types.ts';

const WATCH: NewJob = { when: 'on: project-changed', prompt: 'summarise', project: 'home', untrusted: false };

test('a change of documents starts one run that gets just those', async () => {
  const { scheduler, clock, tick, ran } = await testScheduler();
  await scheduler.add(WATCH);
  await scheduler.add({ ...WATCH, project: 'other' });
  await scheduler.projectChanged('home', ['a', 'b']);
  await scheduler.projectChanged('home', ['b', 'c']);
  await tick();
  expect(ran).toEqual([]);
  clock.advance(2000);
  await tick();
  expect(ran).toMatchObject([{ reason: 'event', changed: ['a', 'b', 'c'], job: { project: 'home' } }]);
  await scheduler.projectChanged('home', ['d']);
  clock.advance(2000);
  await tick();
  expect(ran.map((run) => run.changed)).toEqual([['a', 'b', 'c'], ['d']]);
});

test('changes that were made while nothing ran are found, each once', async () => {
  const changes: DocumentChange[] = [];
  const readChanges = async (_project: string, after: string) => changes.filter((change) => change.at > after);
  const { scheduler, clock, tick, ran } = await testScheduler({ readChanges });
  await scheduler.add(WATCH);
  const pass = async () => {
    for (let n = 0; n < 4; n++) {
      clock.advance(5000);
      await tick();
    }
  };
  await pass();
  changes.push({ document: 'a', at: '2026-11-20T11:00:10.000Z' }, { document: 'b', at: '2026-11-20T11:00:11.000Z' });
  await pass();
  // Indexed before b, committed after it.
  changes.push({ document: 'late', at: '2026-11-20T11:00:10.500Z' });
  await pass();
  await pass();
  expect(ran.map((run) => run.changed)).toEqual([['a', 'b'], ['late']]);
});

test('a chain of changes reaches each job once: two jobs that write do not set each other off for ever', async () => {
  const changes: DocumentChange[] = [];
  const { scheduler, clock, tick, ran } = await testScheduler({
    readChanges: async (_project, after) => changes.filter((change) => change.at > after),
    onDue: async (run) => {
      ran.push(run);
      changes.push({ document: `by ${run.job.prompt}`, at: clock.now().toISOString(), run: run.runId });
      return { state: 'succeeded', output: 'done' };
    },
  });
  for (const prompt of ['one', 'two']) await scheduler.add({ ...WATCH, prompt });
  changes.push({ document: 'a', at: '2026-11-20T11:00:01.000Z' });
  for (let n = 0; n < 40; n++) {
    clock.advance(5000);
    await tick();
  }
  const told = (prompt: string) => ran.filter(({ job }) => job.prompt === prompt).map(({ changed }) => changed);
  expect(told('one')).toEqual([['a'], ['by two']]);
  expect(told('two')).toEqual([['a'], ['by one']]);
});

test('a job that sets itself off in a way that nobody sees runs five times in ten minutes', async () => {
  const changes: DocumentChange[] = [];
  const { scheduler, clock, tick, ran } = await testScheduler({
    readChanges: async (_project, after) => changes.filter((change) => change.at > after),
    onDue: async (run) => {
      ran.push(run);
      changes.push({ document: `log ${ran.length}`, at: clock.now().toISOString() });
      return { state: 'succeeded', output: 'done' };
    },
  });
  await scheduler.add(WATCH);
  changes.push({ document: 'a', at: '2026-11-20T11:00:01.000Z' });
  const pass = async (minutes: number) => {
    for (let n = 0; n < minutes * 12; n++) {
      clock.advance(5000);
      await tick();
    }
  };
  await pass(9);
  expect(ran).toHaveLength(5);
  await pass(20);
  expect(ran.length).toBeLessThanOrEqual(15);
  expect(ran.flatMap(({ changed }) => changed)).toEqual(['a', ...ran.slice(1).map((_, n) => `log ${n + 1}`)]);
});

test('a job that is paused is told of nothing', async () => {
  const { scheduler, clock, tick, ran } = await testScheduler();
  const job = await scheduler.add(WATCH);
  await scheduler.pause(job.id);
  await scheduler.projectChanged('home', ['a']);
  clock.advance(5000);
  await tick();
  expect(ran).toEqual([]);
});

function condition(results: readonly (Partial<ConditionResult> | Error)[]) {
  const seen: unknown[] = [];
  const checkCondition = async (job: { memory: unknown }): Promise<ConditionResult> => {
    const next = results[seen.length];
    seen.push(job.memory);
    if (next instanceof Error) throw next;
    return { wake: false, text: '', untrusted: false, memory: {}, ...next };
  };
  return { checkCondition, seen };
}

const HOURLY: NewJob = {
  when: 'every hour',
  prompt: 'tell me',
  project: 'home',
  untrusted: false,
  options: { condition: 'x', retries: 0 },
};

test('a condition that says no wakes no model, and its memory is kept for the next check', async () => {
  const { checkCondition, seen } = condition([
    { memory: { last: 1 } },
    { wake: true, text: 'price 3', untrusted: true, memory: { last: 3 } },
    {},
  ]);
  const { scheduler, clock, tick, ran, states, notices } = await testScheduler({ checkCondition });
  await scheduler.add(HOURLY);
  for (let n = 0; n < 3; n++) {
    clock.advance(3_600_000);
    await tick();
  }
  expect(seen).toEqual([{}, { last: 1 }, { last: 3 }]);
  expect(await states()).toEqual(['skipped', 'succeeded', 'skipped']);
  expect(ran).toHaveLength(1);
  expect(ran[0]?.job).toMatchObject({ prompt: 'tell me\n\nThe condition script found: price 3', untrusted: true });
  expect(notices).toHaveLength(1);
});

test('a condition that fails is a failure of the run', async () => {
  const { checkCondition } = condition([new Error('its condition failed: x is not defined (line 1)')]);
  const { scheduler, clock, tick, notices, states } = await testScheduler({ checkCondition });
  await scheduler.add(HOURLY);
  clock.advance(3_600_000);
  await tick();
  expect(await states()).toEqual(['failed']);
  expect(notices[0]?.text).toContain('x is not defined');
});

const REHEARSAL = {
  outcome: { state: 'succeeded', output: 'done' },
  calls: [
    { tool: 'web_search', input: {}, effect: 'none', destination: undefined, stubbed: false },
    { tool: 'notify', input: {}, effect: 'outbound', destination: 'discord:owner', stubbed: true },
    { tool: 'notify', input: {}, effect: 'outbound', destination: 'discord:owner', stubbed: true },
  ],
} as const;

test('a rehearsal with --pin allows exactly what it wanted', async () => {
  const { scheduler, ran } = await testScheduler({ onRehearse: async () => REHEARSAL });
  const { id } = await scheduler.add({ ...HOURLY, options: {} });
  const signal = new AbortController().signal;
  expect((await scheduler.rehearse(id, { pin: false, signal })).job.pin).toBeUndefined();
  const pin = { tools: ['web_search', 'notify'], destinations: ['discord:owner'] };
  expect((await scheduler.rehearse(id, { pin: true, signal })).job.pin).toEqual(pin);
  await scheduler.runNow(id);
  expect(ran[0]?.job.pin).toEqual(pin);
});

test('a pinned job that wants more is paused and asks', async () => {
  const onDue = async () => ({ state: 'denied', output: '', error: 'fetch_text to https://x.test' }) as const;
  const { scheduler, clock, tick, notices } = await testScheduler({ onRehearse: async () => REHEARSAL, onDue });
  const { id } = await scheduler.add({ ...HOURLY, options: {} });
  await scheduler.rehearse(id, { pin: true, signal: new AbortController().signal });
  clock.advance(3_600_000);
  await tick();
  expect((await scheduler.show(id)).job).toMatchObject({
    enabled: false,
    pausedBecause: 'it wanted more than was allowed',
  });
  expect(notices.map((notice) => notice.text)).toEqual([expect.stringContaining(`rehearse ${id} --pin`)]);
});
