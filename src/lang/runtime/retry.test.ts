import { expect, test, vi } from 'vitest';
import { GuardFailed, ModelUnavailable, SchemaViolation, ThinkError, Timeout } from './errors.ts';
import { withRetry } from './retry.ts';

const guard = new GuardFailed('length', 'x', '1..2');
const type = new SchemaViolation({ path: 'a', expected: 'a number', got: 'x' });
const timeout = new Timeout('It took too long.', 5);
const server = (code: string) => new ModelUnavailable('It is down.', { code, hint: '' });

/** What each attempt was told, how long the waits were, and the outcome. */
async function tried(errors: readonly unknown[], attempts?: number, fallback?: () => string) {
  const told: (string | undefined)[] = [];
  const waited: number[] = [];
  const attempt = async (feedback: string | undefined) => {
    const error = errors[told.length];
    told.push(feedback);
    if (error) throw error;
    return 'answer';
  };
  const pause = async (ms: number) => void waited.push(ms);
  const end = await withRetry(attempt, { attempts, fallback, pause }).catch((error: unknown) => error);
  return { told, waited, end };
}

test.each([
  ['a guard', guard, [guard.message], []],
  ['a wrong type', type, [type.message], []],
  ['a time-out', timeout, ['It took too long.'], [500]],
  ['a server that is down', server('model_unreachable'), ['It is down.'], [500]],
  ['a reply that broke off', server('model_incomplete'), ['It is down.'], [500]],
])('%s is tried again', async (_, error, feedback, waited) => {
  expect(await tried([error], 2)).toEqual({ told: [undefined, ...feedback], waited, end: 'answer' });
});

test.each([
  ['a wrong key', server('model_rejected')],
  ['any other failure', new ThinkError('No.')],
  ['what is no failure of a model', new TypeError('No.')],
])('%s is not', async (_, error) => {
  const fallback = vi.fn(() => 'usual');
  expect(await tried([error], 3, fallback)).toEqual({ told: [undefined], waited: [], end: error });
  expect(fallback).not.toHaveBeenCalled();
});

test('once, where nobody says how often', async () => {
  expect(await tried([guard])).toEqual({ told: [undefined], waited: [], end: guard });
  expect(await tried([guard], undefined, () => 'usual')).toMatchObject({ end: 'usual' });
});

test('it waits twice as long each time, and ends with the last failure or the fallback', async () => {
  const all = [timeout, timeout, timeout, guard, timeout];
  const told = [undefined, ...all.slice(0, 4).map(({ message }) => message)];
  expect(await tried(all, 5)).toEqual({ told, waited: [500, 1000, 2000], end: timeout });
  expect(await tried(all, 5, () => 'usual')).toMatchObject({ end: 'usual' });
});

test('an abort ends it with its reason', async () => {
  const control = new AbortController();
  const attempt = vi.fn(async () => {
    control.abort('enough');
    throw guard;
  });
  const options = { attempts: 3, fallback: () => 'usual', signal: control.signal };
  await expect(withRetry(attempt, options)).rejects.toBe('enough');
  expect(attempt).toHaveBeenCalledTimes(1);
});
