import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { readInput } from './input.ts';
import { type Mended, mendInput } from './mend.ts';

const plan = defineTool({
  ...PLAIN_TOOL,
  name: 'plan',
  positional: ['path'],
  aliases: { path: ['file'], k: ['count', 'limit'] },
  input: z.object({
    path: z.string().min(1),
    k: z.int().min(1).max(20).optional(),
    loud: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    kind: z.enum(['short', 'long']).optional(),
  }),
  execute: () => null,
});

test.each([
  ['an alias', { file: 'a' }, { path: 'a' }],
  ['other capitals and separators', { Path: 'a' }, { path: 'a' }],
  ['part of a name', { file_path: 'a' }, { path: 'a' }],
  ['a slip of a letter', { paht: 'a' }, { path: 'a' }],
  ['the one unknown field for the one that is missing', { location: 'a' }, { path: 'a' }],
  ['a wrapper', { arguments: { path: 'a' } }, { path: 'a' }],
  ['JSON as the whole input', '{"path": "a"}', { path: 'a' }],
  ['JSON in its own field', { path: '{"path": "a", "k": 2}' }, { path: 'a', k: 2 }],
  ['a number as text', { path: 'a', k: '3' }, { path: 'a', k: 3 }],
  ['a number for a text', { path: 7 }, { path: '7' }],
  ['null', { path: 'a', k: null }, { path: 'a' }],
  ['too little and too much', { path: 'a', k: 0 }, { path: 'a', k: 1 }],
  ['more than the most', { path: 'a', k: 500 }, { path: 'a', k: 20 }],
  ['a truth value as text', { path: 'a', loud: 'True' }, { path: 'a', loud: true }],
  ['a list as JSON', { path: 'a', tags: '["x", "y"]' }, { path: 'a', tags: ['x', 'y'] }],
  ['numbers as JSON in a list of texts', { path: 'a', tags: '[1, 2]' }, { path: 'a', tags: ['1', '2'] }],
  ['an item of two things', { path: 'a', tags: 'salt and oil, tea' }, { path: 'a', tags: ['salt and oil', 'tea'] }],
  ['one item for a list', { path: 'a', tags: 'x' }, { path: 'a', tags: ['x'] }],
  ['items in one text', { path: 'a', tags: 'bread, butter, and jam' }, { path: 'a', tags: ['bread', 'butter', 'jam'] }],
  ['a last item after a word', { path: 'a', tags: 'Brot, Käse und Tee' }, { path: 'a', tags: ['Brot', 'Käse', 'Tee'] }],
  ['a decimal comma', { path: 'a', tags: '1,5 l of milk' }, { path: 'a', tags: ['1,5 l of milk'] }],
  [
    'a sentence for a list',
    { path: 'a', tags: 'ask Bo, who has the key to the shed' },
    { path: 'a', tags: ['ask Bo, who has the key to the shed'] },
  ],
  ['blanks between items', { path: 'a', tags: 'bread,  jam' }, { path: 'a', tags: ['bread', 'jam'] }],
  ['items of three words', { path: 'a', tags: 'jar of honey, tea' }, { path: 'a', tags: ['jar of honey', 'tea'] }],
  ['an item of four words', { path: 'a', tags: 'a jar of honey, tea' }, { path: 'a', tags: ['a jar of honey, tea'] }],
  ['a gap between items', { path: 'a', tags: 'bread, , jam' }, { path: 'a', tags: ['bread, , jam'] }],
  ['a list as JSON after a blank', { path: 'a', tags: ' ["x", "y"]' }, { path: 'a', tags: ['x', 'y'] }],
  ['two things without a comma', { path: 'a', tags: 'bread and butter' }, { path: 'a', tags: ['bread and butter'] }],
  ['a found thing for one of its fields', { path: { path: 'a', bytes: 3 }, k: 2 }, { path: 'a', k: 2 }],
  ['a found thing that has other fields as well', { path: { path: 'a', k: 2 } }, { path: 'a' }],
  ['a word in capitals', { path: 'a', kind: 'SHORT' }, { path: 'a', kind: 'short' }],
  ['fields that do not exist', { path: 'a', colour: 'red' }, { path: 'a' }],
  ['an alias in capitals', { path: 'a', Count: 2 }, { path: 'a', k: 2 }],
  ['a slip of a letter in a field that may be left out', { path: 'a', tgas: ['x'] }, { path: 'a', tags: ['x'] }],
  ['a short name that is near', { path: 'a', lod: true }, { path: 'a' }],
  ['a name that may be two', { path: 'a', tags_kind: 'long' }, { path: 'a' }],
  ['a second name for one field', { FILE: 'a', Path: 'b' }, { path: 'a' }],
  ['a list with the one object', [{ path: 'a' }], { path: 'a' }],
  ['a list of positions', ['a'], { path: 'a' }],
  ['a list with the one object, of several fields', [{ path: 'a', k: 2 }], { path: 'a', k: 2 }],
  ['a wrapper with JSON after a blank', { args: ' {"path": "a"}' }, { path: 'a' }],
  ['a field without a value', { path: undefined, where: 'a' }, { path: 'a' }],
  ['part of the name of a field that may be left out', { Note_Tags: ['x'], path: 'a' }, { path: 'a', tags: ['x'] }],
  ['a wrapper with JSON', { args: '{"path": "a"}' }, { path: 'a' }],
  ['a number that is not whole', { path: 'a', k: 2.6 }, { path: 'a', k: 3 }],
  ['a number without end', { path: 'a', k: 'Infinity' }, { path: 'a', k: 20 }],
  ['no as a truth value', { path: 'a', loud: 'no' }, { path: 'a', loud: false }],
  ['a list for a text', { path: ['a'] }, { path: 'a' }],
  ['an object for a text', { path: { name: 'a' } }, { path: 'a' }],
  ['a truth value for a text', { path: true }, { path: 'true' }],
  ['numbers in a list of texts', { path: 'a', tags: [1, 2] }, { path: 'a', tags: ['1', '2'] }],
  ['a word with blanks', { path: 'a', kind: ' Long ' }, { path: 'a', kind: 'long' }],
])('%s is mended', (_name, raw, data) => {
  expect(readInput(plan, raw, 'tool')).toEqual({ ok: true, data });
});

