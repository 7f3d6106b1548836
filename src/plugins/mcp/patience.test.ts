import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Patience } from './patience.ts';

const LIMIT_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('it is over when nothing was heard for the whole time, and says so', () => {
  const { signal } = new Patience(LIMIT_MS);
  vi.advanceTimersByTime(LIMIT_MS - 1);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toEqual(new Error('no answer in time'));
});

test('whenever something is heard the whole time begins anew', () => {
  const patience = new Patience(LIMIT_MS);
  for (let times = 0; times < 3; times++) {
    vi.advanceTimersByTime(LIMIT_MS - 1);
    patience.heard();
  }
  vi.advanceTimersByTime(LIMIT_MS - 1);
  expect(patience.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(patience.signal.aborted).toBe(true);
});

/** A question that the test answers by hand. */
function question(patience: Patience) {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { answered: patience.whileAsking(() => promise), answer: resolve };
}

test('a person takes as long as they like, and what is heard meanwhile sets no clock', async () => {
  const patience = new Patience(LIMIT_MS);
  const { answered, answer } = question(patience);
  vi.advanceTimersByTime(LIMIT_MS * 100);
  patience.heard();
  vi.advanceTimersByTime(LIMIT_MS * 100);
  expect(patience.signal.aborted).toBe(false);
  answer('blue');
  expect(await answered).toBe('blue');
  vi.advanceTimersByTime(LIMIT_MS - 1);
  expect(patience.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(patience.signal.aborted).toBe(true);
});

test('with two questions the last answer sets the clock', async () => {
  const patience = new Patience(LIMIT_MS);
  const [first, second] = [question(patience), question(patience)];
  first.answer('yes');
  await first.answered;
  vi.advanceTimersByTime(LIMIT_MS * 2);
  expect(patience.signal.aborted).toBe(false);
  second.answer('no');
  await second.answered;
  vi.advanceTimersByTime(LIMIT_MS);
  expect(patience.signal.aborted).toBe(true);
});

test('a question that fails sets the clock as well', async () => {
  const patience = new Patience(LIMIT_MS);
  const failed = patience.whileAsking(() => Promise.reject(new Error('gone')));
  await expect(failed).rejects.toThrow('gone');
  vi.advanceTimersByTime(LIMIT_MS);
  expect(patience.signal.aborted).toBe(true);
});

test('once it has ended no clock runs', () => {
  const patience = new Patience(LIMIT_MS);
  patience.end();
  vi.advanceTimersByTime(LIMIT_MS);
  expect(patience.signal.aborted).toBe(false);
});

test('once it has ended it is never over, whatever is heard or answered late', async () => {
  const patience = new Patience(LIMIT_MS);
  const { answered, answer } = question(patience);
  patience.end();
  patience.heard();
  answer('late');
  await answered;
  vi.advanceTimersByTime(LIMIT_MS * 2);
  expect(patience.signal.aborted).toBe(false);
});
