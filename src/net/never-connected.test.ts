import { expect, test } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { neverConnected, wasRefused } from './never-connected.ts';

const coded = (code: unknown, cause?: unknown) => Object.assign(new Error('no', { cause }), { code });

test.each([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
])('%s: nothing was sent', (code) => {
  expect(neverConnected(coded(code))).toBe(true);
  expect(neverConnected(new Error('fetch failed', { cause: coded('x', coded(code)) }))).toBe(true);
  expect(neverConnected(new AggregateError([coded('x'), coded(code)], 'all failed'))).toBe(true);
});

test.each([coded('ECONNRESET'), coded('UND_ERR_SOCKET'), coded(7), new Error('no'), 'ECONNREFUSED', undefined])(
  '%s: something may have been sent',
  (error) => expect(neverConnected(error)).toBe(false),
);

test('a refusal of the rules is told from a failure, also below another error', () => {
  const refusal = new AssistantError('egress_refused', 'no', { hint: '' });
  expect([wasRefused(refusal), wasRefused(new Error('x', { cause: refusal }))]).toEqual([true, true]);
  expect([wasRefused(coded('egress_failed')), neverConnected(refusal)]).toEqual([false, false]);
});
