import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Gateway } from '../../net/types.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { NO_CHANNELS } from '../../testing/no-channels.ts';
import { testNotifier as setUp } from '../../testing/notifier.ts';
import { sqlGet } from '../../testing/sql.ts';
import { channelContract } from '../channel.contract.ts';
import type { ChannelOptions } from '../channels.ts';
import { signal } from './signal.ts';

const NUMBER = '+4915123456789';
const ANN = '+4915100000011';
const BOB = '+4915100000022';

/**
 * A stand-in for signal-cli that reads its input to the end, notes its environment and its arguments and ends as told,
 * the last ending for ever.
 */
function signalCli(...endings: readonly string[]): { path: string; calls: () => string[][]; env: () => string } {
  const dir = temporaryFolder();
  const path = join(dir, 'signal-cli');
  const cases = endings.map((ending, index) => `${index === endings.length - 1 ? '*' : index + 1}) ${ending} ;;`);
  writeFileSync(
    path,
    `#!/bin/sh
read -r _; export -p > '${dir}/env'
printf '%s\\t' "$@" >> '${dir}/calls'; echo >> '${dir}/calls'
case $(wc -l < '${dir}/calls') in\n${cases.join('\n')}\nesac\n`,
  );
  chmodSync(path, 0o755);
  const read = () => readFileSync(join(dir, 'calls'), 'utf8').split('\n').slice(0, -1);
  const env = () => readFileSync(join(dir, 'env'), 'utf8');
  return { path, env, calls: () => read().map((line) => line.split('\t').slice(0, -1)) };
}

/** What `signal-cli -o json send` prints: `JsonSendMessageResult` of its sources. */
function report(...results: readonly (readonly [number: string, type: string, more?: object])[]): string {
  const lines = results.map(([number, type, more]) => ({
    recipientAddress: { uuid: '6c3ad31b-8be3-4d44-9e93-5a1b2c3d4e5f', number, username: null },
    type,
    ...more,
  }));
  return `echo '${JSON.stringify({ timestamp: 1700000000000, results: lines })}'`;
}

const recipientsOf = (calls: readonly string[][]) => calls.map((call) => call.slice(5, -2));

channelContract(signal, async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'signal-cli');
  // The message is the last argument, after `-m` or as `--message=`; kept with a zero byte behind it.
  const keep = `for last; do :; done; printf '%s\\0' "\${last#--message=}" >> '${dir}/arrived'; echo 1700000000000`;
  writeFileSync(path, `#!/bin/sh\n[ -e '${dir}/down' ] && exit 2\n${keep}\n`);
  chmodSync(path, 0o755);
  const arrived = () => (existsSync(join(dir, 'arrived')) ? readFileSync(join(dir, 'arrived'), 'utf8') : '');
  return {
    options: { signalCliPath: path, signalNumber: NUMBER, signalTo: ANN },
    arrived: () => arrived().split('\0').slice(0, -1),
    fail: () => writeFileSync(join(dir, 'down'), ''),
  };
});

const connected = (options: Partial<ChannelOptions>) =>
  signal.connect({ ...NO_CHANNELS, ...options }, { gateway: {} as Gateway });

