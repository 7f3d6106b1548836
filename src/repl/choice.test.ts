import { describe, expect, test } from 'vitest';
import { openLiveScreen } from '../testing/live-screen.ts';

const CTRL = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96);
const UP = '\u001b[A';

describe('a choice', () => {
  const choice = {
    text: 'Wooster wants to use write_file:\n  path = plan.txt',
    question: 'Allow it?',
    options: [
      { key: 'y', label: 'yes, once' },
      { key: 'n', label: 'no' },
    ],
    safe: 'n',
  };
  const { signal } = new AbortController();
  const counted = () => new Promise((resolve) => setTimeout(resolve, 320));

  test.each([
    ['y', 'y'],
    ['n', 'n'],
    ['\r', 'n'],
    [`${UP}\r`, 'y'],
    [CTRL('g'), 'n'],
  ])('%j gives %s', async (keys, picked) => {
    const screen = openLiveScreen();
    const made = screen.terminal.choose(choice, signal);
    await counted();
    screen.type(keys);
    expect(await made).toBe(picked);
  });

  test('what was typed before it could be read goes into the line', async () => {
    const screen = openLiveScreen();
    const made = screen.terminal.choose(choice, signal);
    screen.type('y');
    screen.type('\r');
    await counted();
    screen.type(CTRL('g'));
    expect(await made).toBe('n');
    expect((await screen.shown()).at(-1)).toBe('> y');
  });

  test('several wait for each other', async () => {
    const screen = openLiveScreen();
    const [one, two] = [screen.terminal.choose(choice, signal), screen.terminal.choose(choice, signal)];
    await screen.see('Allow it? (1 of 2)');
    await counted();
    screen.type('y');
    expect(await one).toBe('y');
    await counted();
    screen.type('n');
    expect(await two).toBe('n');
  });

  test('a cancelled turn closes it', async () => {
    const screen = openLiveScreen();
    const cancel = new AbortController();
    const made = screen.terminal.choose(choice, cancel.signal);
    cancel.abort();
    expect(await made).toBeUndefined();
    expect((await screen.shown()).at(-1)).toBe('>');
  });
});
