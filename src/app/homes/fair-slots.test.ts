import { expect, test } from 'vitest';
import { FairSlots, type Seat } from './fair-slots.ts';

/** A home with so many due runs: starts what it gets places for, and notes its name for each. */
function busyHome(slots: FairSlots, name: string, due: number, started: string[]): { seat: Seat; start(): void } {
  const seat = slots.seat();
  let left = due;
  const start = () => {
    if (left === 0) return;
    const places = seat.take(left);
    left -= places;
    for (let nth = 0; nth < places; nth++) started.push(name);
  };
  seat.onFree(async () => start());
  return { seat, start };
}

test('a home with many runs and one with few take turns', async () => {
  const slots = new FairSlots({ slots: 2, perHome: 2 });
  const started: string[] = [];
  const many = busyHome(slots, 'many', 100, started);
  const few = busyHome(slots, 'few', 2, started);
  many.start();
  few.start();
  const running = new Map([
    ['many', many],
    ['few', few],
  ]);
  for (let ended = 0; ended < 6; ended++) {
    running.get(started[ended] ?? '')?.seat.give(1);
    many.start();
    await Promise.resolve();
  }
  expect(started.slice(0, 6).filter((name) => name === 'few')).toHaveLength(2);
});

test('no home takes more than its part, and a place that is not used goes on', async () => {
  const slots = new FairSlots({ slots: 4, perHome: 2 });
  const [a, b, c] = [slots.seat(), slots.seat(), slots.seat()];
  const got: string[] = [];
  expect([a.take(9), b.take(9), c.take(1)]).toEqual([2, 2, 0]);
  c.onFree(async () => {
    got.push('c');
  });
  a.give(1);
  await new Promise(setImmediate);
  expect(got).toEqual(['c']);
  expect(a.take(1)).toBe(1);
});

test('a home that fails to start gives its place back', async () => {
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const [a, b] = [slots.seat(), slots.seat()];
  b.onFree(() => Promise.reject(new Error('down')));
  expect([a.take(1), b.take(1)]).toEqual([1, 0]);
  a.give(1);
  await new Promise(setImmediate);
  expect(a.take(1)).toBe(1);
});
