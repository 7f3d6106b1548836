import { expect, test } from 'vitest';
import { z } from 'zod';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { compactDescription, declareTool, inNamesOf, signatureOf } from './declare.ts';
import { nameTools } from './names.ts';

function tool(name: string, more: { description?: string; output?: z.ZodType; input?: z.ZodType } = {}): Tool {
  return defineTool({ ...PLAIN_TOOL, name, description: 'Look.', ...more, execute: () => null } as never);
}

function named(...tools: readonly Tool[]) {
  const all = nameTools(tools);
  const [first] = all;
  if (!first) throw new Error('a tool is needed');
  return { first, all };
}

/** An object whose type has so many characters: `{ a: number, xx…: number }`. */
const resultOf = (chars: number) => z.object({ a: z.number(), ['x'.repeat(chars - 23)]: z.number() });

test.each([
  ['nothing said', undefined, ': unknown'],
  ['a text', z.string(), ''],
  ['a type of ninety characters', resultOf(90), `: { a: number, ${'x'.repeat(67)}: number }`],
  ['a longer type', resultOf(91), `: { a, ${'x'.repeat(68)} }`],
  ['a longer list', z.array(resultOf(91)), `: { a, ${'x'.repeat(68)} }[]`],
  ['a longer list of texts', z.array(z.enum(['a'.repeat(50), 'b'.repeat(50)])), undefined],
  ['a type that is too long for a line', resultOf(401), `: { a, ${'x'.repeat(378)} }`],
  ['an enumeration that is too long', z.enum(['a'.repeat(200), 'b'.repeat(200)]), ': object'],
])('of a long result the names of the fields are declared: %s', (_name, output, type) => {
  const { first } = named(tool('look', output ? { output } : {}));
  expect(signatureOf(first)).toBe(`look()${type ?? `: ("${'a'.repeat(50)}" | "${'b'.repeat(50)}")[]`}`);
});

test('fields that have a description are declared with it', () => {
  const input = z.object({
    x: z.string().describe('on or off'),
    at: z.string(),
    n: z.int().optional().describe('steps'),
  });
  const { first } = named(tool('frobnicate', { description: 'Turns the kitchen lights on or off', input }));
  expect(declareTool(first)).toBe(
    'frobnicate({ x, at, n?: number }): unknown // Turns the kitchen lights on or off. `x`: on or off; `n`: steps',
  );
});

test('a declaration tells the tools that its description names as scripts know them', () => {
  const { first, all } = named(tool('web.look', { description: 'Look. Not write_note or mail.send.' }), WRITE_NOTE);
  expect(declareTool(first, all)).toBe('webLook(): unknown // Look. Not writeNote or mail.send.');
  expect(declareTool(first)).toBe('webLook(): unknown // Look. Not write_note or mail.send.');
});

test.each([
  ['write_note', 'writeNote'],
  ['Use write_note, web.look or a-b.', 'Use writeNote, tools["web.look"] or a-b.'],
  ['rewrite_note write_notes WRITE_NOTE log', 'rewrite_note write_notes WRITE_NOTE log'],
])('names in a description: %s', (text, expected) => {
  const all = [...nameTools([WRITE_NOTE]), { tool: tool('web.look'), plain: undefined }];
  expect(inNamesOf(all, text)).toBe(expected);
});

test.each([
  [z.object({ a: z.string(), b: z.string().optional() }), 'look({ a, b? })'],
  [z.object({ a: z.array(z.string()), b: z.string().nullable() }), 'look({ a: string[], b: string | null })'],
  [z.object({ a: z.enum(['b', 'string']) }), 'look({ a: "b" | "string" })'],
])('strings have no type: %#', (input, signature) => {
  expect(signatureOf(named(tool('look', { input, output: z.string() })).first)).toBe(signature);
});

test.each([
  ['Look here.', 10, 'Look here.'],
  ['Look here!!', 10, 'Look …'],
  ['  Look\n\n here. ', 10, 'Look here.'],
  ['Look. See. Then go on.', 12, 'Look. See.'],
  ['Look. Then go on and on and on.', 16, 'Look. Then go …'],
  ['Look at all: this and that.', 18, 'Look at all'],
  ['Look at all; this and that.', 18, 'Look at all'],
  ['Look at all (this and that).', 18, 'Look at all'],
  ['Look at one, two, three, four.', 18, 'Look at one, two'],
  ['Look at v1.2 and v1.3 and v1.4', 18, 'Look at v1.2 and …'],
  ['A: bb cc dd ee ff gg', 9, 'A: bb cc …'],
])('a description of %j in %i characters', (text, chars, expected) => {
  expect(compactDescription(text, chars)).toBe(expected);
});
