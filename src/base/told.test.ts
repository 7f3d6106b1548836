import { expect, test } from 'vitest';
import { readTold, told } from './told.ts';

test('a sentence is read back to its code and values, whatever hint follows', () => {
  const values = { said: 'yoga', jobs: 'job_1 "a" (Fri 2026-11-27 09:00); job_2 "b"' };
  expect(readTold(`${told('no_job_called', values)} \`wooster schedule list\` shows all.`)).toEqual({
    code: 'no_job_called',
    values,
  });
  expect(readTold(told('unclear_time', { said: 'x', why: 'it names no time' }))?.code).toBe('unclear_time');
  expect(readTold(told('no_time', { said: 'x' }))).toEqual({ code: 'no_time', values: { said: 'x' } });
  expect(readTold('The disk is full.')).toBeUndefined();
});

test('a gap without a value is empty', () => {
  expect(told('time_passed', { said: 'noon', zone: 'UTC' })).toBe('"noon" is in the past (, UTC).');
});

test.each([
  ['several_jobs', { said: 'a', count: '2', jobs: 'x; y' }],
  ['comes_again', { id: 'job_1', when: 'daily' }],
  ['move_passed', { said: 'a', at: 'b' }],
  ['no_file', { path: '/a b/c' }],
  ['file_there', { path: 'x' }],
  ['no_jobs', { said: 'it' }],
] as const)('%s is read back', (code, values) => {
  expect(readTold(told(code, values))).toEqual({ code, values });
});

test('half a sentence is none', () => {
  expect(readTold('No scheduled job is called "yoga')).toBeUndefined();
  expect(readTold('so "noon" is in the past')).toBeUndefined();
});
