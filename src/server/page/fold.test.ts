import { expect, test } from 'vitest';
import { type FoldedEvent, fold, newTurn, type ShownTurn, withProposals } from './fold.ts';

const after = (events: readonly FoldedEvent[], from: ShownTurn = newTurn('turn_1', 'hi')) =>
  events.reduce((turn, event, at) => fold(turn, event, at + 1), from);

const call = { type: 'call', callId: 'c1', name: 'query_rag', input: { query: 'boiler' } } as const;
const result = { type: 'tool', callId: 'c1', name: 'query_rag', input: {}, ok: true, ms: 3, preview: 'found' } as const;
const asked = { tool: 'send_mail', input: {}, provenance: { untrusted: false, private: false, sources: [] } };

test('pieces become an answer, and the answer counts', () => {
  const pieces = after([
    { type: 'token', text: 'one ' },
    { type: 'token', text: 'two' },
  ]);
  expect(pieces).toMatchObject({ answer: 'one two', running: true });
  expect(fold(pieces, { type: 'answer', text: 'One, two.', stop: 'answered' }, 3)).toMatchObject({
    answer: 'One, two.',
    running: false,
    stop: 'answered',
  });
});

test('an event that was had already changes nothing', () => {
  const one = fold(newTurn('turn_1', 'hi'), { type: 'token', text: 'once' }, 7);
  expect(fold(one, { type: 'token', text: 'once' }, 7)).toBe(one);
  expect(fold(one, { type: 'token', text: ' more' }, 8).answer).toBe('once more');
});

test('what is said before a call is a step of its own, and a result finds its call', () => {
  const { answer, steps } = after([{ type: 'token', text: 'Let me look.' }, call, result]);
  expect(answer).toBe('');
  expect(steps).toMatchObject([
    { kind: 'said', output: 'Let me look.' },
    { kind: 'call', name: 'query_rag', input: 'query: boiler', output: 'found', ok: true },
  ]);
});

test('a retry takes back what was streamed', () => {
  expect(
    after([
      { type: 'token', text: 'half' },
      { type: 'retry', reason: 'x', waitMs: 1 },
    ]).answer,
  ).toBe('');
});

test('a script keeps what it logs', () => {
  const { steps } = after([
    { type: 'code', attempt: 1, source: 'log(1)' },
    { type: 'log', text: '1' },
  ]);
  expect(steps).toMatchObject([{ kind: 'code', input: 'log(1)', output: '1\n' }]);
});

test('a question is open until it is decided, or becomes a proposal', () => {
  const question = { type: 'question', id: 'apr_1', text: 'Wooster wants' } as const;
  const open = after([question]);
  expect(open.questions).toMatchObject([{ id: 'apr_1', state: 'open' }]);
  const approval = { type: 'approval', id: 'apr_1', callId: 'c1', ...asked } as const;
  const allowed = fold(open, { ...approval, decision: 'once', by: 'page' }, 2);
  expect(allowed.questions).toMatchObject([{ id: 'apr_1', state: 'allowed' }]);
  const proposed = fold(open, { ...approval, decision: 'denied', by: 'no approver', proposal: 'prop_1' }, 2);
  expect(proposed.questions).toMatchObject([{ id: 'prop_1', state: 'proposal' }]);
  expect(fold(proposed, { type: 'answer', text: '', stop: 'answered' }, 3).questions).toEqual(proposed.questions);
});

test('a question of a turn that has ended waits no longer', () => {
  const ended = after([
    { type: 'question', id: 'apr_1', text: 'x' },
    { type: 'answer', text: '', stop: 'aborted' },
  ]);
  expect(ended.questions).toMatchObject([{ state: 'denied' }]);
});

test('a turn from the store has the proposals that wait, each once', () => {
  const once = withProposals(newTurn('turn_1', 'hi'), [{ id: 'prop_1', tool: 'send_mail' }]);
  expect(once.questions).toMatchObject([{ id: 'prop_1', state: 'proposal' }]);
  expect(withProposals(once, [{ id: 'prop_1', tool: 'send_mail' }])).toBe(once);
});
