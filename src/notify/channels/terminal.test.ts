import { expect, test } from 'vitest';
import type { Gateway } from '../../net/types.ts';
import { NO_CHANNELS } from '../../testing/no-channels.ts';
import { channelContract } from '../channel.contract.ts';
import { terminal } from './terminal.ts';

channelContract(terminal, async () => {
  const printed: string[] = [];
  let broken = false;
  return {
    options: {},
    arrived: () => printed,
    fail: () => {
      broken = true;
    },
    print: (text) => {
      if (broken) throw new Error('the terminal is gone');
      printed.push(text);
    },
  };
});

test('what is printed is sent; what cannot be printed is not, and says why', async () => {
  const send = (print: () => void) =>
    terminal.connect(NO_CHANNELS, { gateway: {} as Gateway, print }).send('hello', new AbortController().signal);
  expect(await send(() => {})).toEqual({ state: 'sent', detail: 'printed' });
  const broken = () => {
    throw new Error('the terminal is gone');
  };
  expect(await send(broken)).toEqual({ state: 'failed', detail: 'the terminal is gone' });
});

test('it is always there, under one name', () => {
  const { health, recipient } = terminal.connect(NO_CHANNELS, { gateway: {} as Gateway, print: () => {} });
  expect(health()).toEqual({ configured: true, detail: 'this terminal' });
  expect(recipient()).toBe('terminal');
});