test.each([
  ['tool', 'plan { path: string, k?: number, loud?: boolean, tags?: string[], kind?: "short" | "long" }'],
  ['function', 'plan(path: string)'],
] as const)('what has no reading is refused with the signature of a %s', (form, signature) => {
  expect(readInput(plan, { where: 'a', what: 'b' }, form)).toEqual({
    ok: false,
    error: `plan: path: missing. Ignored: where, what. Use ${signature}.`,
  });
});

test.each([
  ['two texts for one', { path: ['a', 'b'] }, 'path: Invalid input: expected string, received array.'],
  ['a word for a number', { path: 'a', k: 'many' }, 'k: Invalid input: expected number, received string.'],
  ['blanks for a number', { path: 'a', k: ' ' }, 'k: Invalid input: expected number, received string.'],
  ['a word for a truth value', { path: 'a', loud: 'maybe' }, 'loud: Invalid input: expected boolean, received string.'],
  ['a word that is not offered', { path: 'a', kind: 'tall' }, 'kind: Invalid option: expected one of "short"|"long".'],
  ['no wrapper', { whatever: { path: 'a', loud: true } }, 'path: missing. Ignored: whatever.'],
  ['a wrapper among others', { arguments: { path: 'a', loud: true }, k: 1 }, 'path: missing. Ignored: arguments.'],
  ['a list of no texts', { path: [{ name: 'a' }] }, 'path: Invalid input: expected string, received array.'],
  ['a number that is not offered', { path: 'a', kind: 7 }, 'kind: Invalid option: expected one of "short"|"long".'],
  ['no positions', [], 'path: missing.'],
  ['too many positions', ['a', 2], 'path: missing; input: Invalid input: expected object, received array.'],
  [
    'a list of two objects',
    [{ path: 'a' }, {}],
    'path: missing; input: Invalid input: expected object, received array.',
  ],
  ['nothing', {}, 'path: missing.'],
  ['a value of another type for the one that is missing', { where: { a: 1 } }, 'path: missing. Ignored: where.'],
])('%s is not guessed at', (_name, raw, error) => {
  const read = readInput(plan, raw, 'tool');
  expect(read.ok ? read.data : read.error).toContain(`plan: ${error} Use plan {`);
});

