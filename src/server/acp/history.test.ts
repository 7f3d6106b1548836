import { expect, test } from 'vitest';
import { callsStep, resultStep } from '../../conversation/stored-calls.ts';
import { historyUpdates, type StoredStep } from './history.ts';

const step = (given: Omit<StoredStep, 'sequence'>, sequence = 1): StoredStep => ({ ...given, sequence });
const shown = (...steps: StoredStep[]) => historyUpdates(steps, () => undefined);

test('a request is shown without what was attached to it, a script as a call', () => {
  const content = 'sum up\n\n<material name="a.md">\nlong\n</material>';
  expect(shown(step({ role: 'user', kind: 'text', content }))).toMatchObject([{ content: { text: 'sum up' } }]);
  expect(shown(step({ role: 'assistant', kind: 'code', content: 'done()' }))).toMatchObject([
    { sessionUpdate: 'tool_call', kind: 'execute', status: 'completed' },
  ]);
  expect(shown(step({ role: 'user', kind: 'feedback', content: 'value: 3' }))).toEqual([]);
});

test('calls and results find each other by id, and what was said along with calls is shown before them', () => {
  const calls = step(callsStep('Let me see.', [{ id: 'a', name: 'read_file', args: { path: 'x.md' } }]));
  const result = step(resultStep({ id: 'a', name: 'read_file', ok: false, text: 'gone' }), 2);
  expect(shown(calls, result)).toMatchObject([
    { sessionUpdate: 'agent_message_chunk' },
    { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'read_file: x.md' },
    { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'failed' },
  ]);
});

test.each(['tool_calls', 'tool_result'] as const)('a damaged %s is shown as such', (kind) => {
  expect(shown(step({ role: 'assistant', kind, content: '{"half' }))).toMatchObject([
    { content: { text: '(A message here could not be read.)' } },
  ]);
});
