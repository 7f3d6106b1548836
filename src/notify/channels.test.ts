import { expect, test } from 'vitest';
import { CHANNELS, findChannel, REMOTE_CHANNELS, toolNameOf } from './channels.ts';

test('a channel is found by its name in any case; each that leaves this machine has a tool of its own', () => {
  expect(CHANNELS.map(({ id }) => id)).toEqual([
    'discord',
    'signal',
    'ntfy',
    'telegram',
    'email',
    'webhook',
    'desktop',
  ]);
  expect(findChannel('SIGNAL')).toBe(CHANNELS[1]);
  expect(findChannel('pigeon')).toBeUndefined();
  expect(REMOTE_CHANNELS.map(toolNameOf)).toContain('ntfy_notify');
});