describe('Signal', () => {
  test.each([
    ['Note to Self', {}, ['--note-to-self']],
    ['a number', { signalTo: '+4915199999999' }, ['+4915199999999']],
    ['a group', { signalTo: '+4915199999999', signalGroupId: 'abc=' }, ['-g', 'abc=']],
  ])('a message to %s', async (_name, options, expected) => {
    const cli = signalCli(report([ANN, 'SUCCESS']));
    const { send, store } = await setUp({ signalCliPath: cli.path, signalNumber: NUMBER, ...options });
    expect(await send('hello', 'signal')).toEqual({ channel: 'signal', state: 'sent', detail: '' });
    expect(cli.calls()).toEqual([['-o', 'json', '-a', NUMBER, 'send', ...expected, '-m', 'hello']]);
    expect(await sqlGet(store, 'SELECT remote_id FROM outbox')).toEqual({ remote_id: '1700000000000' });
  });

  test.each([
    ['Note to Self', {}],
    ['a number ending in 11', { signalTo: ANN }],
    ['a Signal group', { signalTo: ANN, signalGroupId: 'abc=' }],
  ])('%s is named as where messages go', (detail, options) => {
    const { health, recipient } = connected({ signalNumber: NUMBER, ...options });
    expect(health()).toEqual({ configured: true, detail });
    expect(recipient()).toBe(detail);
  });

  test('without a number of its own it says what to set', async () => {
    const { health, send } = connected({});
    expect(health()).toEqual({ configured: false, detail: 'set SIGNAL_CLI_NUMBER' });
    const detail = 'SIGNAL_CLI_NUMBER is not set';
    expect(await send('hello', new AbortController().signal)).toEqual({ state: 'failed', detail });
  });

  test.each([
    ['exit 1', 'failed', 'signal-cli refused'],
    ['exit 2', 'unknown', 'signal-cli ended with 2; it will be sent once more, marked as such'],
    ['exit 3', 'unknown', 'signal-cli could not reach Signal'],
    ['exit 4', 'failed', "the recipient's safety number changed; verify it in Signal"],
    ['exit 5', 'queued', 'Signal asks to wait'],
    ['exit 6', 'failed', 'Signal asks for a captcha; see signal-cli submitRateLimitChallenge'],
    ['kill -9 $$', 'unknown', 'signal-cli ended by a signal; it will be sent once more, marked as such'],
    ['sleep 20', 'unknown', 'signal-cli did not finish in time; it will be sent once more, marked as such'],
  ])('when it ends with `%s` the message is %s', async (ending, state, detail) => {
    const cli = signalCli(ending.replace('sleep', 'exec sleep'));
    const limit = ending.startsWith('sleep') ? { signalTimeoutMs: 500 } : {};
    const { send } = await setUp({ signalCliPath: cli.path, signalNumber: NUMBER, ...limit });
    expect(await send('hello', 'signal')).toEqual({ channel: 'signal', state, detail });
  });

  test.each([
    ['it is not installed', '/nowhere/signal-cli'],
    ['EACCES', import.meta.filename],
  ])('a program that cannot be started, %s, is named with what to set', async (why, signalCliPath) => {
    const { send } = await setUp({ signalCliPath, signalNumber: NUMBER });
    const detail = `signal-cli cannot be started, ${why}; set SIGNAL_CLI_PATH`;
    expect(await send('hello', 'signal')).toEqual({ channel: 'signal', state: 'failed', detail });
  });

  test('phone numbers in its errors are not repeated', async () => {
    const cli = signalCli('echo "User +4915123456789 is not registered" >&2; exit 1');
    const { send } = await setUp({ signalCliPath: cli.path, signalNumber: NUMBER });
    expect((await send('hello', 'signal')).detail).toBe('signal-cli refused: User +…89 is not registered');
  });

  test('a program that prints only a time is believed as before; it gets no more of ours than it needs', async () => {
    vi.stubEnv('JAVA_HOME', '/opt/java');
    vi.stubEnv('DISCORD_WEBHOOK_URL', 'https://discord.example/secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const cli = signalCli('echo 1700000000000');
    const { send, store } = await setUp({ signalCliPath: cli.path, signalNumber: NUMBER });
    expect(await send('--all', 'signal')).toMatchObject({ state: 'sent' });
    expect(cli.calls()).toEqual([['-o', 'json', '-a', NUMBER, 'send', '--note-to-self', '--message=--all']]);
    const names = [...cli.env().matchAll(/^(?:export|declare -x) (\w+)=/gmu)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['HOME', 'JAVA_HOME', 'PATH']));
    expect(cli.env()).toContain('/opt/java');
    expect(names).not.toContain('DISCORD_WEBHOOK_URL');
    expect(await sqlGet(store, 'SELECT remote_id FROM outbox')).toEqual({ remote_id: '1700000000000' });
  });
});

/** A message to a group, and what its outbox row says after it and after each of `minutes` more. */
async function toGroup(endings: readonly string[], minutes = 0) {
  const cli = signalCli(...endings);
  const made = await setUp({ signalCliPath: cli.path, signalNumber: NUMBER, signalGroupId: 'abc=' });
  const delivery = await made.send('hello', 'signal');
  for (let n = 0; n < minutes; n++) {
    made.clock.advance(60_000);
    await made.notifier.flush();
  }
  const row = await sqlGet(made.store, 'SELECT state, recipients, last_error FROM outbox');
  return { ...made, delivery, row, sentTo: recipientsOf(cli.calls()) };
}

