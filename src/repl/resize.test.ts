import { describe, expect, test } from 'vitest';
import { openTurnScreen } from '../testing/turn-screen.ts';

/** Narrower, wider, shorter and taller, one after the other. */
const SIZES = [
  [60, 20],
  [40, 15],
  [100, 30],
  [72, 12],
  [200, 60],
] as const;
const ROUNDS = 4;

describe.each([
  ['a short line', 'draft'],
  ['a line of several rows', 'my draft goes on '.repeat(8).trim()],
  ['wide characters', '日本語のメモ '.repeat(6).trim()],
])('20 resizes with %s being typed', (_name, typed) => {
  test('lose no row of what was printed, and leave at most two stale copies', async () => {
    const screen = openTurnScreen({ columns: 80, rows: 24 });
    screen.terminal.line(Array.from({ length: 100 }, (_, n) => `row ${n} of the transcript.`).join('\n'));
    for (let n = 0; n < 30; n++) screen.show({ type: 'token', text: `t${n} ` });
    screen.type(typed);
    await screen.see('t29');
    for (let round = 0; round < ROUNDS; round++) {
      for (const [columns, rows] of SIZES) {
        await screen.resize(columns, rows);
        // The terminal is asked where its cursor is before anything is drawn.
        await screen.see(typed.slice(-8));
      }
    }
    screen.show({ type: 'answer', text: '', stop: 'aborted' });
    screen.terminal.hint('the end');
    await screen.see('the end');
    const all = (await screen.transcript()).join('\n');
    const printed = all.match(/row \d+ of the transcript\./gu) ?? [];
    expect(printed).toEqual(Array.from({ length: 100 }, (_, n) => `row ${n} of the transcript.`));
    const copies = all.split(`> ${typed.slice(0, 5)}`).length - 1;
    expect(copies).toBeGreaterThanOrEqual(1);
    expect(copies - 1).toBeLessThanOrEqual(2);
    expect(screen.bytes).not.toMatch(/\u001b\[(?:2J|3J|\?1049)/u);
  });
});
