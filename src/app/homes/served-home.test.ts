import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import { RUNS_TOPIC } from '../../scheduler/due.ts';
import { FairSlots } from './fair-slots.ts';
import { HomeContext } from './home-context.ts';
import { Rounds } from './rounds.ts';
import { backoffMs, outsideName, type ServedApp, ServedHome } from './served-home.ts';

const NOW = new Date('2026-11-20T11:00:00Z');
/** Of the 0.8 s of jitter between workers. */
const SPREAD_MS = 400;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const inMs = (ms: number) => new Date(Date.now() + ms);

/** When something is due, and what happens while that is asked. */
interface Says {
  run?: Date | undefined;
  message?: Date | undefined;
  error?: unknown;
  meanwhile?: () => void;
  sending?: () => void;
}

/** A home whose scheduler and outbox say what the test says. What was done is noted. */
function servedHome() {
  const says: Says = {};
  const [done, theirs, ours]: [string[], unknown[], unknown[]] = [[], [], []];
  const asked: { readonly runs: Date[]; readonly messages: Date[] } = { runs: [], messages: [] };
  const hints: Record<string, () => void> = {};
  const context = new HomeContext();
  const act = async (what: string) => {
    expect(HomeContext.current).toBe(context);
    done.push(what);
  };
  const app = {
    start: () => act('start'),
    close: () => act('close'),
    home: { log: { ...silentLog, error: (...line: unknown[]) => void theirs.push(line) } },
    store: {
      wake: {
        on: (topic: string, listener: () => void) => {
          hints[topic] = listener;
          return () => void delete hints[topic];
        },
      },
    },
    schedule: {
      jobs: {
        nextLook: async (tickedAt: Date) => {
          asked.runs.push(tickedAt);
          if (says.error) throw says.error;
          says.meanwhile?.();
          return says.run;
        },
        tick: () => act('tick'),
      },
      notifier: {
        nextFlush: async (flushedAt: Date) => {
          asked.messages.push(flushedAt);
          says.sending?.();
          return says.message;
        },
        flush: () => act('flush'),
      },
    },
  } as unknown as ServedApp;
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const seat = slots.seat();
  const rounds = new Rounds(1);
  const log = { ...silentLog, error: (...line: unknown[]) => void ours.push(line) };
  const home = new ServedHome({ id: 'anna', app, context, seat, rounds, log });
  const waitMs = async () => {
    await home.look();
    return home.nextMs - performance.now();
  };
  return { home, says, done, theirs, ours, asked, hints, slots, seat, rounds, waitMs };
}

test.each([
  ['nothing is planned', undefined, 10_000],
  ['a run is planned for tomorrow', 24 * 3600_000, 10_000],
  ['a run is planned in 9 s', 9000, 9000 + SPREAD_MS],
  ['a run is planned in 9.7 s', 9700, 10_000],
  ['a run is planned in 1 ms', 1, 1 + SPREAD_MS],
])('when %s, the next look is then, but never later than ten seconds', async (_, ms, expected) => {
  const { says, done, waitMs } = servedHome();
  says.run = ms === undefined ? undefined : inMs(ms);
  expect(await waitMs()).toBe(expected);
  expect(done).toEqual([]);
});

test('a run that is due is started, and the scheduler is asked what comes after it', async () => {
  const { says, done, asked, waitMs } = servedHome();
  says.run = NOW;
  const answers = [says.run, inMs(3000)];
  says.meanwhile = () => {
    says.run = answers.shift();
  };
  expect(await waitMs()).toBe(3000 + SPREAD_MS);
  expect(done).toEqual(['tick']);
  expect(asked.runs).toEqual([new Date(0), NOW]);
  await waitMs();
  expect(asked.runs.at(-1)).toEqual(NOW);
});

test('what was due and could not start is looked at again after a second', async () => {
  const { says, done, waitMs } = servedHome();
  says.run = inMs(-5);
  expect(await waitMs()).toBe(1000);
  expect(done).toEqual(['tick']);
  says.run = inMs(0);
  expect(await waitMs()).toBe(1000);
});

test('what became due during the look is looked at next', async () => {
  const { says, done, waitMs } = servedHome();
  says.run = inMs(10);
  says.sending = () => void vi.setSystemTime(NOW.getTime() + 5000);
  expect(await waitMs()).toBe(SPREAD_MS);
  expect(done).toEqual([]);
});

