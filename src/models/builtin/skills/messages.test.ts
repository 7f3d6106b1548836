import { describe, expect, test } from 'vitest';
import { answered, outcome, told } from '../../../testing/built-in-outcome.ts';
import { recognizeIntent } from '../recognize.ts';

/** The calls where only these tools are offered; the kind of intent where there is none. */
function calls(text: string, tools: readonly string[]) {
  const raw = { text, now: new Date('2026-11-22T16:00:00Z'), timeZone: 'UTC', earlier: [] };
  const found = recognizeIntent({ ...raw, can: (tool) => tools.includes(tool) });
  return found.kind === 'act' ? found.actions.map(({ tool, input }) => [tool, input]) : found.kind;
}

test.each([
  ['send a telegram message saying hello', { text: 'hello', to: 'telegram' }],
  ['send hello to Telegram', { text: 'hello', to: 'telegram' }],
  ['message me on slack that dinner is ready', { text: 'dinner is ready', to: 'slack' }],
  ['schick mir „Essen ist fertig“ an Telegram', { text: 'Essen ist fertig', to: 'telegram' }],
  ['notify me that dinner is ready', { text: 'dinner is ready' }],
])('%s', (text, input) => {
  expect(outcome(text)).toEqual([['notify', input]]);
  expect(told(text, 'Sent.')).toBe('Sent.');
});

test.each([
  ['send a message', 'What should the message say?', 'dinner: now'],
  ['schick mir eine Nachricht', 'Was soll in der Nachricht stehen?', 'Essen ist fertig'],
])('%s: %s', (text, question, answer) => {
  expect(outcome(text)).toBe(question);
  expect(answered(text, answer)).toEqual([['notify', { text: answer }]]);
});

describe('a channel of a plugin', () => {
  const TEXT = 'send dinner is ready to kitchen';

  test.each([
    [['notify', 'kitchen_notify'], [['notify', { text: 'dinner is ready', to: 'kitchen' }]]],
    [['kitchen_notify'], [['kitchen_notify', { text: 'dinner is ready' }]]],
    [['notify'], 'say'],
    [[], 'say'],
  ])('with %j', (tools, expected) => expect(calls(TEXT, tools)).toEqual(expected));

  test('a service that is known is named to the notifier, which says what it lacks', () => {
    expect(calls('send hello to telegram', [])).toEqual([['notify', { text: 'hello', to: 'telegram' }]]);
  });
});
