import { expect, test } from 'vitest';
import { CHANNELS, findChannel, toolNameOf } from './channels.ts';

test('a channel is found by its name in any case; each that leaves this machine has a tool of its own', () => {
  expect(CHANNELS.map(({ id }) => id)).toEqual(['discord', 'signal']);
  expect(findChannel('SIGNAL')).toBe(CHANNELS[1]);
  expect(findChannel('pigeon')).toBeUndefined();
  expect(CHANNELS.map(toolNameOf)).toEqual(['discord_notify', 'signal_notify']);
});
