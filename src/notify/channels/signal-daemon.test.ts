import { expect, onTestFinished, test } from 'vitest';
import { testNotifier } from '../../testing/notifier.ts';
import { SIGNAL_NUMBER, SIGNAL_STRANGER, SignalDaemonServer } from '../../testing/signal-daemon.ts';
import { webServer } from '../../testing/web-server.ts';
import { channelContract } from '../channel.contract.ts';
import { signal } from './signal.ts';

async function daemon() {
  const server = await new SignalDaemonServer().listen();
  onTestFinished(() => server.close());
  const options = { signalNumber: SIGNAL_NUMBER, signalDaemonUrl: server.origin };
  return Object.assign(server, { options });
}

channelContract(signal, async () => {
  const server = await daemon();
  const fail = () => {
    for (let n = 0; n < 10; n += 1) server.faults.push({ method: 'send', code: -3, message: 'no network' });
  };
  return { options: server.options, arrived: () => server.texts(), fail };
});

test.each([
  ['Note to Self', {}, { recipient: [SIGNAL_NUMBER], notifySelf: true }],
  ['a number', { signalTo: '+4915199999999' }, { recipient: ['+4915199999999'] }],
  ['a group', { signalGroupId: 'abc=' }, { groupId: 'abc=' }],
])('a message to %s', async (_name, options, expected) => {
  const server = await daemon();
  const { send } = await testNotifier({ ...server.options, ...options });
  expect(await send('hello', 'signal')).toMatchObject({ state: 'sent' });
  expect(server.calls.at(-1)?.params).toMatchObject({ ...expected, message: 'hello', account: SIGNAL_NUMBER });
});

test.each([
  [-1, 'User +4915123456789 is not registered', 'failed', 'User +…89 is not registered'],
  [-3, 'no network', 'unknown', 'could not reach Signal'],
  [-4, 'untrusted', 'failed', 'verify it in Signal'],
  [-5, 'rate limit', 'queued', 'asks to wait'],
  [-6, 'captcha', 'failed', 'captcha'],
  [-32_601, 'Method not implemented', 'failed', 'Method not implemented'],
  [-32_602, 'Specified account does not exist', 'failed', 'does not exist'],
  [-32_603, 'oops', 'unknown', 'an error inside signal-cli'],
])('an error %i (%s) is %s', async (code, message, state, detail) => {
  const server = await daemon();
  server.faults.push({ method: 'send', code, message });
  const delivery = await (await testNotifier(server.options)).send('hello', 'signal');
  expect(delivery).toMatchObject({ state, detail: expect.stringContaining(detail) });
});

test('something else at the address is no confirmation, and nobody there is tried again', async () => {
  const { origin } = await webServer((_request, response) => response.end('<html>'));
  const { send } = await testNotifier({ signalNumber: SIGNAL_NUMBER, signalDaemonUrl: origin });
  expect(await send('hello', 'signal')).toMatchObject({ state: 'unknown' });
  const gone = await testNotifier({ signalNumber: SIGNAL_NUMBER, signalDaemonUrl: 'http://127.0.0.1:1' });
  expect(await gone.send('hello', 'signal')).toMatchObject({ state: 'queued', detail: 'signal-cli cannot be reached' });
});

test('a chat of an account is where its messages go, and nowhere else', async () => {
  const server = await daemon();
  const { send } = await testNotifier({ ...server.options, signalTo: '+4915199999999' });
  await send('hello', 'signal', { chat: SIGNAL_STRANGER });
  expect(server.sent.at(-1)?.to).toEqual([SIGNAL_STRANGER]);
});
