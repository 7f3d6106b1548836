import { AIMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { expect, test } from 'vitest';
import { answerIn, forcedToAnswer, isNative } from './answer-form.ts';

const FORM = { name: 'place', schema: { type: 'object' } };

test.each([
  ['openai', FORM, true],
  ['openai', { ...FORM, byTool: false }, true],
  ['openai', { ...FORM, byTool: true }, false],
  ['anthropic', FORM, false],
  ['of a plugin', FORM, false],
])('%s is sent the schema of %j: %s', (provider, form, native) => expect(isNative(form, provider)).toBe(native));

test.each([
  ['{"city":"Galway"}', { city: 'Galway' }],
  [' \n{"city":"Galway"}\n ', { city: 'Galway' }],
  ['```json\n{"city":"Galway"}\n```', { city: 'Galway' }],
  ['```\n[1]\n```', [1]],
  ['```{"city":"Galway"}```', { city: 'Galway' }],
  ['```json\n{"text":"a ``` b"}\n```', { text: 'a ``` b' }],
  ['Here: ```json\n1\n```', undefined],
  ['```json\n1\n``` as asked', undefined],
  ['Galway', undefined],
])('%j answers %j', (content, value) => expect(answerIn(new AIMessage(content))).toEqual(value));

test('the answer by the tool for it counts, whatever else was called or said', () => {
  const call = (name: string, args: Record<string, unknown>) => ({ id: name, name, args });
  const reply = (...tool_calls: ReturnType<typeof call>[]) => new AIMessage({ content: '{"city":"Cork"}', tool_calls });
  expect(answerIn(reply(call('look', { at: 1 }), call('answer', { city: 'Galway' })))).toEqual({ city: 'Galway' });
  expect(answerIn(reply(call('look', { at: 1 })))).toEqual({ city: 'Cork' });
});

test('a model without tools cannot be made to answer by one', () => {
  const model = Object.assign(new FakeListChatModel({ responses: [] }), { bindTools: undefined });
  expect(() => forcedToAnswer(model as never, FORM)).toThrow('cannot call tools');
});
