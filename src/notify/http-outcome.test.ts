import { expect, test } from 'vitest';
import type { GatewayResponse } from '../net/types.ts';
import { readFailure, readRefusal } from './http-outcome.ts';
import type { StoredPart } from './outbox.ts';
import { outcomeOf } from './outbox-outcome.ts';

const SERVICE = { label: 'Bell', env: 'BELL_URL' };
const refusal = (status: number, { body = '', wait }: { body?: string; wait?: string } = {}) => {
  const headers = wait === undefined ? {} : { 'retry-after': wait };
  return readRefusal({ status, headers, text: () => body } as unknown as GatewayResponse, SERVICE);
};

test.each([
  [199, '', { state: 'failed', detail: 'Bell refused the message (199)' }],
  [200, '', { state: 'unknown', detail: 'an unexpected answer 200' }],
  [299, '', { state: 'unknown', detail: 'an unexpected answer 299' }],
  [300, '', { state: 'failed', detail: 'Bell refused the message (300)' }],
  [400, '{"code": 50006}', { state: 'failed', detail: 'Bell refused the message (400, code 50006)' }],
  [400, '{"code": "x"}', { state: 'failed', detail: 'Bell refused the message (400)' }],
  [401, '', { state: 'off', detail: 'Bell refuses access; set a new BELL_URL' }],
  [403, '', { state: 'off', detail: 'Bell refuses access; set a new BELL_URL' }],
  [404, '', { state: 'off', detail: 'this address no longer exists at Bell; set a new BELL_URL' }],
  [500, '', { state: 'retry', detail: 'Bell answered 500', why: 'unclear' }],
  [503, '', { state: 'retry', detail: 'Bell answered 503', why: 'unclear' }],
] as const)('%d %s', (status, body, outcome) => {
  expect(refusal(status, { body })).toEqual(outcome);
});

test.each([
  ['2', '', 2000],
  [' 1.5 ', '', 1500],
  ['1.25', '', 1250],
  ['1e3', '', undefined],
  ['', '{"retry_after": 5}', 5000],
  [undefined, '{"retry_after": 1e999}', undefined],
  ['soon', '{"retry_after": 0.25}', 250],
  ['7 s', '', undefined],
  ['x7', '', undefined],
  [undefined, '{"retry_after": -1}', undefined],
  [undefined, '{"retry_after": 0}', 0],
  [undefined, '{"retry_after": true}', undefined],
  [undefined, '[1]', undefined],
] as const)('asked to wait by header %s and body %s', (wait, body, waitMs) => {
  expect(refusal(429, { body, ...(wait === undefined ? {} : { wait }) })).toEqual({
    ...{ state: 'retry', detail: 'Bell asks to wait', why: 'busy' },
    waitMs,
  });
});

test('a connection that broke may have delivered, one that never was or is forbidden cannot', () => {
  expect(readFailure(new Error('reset'), 'Bell')).toEqual({
    state: 'unknown',
    detail: 'the connection broke before Bell answered',
  });
  const forbidden = Object.assign(new Error('no'), { code: 'egress_refused' });
  expect(readFailure(forbidden, 'Bell')).toEqual({
    state: 'failed',
    detail: 'the network rules forbid this address',
  });
  const never = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  expect(readFailure(never, 'Bell')).toEqual({ state: 'retry', detail: 'Bell cannot be reached', why: 'down' });
});

const part = (state: StoredPart['state'], changes: Partial<StoredPart> = {}) =>
  ({ state, last_error: null, repeats: 0, ...changes }) as StoredPart;

test.each([
  [[part('sent')], 'sent (mail)'],
  [[part('sent'), part('sent')], 'sent (mail: 2 parts)'],
  [
    [part('sent', { last_error: 'not to ann' }), part('sent', { last_error: 'not to ann' })],
    'sent (mail: 2 parts; not to ann)',
  ],
  [[part('sent'), part('expired')], 'failed (mail: it could not be sent within a day)'],
  [[part('pending')], 'queued (mail: it is waiting for its turn)'],
  [[part('sending', { repeats: 1, last_error: 'slow' })], 'queued (mail: slow)'],
  [[part('pending', { repeats: 1, last_error: 'slow' })], 'unknown (mail: slow)'],
  [[part('unknown', { last_error: 'reset' })], 'unknown (mail: reset)'],
  [[part('failed', { last_error: 'no' }), part('pending')], 'failed (mail: no)'],
])('%#: %s', (parts, said) => {
  const { state, channel, detail } = outcomeOf('mail', parts);
  expect(`${state} (${detail === '' ? channel : `${channel}: ${detail}`})`).toBe(said);
});
