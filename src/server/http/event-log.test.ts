import { expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

const token = (text: string) => ({ type: 'token', text }) as const;
const ANSWER = { type: 'answer', text: 'done', stop: 'answered' } as const;

/** What a reader gets now: types, or the texts of tokens. */
async function read(log: EventLog, after: number, most: number, turnId?: string) {
  const stop = new AbortController();
  const seen: [number, string][] = [];
  for await (const { id, event } of log.read(after, turnId, stop.signal)) {
    seen.push([id, 'text' in event ? event.text : event.type]);
    if (seen.length === most) break;
  }
  return seen;
}

test('a reader goes on behind what it had, and gets what comes', async () => {
  const log = new EventLog(() => 1);
  log.add('a', token('1'));
  log.add('b', token('2'));
  const [first] = await read(log, 0, 2);
  const rest = read(log, first?.[0] ?? 0, 2);
  log.add('a', token('3'));
  expect((await rest).map(([, text]) => text)).toEqual(['2', '3']);
});

test('the events of one turn end with its answer', async () => {
  const log = new EventLog();
  for (const [turn, event] of [
    ['a', token('1')],
    ['b', token('2')],
    ['a', ANSWER],
    ['a', token('3')],
  ] as const)
    log.add(turn, event);
  expect((await read(log, 0, 99, 'a')).map(([, text]) => text)).toEqual(['1', 'done']);
});

test('a number of the program that ran before is smaller than every one of this', async () => {
  const before = new EventLog(() => 1000);
  for (let at = 0; at < 100; at += 1) before.add('a', token('x'));
  const log = new EventLog(() => 2000);
  log.add('b', token('new'));
  expect((await read(log, before.range.last, 2)).map(([, text]) => text)).toEqual(['gap', 'new']);
  expect((await read(log, log.range.last + 5, 1)).map(([, text]) => text)).toEqual(['new']);
});

test('what is kept is bounded, and a reader that missed something is told', async () => {
  let now = 1;
  const log = new EventLog(() => now, 10_000);
  const start = log.range.last;
  for (let at = 0; at < 1000; at += 1) log.add(`t${at}`, token('x'.repeat(100)));
  const kept = await read(log, start + 1, 2);
  expect(kept[0]?.[1]).toBe('gap');
  expect(log.range.last - (kept[1]?.[0] ?? 0)).toBeLessThan(100);
  expect([log.has('t0'), log.has('t999')]).toEqual([false, true]);
  now += 25 * 3_600_000;
  log.add('late', token('y'));
  expect((await read(log, 0, 1)).map(([, text]) => text)).toEqual(['y']);
});

test('a reader ends with its signal, also while it waits', async () => {
  const log = new EventLog();
  const stop = new AbortController();
  const reading = log.read(0, undefined, stop.signal).next();
  stop.abort();
  expect(await reading).toEqual({ done: true, value: undefined });
});
