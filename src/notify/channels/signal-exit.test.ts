import { expect, test } from 'vitest';
import { readExit } from './signal-exit.ts';

const ended = { stdout: '', stderr: '', timedOut: false };

test.each([
  [0, '', { state: 'sent', remoteId: '1700000000000', detail: 'confirmed' }],
  [1, ' no such group\n', { state: 'failed', detail: 'signal-cli refused: no such group' }],
  [1, '\n', { state: 'failed', detail: 'signal-cli refused' }],
  [2, 'Oops', { state: 'unknown', detail: 'signal-cli ended with 2: Oops' }],
  [3, 'timeout', { state: 'retry', detail: 'signal-cli could not reach Signal: timeout', why: 'unclear' }],
  [4, 'x', { state: 'failed', detail: "the recipient's safety number changed; verify it in Signal" }],
  [5, 'x', { state: 'retry', detail: 'Signal asks to wait', why: 'busy', waitMs: 900_000 }],
  [6, 'x', { state: 'failed', detail: 'Signal asks for a captcha; see signal-cli submitRateLimitChallenge' }],
  [null, '', { state: 'unknown', detail: 'signal-cli ended by a signal' }],
] as const)('exit %s after the error %j', (code, stderr, outcome) => {
  expect(readExit({ ...ended, stdout: '1700000000000\n', code, stderr })).toEqual(outcome);
});

test.each([
  ['INFO sending\n1700000000000\nINFO done', '1700000000000'],
  ['1234567890', '1234567890'],
  ['123456789', undefined],
  ['INFO 1700000000000', undefined],
  ['1700000000000 ms', undefined],
])('the id of a message is the time that stands alone on a line: %j', (stdout, remoteId) => {
  expect(readExit({ ...ended, code: 0, stdout })).toEqual({ state: 'sent', remoteId, detail: 'confirmed' });
});

test('a run that was not one, or that took too long, is told first', () => {
  const notStarted = 'it is not installed';
  const detail = 'signal-cli cannot be started, it is not installed; set SIGNAL_CLI_PATH';
  expect(readExit({ ...ended, code: null, notStarted, timedOut: true })).toEqual({ state: 'failed', detail });
  const late = { state: 'unknown', detail: 'signal-cli did not finish in time' };
  expect(readExit({ ...ended, code: 0, timedOut: true })).toEqual(late);
});

test('of a long error the start is told, without phone numbers also where it is cut', () => {
  const start = 'x'.repeat(296);
  const { detail } = readExit({ ...ended, code: 1, stderr: `${start} +4915123456789 is not registered` });
  expect(detail).toBe(`signal-cli refused: ${start} +…8`);
});