test.each<[string, unknown, Mended]>([
  ['a strange field', { path: 'a', colour: 'red' }, { input: { path: 'a' }, ignored: ['colour'], missing: [] }],
  ['a second name', { file_path: 'b', path: 'a' }, { input: { path: 'a' }, ignored: ['file_path'], missing: [] }],
  ['no record', null, { input: null, ignored: [], missing: ['path'] }],
  ['a position', [7], { input: { path: '7' }, ignored: [], missing: [] }],
  [
    'JSON in its own field, with another',
    { path: '{"path": "a", "size": 3}' },
    { input: { path: '{"path": "a", "size": 3}' }, ignored: [], missing: [] },
  ],
  ['JSON in another field', { path: '{"k": 2}' }, { input: { path: '{"k": 2}' }, ignored: [], missing: [] }],
  [
    'a text that holds a list',
    { path: 'a', tags: 'ask [Bo]' },
    { input: { path: 'a', tags: ['ask [Bo]'] }, ignored: [], missing: [] },
  ],
])('of %s, it is told what was ignored and what is missing', (_name, raw, mended) => {
  expect(mendInput(plan, raw)).toEqual(mended);
});

describe('a tool of other fields', () => {
  const tool = (input: z.ZodType, aliases: Record<string, readonly string[]> = {}) =>
    defineTool({ ...PLAIN_TOOL, name: 'other', aliases, input, execute: () => null });
  const schemaOf = (properties: Record<string, unknown>) =>
    z.unknown().meta({ type: 'object', properties, required: Object.keys(properties) });
  const reading = (input: z.ZodType, raw: unknown) => {
    const read = readInput(tool(input), raw, 'tool');
    return read.ok ? read.data : read.error;
  };

  test.each([
    [
      'the whole name comes before a part',
      z.object({ filePath: z.string().optional(), path: z.string().optional() }),
      { file_path: 'a' },
      { filePath: 'a' },
    ],
    [
      'a field that is called as a wrapper',
      z.object({ args: z.object({ x: z.number() }) }),
      { args: { x: 1 } },
      { args: { x: 1 } },
    ],
    ['a field of any type', z.object({ value: z.unknown() }), { thing: [1] }, { value: [1] }],
    ['a list of numbers', z.object({ ids: z.array(z.number()) }), { numbers: ['1', '2'] }, { ids: [1, 2] }],
    ['an object as text', z.object({ at: z.object({ x: z.number() }) }), { at: '{"x": 1}' }, { at: { x: 1 } }],
    [
      'an object for a list',
      z.object({ all: z.array(z.object({ x: z.number() })) }),
      { all: { x: 1 } },
      { all: [{ x: 1 }] },
    ],
    [
      'one of several types stays what it is',
      z.object({ at: z.union([z.string(), z.number()]) }),
      { at: 1 },
      { at: 1 },
    ],
    [
      'null where null is meant',
      z.object({ only: z.null(), more: z.string().optional() }),
      { only: null, more: null },
      { only: null },
    ],
    [
      'null where it is one of the forms',
      z.object({ until: z.string().nullable(), k: z.number() }),
      { until: null, k: '2' },
      { until: null, k: 2 },
    ],
    [
      'more fields than are named',
      z.looseObject({ x: z.number() }),
      { x: '1', y: 2 },
      'other: x: Invalid input: expected number, received string. Ignored: y. Use other { x: number }. For example x: 1.',
    ],
    ['JSON as the whole', z.object({ a: z.string(), b: z.string() }), '{"a": "1", "b": "2"}', { a: '1', b: '2' }],
    [
      'text that is no JSON',
      z.object({ a: z.string(), b: z.string() }),
      'hello',
      'other: a: missing; b: missing; input: Invalid input: expected object, received string. Use other { a: string, b: string }.',
    ],
    ['a number that need not be whole', z.object({ litres: z.number() }), { litres: '2.5' }, { litres: 2.5 }],
    [
      'a word that differs from another in its capitals',
      z.object({ unit: z.enum(['m', 'M']), n: z.number() }),
      { unit: 'M', n: '2' },
      { unit: 'M', n: 2 },
    ],
    [
      'one field for two that are missing',
      z.object({ a: z.string(), b: z.string() }),
      { c: '1' },
      'other: a: missing; b: missing. Ignored: c. Use other { a: string, b: string }.',
    ],
    ['a strict tool', z.strictObject({ n: z.number() }), { n: '2', colour: 'red' }, { n: 2 }],
    ['JSON in a field, of other fields', z.object({ a: z.string() }), { a: '{"b": 1}' }, { a: '{"b": 1}' }],
  ])('%s', (_name, input, raw, data) => expect(reading(input, raw)).toEqual(data));

  const AT = { at: z.object({ x: z.number() }) };
  test.each<[string, z.ZodType, unknown, object]>([
    [
      'one of two forms',
      schemaOf({ at: { anyOf: [{ type: 'string' }, { type: 'array' }] } }),
      { where: 'a' },
      { at: 'a' },
    ],
    ['a number', z.object({ n: z.number() }), { count: '3' }, { n: 3 }],
    ['a whole number', z.object({ n: z.int() }), { count: '3' }, { n: 3 }],
    ['a list', z.object({ all: z.array(z.string()) }), { these: ['x'] }, { all: ['x'] }],
    ['an object', z.object(AT), { where: { x: 1 } }, { at: { x: 1 } }],
    ['one of two types', z.object({ at: z.union([z.string(), z.number()]) }), { where: 'a' }, { at: 'a' }],
    ['anything', schemaOf({ at: true }), { where: [1] }, { at: [1] }],
    ['one of two types in one word', schemaOf({ at: { type: ['string', 'null'] } }), { where: 'a' }, { at: 'a' }],
  ])('the one unknown field is meant for the missing one that takes %s', (_name, input, raw, data) => {
    expect(mendInput(tool(input), raw)).toEqual({ input: data, ignored: [], missing: [] });
  });

  test.each<[string, z.ZodType, unknown]>([
    ['a word for a number', z.object({ at: z.number() }), 'many'],
    ['a word for a whole number', z.object({ at: z.int() }), 'many'],
    ['a list for an object', z.object(AT), [1]],
    ['an object for a text or a number', z.object({ at: z.union([z.string(), z.number()]) }), { a: 1 }],
    ['a number for a text or a list', schemaOf({ at: { anyOf: [{ type: 'string' }, { type: 'array' }] } }), 1],
    ['a number for just one of them', schemaOf({ at: { oneOf: [{ type: 'string' }, { type: 'array' }] } }), 1],
    ['a list for a text or nothing', schemaOf({ at: { type: ['string', 'null'] } }), ['a', 'b']],
  ])('but not %s', (_name, input, value) => {
    expect(mendInput(tool(input), { strange: value })).toEqual({
      input: {},
      ignored: ['strange'],
      missing: ['at'],
    });
  });

  test.each<[string, z.ZodType, unknown]>([
    ['a number for a text or a number', z.object({ at: z.union([z.string(), z.number()]) }), 1],
    ['a list for an object', z.object(AT), [7]],
    ['a list of anything', schemaOf({ at: { type: 'array' } }), ['1', true]],
  ])('%s stays as it is', (_name, input, value) => {
    expect(mendInput(tool(input), { at: value })).toEqual({ input: { at: value }, ignored: [], missing: [] });
  });
});
