import { expect, test } from 'vitest';
import type { TurnEvent } from '../../base/turn.ts';
import { TurnUpdates } from './updates.ts';

function updates(events: readonly TurnEvent[], notices = true) {
  const turn = new TurnUpdates('t', { shows: { notices, compaction: notices }, tool: () => undefined, window: 8000 });
  return events.flatMap((event) => turn.of(event));
}
const token = (text: string): TurnEvent => ({ type: 'token', text });
const answer = (text: string): TurnEvent => ({ type: 'answer', text, stop: 'answered' });
const chunk = (text: string, message: number) => ({
  ...{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: `t-${message}` },
});

test.each<[string, readonly TurnEvent[], readonly unknown[]]>([
  [
    'what was streamed is not said again',
    [token('Hi '), token('you'), answer('Hi you')],
    [chunk('Hi ', 1), chunk('you', 1)],
  ],
  ['the rest of an answer follows', [token('Hi'), answer('Hi you')], [chunk('Hi', 1), chunk(' you', 1)]],
  ['an answer without tokens is said whole', [answer('Hi')], [chunk('Hi', 1)]],
  [
    'another answer than what was streamed is another message',
    [token('Ho'), answer('Hi')],
    [chunk('Ho', 1), chunk('Hi', 2)],
  ],
])('%s', (_name, events, expected) => {
  expect(updates(events)).toEqual(expected);
});

test('after a retry the words are another message', () => {
  const retry: TurnEvent = { type: 'retry', reason: 'the line was cut', waitMs: 10 };
  expect(updates([token('H'), retry, token('Hi'), answer('Hi')])).toMatchObject([
    chunk('H', 1),
    { sessionUpdate: 'notice', severity: 'info' },
    chunk('Hi', 2),
  ]);
});

test('a script is a call that runs until the next one or the answer, and its log is part of it', () => {
  const code = (attempt: number): TurnEvent => ({ type: 'code', attempt, source: 'x()' });
  const seen = updates([code(1), { type: 'log', text: 'one' }, code(2), answer('')]);
  expect(seen).toMatchObject([
    { sessionUpdate: 'tool_call', toolCallId: 't-script-1', kind: 'execute', status: 'in_progress' },
    { toolCallId: 't-script-1', content: [{}, { content: { text: expect.stringContaining('one') } }] },
    { toolCallId: 't-script-1', status: 'completed' },
    { toolCallId: 't-script-2', title: 'Script, attempt 2' },
    { toolCallId: 't-script-2', status: 'completed' },
  ]);
});

test('a client that knows neither notices nor compaction is shown thoughts', () => {
  const events: TurnEvent[] = [
    { type: 'notice', text: 'Careful.' },
    { type: 'compaction', round: 1, before: 9, after: 3, messages: 2 },
  ];
  expect(updates(events).map(({ sessionUpdate }) => sessionUpdate)).toEqual(['notice', 'compaction_update']);
  expect(updates(events, false).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    'agent_thought_chunk',
    'agent_thought_chunk',
  ]);
});
