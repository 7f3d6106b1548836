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
