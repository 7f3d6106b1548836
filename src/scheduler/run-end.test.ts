import { describe, expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlAll } from '../testing/sql.ts';
import type { DueRun, NewJob, RunOutcome } from './types.ts';

const JOB: NewJob = { when: 'in 1 hour', prompt: 'say hello', project: 'home', untrusted: false };
const HOURLY: NewJob = { ...JOB, when: 'every hour' };
const MINUTE = 60_000;

/** A job whose run has just ended in this way. */
async function ended(outcome: RunOutcome, job: NewJob = JOB, options = { retries: 0 }) {
  const scene = await testScheduler({ onDue: async () => outcome, options });
  const { id } = await scene.scheduler.add(job);
  scene.clock.advance(60 * MINUTE);
  await scene.tick();
  const { history, job: after } = await scene.scheduler.show(id);
  return { ...scene, id, run: history[0], after, texts: () => scene.notices.map(({ text }) => text) };
}

const succeeded = (output: string, more: Partial<RunOutcome> = {}): RunOutcome => ({
  state: 'succeeded',
  output,
  ...more,
});

describe('what a run leaves', () => {
  test('its conversation, turn and cost, and when it began and ended', async () => {
    const { run, clock } = await ended(succeeded('x', { conversationId: 'conv_1', turnId: 'turn_1', costUsd: 0.25 }));
    expect(run).toMatchObject({ conversationId: 'conv_1', turnId: 'turn_1', costUsd: 0.25, output: 'x' });
    expect([run?.startedAt, run?.finishedAt]).toEqual([clock.now(), clock.now()]);
  });

  test('none of them where there is none', async () => {
    const { run } = await ended(succeeded('x'));
    expect(run).toMatchObject({ conversationId: undefined, turnId: undefined, costUsd: undefined, error: undefined });
  });

  test.each([
    ['an answer', succeeded('hello'), 'pending', ['hello']],
    ['an answer of blanks', succeeded(' \n'), 'none', []],
    ['an answer that the run has sent itself', succeeded('hello', { told: true }), 'sent by the run', []],
    ['an answer that is to be silent, behind blanks', succeeded(' [silent] x'), 'silent', []],
    ['an answer that names silence later', succeeded('not [SILENT]'), 'pending', ['not [SILENT]']],
  ])('%s', async (_name, outcome, delivery, told) => {
    const { run, texts } = await ended(outcome);
    expect(run?.delivery).toBe(delivery);
    expect(texts()).toEqual(told);
  });

  test('the answer goes to the channel of the job', async () => {
    const { notices, run } = await ended(succeeded('x'), { ...JOB, options: { to: 'signal' } });
    expect(notices).toEqual([{ key: `run:${run?.id}`, text: 'x', to: 'signal', runId: run?.id }]);
  });
});

describe('what others may have written is told without links', () => {
  const LINK = 'https://collector.example/?d=secret';
  const DEAD = 'collector[.]example/?d=secret';

  test('an answer, by what its run has read', async () => {
    const voice = { untrusted: true, links: ['https://known.example/page'] };
    const read = await ended(succeeded(`${LINK} https://known.example/page`, { voice }));
    expect(read.texts()).toEqual([`${DEAD} https://known.example/page`]);
    expect((await ended(succeeded(LINK))).texts()).toEqual([LINK]);
  });

  test('the words of a job that somebody else may have made, whatever comes of it', async () => {
    const job = { ...JOB, prompt: `read ${LINK}`, untrusted: true };
    for (const outcome of [succeeded(`read ${LINK}`), { state: 'failed', output: '', error: LINK } as const]) {
      const texts = (await ended(outcome, job)).texts();
      expect(texts).toHaveLength(1);
      expect(texts.join()).toContain(DEAD);
      expect(texts.join()).not.toContain('collector.example');
    }
  });
});

