import { expect, test } from 'vitest';
import { z } from 'zod';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { compactDescription, declareBarely, declareBriefly, declareTool, inNamesOf, untyped } from './declare.ts';
import { declareFew, fewFunctions, withFittingExamples } from './few-functions.ts';
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
  ['nothing said', undefined, 'unknown', 'unknown'],
  ['a type of ninety characters', resultOf(90), undefined, undefined],
  ['a longer type', resultOf(91), undefined, `{ a, ${'x'.repeat(68)} }`],
  ['a longer list', z.array(resultOf(91)), undefined, `{ a, ${'x'.repeat(68)} }[]`],
  ['a longer list of texts', z.array(z.enum(['a'.repeat(50), 'b'.repeat(50)])), undefined, undefined],
  ['a type that is too long for a line', resultOf(401), 'object', `{ a, ${'x'.repeat(378)} }`],
  ['an enumeration that is too long', z.enum(['a'.repeat(200), 'b'.repeat(200)]), 'object', 'object'],
])('a result is declared in full and in brief: %s', (_name, output, whole, brief) => {
  const { first, all } = named(tool('look', output ? { output } : {}));
  const full = declareTool(first).slice('look(): '.length, -' // Look.'.length - 1);
  const bare = declareBarely(first).slice('look(): '.length);
  expect([full, bare]).toEqual([whole ?? full, brief ?? full]);
  expect(full.length).toBeGreaterThan(whole === undefined ? 80 : 5);
  expect(declareBriefly(first, all)).toBe(`look(): ${bare} // Look.`);
});

test('a declaration tells the tools that its description names as scripts know them', () => {
  const { first, all } = named(tool('web.look', { description: 'Look. Not write_note or mail.send.' }), WRITE_NOTE);
  expect(declareTool(first, all)).toBe('webLook(): unknown; // Look. Not writeNote or mail.send.');
  expect(declareTool(first)).toBe('webLook(): unknown; // Look. Not write_note or mail.send.');
  expect(declareBriefly(first, all)).toBe('webLook(): unknown // Look. Not writeNote or mail.send.');
});

test.each([
  ['write_note', 'writeNote'],
  ['Use write_note, web.look or a-b.', 'Use writeNote, tools["web.look"] or a-b.'],
  ['rewrite_note write_notes WRITE_NOTE log', 'rewrite_note write_notes WRITE_NOTE log'],
])('names in a description: %s', (text, expected) => {
  const all = [...nameTools([WRITE_NOTE]), { tool: tool('web.look'), plain: undefined }];
  expect(inNamesOf(all, text)).toBe(expected);
});

test('what is said of a field stays, however long it is', () => {
  const field = ' `when`: "2026-03-04", "tomorrow", cron, and much more than sixty characters can hold.';
  const { first, all } = named(
    tool('look', { description: `Look at it, at a time in the future, as long as it takes.${field}` }),
  );
  expect(declareBriefly(first, all)).toBe(
    `look(): unknown // Look at it, at a time in the future, as long as it takes.${field}`,
  );
  const { first: other } = named(tool('look', { description: `Look \`when\`: ${'x '.repeat(60)}` }));
  expect(declareBriefly(other, [])).toBe(`look(): unknown // Look \`when\`: ${'x '.repeat(23)}…`);
});

test.each([
  ['look(a: string, b?: string): string; // Look.', 'look(a, b?); // Look.'],
  ['look({ a: string, b?: number }): { c: string }', 'look({ a, b?: number }): { c }'],
  ['look(a: string[]): string | null', 'look(a: string[]): string | null'],
  ['look(): string', 'look()'],
  ['look(): string // Look.', 'look() // Look.'],
  ['look(a: "b" | string)', 'look(a: "b" | string)'],
])('strings have no type: %s', (declaration, expected) => {
  expect(untyped(declaration)).toBe(expected);
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

const few = (names: readonly string[], request: string) =>
  fewFunctions(nameTools(names.map((name) => tool(name))), request).map((each) => each.tool.name);

test('a small model is told of the usual functions first, and of others after them', () => {
  expect(few(['tide_table', 'notify', 'query_rag', 'delete_file'], 'Hello')).toEqual([
    ...['query_rag', 'notify', 'delete_file', 'tide_table'],
  ]);
  expect(few(['search_files', 'current_time', 'move_file', 'delete_note', 'rename_schedule'], 'Hello')).toEqual([]);
});

test('of those that a request names, three are told', () => {
  const names = ['search_files', 'current_time', 'move_file', 'delete_note', 'rename_schedule'];
  expect(few(names, 'search, move, delete and rename the current')).toHaveLength(3);
  expect(few(names, 'rename it')).toEqual(['rename_schedule']);
  expect(few(names, `${'x'.repeat(999)} rename`)).toEqual([]);
  expect(few(names, `${'x'.repeat(993)} rename`)).toEqual(['rename_schedule']);
});

test('fifteen are told, those that the request names among them', () => {
  const names = Array.from({ length: 20 }, (_, index) => `page_${index}`);
  expect(few(names, 'Hello')).toEqual(names.slice(0, 15));
  expect(few([...names, 'tide_table'], 'tide')).toEqual([...names.slice(0, 14), 'tide_table']);
});

test('only names that do not tell what they do come with words', () => {
  const all = nameTools([WRITE_NOTE, tool('change_list'), tool('look', { output: z.string() })]);
  expect(declareFew(all)).toBe('writeNote(text): unknown\nchangeList(): unknown // Look.\nlook() // Look.');
});

test('parts of a prompt that call what is not declared are left out', () => {
  const parts = ['Hello.', 'await writeNote(1)', 'await look(1); await writeNote(2)', 'await x.look(1)', 'look(3)'];
  expect(withFittingExamples(parts.join('\n\n'), nameTools([WRITE_NOTE]))).toBe(
    ['Hello.', 'await writeNote(1)', 'await x.look(1)', 'look(3)'].join('\n\n'),
  );
});
