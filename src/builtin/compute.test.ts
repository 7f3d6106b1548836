import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows.ts';
import { intended } from './intents.ts';
import type { Intent } from './request.ts';

/** What a person says one after the other, and the last answer. */
interface Row {
  readonly said: string | readonly string[];
  readonly say: string;
  /** An answer of the documents that stands before it. */
  readonly found?: string;
}

function answerTo({ said, found }: Omit<Row, 'say'>): Intent | undefined {
  const sentences = [said].flat();
  const earlier = sentences.slice(0, -1).flatMap((text) => [
    { by: 'person' as const, text },
    { by: 'assistant' as const, text: found ?? 'Said.' },
  ]);
  const now = new Date('2026-11-22T16:00Z');
  return intended({ text: sentences.at(-1) ?? '', now, timeZone: 'UTC', can: () => true, earlier });
}

test.each(rowsOf<Row>(import.meta.dirname, 'compute').map((row) => [[row.said].flat().join(' > '), row] as const))(
  '%s',
  (_said, row) => {
    expect(answerTo(row)).toEqual({ kind: 'say', text: row.say });
  },
);

test.each([
  ...['and half of that', 'plus 10%', 'how many days is that?', 'in metres?', 'what is left?'],
  ...['split 12 by 0', 'if 0 apples cost 2 what do 5 cost', 'the sum of 3', 'the sum of 3 and blue', '10 km in foo'],
  ...['if 3 apples cost 2 what do 5 pears cost', 'how old will she be on blue if she was born on 3 May 1990'],
  ...['90 people came at 9', 'the 4 of us ate 3 pizzas', '2026-11-28', 'how many days until the concert'],
])('nothing is worked out for "%s" alone', (said) => {
  expect(answerTo({ said })?.kind).not.toBe('say');
});
