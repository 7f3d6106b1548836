import { expect, test } from 'vitest';
import { FairSlots, type Seat } from './fair-slots.ts';

/** A home with this many due runs: starts as many as it gets slots for, and notes its name for each. */
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

test.each([
  ['fails to start', () => Promise.reject(new Error('down'))],
  ['does not use its place', async () => {}],
])('a home that %s gives the place back', async (_, woken) => {
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const [a, b] = [slots.seat(), slots.seat()];
  b.onFree(woken);
  expect([a.take(1), b.take(1)]).toEqual([1, 0]);
  a.give(1);
  await settle();
  expect(a.take(1)).toBe(1);
});

/** A home that takes every slot it is offered, and notes it. */
function waiting(slots: FairSlots, name: string, got: string[], most = 1): Seat {
  const seat = slots.seat();
  seat.onFree(async () => {
    const places = seat.take(most);
    for (let nth = 0; nth < places; nth++) got.push(name);
  });
  return seat;
}

const settle = () => new Promise(setImmediate);

test('a home has no more places than its part, in however many steps, and asks for what it needs', () => {
  const slots = new FairSlots({ slots: 9, perHome: 3 });
  const seat = slots.seat();
  expect([seat.take(1), seat.take(1), seat.take(9), seat.take(1)]).toEqual([1, 1, 1, 0]);
  seat.give(2);
  expect([seat.take(9), seat.take(9)]).toEqual([2, 0]);
});

test('a home has no more places than there are', () => {
  const seat = new FairSlots({ slots: 2, perHome: 5 }).seat();
  expect([seat.take(0), seat.take(9), seat.take(1)]).toEqual([0, 2, 0]);
  seat.give(1);
  expect([seat.take(2), seat.take(1)]).toEqual([1, 0]);
});

test('a place that becomes free goes to whoever has waited longest; who asked again waits again', async () => {
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const got: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => waiting(slots, name, got)) as [Seat, Seat, Seat];
  expect([a.take(1), b.take(1), c.take(1), b.take(1)]).toEqual([1, 0, 0, 0]);
  a.give(1);
  await settle();
  expect(got).toEqual(['c']);
  c.give(1);
  await settle();
  expect(got).toEqual(['c', 'b']);
  b.give(1);
  await settle();
  expect(a.take(1)).toBe(1);
  expect(got).toEqual(['c', 'b']);
});

test('a home that has started all it had, or leaves, is offered nothing', async () => {
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const got: string[] = [];
  const [a, done, gone, b] = ['a', 'done', 'gone', 'b'].map((name) => waiting(slots, name, got)) as Seat[];
  expect([a, done, gone, b].map((seat) => seat?.take(1))).toEqual([1, 0, 0, 0]);
  done?.enough();
  gone?.leave();
  a?.give(1);
  await settle();
  expect(got).toEqual(['b']);
});

test('who is given a place while it is being woken can take it, and no more than its part', async () => {
  const slots = new FairSlots({ slots: 4, perHome: 2 });
  const [a, b] = [slots.seat(), slots.seat()];
  const c = slots.seat();
  const woken: number[] = [];
  expect([a.take(2), b.take(2), c.take(2)]).toEqual([2, 2, 0]);
  c.onFree(async () => {
    b.give(2);
    woken.push(c.take(9), c.take(9));
  });
  a.give(1);
  await settle();
  expect(woken).toEqual([2, 0]);
  expect([a.take(9), b.take(9)]).toEqual([1, 0]);
});

test('a place that was kept for a home goes on when it leaves', async () => {
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const got: string[] = [];
  const [a, slow, b] = [slots.seat(), slots.seat(), waiting(slots, 'b', got)];
  slow.onFree(() => new Promise(() => {}));
  expect([a.take(1), slow.take(1), b.take(1)]).toEqual([1, 0, 0]);
  a.give(1);
  await settle();
  expect(got).toEqual([]);
  slow.leave();
  await settle();
  expect(got).toEqual(['b']);
});

test('a home that waits for more than it got stays in line', async () => {
  const slots = new FairSlots({ slots: 2, perHome: 2 });
  const got: string[] = [];
  const [a, b] = [slots.seat(), waiting(slots, 'b', got, 2)];
  expect([a.take(1), b.take(2)]).toEqual([1, 1]);
  a.give(1);
  await settle();
  expect(got).toEqual(['b']);
  expect(a.take(1)).toBe(0);
});

test('what a home does with a place is done as that home, wherever the place came from', async () => {
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const order: string[] = [];
  const a = slots.seat();
  const b = slots.seat(async (start) => {
    order.push('in');
    await start();
    order.push('out');
  });
  b.onFree(async () => void order.push('start'));
  expect([a.take(1), b.take(1)]).toEqual([1, 0]);
  a.give(1);
  await settle();
  expect(order).toEqual(['in', 'start', 'out']);
});

test('a seat that nobody told what to do gives its place on', async () => {
  const slots = new FairSlots({ slots: 1, perHome: 1 });
  const [a, idle] = [slots.seat(), slots.seat()];
  const got: string[] = [];
  const b = waiting(slots, 'b', got);
  expect([a.take(1), idle.take(1), b.take(1)]).toEqual([1, 0, 0]);
  a.give(1);
  await settle();
  expect(got).toEqual(['b']);
});
