import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '../../base/text.ts';
import { defineTool, type Tool, type ToolDefinition } from '../../tools/tool.ts';
import { compactDescription, declareTool } from './declare.ts';
import { nameTools } from './names.ts';
import { type CodePromptOptions, codePrompt, declarationBudget } from './prompt.ts';

const promptsDir = resolve(import.meta.dirname, '../../../prompts');
const base = {
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  timeoutMs: 1000,
  execute: () => null,
} as const;

/** The prompt for these tools in a window of so many tokens. */
function prompt(
  tools: readonly Tool[],
  { window = 128_000, ...more }: Partial<CodePromptOptions> & { window?: number } = {},
) {
  const budget = declarationBudget(window, estimateTokens);
  return codePrompt({ promptsDir, modules: [], functions: [], budget, ...more, tools: nameTools(tools) });
}

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
    'currentTime() // Do current_time. And more.',
  ],
  [
    'positional fields, some optional',
    tool('query_rag', z.object({ query: z.string(), k: z.int().default(5) }), {
      functionName: 'queryRAG',
      positional: ['query', 'k'] as never,
    }),
    'queryRAG(query, k?: number): unknown // Do query_rag. And more.',
  ],
  [
    'an object',
    tool('plan', z.object({ when: z.string(), kind: z.enum(['a', 'b']).optional() })),
    'plan({ when, kind?: "a" | "b" }): unknown // Do plan. And more.',
  ],
  [
    'lists and unions in the result',
    tool('find', z.object({}), {
      output: z.object({ hits: z.array(z.object({ id: z.string(), at: z.number().nullable() })) }),
    }),
    'find(): { hits: { id, at: number | null }[] } // Do find. And more.',
  ],
])('a declaration with %s', (_name, declared, line) => {
  const [named] = nameTools([declared]);
  expect(named && declareTool(named)).toBe(line);
});

test('a tool that was declared before is declared by the names that the others have now', () => {
  const plan = tool('plan', z.object({}), { description: 'Plan what find_all found.' });
  const find = tool('find_all');
  expect(prompt([plan, find])).toContain('plan(): unknown // Plan what findAll found.');
  const other = tool('find_all', z.object({}), { functionName: 'findEverything' });
  expect(prompt([plan, other])).toContain('plan(): unknown // Plan what findEverything found.');
  expect(prompt([plan])).toContain('plan(): unknown // Plan what find_all found.');
});

const many = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    tool(`plugin${i}.run`, z.object({ text: z.string().describe('what to run') })),
  );

test('what does not fit a quarter of the window is listed by name, in the order of the tools', () => {
  const shown = prompt(many(60), { window: 4000 });
  const lines = shown.split('\n').filter((line) => /^plugin\d+Run\(/u.test(line));
  expect(lines[0]).toBe('plugin0Run({ text }): unknown // Do plugin0Run. And more. `text`: what to run');
  expect(lines.length).toBeGreaterThan(20);
  const more = /^More tools: (.*)\. toolSchema\(name\) tells how to call one, discoverTools/mu.exec(shown)?.[1];
  expect(more?.split(', ')).toEqual(
    Array.from({ length: 60 - lines.length }, (_, i) => `plugin${i + lines.length}Run`),
  );
  expect(shown).not.toContain('{{');
});

test.each([
  [8192, 2048],
  [128_000, 4000],
])('hundreds of tools take no more than their share of a window of %i tokens', (window, most) => {
  const [without, all] = [prompt([], { window }), prompt(many(800), { window })];
  expect(estimateTokens(all) - estimateTokens(without)).toBeLessThanOrEqual(most);
  expect(estimateTokens(all) - estimateTokens(without)).toBeGreaterThan(most * 0.9);
  expect(all).toMatch(/Run, and \d+ others\. toolSchema/u);
});

test('a tool that is too long does not keep out those after it', () => {
  const long = (n: number) => tool(`long${n}`, z.object({ a: z.enum(['x'.repeat(300)]) }));
  expect(prompt([long(0), long(1), tool('short')], { window: 720 })).toMatch(/^short\(\): .*\nMore tools: long1\. /mu);
});

test('modules are listed where there are any', () => {
  expect(prompt([], { modules: ['dates'], functions: ['shout'] })).toMatch(
    /import.*dates\. No others[\s\S]*More functions: shout/u,
  );
  expect(prompt([])).not.toContain('import');
});

test('strings have no type, and what of a result is seldom needed is left out', () => {
  const find = tool('find', z.object({ words: z.string(), k: z.int().optional() }), {
    positional: ['words', 'k'] as never,
    output: z.object({ text: z.string(), score: z.number(), from: z.string().meta({ seldom: true }) }),
  });
  expect(prompt([find])).toContain('find(words, k?: number): { text, score: number } // Do find. And more.');
});

test('examples for a small model call only what is there', () => {
  const shown = prompt([tool('schedule'), tool('notify')], { small: true });
  expect([...shown.matchAll(/await (\w+)\(/gu)].map(([, name]) => name)).toEqual(['schedule']);
  expect(shown).not.toContain('Move a reminder');
  expect(prompt([tool('reschedule')], { small: true })).toContain("await reschedule('dentist'");
});

test('the prompt without tools stays small', () => {
  expect(estimateTokens(prompt([]))).toBeLessThan(1300);
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
