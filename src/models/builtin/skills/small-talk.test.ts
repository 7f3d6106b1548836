import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';
import { SKILLS } from '../skills.ts';
import { REMINDER } from './small-talk.ts';

const EARLIER = [
  { by: 'person', text: 'first' },
  { by: 'assistant', text: 'One.' },
  { by: 'person', text: 'second' },
  { by: 'assistant', text: 'Two.' },
] as const;

test.each([
  ['what did I just say?', 'You said: "second"', 'Nothing yet: this conversation has just begun.'],
  ['what was my last question?', 'You said: "second"', 'Nothing yet: this conversation has just begun.'],
  ['repeat that', 'I said: "Two."', 'Nothing yet: this conversation has just begun.'],
  ['was habe ich gerade gesagt?', 'Du hast gesagt: "second"', 'Noch nichts: das Gespräch hat gerade erst begonnen.'],
  ['wiederhol das', 'Ich habe gesagt: "Two."', 'Noch nichts: das Gespräch hat gerade erst begonnen.'],
])('%s', (text, said, none) => {
  expect(outcome(text, EARLIER)).toBe(said);
  expect(outcome(text)).toBe(none);
});

test.each([
  ['say hi', 'hi'],
  ['say "hello there".', 'hello there.'],
  ['sag „hallo“!', 'hallo!'],
  [`${REMINDER}call Ben at 5`, `${REMINDER}call Ben at 5`],
])('%s is said as it stands', (text, said) => expect(outcome(text)).toBe(said));

test.each(SKILLS.flatMap(({ examples }) => [...examples.en, ...examples.de]))(
  'what help shows is understood: %s',
  (text) => {
    expect(JSON.stringify(outcome(text))).not.toMatch(/did not understand|nicht verstanden/u);
  },
);