describe('whatever says not whose text it is tells it without links', () => {
  const LINK = 'https://collector.example/?d=secret';

  test.each([
    ['a function of a plugin', async () => LINK],
    ['one that fails', () => Promise.reject(new Error(LINK))],
  ])('%s', async (_what, run) => {
    const { scheduler, clock, tick, notices } = await testScheduler({ options: { retries: 0 } });
    await scheduler.seed([{ taskKey: 'feed', description: 'Feed', schedule: 'every hour', run }]);
    clock.advance(60 * MINUTE);
    await tick();
    expect(notices.map(({ text }) => text)).toEqual([expect.stringContaining('collector[.]example')]);
    expect(JSON.stringify(notices)).not.toContain('collector.example');
  });

  test('a condition that fails', async () => {
    const checkCondition = () => Promise.reject(new Error(`its condition failed: ${LINK}`));
    const options = { condition: 'x', retries: 0 };
    const { scheduler, clock, tick, notices } = await testScheduler({ checkCondition, options });
    await scheduler.add({ ...JOB, options });
    clock.advance(60 * MINUTE);
    await tick();
    expect(notices).toMatchObject([{ text: expect.stringContaining('collector[.]example') }]);
  });
});

describe('what is told of a run that did not succeed', () => {
  test.each([
    ['failed', 'the model is away.', 'failed: the model is away. See `wooster schedule show ID`.'],
    ['failed', undefined, 'failed. See `wooster schedule show ID`.'],
    ['failed', 'no. 5 is out', 'failed: no. 5 is out. See `wooster schedule show ID`.'],
    ['cancelled', 'you pressed Ctrl-C', 'was stopped: you pressed Ctrl-C. See `wooster schedule show ID`.'],
    [
      'denied',
      'notify to bob',
      'was not allowed something it needs: notify to bob. To see what it would do and allow exactly that: ' +
        '`wooster schedule rehearse ID --pin`.',
    ],
  ] as const)('%s, because of %s', async (state, error, told) => {
    const { texts, run, id } = await ended({ state, output: '', error });
    expect(run).toMatchObject({ state, error });
    expect(texts()).toEqual([`Scheduled job "say hello" (${id}) ${told.replaceAll('ID', id)}`]);
  });

  test('of failures in a row the first one; of denials each', async () => {
    for (const [state, count] of [
      ['failed', 1],
      ['denied', 3],
    ] as const) {
      const { clock, tick, notices } = await ended({ state, output: '', error: 'x' }, HOURLY);
      for (let n = 0; n < 2; n++) {
        clock.advance(60 * MINUTE);
        await tick();
      }
      expect(notices).toHaveLength(count);
    }
  });

  test('after ten failures the job is paused, and how to resume it is told on its channel', async () => {
    const { clock, tick, notices, id } = await ended(
      { state: 'failed', output: '' },
      { ...HOURLY, options: { to: 'x' } },
    );
    for (let n = 0; n < 11; n++) {
      clock.advance(60 * MINUTE);
      await tick();
    }
    expect(notices.map(({ text, to }) => [text, to])).toEqual([
      [`Scheduled job "say hello" (${id}) failed. See \`wooster schedule show ${id}\`.`, 'x'],
      [
        `"say hello" (${id}) failed 10 times in a row and is paused now. Resume it with \`wooster schedule resume ${id}\`.`,
        'x',
      ],
    ]);
  });
});

describe('a run that failed is tried again', () => {
  const failed: RunOutcome = { state: 'failed', output: '', error: 'the model is away' };

  test('after half a minute, then four times as long each time, at most an hour', async () => {
    const { clock, tick, store } = await ended(failed, JOB, { retries: 6 });
    const waits: number[] = [];
    for (let n = 0; n < 6; n++) {
      const [row] = await sqlAll(store, 'SELECT not_before, attempt FROM runs');
      expect(row?.attempt).toBe(n + 1);
      const waitMs = Date.parse(String(row?.not_before)) - clock.now().getTime();
      waits.push(waitMs / 1000);
      clock.advance(waitMs);
      await tick();
    }
    expect(waits).toEqual([30, 120, 480, 1920, 3600, 3600]);
    expect(await sqlAll(store, 'SELECT state, attempt FROM runs')).toEqual([{ state: 'failed', attempt: 7 }]);
  });

  test('but not one that may have acted', async () => {
    const scene = await testScheduler({ onDue: async () => failed, hasEffects: async () => true });
    const { id } = await scene.scheduler.add(JOB);
    scene.clock.advance(60 * MINUTE);
    await scene.tick();
    expect((await scene.scheduler.show(id)).history).toMatchObject([{ state: 'failed', attempt: 1 }]);
  });

  test('nor a denied one, nor a function of a plugin', async () => {
    const { run } = await ended({ state: 'denied', output: '', error: 'x' }, JOB, { retries: 6 });
    expect(run).toMatchObject({ state: 'denied', attempt: 1 });
    const { scheduler, clock, tick, states } = await testScheduler({ options: { retries: 6 } });
    const run_ = () => Promise.reject(new Error('broken'));
    await scheduler.seed([{ taskKey: 'a', description: 'A', schedule: 'every hour', run: run_ }]);
    clock.advance(60 * MINUTE);
    await tick();
    expect(await states()).toEqual(['failed']);
  });

  test('a success in between starts the count anew', async () => {
    const outcomes: RunOutcome[] = [failed, failed, succeeded('x'), failed];
    const { clock, tick, scheduler, notices } = await testScheduler({
      options: { retries: 0, pauseAfter: 3 },
      onDue: async () => outcomes.shift() ?? failed,
    });
    const { id } = await scheduler.add(HOURLY);
    for (let n = 0; n < 4; n++) {
      clock.advance(60 * MINUTE);
      await tick();
    }
    expect((await scheduler.show(id)).job).toMatchObject({ enabled: true, failures: 1 });
    expect(notices).toHaveLength(3);
  });
});

