import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { asArguments, fromPositional, readInput } from './input.ts';

const plan = defineTool({
  ...PLAIN_TOOL,
  name: 'plan',
  positional: ['when', 'text'],
  aliases: { text: ['note', 'body'] },
  input: z.object({ when: z.string(), text: z.string().optional() }),
  execute: () => null,
});
const bare = defineTool({ ...PLAIN_TOOL, name: 'bare', input: z.object({ input: z.unknown() }), execute: () => null });
const ofPlugin = { ...plan, origin: 'the plugin tides' };

describe('positional arguments', () => {
  test.each([
    [[], {}],
    [['9am'], { when: '9am' }],
    [['9am', 'milk'], { when: '9am', text: 'milk' }],
    [['9am', 'milk', 'eggs'], { when: '9am', text: 'milk' }],
    [[{ when: '9am' }], { when: '9am' }],
    [[{ when: '9am' }, 'milk'], { when: { when: '9am' }, text: 'milk' }],
  ])('%j are %j', (args, input) => expect(fromPositional(plan, args)).toEqual(input));

  test.each([
    [['x', 'y'], 'x'],
    [[], {}],
  ])('of a tool without any, %j are %j', (args, input) => expect(fromPositional(bare, args)).toEqual(input));
});

describe('what model servers take as arguments', () => {
  test.each([
    [['9am', 'milk'], { when: '9am', text: 'milk' }],
    ['9am', { when: '9am' }],
    [undefined, {}],
    [null, {}],
    [
      { when: '9am', note: 'milk' },
      { when: '9am', text: 'milk' },
    ],
    [
      { when: '9am', note: 'milk', text: 'eggs' },
      { when: '9am', note: 'milk', text: 'eggs' },
    ],
    [
      { when: '9am', note: 'milk', body: 'eggs' },
      { when: '9am', text: 'milk', body: 'eggs' },
    ],
    [{ input: { when: '9am' } }, { when: '9am' }],
    [
      { input: { when: '9am' }, more: 1 },
      { input: { when: '9am' }, more: 1 },
    ],
    [{ input: '9am' }, { input: '9am' }],
  ])('%j is %j', (input, args) => expect(asArguments(plan, input)).toStrictEqual(args));

  test('a field that is called as a wrapper is one where it has a place', () => {
    expect(asArguments({ ...bare, positional: ['input'] }, { input: { when: '9am' } })).toEqual({
      input: { when: '9am' },
    });
  });

  test('a text is none of a tool without positional arguments', () => expect(asArguments(bare, 'x')).toBeUndefined());
});

test('JSON after a blank is the whole input once more', () => {
  expect(readInput(plan, { when: ' {"when": "9am", "text": "x"}' }, 'tool')).toEqual({
    ok: true,
    data: { when: '9am', text: 'x' },
  });
});

test('the real field comes before an alias, and what is not known is dropped', () => {
  expect(readInput(plan, { when: '9am', note: 'milk', text: 'eggs' }, 'tool')).toEqual({
    ok: true,
    data: { when: '9am', text: 'eggs' },
  });
});

describe('what a tool takes is not mended', () => {
  const bold = { text: 'x', bold: true };
  const loose = (properties: object) => z.unknown().meta({ type: 'object', properties });
  const text = z.union([z.string(), z.object({ text: z.string(), bold: z.boolean() })]);
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['a thing with a field of the same name', z.object({ text }), { text: bold }, { text: bold }],
    ['the same beside a text', z.object({ to: z.string(), text }), { to: 'a', text: bold }, { to: 'a', text: bold }],
    [
      'what would not fit when mended',
      z.object({ at: z.object({ at: z.string() }) }),
      { at: { at: 'x' }, more: 1 },
      { at: { at: 'x' } },
    ],
    ['a field that is not described', z.unknown(), { path: 'a' }, { path: 'a' }],
    ['JSON in such a field', z.unknown(), { path: '{"path": "a"}' }, { path: '{"path": "a"}' }],
    [
      'such a field with nearly the name of another',
      loose({ path: { type: 'string' } }),
      { paht: 'a {b}' },
      { paht: 'a {b}' },
    ],
    [
      'what is read as a text',
      z.object({ a: z.string(), b: z.string() }).transform(({ b }) => b),
      { a: 'x', b: 'y' },
      'y',
    ],
  ])('%s', (_name, input, raw, data) => {
    const tool = defineTool({ ...PLAIN_TOOL, name: 'any', input, execute: () => null });
    expect(readInput(tool, raw, 'tool')).toEqual({ ok: true, data });
  });
});

