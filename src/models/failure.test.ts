import { describe, expect, test } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { diagnose, isEmptyReply, isRefusedRequest, isTimeout, ReplyError, windowSaid } from './failure.ts';
import { ModelHttpError } from './guard-fetch.ts';

const UNSEEN = { fault: undefined, answered: false };
const wrapped = (error: unknown) => new Error('SDK: failed', { cause: new Error('again', { cause: error }) });
const refused = (code: AssistantError['code']) => new AssistantError(code, 'not allowed', { hint: 'Allow it.' });

/** What is made of an error that SDKs may have wrapped. */
function sorted(error: unknown, answered = false) {
  const { kind, reason, retryAfterMs } = diagnose(error, { fault: undefined, answered });
  return retryAfterMs === undefined ? [kind, reason] : [kind, reason, retryAfterMs];
}

describe('an HTTP answer', () => {
  test.each([
    [400, 'bad field', 'request'],
    [401, 'who?', 'key'],
    [403, 'who?', 'key'],
    [402, 'pay', 'quota'],
    [404, 'no model', 'not_found'],
    [408, 'slow', 'server'],
    [409, 'busy', 'server'],
    [413, 'large', 'too_long'],
    [422, 'bad field', 'request'],
    [425, 'early', 'server'],
    [429, 'slow down', 'rate_limit'],
    [429, 'insufficient_quota', 'quota'],
    [499, 'odd', 'request'],
    [500, 'broken', 'server'],
    [400, 'maximum context length', 'too_long'],
    [500, 'exceed_context_size', 'too_long'],
    [401, 'maximum context length', 'key'],
  ])('%d %s', (status, body, kind) => {
    const error = new ModelHttpError('status', { status, body });
    expect(sorted(wrapped(error))).toEqual([kind, `answered ${status}: ${body}`]);
  });

  test.each([
    ['', 'answered 500'],
    ['{"error":{"message":"out of  memory"}}', 'answered 500: out of memory'],
    ['{"error":"out of memory"}', 'answered 500: out of memory'],
    ['{"message":"out of memory"}', 'answered 500: out of memory'],
    ['{"code":1}', 'answered 500: {"code":1}'],
    ['<html><h1>Bad</h1>\n<p>gateway</p>', 'answered 500: Bad gateway'],
    ['x'.repeat(200), `answered 500: ${'x'.repeat(200)}`],
    ['x'.repeat(201), `answered 500: ${'x'.repeat(200)}…`],
  ])('is told in the words of %j', (body, reason) => {
    expect(sorted(new ModelHttpError('status', { status: 500, body }))[1]).toBe(reason);
  });

  test('a wait that it asks for is kept, and said in whole seconds', () => {
    const error = new ModelHttpError('status', { status: 429, retryAfterMs: 1200, body: 'later' });
    expect(sorted(error)).toEqual(['rate_limit', 'answered 429: later and asks to wait 2 s', 1200]);
  });

  test('that is too long or no JSON is no answer of a model', () => {
    expect(sorted(new ModelHttpError('too_large', { status: 200 }))).toEqual([
      'too_large',
      'sent a longer answer than Wooster accepts',
    ]);
    expect(sorted(new ModelHttpError('content_type', { status: 200, body: '<p>Hi</p>' }))).toEqual([
      'not_a_model',
      'answered with something other than JSON: Hi',
    ]);
  });

  test('what the guard saw counts more than what an SDK made of it', () => {
    const fault = new ModelHttpError('status', { status: 404, body: 'no model' });
    expect(diagnose(new ReplyError('empty', 'was empty'), { fault, answered: true }).kind).toBe('not_found');
  });
});

test.each([
  ['ECONNREFUSED', 'refused', 'refused the connection; is the server running?'],
  ['ENOTFOUND', 'host', 'has a host name that cannot be found'],
  ['ECONNRESET', 'network', 'broke off the connection'],
  ['UND_ERR_HEADERS_TIMEOUT', 'silent', 'did not start to answer'],
])('the code %s', (code, kind, reason) => {
  expect(sorted(wrapped(Object.assign(new Error('x'), { code })))).toEqual([kind, reason]);
});

