import { describe, expect, test } from 'vitest';
import { findReport, readExit, readReport, redactNumbers } from './signal-report.ts';

type Address = Partial<Record<'number' | 'uuid' | 'username', string | null>>;
type Result = readonly [type: string, address?: string | Address, more?: object];

const ANN = '+4915100000011';
const BOB = '+4915100000022';
const LATER = { retryAfterSeconds: 30 };

const reportOf = (results: readonly Result[]) => ({
  timestamp: 1700000000000,
  results: results.map(([type, address = ANN, more]) => ({
    recipientAddress: typeof address === 'string' ? { number: address } : address,
    type,
    ...more,
  })),
});
const outcomeOf = (...results: readonly Result[]) => readReport(reportOf(results));
const sent = (...lost: string[]) => ({ state: 'sent', remoteId: '1700000000000', detail: 'confirmed', lost });

describe('the report in what signal-cli prints', () => {
  const report = reportOf([['SUCCESS']]);
  const line = JSON.stringify(report);

  test.each([
    ['alone', line],
    ['before a warning', `${line}\nWARN the profile is old`],
    ['after warnings', `WARN the profile is old\n{}\n{"timestamp":1}\n${line}\n`],
  ])('is found %s', (_where, stdout) => {
    expect(findReport(stdout)).toEqual(report);
  });

  test.each(['', '1700000000000', line.slice(0, -1), '{"timestamp":"x","results":[]}'])('is not in %j', (stdout) => {
    expect(findReport(stdout)).toBeUndefined();
  });
});

describe('recipients who did not get it', () => {
  test('for ever, are lost to those who did; nobody left makes it a failure', () => {
    const gone = '+…11 (not on Signal)';
    const changed = '+…22 (the safety number changed; verify it in Signal)';
    expect(outcomeOf(['UNREGISTERED_FAILURE'], ['SUCCESS', BOB])).toEqual(sent(gone));
    expect(outcomeOf(['UNREGISTERED_FAILURE'], ['IDENTITY_FAILURE', BOB])).toEqual({
      ...{ state: 'failed', detail: `${gone}, ${changed}` },
    });
    expect(outcomeOf(['SUCCESS'])).toEqual(sent());
    expect(outcomeOf()).toEqual(sent());
  });

  test('for now, are tried again: all if nobody got it, else they alone', () => {
    const offline = 'Signal could not be reached';
    expect(outcomeOf(['NETWORK_FAILURE'], ['NETWORK_FAILURE', BOB])).toEqual({
      ...{ state: 'retry', why: 'unclear', detail: `+…11 (${offline}), +…22 (${offline})`, lost: [] },
    });
    expect(outcomeOf(['SUCCESS'], ['NETWORK_FAILURE', BOB], ['SOMETHING_NEW', '+4915100000033'])).toEqual({
      ...{ state: 'retry', why: 'unclear', detail: `+…22 (${offline})` },
      ...{ left: [BOB], lost: ['+…33 (SOMETHING_NEW)'] },
    });
  });

  test.each([
    ['their keys', [['INVALID_PRE_KEY_FAILURE']], { why: 'error' }],
    ['the network', [['NETWORK_FAILURE']], { why: 'unclear' }],
    ['the network and keys', [['INVALID_PRE_KEY_FAILURE'], ['NETWORK_FAILURE', BOB]], { why: 'unclear' }],
    ['a limit', [['RATE_LIMIT_FAILURE']], { why: 'busy', waitMs: undefined }],
    ['a limit for a time', [['RATE_LIMIT_FAILURE', ANN, LATER]], { why: 'busy', waitMs: 30_000 }],
    ['a limit of no time', [['RATE_LIMIT_FAILURE', ANN, { retryAfterSeconds: 0 }]], { why: 'busy', waitMs: undefined }],
    ['a captcha or a time', [['RATE_LIMIT_FAILURE', ANN, { token: 't', ...LATER }]], { why: 'busy', waitMs: 30_000 }],
    [
      'several limits, the longest of which counts',
      [['RATE_LIMIT_FAILURE', ANN, LATER], ['RATE_LIMIT_FAILURE', BOB, { retryAfterSeconds: 90 }], ['NETWORK_FAILURE']],
      { why: 'busy', waitMs: 90_000 },
    ],
  ] as const)('because of %s, wait for that', (_what, results, wait) => {
    expect(outcomeOf(...results)).toMatchObject({ state: 'retry', ...wait });
  });

  test('because of a captcha alone, wait for the owner', () => {
    const captcha = 'Signal asks for a captcha; see signal-cli submitRateLimitChallenge';
    const result = outcomeOf(['RATE_LIMIT_FAILURE', ANN, { token: 't' }]);
    expect(result).toEqual({ state: 'failed', detail: `+…11 (${captcha})` });
  });

  test.each([
    [{ number: BOB, uuid: '6c3a', username: 'bob.01' }, BOB, '+…22'],
    [{ number: null, uuid: '6c3a', username: 'bob.01' }, '6c3a', '6c3a'],
    [{ username: 'bob.01' }, 'u:bob.01', 'u:bob.01'],
    [{}, 'a recipient without an address', 'a recipient without an address'],
  ])('are named as signal-cli takes them, %j, and shown without the number', (address, left, shown) => {
    const detail = `${shown} (Signal could not be reached)`;
    expect(outcomeOf(['SUCCESS'], ['NETWORK_FAILURE', address])).toMatchObject({ detail, left: [left] });
  });
});

test.each([
  ['+4915123456789, +1234567', '+…89, +…67'],
  ['+123456 and 1234567890', '+123456 and 1234567890'],
])('of the phone numbers in %s two digits stay', (text, shown) => {
  expect(redactNumbers(text)).toBe(shown);
});

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
  expect(detail).toBe(`signal-cli refused: ${start} +…8…`);
});
