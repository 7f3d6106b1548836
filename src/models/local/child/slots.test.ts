import { expect, test } from 'vitest';
import type { Sequence, Token } from './engine-api.ts';
import { Slots } from './slots.ts';

/** Sequences that have read these texts, a token for each character. */
function slotsOf(...texts: readonly string[]) {
  const sequences = texts.map((text) => ({ contextTokens: tokens(text) }) as unknown as Sequence);
  const slots = new Slots(sequences);
  return (text: string) => sequences.indexOf(slots.take(tokens(text)));
}

function tokens(text: string): Token[] {
  return [...text].map((character) => character.charCodeAt(0));
}

test('a conversation goes on where it was', () => {
  const take = slotsOf('system: mine', 'system: yours');
  expect([take('system: mine, more'), take('system: yours, more'), take('system: mine, more')]).toEqual([0, 1, 0]);
});

test('a new conversation takes an empty place rather than that of a long one', () => {
  expect(slotsOf('system: a long conversation of somebody else', '')('system: new')).toBe(1);
});

test('a new conversation shares the system prompt of a short one', () => {
  expect(slotsOf('a long system prompt: hi', 'something else')('a long system prompt: who')).toBe(0);
});

test('of equals the one goes that was not used for longest', () => {
  const take = slotsOf('', '');
  expect([take('a'), take('b'), take('c')]).toEqual([0, 1, 0]);
});