test.each([
  ['model_missing_package', 'package', 'cannot be used: not allowed'],
  ['egress_refused', 'gateway', 'was not reached: not allowed'],
  ['egress_failed', 'network', 'was not reached: not allowed'],
  ['bad_setting', 'host', 'was not reached: not allowed'],
] as const)('our own refusal %s', (code, kind, reason) => {
  const error = wrapped(refused(code));
  expect(sorted(error)).toEqual([kind, reason]);
});

describe('in the middle of a stream', () => {
  const reported = (message: string) => Object.assign(new Error(message), { error: {}, headers: {} });
  class APIConnectionError extends Error {}
  class _APIConnectionTimeoutError extends Error {}

  test.each([
    [new SyntaxError('Unexpected end'), 'malformed', 'sent something unreadable: Unexpected end'],
    [reported('overloaded'), 'server', 'reported an error: overloaded'],
    [reported('prompt is too long'), 'too_long', 'reported an error: prompt is too long'],
    [reported('your credit balance is low'), 'quota', 'reported an error: your credit balance is low'],
    [new TypeError('terminated'), 'network', 'broke off the connection'],
    [new TypeError('fetch failed'), 'network', 'broke off the connection'],
    [new APIConnectionError('x'), 'network', 'could not be reached'],
    [new _APIConnectionTimeoutError('x'), 'network', 'could not be reached'],
    [new TypeError('x is undefined'), 'unforeseen', 'sent something unreadable: x is undefined'],
    [new Error('terminated'), 'unforeseen', 'sent something unreadable: terminated'],
    [Object.assign(new Error('odd'), { error: {} }), 'unforeseen', 'sent something unreadable: odd'],
    [Object.assign(new Error('odd'), { headers: {} }), 'unforeseen', 'sent something unreadable: odd'],
  ])('%s', (error, kind, reason) => expect(sorted(error)).toEqual([kind, reason]));

  test('an answer that an SDK cannot read is malformed, once there is one', () => {
    expect(sorted(new TypeError('x is undefined'), true)).toEqual([
      'malformed',
      'sent something unreadable: x is undefined',
    ]);
  });

  test('causes that go round in a circle end', () => {
    const error = new Error('round') as Error & { cause: unknown };
    error.cause = error;
    expect(sorted(error)).toEqual(['unforeseen', 'sent something unreadable: round']);
  });
});

describe('what kind of failure it was', () => {
  const kinds = (error: unknown) => [isEmptyReply(error), isTimeout(error), isRefusedRequest(error)];

  test.each([
    [new ReplyError('empty', 'x'), [true, false, false]],
    [new ReplyError('deadline', 'x'), [false, true, false]],
    [new ReplyError('silent', 'x'), [false, true, false]],
    [new ReplyError('malformed', 'x'), [false, false, false]],
    [new ModelHttpError('status', { status: 400 }), [false, false, true]],
    [new ModelHttpError('status', { status: 422 }), [false, false, true]],
    [new ModelHttpError('status', { status: 500 }), [false, false, false]],
    [new Error('x'), [false, false, false]],
    [undefined, [false, false, false]],
  ])('%s', (error, expected) => {
    expect(kinds(error)).toEqual(expected);
    expect(kinds(wrapped(error))).toEqual(expected);
  });
});

test.each([
  ["This model's maximum context length is 8,192 tokens.", 8192],
  ['prompt is too long: n_ctx: 4096', 4096],
  ['prompt is too long by 120000 tokens', undefined],
])('the window that a refusal names: %s', (body, tokens) => {
  const error = new ModelHttpError('status', { status: 400, body });
  expect(windowSaid(diagnose(error, UNSEEN))).toBe(tokens);
  expect(windowSaid({ ...diagnose(error, UNSEEN), kind: 'request' })).toBe(undefined);
});