describe('a run for which no model can be reached', () => {
  const away: RunOutcome = { state: 'failed', output: '', error: 'No answer: it is down.', modelAway: true };

  /** The model is away for so many minutes, counted from the time of the job. */
  async function awayFor(minutes: number) {
    const at: number[] = [];
    let backAt = 0;
    const scene = await testScheduler({
      options: { retries: 0 },
      onDue: async () => {
        at.push(scene.clock.now().getTime());
        return scene.clock.now().getTime() < backAt ? away : succeeded('the tides');
      },
    });
    backAt = scene.clock.now().getTime() + (60 + minutes) * MINUTE;
    const { id } = await scene.scheduler.add(JOB);
    scene.clock.advance(60 * MINUTE);
    await scene.tick();
    const told = scene.notices.length;
    for (let minute = 0; minute < 26 * 60; minute++) {
      scene.clock.advance(MINUTE);
      await scene.tick();
    }
    const gaps = at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / MINUTE);
    return { ...scene, id, told, gaps, texts: scene.notices.map(({ text }) => text) };
  }

  test('is told at once, tried again ever more rarely, and its result comes', async () => {
    const { told, gaps, texts, scheduler, id } = await awayFor(300);
    expect(told).toBe(1);
    expect(texts).toEqual([
      expect.stringMatching(/was due, but no model can be reached: No answer: it is down\. It is tried again until /u),
      'the tides',
    ]);
    expect(gaps).toEqual([1, 2, 8, 32, 60, 60, 60, 60, 60]);
    expect((await scheduler.show(id)).history[0]).toMatchObject({ state: 'succeeded' });
  });

  test('has failed when its window is over', async () => {
    const { texts, scheduler, id } = await awayFor(10_000);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toContain('failed: No answer');
    expect((await scheduler.show(id)).history[0]).toMatchObject({ state: 'failed' });
  });
});

describe('a run whose model says nothing', () => {
  /** The model hangs from the time of the job on; after ten seconds it is heard of, or not. */
  async function hanging({ heard }: { heard: boolean }) {
    const begun = Promise.withResolvers<DueRun>();
    const answer = Promise.withResolvers<RunOutcome>();
    const scene = await testScheduler({
      options: { retries: 0 },
      onDue: (run) => {
        begun.resolve(run);
        return answer.promise;
      },
    });
    await scene.scheduler.add(JOB);
    scene.clock.advance(60 * MINUTE);
    await scene.scheduler.tick();
    const run = await begun.promise;
    for (let second = 1; second <= 29; second++) {
      if (second === 10 && heard) run.heard();
      scene.clock.advance(1000);
      await scene.scheduler.tick();
    }
    const before = scene.notices.map(({ text }) => text);
    answer.resolve(succeeded('the tides'));
    await scene.tick();
    return { before, after: scene.notices.slice(before.length).map(({ text }) => text) };
  }

  test('is told before half a minute is over, once, and its result comes', async () => {
    const { before, after } = await hanging({ heard: false });
    expect(before).toEqual([expect.stringContaining('was due, but its model says nothing.')]);
    expect(after).toEqual(['the tides']);
  });

  test('is not told of when it was heard of', async () => {
    expect(await hanging({ heard: true })).toEqual({ before: [], after: ['the tides'] });
  });
});
