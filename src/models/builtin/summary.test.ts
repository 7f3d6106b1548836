import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { summarize, wantsSummary } from './summary.ts';

describe('a summary is asked for', () => {
  test.each([
    ['Write a summary.', 'x', true],
    ['SUMMARISE what follows.', 'x', true],
    ['You are summarizing.', 'x', true],
    [`${'x '.repeat(1000)}summary`, 'x', false],
    ['Be brief.', 'Summarize the conversation.', true],
    ['Be brief.', '"Summary of all\nmessages, please"', true],
    ['Be brief.', 'Please summarize the above.', false],
    ['Be brief.', 'summarize my notes', false],
    ['Be brief.', `summarize ${'x'.repeat(200)} messages`, false],
  ])('%j, %j: %s', (first, last, wanted) => {
    expect(wantsSummary([new SystemMessage(first), new HumanMessage(last)])).toBe(wanted);
  });

  test('not by nothing', () => expect(wantsSummary([])).toBe(false));
});

const SAID = [
  new HumanMessage('note: buy milk'),
  new AIMessage('Error: no such tool'),
  new AIMessage('Noted: buy milk'),
  new AIMessage(' '),
  new HumanMessage('[result] The disk is half full.\n[result] Error: it is full\n[ai] That did not work: full'),
];

test.each([
  ['## Task', '- note: buy milk'],
  ['## Their goal', '- note: buy milk'],
  ['## Steps', '- Noted: buy milk\n- That did not work: full'],
  ['## Problems', '- Error: no such tool\n- Error: it is full\n- That did not work: full'],
  ['## State', '- The disk is half full.'],
  ['## Weather', '- nothing'],
])('%s', (heading, lines) => {
  expect(summarize([new SystemMessage(`Sum it up.\n${heading}\nAs it is.`), ...SAID])).toBe(`${heading}\n${lines}`);
});

test('a heading without anything under it says so, and each is answered in turn', () => {
  expect(summarize([new SystemMessage('## Facts\n### Deep\n## Task'), new HumanMessage('hi')])).toBe(
    '## Facts\n- nothing\n## Task\n- hi',
  );
});

test('without headings all is told, each message by its beginning', () => {
  expect(summarize([new SystemMessage('Sum it up.'), ...SAID.slice(0, 2)])).toBe(
    '- note: buy milk\n- Error: no such tool',
  );
  const result = new ToolMessage({ tool_call_id: '1', content: 'x'.repeat(241) });
  expect(summarize([new SystemMessage('Sum it up.'), result])).toBe(`- ${'x'.repeat(239)}…`);
  expect(summarize([])).toBe('');
});

test.each([
  [30, 30],
  [31, 30],
])('of %d messages the first and last %d are told', (count, shown) => {
  const messages = Array.from({ length: count }, (_, at) => new HumanMessage(`m${at}`));
  const lines = summarize([new SystemMessage('Sum it up.'), ...messages]).split('\n');
  expect(lines).toHaveLength(shown);
  expect([lines[0], lines[14], lines[15], lines.at(-1)]).toEqual([
    ...['- m0', '- m14'],
    ...[`- m${count - 15}`, `- m${count - 1}`],
  ]);
});
