import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlAll } from '../testing/sql.ts';
import type { DueRun, NewJob, RunOutcome } from './types.ts';

const JOB: NewJob = { when: 'every hour', prompt: 'run the rules', project: 'home', untrusted: false };
const HOUR = 3_600_000;
const SUSPENDED = { proposal: 'prop_1', until: '', steps: '[1]' };

/** A job whose first run waits for the owner for three hours. */
async function waiting(job: NewJob = JOB) {
  const runs: DueRun[] = [];
  let until = '';
  const onDue = async (run: DueRun): Promise<RunOutcome> => {
    runs.push(run);
    return runs.length === 1
      ? {
          state: 'denied',
          output: 'so far',
          error: 'prop_1 is not decided yet',
          turnId: 'turn_1',
          suspended: { ...SUSPENDED, until },
        }
      : { state: 'succeeded', output: 'all of it' };
  };
  const scene = await testScheduler({ onDue });
  const { id } = await scene.scheduler.add(job);
  scene.clock.advance(HOUR);
  until = new Date(scene.clock.now().getTime() + 3 * HOUR).toISOString();
  await scene.tick();
  const history = async () => (await scene.scheduler.show(id)).history;
  const states = async () => (await history()).map(({ state }) => state).toReversed();
  return { ...scene, id, runs, states, history, texts: () => scene.notices.map(({ text }) => text) };
}

test('a run that waits is no failure, and its owner is told what lets it go on', async () => {
  const { states, scheduler, id, texts } = await waiting();
  expect(await states()).toEqual(['waiting']);
  expect((await scheduler.show(id)).job).toMatchObject({ failures: 0, enabled: true });
  expect(texts()).toEqual([expect.stringContaining('`wooster approve prop_1` lets it go on')]);
});

test('after a decision the same run goes on with what it was answered, once', async () => {
  const { states, scheduler, runs, tick, store } = await waiting();
  await scheduler.goOn('prop_other');
  await tick();
  expect(await states()).toEqual(['waiting']);
  await scheduler.goOn('prop_1');
  await scheduler.goOn('prop_1');
  await tick();
  expect(await states()).toEqual(['succeeded']);
  expect(runs.map(({ runId, attempt, steps }) => [runId, attempt, steps])).toEqual([
    [runs[0]?.runId, 1, undefined],
    [runs[0]?.runId, 2, '[1]'],
  ]);
  expect(await sqlAll(store, 'select * from waiting_runs')).toEqual([]);
});

test('the next run of the job does not wait for it', async () => {
  const { states, clock, tick, runs } = await waiting();
  clock.advance(HOUR);
  await tick();
  expect(await states()).toEqual(['waiting', 'succeeded']);
  expect(runs[1]?.steps).toBeUndefined();
});

test('where nobody decides in time, it goes on too, and finds that out', async () => {
  const { clock, tick, runs, scheduler } = await waiting({ ...JOB, when: 'in 1 hour' });
  clock.advance(3 * HOUR - 1000);
  await tick();
  expect(runs).toHaveLength(1);
  const next = await scheduler.nextLook(clock.now());
  expect(next).toEqual(new Date(clock.now().getTime() + 1000));
  clock.advance(1000);
  await tick();
  expect(runs.map(({ steps }) => steps)).toEqual([undefined, '[1]']);
});

test('an answer is told at once, and the rest when the run has gone on; waiting on says nothing', async () => {
  const suspended = { proposal: 'prop_1', until: '2099-01-01T00:00:00.000Z', steps: '{}' };
  const outcomes: RunOutcome[] = [
    { state: 'denied', output: 'so far', turnId: 'turn_1', suspended: { ...suspended, tells: 'answer' } },
    { state: 'denied', output: 'so far', turnId: 'turn_1', suspended: { ...suspended, tells: 'nothing' } },
    { state: 'succeeded', output: 'the rest', turnId: 'turn_1' },
  ];
  const { scheduler, clock, tick, notices } = await testScheduler({
    onDue: async () => outcomes.shift() ?? Promise.reject(new Error('it went on once too often')),
  });
  await scheduler.add({ ...JOB, when: 'in 1 hour' });
  clock.advance(HOUR);
  await tick();
  for (let decision = 0; decision < 3; decision++) {
    await scheduler.goOn('prop_1');
    await tick();
  }
  expect(notices.map(({ text }) => text)).toEqual(['so far', 'the rest']);
  expect(new Set(notices.map(({ key }) => key)).size).toBe(2);
});