describe('Signal says what became of each recipient', () => {
  test.each([
    ['SUCCESS', {}, 'sent', ''],
    ['NETWORK_FAILURE', {}, 'unknown', '+…11 (Signal could not be reached)'],
    ['INVALID_PRE_KEY_FAILURE', {}, 'queued', '+…11 (its keys are not usable)'],
    ['RATE_LIMIT_FAILURE', { retryAfterSeconds: 90 }, 'queued', '+…11 (Signal asks to wait)'],
    ['RATE_LIMIT_FAILURE', { token: 'abc' }, 'failed', 'captcha'],
    ['UNREGISTERED_FAILURE', {}, 'failed', '+…11 (not on Signal)'],
    ['IDENTITY_FAILURE', {}, 'failed', 'verify it in Signal'],
    ['SOMETHING_NEW', {}, 'failed', '+…11 (SOMETHING_NEW)'],
  ])('one recipient, %s %j: %s', async (type, more, state, detail) => {
    for (const exit of ['', '; exit 1']) {
      const cli = signalCli(report([ANN, type, more]) + exit);
      const { send } = await setUp({ signalCliPath: cli.path, signalNumber: NUMBER, signalTo: ANN });
      const delivery = await send('hello', 'signal');
      expect(delivery).toMatchObject({ state, detail: expect.stringContaining(detail) });
    }
  });

  test.each([
    ['NETWORK_FAILURE', {}],
    ['INVALID_PRE_KEY_FAILURE', {}],
    ['RATE_LIMIT_FAILURE', { retryAfterSeconds: 30 }],
  ])('a member of a group with %s %j gets it later, and nobody gets it twice', async (type, more) => {
    const first = report([ANN, 'SUCCESS'], [BOB, type, more]);
    const { delivery, row, sentTo, printed } = await toGroup([first, report([BOB, 'SUCCESS'])], 3);
    expect(delivery).toMatchObject({ state: 'queued', detail: expect.stringContaining('some have got it') });
    expect(sentTo).toEqual([['-g', 'abc='], [BOB]]);
    expect(row).toEqual({ state: 'sent', recipients: null, last_error: null });
    expect(printed).toEqual([]);
  });

  test.each([
    ['UNREGISTERED_FAILURE', 'not on Signal'],
    ['IDENTITY_FAILURE', 'the safety number changed; verify it in Signal'],
  ])('a member of a group with %s is named, and nothing is sent again', async (type, why) => {
    const { delivery, row, sentTo } = await toGroup([report([ANN, 'SUCCESS'], [BOB, type])], 3);
    expect(delivery).toEqual({ channel: 'signal', state: 'sent', detail: `not to +…22 (${why})` });
    expect(sentTo).toEqual([['-g', 'abc=']]);
    expect(row).toMatchObject({ state: 'sent' });
  });

  test('who cannot be reached in five tries is given up and named to the person; others got it once', async () => {
    const rest = report([BOB, 'NETWORK_FAILURE']);
    const first = report([ANN, 'SUCCESS'], [BOB, 'NETWORK_FAILURE'], ['+4915100000033', 'UNREGISTERED_FAILURE']);
    const { row, sentTo, printed } = await toGroup([first, rest, `${rest}; exit 1`, 'exit 3', rest], 30);
    expect(sentTo).toEqual([['-g', 'abc='], [BOB], [BOB], [BOB], [BOB]]);
    const named = 'not to +…33 (not on Signal), +…22 (Signal could not be reached); given up after 5 tries';
    expect(row).toEqual({ state: 'sent', recipients: null, last_error: named });
    expect(printed).toEqual([`(sent to signal, but ${named})\nhello`]);
  });

  test('when nobody got it the whole group is tried again', async () => {
    const none = report([ANN, 'NETWORK_FAILURE'], [BOB, 'NETWORK_FAILURE']);
    const { row, sentTo } = await toGroup([none, report([ANN, 'SUCCESS'], [BOB, 'SUCCESS'])], 3);
    expect(sentTo).toEqual([
      ['-g', 'abc='],
      ['-g', 'abc='],
    ]);
    expect(row).toMatchObject({ state: 'sent', last_error: null });
  });

  test('one unreachable member does not hold up the next message', async () => {
    const first = report([ANN, 'SUCCESS'], [BOB, 'NETWORK_FAILURE']);
    const { send, sentTo } = await toGroup([first, report([ANN, 'SUCCESS'], [BOB, 'SUCCESS'])]);
    expect(sentTo).toHaveLength(1);
    expect(await send('another', 'signal')).toMatchObject({ state: 'sent' });
  });

  test('a report longer than a screen is read to its end', async () => {
    const members = Array.from({ length: 200 }, (_, n) => [`+49151${1_000_000 + n}`, 'SUCCESS'] as const);
    const { delivery } = await toGroup([report(...members, [BOB, 'UNREGISTERED_FAILURE'])]);
    expect(delivery).toMatchObject({ state: 'sent', detail: 'not to +…22 (not on Signal)' });
  });
});