test('a problem inside a field is told with the way to it', () => {
  const input = z.object({ at: z.object({ days: z.array(z.object({ hour: z.number() })) }) });
  const tool = defineTool({ ...PLAIN_TOOL, name: 'deep', input, execute: () => null });
  expect(readInput(tool, { at: { days: [{ hour: 'nine' }] } }, 'tool')).toEqual({
    ok: false,
    error:
      'deep: at.days.0.hour: Invalid input: expected number, received string. ' +
      'Use deep { at: { days: { hour: number }[] } }. For example at: {"days":[{"hour":1}]}.',
  });
});

test.each([
  [{}, 'plan: when: missing.'],
  [{ when: {}, text: 'x' }, 'plan: when: Invalid input: expected string, received object.'],
  [{ when: {}, text: {} }, 'expected string, received object; text: Invalid input: expected string, received object.'],
])('%j is refused: %s', (input, problem) => {
  const read = readInput(plan, input, 'tool');
  expect(read.ok ? '' : read.error).toContain(problem);
});

test.each([42, true])('%j is a text where a model writes it as JSON, and a slip where a script computed it', (text) => {
  expect(readInput(plan, { when: 'now', text }, 'tool')).toEqual({ ok: true, data: { when: 'now', text: `${text}` } });
  const read = readInput(plan, { when: 'now', text }, 'function');
  expect(read.ok ? '' : read.error).toBe(
    `plan: text: Invalid input: expected string, received ${typeof text}. Use plan(when: string, text?: string). For example text: "text".`,
  );
});

test.each([
  [{ day: 3 }, 'day: "2026-03-04"'],
  [{ unit: 'kg' }, 'unit: "km"'],
  [{ count: 'many' }, 'count: 2'],
  [{ tags: {} }, 'tags: ["text"]'],
  [{ on: 'perhaps' }, 'on: true'],
  [{ from: {} }, 'from: "text"'],
  [{ kind: 'other' }, 'kind: "one"'],
])('of a wrong type, %j, an example of a right value is told', (given, right) => {
  const input = z.object({
    day: z.string().describe('"2026-03-04" or "tomorrow"').optional(),
    unit: z.enum(['km', 'm']).optional(),
    count: z.int().min(2).optional(),
    tags: z.array(z.string()).optional(),
    on: z.boolean().optional(),
    from: z.union([z.string(), z.array(z.string())]).optional(),
    kind: z.literal('one').optional(),
  });
  const read = readInput(defineTool({ ...PLAIN_TOOL, name: 'all', input, execute: () => null }), given, 'function');
  expect(read.ok ? '' : read.error).toMatch(new RegExp(` For example ${right.replace(/[[\]]/gu, '\\$&')}\\.$`, 'u'));
});

test('one value is the only field that has to be there', () => {
  const input = z.object({ folder: z.string().optional(), document: z.string() });
  const one = defineTool({ ...PLAIN_TOOL, name: 'one', input, execute: () => null });
  expect(readInput(one, 'a.md', 'function')).toEqual({ ok: true, data: { document: 'a.md' } });
  const both = z.object({ folder: z.string(), document: z.string() });
  const two = defineTool({ ...PLAIN_TOOL, name: 'two', input: both, execute: () => null });
  expect(readInput(two, 'a.md', 'function')).toMatchObject({ ok: false });
});

test('the tool of a plugin is named with its plugin', () => {
  const read = readInput(ofPlugin, {}, 'function');
  expect(read.ok ? '' : read.error).toBe(
    'plan (the plugin tides): when: missing. Use plan(when: string, text?: string).',
  );
});
