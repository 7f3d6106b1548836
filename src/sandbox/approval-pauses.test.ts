import { beforeEach, expect, test, vi } from 'vitest';
import { ApprovalPauses } from './approval-pauses.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(1000);
  return () => void vi.useRealTimers();
});

test('only the time counts in which somebody decides', () => {
  const pauses = new ApprovalPauses();
  vi.advanceTimersByTime(50);
  expect([pauses.active, pauses.totalMs()]).toEqual([false, 0]);
  const end = pauses.begin();
  expect([pauses.active, pauses.totalMs()]).toEqual([true, 0]);
  vi.advanceTimersByTime(30);
  expect([pauses.active, pauses.totalMs()]).toEqual([true, 30]);
  end();
  vi.advanceTimersByTime(500);
  expect([pauses.active, pauses.totalMs()]).toEqual([false, 30]);
});

test('pauses follow each other', () => {
  const pauses = new ApprovalPauses();
  const first = pauses.begin();
  vi.advanceTimersByTime(30);
  first();
  vi.advanceTimersByTime(500);
  const second = pauses.begin();
  vi.advanceTimersByTime(7);
  expect(pauses.totalMs()).toBe(37);
  second();
  expect(pauses.totalMs()).toBe(37);
});

test('where pauses overlap, the time counts once, until the last one ends', () => {
  const pauses = new ApprovalPauses();
  const first = pauses.begin();
  vi.advanceTimersByTime(10);
  const second = pauses.begin();
  vi.advanceTimersByTime(20);
  first();
  vi.advanceTimersByTime(40);
  expect([pauses.active, pauses.totalMs()]).toEqual([true, 70]);
  second();
  vi.advanceTimersByTime(500);
  expect([pauses.active, pauses.totalMs()]).toEqual([false, 70]);
});

test('a pause that is ended twice ends no other', () => {
  const pauses = new ApprovalPauses();
  const first = pauses.begin();
  const second = pauses.begin();
  first();
  first();
  vi.advanceTimersByTime(5);
  expect([pauses.active, pauses.totalMs()]).toEqual([true, 5]);
  second();
  second();
  expect([pauses.active, pauses.totalMs()]).toEqual([false, 5]);
});
