import { describe, expect, test } from 'vitest';
import { openTurnScreen } from '../testing/turn-screen.ts';

/** Numbers that look random and are the same every time. @see Marsaglia 2003, "Xorshift RNGs" */
function randomFrom(seed: number): (below: number) => number {
  let state = seed + 0x9e3779b9;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const LETTERS = [...'abcdefgh äöü日本語éß'];

/** Keys, tokens and notices in any order, with resizes if wanted; in the end everything must be there once. */
async function interleave(seed: number, resizes = false): Promise<void> {
  const random = randomFrom(seed);
  const screen = openTurnScreen({ columns: 30 + random(60), rows: 10 + random(20) });
  let [typed, tokens, notices] = ['', 0, 0];
  for (let step = 0; step < 40; step++) {
    const what = random(resizes ? 20 : 19);
    if (what < 9) {
      const letter = LETTERS[random(LETTERS.length)] ?? '';
      typed += letter;
      screen.type(letter);
    } else if (what < 16) screen.show({ type: 'token', text: `t${tokens++}${random(9) === 0 ? '\n\n' : ' '}` });
    else if (what < 18) screen.terminal.announce(`<notice ${notices++}>`);
    else if (what < 19) screen.terminal.prompt();
    else await screen.resize(30 + random(60), 10 + random(20));
  }
  screen.show({ type: 'answer', text: '', stop: 'aborted' });
  screen.terminal.hint('end');
  if (resizes) await screen.see('end');
  const all = (await screen.transcript()).join('\n');
  const context = `seed ${seed}\n${all}`;
  const words = all.replace(/<notice \d+>/gu, '').match(/\bt\d+\b/gu) ?? [];
  expect(words, context).toEqual(Array.from({ length: tokens }, (_, index) => `t${index}`));
  expect(all.match(/<notice \d+>/gu) ?? [], context).toEqual(
    Array.from({ length: notices }, (_, n) => `<notice ${n}>`),
  );
  screen.type('\u0015');
  screen.type('\u0019');
  const line = screen.terminal.next();
  screen.type('\r');
  if (typed.trim() !== '') expect(await line, context).toBe(typed);
}

describe('1,000 random interleavings of keys, tokens and notices', () => {
  test.each(Array.from({ length: 20 }, (_, index) => index))(
    'number %i and 49 more: nothing is lost or doubled',
    async (block) => {
      for (let seed = block * 50; seed < block * 50 + 50; seed++) await interleave(seed + 1);
    },
  );

  test('and 40 with resizes in between', async () => {
    for (let seed = 1; seed <= 40; seed++) await interleave(seed, true);
  });
});

describe('how much is written', () => {
  test.each([
    [40, 15],
    [80, 24],
  ])('100 tokens and 30 keys at %i x %i: at most 8 KB and 50 erases', async (columns, rows) => {
    const screen = openTurnScreen({ columns, rows });
    screen.clearBytes();
    for (let at = 0; at < 100; at++) {
      screen.show({ type: 'token', text: 'word, ' });
      if (at % 3 === 0 && at < 90) screen.type('k');
      // As many frames as in a second.
      if (at % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 34));
    }
    expect(screen.bytes.length).toBeLessThanOrEqual(8192);
    expect(screen.bytes.match(/\u001b\[[JK]/gu)?.length ?? 0).toBeLessThanOrEqual(50);
  });

  test('a key at the end of the line is one byte', () => {
    const screen = openTurnScreen();
    screen.type('hello');
    screen.clearBytes();
    for (const letter of 'a few words more') screen.type(letter);
    expect(screen.bytes).toBe('a few words more');
  });

  test('a key in the middle is at most 80 bytes', () => {
    const screen = openTurnScreen();
    screen.type(`${'word '.repeat(12)}\u001b[H`);
    screen.clearBytes();
    screen.type('x');
    expect(screen.bytes.length).toBeLessThanOrEqual(80);
  });
});