test('messages that wait for a retry are sent when it is time, and asked about every five seconds', async () => {
  const { says, done, asked, waitMs } = servedHome();
  says.message = inMs(1);
  await waitMs();
  expect([done, asked.messages]).toEqual([[], [new Date(0)]]);
  await later(4999);
  await waitMs();
  expect(asked.messages).toHaveLength(1);
  await later(1);
  await waitMs();
  expect([done, asked.messages]).toEqual([['flush'], [new Date(0), new Date(0)]]);
  await later(5000);
  says.message = undefined;
  await waitMs();
  expect([done, asked.messages.at(-1)]).toEqual([['flush'], new Date(NOW.getTime() + 5000)]);
});

test('a hint moves the next look forward, never back', async () => {
  const { home, hints, waitMs } = servedHome();
  await home.start();
  onTestFinished(() => home.close());
  await waitMs();
  await later(1000);
  hints[RUNS_TOPIC]?.();
  expect(home.nextMs - performance.now()).toBe(200 + SPREAD_MS);
  await later(100);
  hints[RUNS_TOPIC]?.();
  expect(home.nextMs - performance.now()).toBe(100 + SPREAD_MS);
});

test('a hint during a look is not lost', async () => {
  const { home, says, hints, waitMs } = servedHome();
  await home.start();
  onTestFinished(() => home.close());
  says.meanwhile = () => hints[RUNS_TOPIC]?.();
  expect(await waitMs()).toBe(200 + SPREAD_MS);
  delete says.meanwhile;
  expect(await waitMs()).toBe(10_000);
});

test('a home that fails is looked at again later and later; its own text stays in its own log', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { says, ours, theirs, waitMs } = servedHome();
  says.error = new Error('no such table: Aunt Mary');
  expect([await waitMs(), await waitMs(), await waitMs()]).toEqual([1000, 2000, 4000]);
  expect(theirs).toEqual(Array(3).fill(['not looked at', { error: 'no such table: Aunt Mary' }]));
  expect(ours).toEqual([1, 2, 3].map((failures) => ['a home failed', { home: 'anna', failures, error: 'Error' }]));
  says.error = undefined;
  expect(await waitMs()).toBe(10_000);
  says.error = new Error('again');
  expect(await waitMs()).toBe(1000);
});

test('from its start to its close it is looked at, started and closed as the home it is', async () => {
  const { home, says, done, hints, rounds, slots, seat } = servedHome();
  rounds.start();
  onTestFinished(() => rounds.stop());
  await home.start();
  expect(Object.keys(hints)).toEqual([RUNS_TOPIC]);
  await later(25);
  expect(home.nextMs).toBeGreaterThan(performance.now() + 9000);
  const other = slots.seat();
  expect([seat.take(1), other.take(1)]).toEqual([1, 0]);
  seat.give(1);
  await home.close();
  expect(done).toEqual(['start', 'close']);
  expect(hints).toEqual({});
  says.run = NOW;
  await later(60_000);
  expect(done).toEqual(['start', 'close']);
});

test('a place that was kept for a home is free when it closes', async () => {
  const { home, slots, seat } = servedHome();
  const other = slots.seat();
  await home.start();
  expect([other.take(1), seat.take(1)]).toEqual([1, 0]);
  seat.onFree(() => new Promise(() => {}));
  other.give(1);
  expect(other.take(1)).toBe(0);
  await home.close();
  expect(other.take(1)).toBe(1);
});

test.each([
  [1, 0, 1000],
  [2, 0, 2000],
  [9, 0, 256_000],
  [10, 0, 300_000],
  [5000, 0, 300_000],
  [1, 0.5, 1050],
])('after %i failures, with chance %d, it waits %i ms', (failures, chance, expected) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  expect(backoffMs(failures)).toBeCloseTo(expected, 6);
});

test.each([
  ['ours', new AssistantError('bad_setting', 'X is no number.', { hint: '' }), 'bad_setting: X is no number.'],
  ['of the system', Object.assign(new Error('open /home/anna/x'), { code: 'EACCES' }), 'Error EACCES'],
  ['with a number for a code', Object.assign(new RangeError('Aunt Mary'), { code: 7 }), 'RangeError'],
  ['of the language', new TypeError('Aunt Mary is not a function'), 'TypeError'],
  ['none at all', 'Aunt Mary', 'unknown'],
])('an error %s is named without what it quotes', (_, error, expected) => {
  expect(outsideName(error)).toBe(expected);
});
