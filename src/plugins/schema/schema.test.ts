import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { toSchema, typeOf } from '../../tools/signature.ts';
import { adaptSchema } from './schema.ts';

const RAW = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['title', 'count', 'kind', 'where', 'tags'],
  properties: {
    title: { type: 'string', minLength: 2, maxLength: 9 },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    kind: { enum: ['note', 'task'] },
    where: { $ref: '#/$defs/place' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    done: { type: 'boolean' },
  },
  $defs: {
    place: { type: 'object', required: ['city'], properties: { city: { type: 'string' }, zip: { type: 'string' } } },
  },
};

const FORMS: Readonly<Record<string, unknown>> = {
  'zod 4': z.object({
    title: z.string().min(2).max(9),
    count: z.int().min(1).max(5),
    kind: z.enum(['note', 'task']),
    where: z.object({ city: z.string(), zip: z.string().optional() }),
    tags: z.array(z.string()).max(2),
    done: z.boolean().optional(),
  }),
  'zod 3': z3.object({
    title: z3.string().min(2).max(9),
    count: z3.number().int().min(1).max(5),
    kind: z3.enum(['note', 'task']),
    where: z3.object({ city: z3.string(), zip: z3.string().optional() }),
    tags: z3.array(z3.string()).max(2),
    done: z3.boolean().optional(),
  }),
  'Standard Schema': toStandardJsonSchema(
    v.object({
      title: v.pipe(v.string(), v.minLength(2), v.maxLength(9)),
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
      kind: v.picklist(['note', 'task']),
      where: v.object({ city: v.string(), zip: v.optional(v.string()) }),
      tags: v.pipe(v.array(v.string()), v.maxLength(2)),
      done: v.optional(v.boolean()),
    }),
  ),
  'JSON Schema': RAW,
  'JSON Schema draft 7': {
    ...RAW,
    $schema: 'http://json-schema.org/draft-07/schema#',
    $defs: undefined,
    definitions: RAW.$defs,
    properties: { ...RAW.properties, where: { $ref: '#/definitions/place' } },
  },
};

const GOOD = { title: 'Boat', count: 3, kind: 'note', where: { city: 'Bergen' }, tags: ['a'] };
const without = (field: keyof typeof GOOD) => ({ ...GOOD, [field]: undefined });

/** A wrong value and the field that the refusal must name. */
const WRONG: readonly (readonly [unknown, string])[] = [
  [without('title'), 'title'],
  [without('count'), 'count'],
  [without('where'), 'where'],
  [{ ...GOOD, title: 7 }, 'title'],
  [{ ...GOOD, title: 'B' }, 'title'],
  [{ ...GOOD, title: 'a boat too long' }, 'title'],
  [{ ...GOOD, count: '3' }, 'count'],
  [{ ...GOOD, count: 2.5 }, 'count'],
  [{ ...GOOD, count: 0 }, 'count'],
  [{ ...GOOD, count: 6 }, 'count'],
  [{ ...GOOD, kind: 'mail' }, 'kind'],
  [{ ...GOOD, where: 'Bergen' }, 'where'],
  [{ ...GOOD, where: {} }, 'where.city'],
  [{ ...GOOD, where: { city: 'Bergen', zip: 5003 } }, 'where.zip'],
  [{ ...GOOD, tags: 'a' }, 'tags'],
  [{ ...GOOD, tags: ['a', 1] }, 'tags.1'],
  [{ ...GOOD, tags: ['a', 'b', 'c'] }, 'tags'],
];

describe.each(Object.entries(FORMS))('%s', (_form, schema) => {
  test(`refuses ${WRONG.length} of ${WRONG.length} wrong inputs and names the field`, async () => {
    const adapted = await adaptSchema(schema);
    expect(adapted.safeParse(GOOD)).toMatchObject({ success: true, data: GOOD });
    for (const [value, field] of WRONG) {
      const { error } = adapted.safeParse(JSON.parse(JSON.stringify(value)));
      expect(error?.issues.map(({ path }) => path.join('.'))).toContain(field);
      // They are clauses of a sentence that has its own full stop.
      expect(error?.issues.filter(({ message }) => message.endsWith('.'))).toEqual([]);
    }
  });

  test('says to models what it takes, complete in itself', async () => {
    const shown = toSchema(await adaptSchema(schema), 'input');
    expect(typeOf(shown)).toBe(
      '{ title: string, count: number, kind: "note" | "task", where: { city: string, zip?: string }, tags: string[], done?: boolean }',
    );
    expect(JSON.stringify(shown)).not.toContain('$ref');
  });
});

test('defaults are filled in once, or left to whoever parses again', async () => {
  const schema = z3.object({ at: z3.string().default('noon') });
  expect((await adaptSchema(schema)).parse({})).toEqual({ at: 'noon' });
  expect((await adaptSchema(schema, { original: true })).parse({})).toEqual({});
  expect((await adaptSchema(z.object({ at: z.string().default('noon') }), { original: true })).parse({})).toEqual({});
});

test.each([
  ['nothing', undefined, 'no usable schema'],
  ['a text', 'object', 'no usable schema'],
  ['an unknown type', { type: 'object', properties: { kind: { type: 'strin' } } }, '#/properties/kind: unknown type'],
  ['a broken reference', { type: 'object', properties: { at: { $ref: '#/$defs/nowhere' } } }, 'there is no "#/$defs'],
  [
    'a reference to elsewhere',
    { type: 'object', properties: { at: { $ref: 'https://example.org/s' } } },
    'there is no',
  ],
  [
    'a broken pattern',
    { type: 'object', properties: { at: { type: 'string', pattern: '(' } } },
    'not a regular expression',
  ],
  ['required that is no list', { type: 'object', required: 'at' }, '"required"'],
  ['a reference to itself alone', { $ref: '#' }, ''],
  ['no object', z.string(), 'takes string'],
  ['an asynchronous schema', z.object({}).refine(async () => true), 'asynchronously'],
  ['one that cannot print itself', v.object({ at: v.string() }), 'cannot be printed'],
])('%s is refused when the plugin loads', async (_what, schema, why) => {
  await expect(adaptSchema(schema)).rejects.toThrow(why);
});

test('a recursive schema is shown to some depth, and checked to any', async () => {
  const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, inner: { $ref: '#' } } };
  const adapted = await adaptSchema(item);
  const deep = (name: unknown) => ({ name: 'a', inner: { name: 'b', inner: { name } } });
  expect(adapted.safeParse(deep('c')).success).toBe(true);
  expect(adapted.safeParse(deep(3)).error?.issues[0]?.path).toEqual(['inner', 'inner', 'name']);
  expect(JSON.stringify(toSchema(adapted, 'input')).length).toBeLessThan(2000);
});

test('the regular expressions of a foreign schema are not run, wherever they hide', async () => {
  const evil = { type: 'string', pattern: '^(a+)+$' };
  const schema = {
    type: 'object',
    properties: { a: evil, list: { type: 'array', items: { anyOf: [evil] } } },
    patternProperties: { '^(b+)+$': {} },
  };
  const adapted = await adaptSchema(schema, { foreign: true });
  const text = `${'a'.repeat(40)}!`;
  expect(adapted.safeParse({ a: text, list: [text], [text]: 1 }).success).toBe(true);
});
