import { expect, test, vi } from 'vitest';
import { testNotifier } from '../testing/notifier.ts';
import { deliverNotice } from './deliver-notice.ts';
import type { Notifier } from './types.ts';

const notice = { text: 'low tide', key: 'run_1:end', runId: 'run_1' };

test('a notice goes out once, and what became of it is one line', async () => {
  const { notifier, printed } = await testNotifier({});
  expect(await deliverNotice(notifier, notice)).toBe('sent (terminal)');
  expect(await deliverNotice(notifier, { ...notice, to: 'terminal' })).toBe('sent (terminal)');
  expect(printed).toEqual(['low tide']);
  expect(await notifier.reported(['run_1'])).toEqual(new Map([['run_1', 'sent (terminal)']]));
});

test('a channel that cannot be used is named on the terminal, before the text', async () => {
  const { notifier, printed } = await testNotifier({});
  expect(await deliverNotice(notifier, { ...notice, to: 'discord' })).toBe('sent (terminal)');
  const why = 'Nothing was sent: discord is not configured. To use it, set DISCORD_WEBHOOK_URL.';
  expect(printed).toEqual([`(not sent to discord: ${why})\nlow tide`]);
});

test('so is the one that the settings choose', async () => {
  const { notifier, printed } = await testNotifier({ defaultChannel: 'signal' });
  await deliverNotice(notifier, notice);
  const why = 'Nothing was sent: signal is not configured. To use it, set SIGNAL_CLI_NUMBER.';
  expect(printed).toEqual([`(not sent to you: ${why})\nlow tide`]);
});

test('what we did not foresee is not hidden behind a second try', async () => {
  const send = vi.fn(() => Promise.reject(new TypeError('a mistake of ours')));
  await expect(deliverNotice({ send } as unknown as Notifier, notice)).rejects.toThrow('a mistake of ours');
  expect(send).toHaveBeenCalledTimes(1);
});
