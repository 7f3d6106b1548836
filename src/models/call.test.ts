import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Call, type CallDeps, realPace } from './call.ts';
import { type Failure, type FailureKind, NobodyThere } from './failure.ts';

const LIMITS = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000, maxWaitMs: 10_000 };
const failure = (kind: FailureKind, retryAfterMs?: number): Failure => ({
  ...{ kind, reason: `broke (${kind})`, cause: new Error('broke') },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** A call without real waits. */
function open(candidates: readonly string[], changes: Partial<CallDeps<string>> = {}) {
  const seen: unknown[] = [];
  const call = new Call<string>({
    candidates,
    limits: LIMITS,
    pace: { sleep: async (ms) => void seen.push(`slept ${ms}`), random: () => 0.5 },
    cancel: new AbortController().signal,
    label: (name) => `test:${name}`,
    address: (name) => (name === 'far' ? 'https://far.example/secret' : undefined),
    keyName: (name) => `${name.toUpperCase()}_KEY`,
    redact: (text) => text.replaceAll('secret', '***'),
    onRetry: (retry) => seen.push(retry),
    onFailure: (name, { kind, reason }) => seen.push([name, kind, reason]),
    ...changes,
  });
  return { call, seen };
}

/** Requests to candidates, and how failures are handled. */
async function fails(call: Call<string>, ...failures: readonly Failure[]) {
  for (const each of failures) {
    call.next().attempt.end();
    await call.recover(each);
  }
}

describe('the same model is asked again', () => {
  test('after longer and longer waits, then the next one at once', async () => {
    const { call, seen } = open(['near', 'other']);
    await fails(call, failure('server'), failure('server'), failure('server'));
    const reason = 'test:near broke (server)';
    expect(seen).toEqual([
      { reason, waitMs: 375 },
      'slept 375',
      { reason, waitMs: 750 },
      'slept 750',
      { reason, waitMs: 0 },
    ]);
    expect(call.next().candidate).toBe('other');
  });

  test.each([
    [2000, 2125],
    [10_000, 10_125],
    [10_001, 0],
    [0, 125],
  ])('no sooner than its server asked: %d ms', async (retryAfterMs, waitMs) => {
    const { call, seen } = open(['near', 'other']);
    await fails(call, failure('rate_limit', retryAfterMs));
    expect(seen[0]).toEqual({ reason: 'test:near broke (rate_limit)', waitMs });
  });

  test('not where the wait would take longer than is left', async () => {
    const { call, seen } = open(['near', 'other'], { limits: { ...LIMITS, totalMs: 375 } });
    await fails(call, failure('server'));
    expect(seen).toEqual([{ reason: 'test:near broke (server)', waitMs: 0 }]);
  });

  test('not at all where that would not help', async () => {
    const { call, seen } = open(['near', 'other']);
    await fails(call, failure('key'));
    expect(seen).toEqual([{ reason: 'test:near broke (key)', waitMs: 0 }]);
    expect(call.next().candidate).toBe('other');
  });
});

describe('when nobody is left', () => {
  test('each model is named with how often and where it was asked', async () => {
    const { call } = open(['far', 'near']);
    await fails(call, failure('empty'), failure('empty'));
    call.next().attempt.end();
    await expect(call.recover(failure('key'))).rejects.toMatchObject({
      code: 'model_rejected',
      message: 'No answer: test:far broke (empty) (asked 2 times at https://far.example/***); test:near broke (key).',
      hint: 'Check the key in NEAR_KEY, for example in .env.',
    });
  });

  test('a model that was asked once is named with its address alone', async () => {
    const { call } = open(['far']);
    call.next().attempt.end();
    await expect(call.recover(failure('request'))).rejects.toThrow(
      'No answer: test:far broke (request) (asked at https://far.example/***).',
    );
  });

  test('or another would say the same, no other is asked', async () => {
    const { call, seen } = open(['near', 'other']);
    call.next().attempt.end();
    await expect(call.recover(failure('too_long'))).rejects.toMatchObject({ code: 'context_overflow' });
    expect(seen).toEqual([]);
  });
});

describe('a pause', () => {
  const pace = {
    random: () => 0,
    sleep: async (_ms: number, signal: AbortSignal) => {
      await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
      throw new Error('the pause broke');
    },
  };

  test('that was cancelled is a cancellation', async () => {
    const cancel = new AbortController();
    const { call } = open(['near'], { cancel: cancel.signal, pace });
    call.next().attempt.end();
    const recovered = call.recover(failure('server'));
    cancel.abort(new Error('no longer wanted'));
    await expect(recovered).rejects.toThrow('no longer wanted');
  });

  test('in which the time ran out says what was tried', async () => {
    const total = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(total.signal);
    onTestFinished(() => timeout.mockRestore());
    const { call } = open(['near'], { pace });
    expect(timeout).toHaveBeenCalledWith(60_000);
    call.next().attempt.end();
    const recovered = call.recover(failure('server'));
    total.abort();
    await expect(recovered).rejects.toMatchObject({
      ...{ code: 'model_unreachable', message: 'No answer: test:near broke (server).' },
      hint: 'Raise MODEL_TIMEOUT_MS, or switch with /model NAME.',
    });
    expect(call.diagnose(new Error('aborted'))).toMatchObject({
      ...{ kind: 'deadline', reason: 'did not finish within 60000 ms' },
    });
  });

  test('that breaks by itself is no answer of a model', async () => {
    const sleep = async () => Promise.reject(new Error('the pause broke'));
    const { call } = open(['near'], { pace: { ...pace, sleep } });
    call.next().attempt.end();
    await expect(call.recover(failure('server'))).rejects.toThrow('the pause broke');
  });
});

describe('what went wrong', () => {
  test('is told with the candidate, once the timer of its attempt is stopped', () => {
    const { call, seen } = open(['near']);
    call.next();
    const found = call.diagnose(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
    expect(found).toMatchObject({ kind: 'refused', reason: 'refused the connection; is the server running?' });
    expect(seen).toEqual([['near', 'refused', 'refused the connection; is the server running?']]);
  });

  test('is no failure where the answer is no longer wanted', () => {
    const { call, seen } = open(['near'], { cancel: AbortSignal.abort(new Error('no longer wanted')) });
    call.next();
    expect(() => call.diagnose(new Error('x'))).toThrow('no longer wanted');
    expect(seen).toEqual([]);
  });

  test('needs an attempt, and that a candidate', () => {
    expect(() => open(['near']).call.diagnose(new Error('x'))).toThrow(new RangeError('no attempt was begun'));
    expect(() => open([]).call.next()).toThrow(new RangeError('a call needs a candidate'));
  });
});

test('a real pause ends when it is cancelled', async () => {
  await expect(realPace.sleep(60_000, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(realPace.random()).toBeLessThan(1);
});

test.each<[boolean, readonly FailureKind[]]>([
  [true, ['host']],
  [true, ['deadline']],
  [true, ['host', 'deadline']],
  [false, ['key', 'host']],
  [false, ['host', 'key']],
  [false, ['not_a_model']],
  [false, ['unforeseen']],
])('that nobody is there is %s after %j: one who says no is there', async (isAway, kinds) => {
  const { call } = open(kinds.map((_kind, index) => `model ${index}`));
  const error = await fails(call, ...kinds.map((kind) => failure(kind))).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof NobodyThere).toBe(isAway);
});
