import { expect, test } from 'vitest';
import { mayHaveActed } from './may-have-acted.ts';

const failed = (more: object = {}) => Object.assign(new Error('it failed'), more);
const status = (code: unknown) => failed({ data: { status: code } });

test.each<[what: string, error: unknown]>([
  ['the server says so in its protocol', failed({ code: -32_602 })],
  ['it says so by the code 0', failed({ code: 0 })],
  ['there was no connection yet', failed({ code: 'NOT_CONNECTED' })],
  ['nobody had greeted it yet', failed({ code: 'NOT_INITIALIZED' })],
  ['it was not asked, since it cannot', failed({ code: 'CAPABILITY_NOT_SUPPORTED' })],
  ['nobody listens there', failed({ cause: failed({ code: 'ECONNREFUSED' }) })],
  ['our own rules refused it', failed({ code: 'egress_refused' })],
  ['it is somewhere else', status(300)],
  ['the request was wrong', status(400)],
  ['it wants a login', status(401)],
  ['it is too much', status(429)],
  ['it blames the request', status(499)],
])('a call has not acted when %s', (_what, error) => {
  expect(mayHaveActed(error)).toBe(false);
});

test.each<[what: string, error: unknown]>([
  ['no error tells why', 'it failed'],
  ['nothing is known of it', failed()],
  ['the connection broke', failed({ code: 'ECONNRESET' })],
  ['the client has closed', failed({ code: 'CONNECTION_CLOSED' })],
  ['the server took it and did not answer in time', status(408)],
  ['the server had an error', status(500)],
  ['it was taken', status(299)],
  ['the status is no number', status('404')],
  ['the data are none', failed({ data: null })],
  ['what was sent tells a code and is no error', { code: -32_602 }],
])('a call may have acted when %s', (_what, error) => {
  expect(mayHaveActed(error)).toBe(true);
});
