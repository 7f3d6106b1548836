import { expect, test } from 'vitest';
import { checkAnswer, type JsonSchema } from './schema.ts';

/** Schemas with keywords that zod's JSON Schema reader ignores or refuses. */
const WRONG: readonly (readonly [JsonSchema, unknown])[] = [
  [{ allOf: [{ properties: { total: { type: 'number' } } }, { required: ['total'] }] }, {}],
  [{ properties: { total: { type: 'number' } } }, { total: 'many' }],
  [JSON.parse('{"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}}'), { a: 1 }],
  [{ type: 'object', not: { required: ['secret'] } }, { secret: 1 }],
  [{ type: 'object', dependentRequired: { a: ['b'] } }, { a: 1 }],
];

test.each(WRONG)('%j: %j does not fit', async (schema, value) => {
  await expect((async () => checkAnswer(value, schema))()).rejects.toMatchObject({ name: 'SchemaViolation' });
});

test('what fits comes back as it is', async () => {
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
  expect(await checkAnswer({ total: 3, note: 'x' }, schema)).toEqual({ total: 3, note: 'x' });
});

test('the place of a fault is named', async () => {
  const people = { type: 'array', items: { type: 'object', properties: { age: { type: 'integer' } } } };
  const schema = { type: 'object', properties: { people } };
  const checked = (async () => checkAnswer({ people: [{ age: 'old' }] }, schema))();
  await expect(checked).rejects.toMatchObject({ path: 'people[0].age', got: 'old' });
});
