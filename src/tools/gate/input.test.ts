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

  test('of a tool without any, the first is the input', () => expect(fromPositional(bare, ['x', 'y'])).toBe('x'));
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
  ])('%j is %j', (input, args) => expect(asArguments(plan, input)).toEqual(args));

  test('a text is none of a tool without positional arguments', () => expect(asArguments(bare, 'x')).toBeUndefined());
});

test('the real field comes before an alias, and what is not known is dropped', () => {
  expect(readInput(plan, { when: '9am', note: 'milk', text: 'eggs' }, 'tool')).toEqual({
    ok: true,
    data: { when: '9am', text: 'eggs' },
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

test('the tool of a plugin is named with its plugin', () => {
  const read = readInput(ofPlugin, {}, 'function');
  expect(read.ok ? '' : read.error).toBe(
    'plan (the plugin tides): when: missing. Use plan(when: string, text?: string).',
  );
});
