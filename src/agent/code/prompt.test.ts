import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '../../base/text.ts';
import { defineTool, type Tool, type ToolDefinition } from '../../tools/tool.ts';
import { compactDescription, declareTool } from './declare.ts';
import { nameTools } from './names.ts';
import { codePrompt } from './prompt.ts';

const promptsDir = resolve(import.meta.dirname, '../../../prompts');
const base = {
  policy: { effect: 'none', reads: 'public' },
  provenance: { returns: 'trusted' },
  timeoutMs: 1000,
  execute: () => null,
} as const;

function tool(
  name: string,
  input: z.ZodType = z.object({}),
  more: Partial<ToolDefinition<z.ZodType, z.ZodType>> = {},
): Tool {
  return defineTool({ ...base, name, description: `Do ${name}. And more.`, input, ...more });
}

test.each([
  [
    'no input',
    tool('current_time', z.object({}), { output: z.string() }),
    'currentTime(): string; // Do current_time. And more.',
  ],
  [
    'positional fields, some optional',
    tool('query_rag', z.object({ query: z.string(), k: z.int().default(5) }), {
      functionName: 'queryRAG',
      positional: ['query', 'k'] as never,
    }),
    'queryRAG(query: string, k?: number): unknown; // Do query_rag. And more.',
  ],
  [
    'an object',
    tool('plan', z.object({ when: z.string(), kind: z.enum(['a', 'b']).optional() })),
    'plan({ when: string, kind?: "a" | "b" }): unknown; // Do plan. And more.',
  ],
  [
    'lists and unions in the result',
    tool('find', z.object({}), {
      output: z.object({ hits: z.array(z.object({ id: z.string(), at: z.number().nullable() })) }),
    }),
    'find(): { hits: { id: string, at: number | null }[] }; // Do find. And more.',
  ],
])('a declaration with %s', (_name, declared, line) => {
  const [named] = nameTools([declared]);
  expect(named && declareTool(named)).toBe(line);
});

test('core tools are declared in full, the rest by name when there is no room', () => {
  const many = Array.from({ length: 60 }, (_, i) => tool(`plugin${i}.run`, z.object({ text: z.string() })));
  const search = tool('web_search', z.object({ query: z.string() }), { positional: ['query'] as never });
  const prompt = codePrompt({
    promptsDir,
    tools: [...many, search],
    modules: [],
    functions: [],
    maxDeclarationTokens: 200,
  });
  expect(prompt).toContain('webSearch(query): unknown;');
  expect(prompt).toContain('More tools (call toolSchema(name) before the first use): ');
  expect(prompt).toContain('plugin59Run');
  expect(prompt).not.toContain('{{');
});

test('tools that are easily confused are told apart, and only where both are there', () => {
  const tools = [tool('schedule'), tool('notify')];
  expect(codePrompt({ promptsDir, tools, modules: [], functions: [] })).toContain('notify sends now');
  expect(codePrompt({ promptsDir, tools: [tool('notify')], modules: [], functions: [] })).not.toContain(
    'notify sends now',
  );
});

test('modules are listed where there are any', () => {
  expect(codePrompt({ promptsDir, tools: [], modules: ['dates'], functions: ['shout'] })).toMatch(
    /import.*dates\. No others[\s\S]*More functions: shout/u,
  );
  expect(codePrompt({ promptsDir, tools: [], modules: [], functions: [] })).not.toContain('import');
});

test('in the prompt, strings have no type and what is seldom needed is left out', () => {
  const note = tool('find', z.object({ words: z.string(), k: z.int().optional().meta({ seldom: true }) }), {
    positional: ['words', 'k'] as never,
    output: z.object({ text: z.string(), score: z.number(), from: z.string().meta({ seldom: true }) }),
  });
  const prompt = codePrompt({ promptsDir, tools: [note], modules: [], functions: [] });
  expect(prompt).toContain('find(words): { text, score: number }; // Do find. And more.');
});

test.each([
  ['the usual prompt', undefined],
  ['the compact one', { request: 'Hello' }],
])('%s says all that a field may hold', (_name, small) => {
  const description = 'Do it later (the text verbatim), or never. `when`: "2026-03-04" (their zone), "tomorrow", cron.';
  const plan = tool('schedule', z.object({ when: z.string() }), { positional: ['when'] as never, description });
  const tools = [tool('query_rag'), tool('write_note'), plan];
  expect(codePrompt({ promptsDir, tools, modules: [], functions: [], small })).toContain(
    `schedule(when): unknown // ${description}`,
  );
});

test('the prompt without tools stays small', () => {
  expect(estimateTokens(codePrompt({ promptsDir, tools: [], modules: [], functions: [] }))).toBeLessThan(1300);
});

test.each([
  ['Read a file: `limit` lines from line `offset`. More.', 30, 'Read a file'],
  ['Read it. Then more words than fit here.', 20, 'Read it.'],
  ['List entries, the newest 50 of them that there are', 30, 'List entries'],
  ['Take everything that there is somewhere', 20, 'Take everything …'],
  ['Short.', 20, 'Short.'],
])('a description is cut where a part of it ends: %s', (text, chars, expected) => {
  expect(compactDescription(text, chars)).toBe(expected);
});
