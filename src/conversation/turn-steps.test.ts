import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { callsStep, resultStep } from './stored-calls.ts';
import { type NumberedStep, noAnswer, stepsInOrder, stepsInWords } from './turn-steps.ts';
import type { Step } from './types.ts';

/** Steps as they are stored, from sequence number 2 on. */
function numbered(...steps: Step[]): NumberedStep[] {
  return steps.map((step, index) => ({ ...step, sequence: index + 2 }));
}

const call = (id: string, name = 'query_rag', args = {}) => ({ id, name, args });
const result = (id: string, text: string, name = 'query_rag') => resultStep({ id, name, ok: true, text });
const script = (content: string): Step => ({ role: 'assistant', kind: 'code', content });
const feedback = (content: string): Step => ({ role: 'user', kind: 'feedback', content });

test('calls come with their results, compact, each with the row that it is from', () => {
  const steps = numbered(
    callsStep('Looking.', [call('a'), call('b')]),
    result('b', 'x'.repeat(700)),
    result('a', 'Noted.'),
  );
  const shown = stepsInOrder(steps, 'answer');
  expect(shown.map(({ sequence }) => sequence)).toEqual([2, 4, 3]);
  expect(shown.map(({ message }) => message.text)).toEqual(['Looking.', 'Noted.', `${'x'.repeat(600)}…`]);
  expect(shown[0]?.message).toBeInstanceOf(AIMessage);
  expect(shown[1]?.message).toMatchObject({ tool_call_id: 'a', name: 'query_rag' });
  expect(shown[2]?.message).toBeInstanceOf(ToolMessage);
});

test('a call whose result was lost in a kill says so: servers reject one without a result', () => {
  const steps = numbered(
    callsStep('', [call('a'), call('b')]),
    result('a', 'x'),
    callsStep('', [call('c')]),
    result('c', 'y'),
  );
  const shown = stepsInOrder(steps, '');
  expect(shown.map(({ sequence }) => sequence)).toEqual([2, 3, 2, 4, 5]);
  expect(shown[2]?.message).toMatchObject({ tool_call_id: 'b', name: 'query_rag' });
  expect(shown[2]?.message.text).toContain('stopped before the result was known');
});

test('of a long turn every call stays; the more there are, the shorter are their results', () => {
  const turn = (count: number) =>
    numbered(
      ...Array.from({ length: count }, (_, n) => [
        callsStep('', [call(`${n}`)]),
        result(`${n}`, `${n} ${'x'.repeat(900)}`),
      ]).flat(),
    );
  const texts = (count: number) =>
    stepsInOrder(turn(count), '').flatMap(({ message }) => (message instanceof ToolMessage ? [message.text] : []));
  expect(texts(30).map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 30 }, (_, n) => n));
  expect(texts(30).every((text) => text.length === 601)).toBe(true);
  expect(texts(300)).toHaveLength(300);
  expect(texts(300).join('').length).toBeLessThan(61_000);
});

test('a script comes with what it gave, and without the answer that follows anyway', () => {
  const answer = 'The rent is 900 euros a month, "all in".';
  const steps = numbered(script(`finalAnswer(${JSON.stringify(answer)})`), feedback('done'), script('left alone'));
  expect(stepsInOrder(steps, answer).map(({ message, sequence }) => [sequence, message.text])).toEqual([
    [2, '```js\nfinalAnswer("…")\n```'],
    [3, 'done'],
  ]);
  const quoted = numbered(script("finalAnswer('It isn\\'t raining,\\nnot today at all.')"), feedback('x'));
  expect(stepsInOrder(quoted, "It isn't raining,\nnot today at all.")[0]?.message.text).toContain("finalAnswer('…')");
});

test('a short answer may stand in a script by chance and stays', () => {
  const steps = numbered(script('const n = 42; finalAnswer(n)'), feedback('x'));
  expect(stepsInOrder(steps, '42')[0]?.message.text).toContain('const n = 42;');
  const exact = 'exactly twenty-four char';
  expect(stepsInOrder(numbered(script(exact), feedback('x')), exact)[0]?.message.text).toBe('```js\n…\n```');
});

test('in words: each call with its input and result, feedback as it is, and nothing where nothing was called', () => {
  const steps = numbered(
    callsStep('', [call('a', 'query_rag', { query: 'rent' }), call('b', 'late')]),
    result('a', '900 euros'),
    script('x'),
    feedback('It gave 3.'),
  );
  expect(stepsInWords(steps)).toBe(
    '(What was called for this request, and what it gave:\nquery_rag {"query":"rent"}: 900 euros\n' +
      'late {}: (The request was stopped before the result was known.)\nscript x: It gave 3.)',
  );
  expect(stepsInWords(numbered(script('x')))).toBeUndefined();
  expect(stepsInWords([])).toBeUndefined();
});

test('in words a long turn keeps every call, and a long input its beginning', () => {
  const calls = Array.from({ length: 10 }, (_, n) => call(`${n}`, `tool_${n}`, { text: 'x'.repeat(300) }));
  const words = stepsInWords(numbered(callsStep('', calls), ...calls.map(({ id, name }) => result(id, 'ok', name))));
  const lines = words?.split('\n').slice(1) ?? [];
  expect([lines.length, lines[0]?.startsWith('tool_0 '), lines.at(-1)?.startsWith('tool_9 ')]).toEqual([
    10,
    true,
    true,
  ]);
  expect(lines[0]).toHaveLength('tool_0 '.length + 160 + ': ok'.length);
});

test('a request without an answer gets one that says so', () => {
  expect(noAnswer().text).toBe('(This request was not answered.)');
});
