import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { AnswerTool } from './answer-tool.ts';

const NUMBER = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'integer' };
const PERSON = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

describe('an answer in words', () => {
  test.each([
    [NUMBER, '4', 4],
    [NUMBER, ' {"value": 4}\n', 4],
    [NUMBER, '```json\n4\n```', 4],
    [NUMBER, '```\n{"value": 4}\n```', 4],
    [PERSON, '{"name": "Ada"}', { name: 'Ada' }],
    [{ type: ['string', 'null'] }, ' Ada ', 'Ada'],
  ])('of %j will do where it is of the type: %j', async (schema, text, value) => {
    const answer = await AnswerTool.of(schema);
    expect(answer.taken()).toBeUndefined();
    expect(await answer.read(text)).toEqual({ json: JSON.stringify(value) });
    expect(answer.value).toEqual(value);
    expect(answer.taken()).toBe(JSON.stringify(value));
  });

  test.each([
    [NUMBER, 'four', '"four"'],
    [NUMBER, '{"number": 4}', '{"number":4}'],
    [NUMBER, 'Here: ```json\n4\n```', '"Here: ```json\\n4\\n```"'],
    [PERSON, '{"value": {"name": "Ada"}}', undefined],
  ])('of %j is refused where it is not: %j', async (schema, text, got) => {
    const answer = await AnswerTool.of(schema);
    const found = await answer.read(text);
    expect(found).toEqual({ problem: expect.stringMatching(/^The answer.* does not fit: /u) });
    if (got !== undefined && 'problem' in found) expect(found.problem).toContain(`; got ${got}.`);
    expect(answer.value).toBeUndefined();
  });

  test('is told as the check of the type changes it, and kept as it was given', async () => {
    const answer = await AnswerTool.of({ type: 'array' }, z.array(z.string().trim()));
    expect(await answer.read('[" a "]')).toEqual({ json: '["a"]' });
    expect(answer.value).toEqual([' a ']);
  });
});

test('a call gives it, once it is of the type', async () => {
  const scope = await testScope();
  const answer = await AnswerTool.of(NUMBER, z.int().max(9));
  const toolbox = testToolbox([answer.tool], scope);
  expect(await toolbox.call('answer', { value: 10 }, scope)).toMatchObject({ ok: false });
  expect(answer.value).toBeUndefined();
  expect(await toolbox.call('answer', { value: 4 }, scope)).toMatchObject({ ok: true, value: 'Taken.' });
  expect(answer.value).toBe(4);
  const person = await AnswerTool.of(PERSON);
  await testToolbox([person.tool], scope).call('answer', { name: 'Ada' }, scope);
  expect(person.value).toEqual({ name: 'Ada' });
});

test('the model is told how, in both modes', async () => {
  const { lines } = await AnswerTool.of(NUMBER);
  expect(lines).toEqual({
    classic_tools: 'When the task is done, call answer once, with the whole result, in place of words.',
    code_agent:
      'The answer to this request is data: finalAnswer(value) takes a value of this JSON Schema, and no text.' +
      '\n{"type":"integer"}',
  });
});
