import { expect, test } from 'vitest';
import { openCommands } from '../testing/commands.ts';
import { openLiveScreen } from '../testing/live-screen.ts';
import { Offers } from './offers.ts';

const OFFER = {
  text: 'Wooster wants to use write_file:\n  path = prompt.txt',
  question: 'Run it now? (prop_1)',
  options: [
    { key: 'y', label: 'yes, run it once' },
    { key: 'n', label: 'no, never' },
    { key: 'l', label: 'later: it waits for /approve' },
  ],
  safe: 'l',
};
const IDLE_MS = 30;
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A screen at its prompt, and an offer that waits for a quiet moment. */
function offered() {
  const screen = openLiveScreen({ idleMs: IDLE_MS });
  const line = screen.terminal.next();
  const decided = screen.terminal.offer(OFFER, async () => true);
  return { screen, line, decided };
}

test('an offer waits until the line is empty and no key was pressed for a while', async () => {
  const { screen, decided } = offered();
  screen.type('half a sen');
  await after(2 * IDLE_MS);
  screen.type('tence');
  expect(await screen.shown()).toEqual(['> half a sentence']);
  screen.type('\u0015');
  await screen.see('later: it waits');
  expect((await screen.shown()).at(-1)).toBe('  a letter or arrows, then Enter; Esc = later');
  await after(320);
  screen.type('\u0007');
  expect(await decided).toBe('l');
});

test.each([
  ['y\r', 'y'],
  ['n\r', 'n'],
  ['\u001b[A\r', 'n'],
  ['\r', 'l'],
  ['\u0003', 'l'],
])('%j decides %s', async (keys, key) => {
  const { screen, decided } = offered();
  await screen.see('Run it now?');
  await after(320);
  for (const part of keys.match(/\u001b\[A|./gsu) ?? []) screen.type(part);
  expect(await decided).toBe(key);
  expect((await screen.shown()).at(-1)).toBe('>');
});

test('a sentence that is begun puts the offer aside, and no letter of it is lost', async () => {
  const { screen, line, decided } = offered();
  await screen.see('Run it now?');
  await after(320);
  for (const letter of 'you decide') screen.type(letter);
  expect(await decided).toBe('l');
  expect((await screen.shown()).at(-1)).toBe('> you decide');
  screen.type('\r');
  expect(await line).toBe('you decide');
});

test('keys that were on their way when it opened are typed, and Enter among them decides nothing', async () => {
  const { screen, decided } = offered();
  await screen.see('Run it now?');
  screen.type('\r');
  screen.type('y');
  expect(await decided).toBe('l');
  expect((await screen.shown()).at(-1)).toBe('> y');
});

test('nothing is offered any more when the terminal is closed', async () => {
  const { screen, decided } = offered();
  screen.terminal.close();
  expect(await decided).toBeUndefined();
});

test('what was decided while a moment for it was waited for is not offered', async () => {
  const prompt = { name: 'write_file', args: { path: 'prompt.txt', content: 'Speak like a sailor.' } };
  const { app, say, run } = await openCommands({ replies: [{ toolCalls: [prompt] }, 'It waits.'] });
  await say('from now on speak like a sailor');
  const [{ id }] = (await run(['approvals'])).rows as [{ id: string }];
  const screen = openLiveScreen({ idleMs: IDLE_MS });
  void screen.terminal.next();
  screen.type('/deny');
  const looked = new Offers(screen.terminal).look(app);
  await run(['deny', id]);
  screen.type('\u0015');
  await looked;
  expect(await screen.shown()).toEqual(['>']);
});
