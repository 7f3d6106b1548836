import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { type TranscriptLine, withData } from '../models/message-data.ts';
import { summarize } from './summary.ts';

const line = (by: TranscriptLine['by'], text: string, ok = true): TranscriptLine => ({ by, text, ok });
/** A request for a summary, as the compaction makes it. */
const asked = (prompt: string, ...transcript: readonly TranscriptLine[]) => [
  new SystemMessage(prompt),
  new HumanMessage({ content: 'The messages to replace', ...withData({ transcript }) }),
];

const SAID = [
  line('person', 'note: buy milk'),
  line('assistant', 'Noted: buy milk'),
  line('result', 'The disk is half full.'),
  line('result', 'It is full', false),
];

test.each([
  ['## Task', '- note: buy milk'],
  ['## Their goal', '- note: buy milk'],
  ['## Steps', '- Noted: buy milk'],
  ['## Problems', '- It is full'],
  ['## State', '- The disk is half full.'],
  ['## Weather', '- nothing'],
])('%s', (heading, lines) => {
  expect(summarize(asked(`Sum it up.\n${heading}\nAs it is.`, ...SAID))).toBe(`${heading}\n${lines}`);
});

test('a heading without anything under it says so, and each is answered in turn', () => {
  expect(summarize(asked('## Facts\n### Deep\n## Task', line('person', 'hi')))).toBe(
    '## Facts\n- nothing\n## Task\n- hi',
  );
});

test('without headings all is told, each message by its beginning', () => {
  expect(summarize(asked('Sum it up.', ...SAID.slice(0, 2)))).toBe('- note: buy milk\n- Noted: buy milk');
  expect(summarize(asked('Sum it up.', line('result', 'x'.repeat(241))))).toBe(`- ${'x'.repeat(239)}…`);
  expect(summarize([])).toBe('');
});

test.each([
  [30, 30],
  [31, 30],
])('of %d messages the first and last %d are told', (count, shown) => {
  const messages = Array.from({ length: count }, (_, at) => line('person', `m${at}`));
  const lines = summarize(asked('Sum it up.', ...messages)).split('\n');
  expect(lines).toHaveLength(shown);
  expect([lines[0], lines[14], lines[15], lines.at(-1)]).toEqual([
    ...['- m0', '- m14'],
    ...[`- m${count - 15}`, `- m${count - 1}`],
  ]);
});
