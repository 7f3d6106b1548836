import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Looked, Rounds } from './rounds.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A home that is due at once, again a second after each poll, and notes its name each time. */
class Home implements Looked {
  readonly name: string;
  readonly takesMs: number;
  nextMs: number;
  readonly #seen: string[];

  constructor(name: string, seen: string[], { takesMs = 0, inMs = 0 } = {}) {
    this.name = name;
    this.takesMs = takesMs;
    this.nextMs = performance.now() + inMs;
    this.#seen = seen;
  }

  async look(): Promise<void> {
    this.#seen.push(this.name);
    if (this.takesMs > 0) await new Promise((done) => setTimeout(done, this.takesMs));
    this.nextMs = performance.now() + 1000;
  }
}

function roundsOf(lanes: number, ...homes: readonly Home[]): Rounds {
  const rounds = new Rounds(lanes);
  for (const home of homes) rounds.add(home);
  rounds.start();
  onTestFinished(() => rounds.stop());
  return rounds;
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a home is looked at when it is due, and not before', async () => {
  const seen: string[] = [];
  roundsOf(4, new Home('now', seen), new Home('soon', seen, { inMs: 50 }), new Home('later', seen, { inMs: 500 }));
  await later(24);
  expect(seen).toEqual([]);
  await later(1);
  expect(seen).toEqual(['now']);
  await later(25);
  expect(seen).toEqual(['now', 'soon']);
  await later(449);
  expect(seen).toEqual(['now', 'soon']);
  await later(1);
  expect(seen).toEqual(['now', 'soon', 'later']);
  await later(550);
  expect(seen).toEqual(['now', 'soon', 'later', 'now', 'soon']);
});

test('with one lane, the one that has waited longest comes first, and the next need not wait for a beat', async () => {
  const seen: string[] = [];
  const homes = [new Home('c', seen, { inMs: 20 }), new Home('a', seen), new Home('b', seen, { inMs: 10 })];
  roundsOf(1, ...homes);
  await later(25);
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('as many are looked at at once as there are lanes', async () => {
  const seen: string[] = [];
  roundsOf(2, ...['a', 'b', 'c', 'd', 'e'].map((name) => new Home(name, seen, { takesMs: 100 })));
  await later(25);
  expect(seen).toEqual(['a', 'b']);
  await later(99);
  expect(seen).toEqual(['a', 'b']);
  await later(1);
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
  await later(100);
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a slow home holds up the others for two seconds, and is not looked at twice at once', async () => {
  const seen: string[] = [];
  roundsOf(1, new Home('slow', seen, { takesMs: 60_000 }), new Home('quick', seen, { inMs: 10 }));
  await later(25 + 1999);
  expect(seen).toEqual(['slow']);
  await later(1);
  expect(seen).toEqual(['slow', 'quick']);
  await later(57_000);
  expect(seen.filter((name) => name === 'slow')).toHaveLength(1);
  expect(seen.filter((name) => name === 'quick')).toHaveLength(58);
  await later(3000);
  expect(seen.filter((name) => name === 'slow')).toHaveLength(2);
});

test('a look that ends in time leaves no timer behind', async () => {
  roundsOf(1, new Home('a', []));
  await later(25);
  // The beat.
  expect(vi.getTimerCount()).toBe(1);
});

test('a home that is removed is gone when the look at it has ended', async () => {
  const seen: string[] = [];
  const [gone, stays] = [new Home('gone', seen, { takesMs: 300 }), new Home('stays', seen, { takesMs: 300 })];
  const rounds = roundsOf(2, gone, stays);
  await later(25);
  let removed = false;
  const removal = rounds.remove(gone).then(() => {
    removed = true;
  });
  await later(299);
  expect(removed).toBe(false);
  await later(1);
  expect(removed).toBe(true);
  await removal;
  await later(5000);
  expect(seen.filter((name) => name === 'gone')).toHaveLength(1);
  expect(seen.filter((name) => name === 'stays')).toHaveLength(5);
});

test('after a stop nobody is looked at, not even by a look that was under way; a start goes on', async () => {
  const seen: string[] = [];
  const rounds = roundsOf(1, new Home('a', seen, { takesMs: 100 }), new Home('b', seen));
  await later(25);
  rounds.stop();
  await later(10_000);
  expect(seen).toEqual(['a']);
  expect(vi.getTimerCount()).toBe(0);
  rounds.start();
  rounds.start();
  expect(vi.getTimerCount()).toBe(1);
  await later(25);
  expect(seen).toEqual(['a', 'b', 'a']);
});
