import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../base/text.ts';
import { openCommands } from '../../testing/commands.ts';
import { nameTools } from './names.ts';
import { type CodePromptOptions, codePrompt, declarationBudget } from './prompt.ts';

/** `npx vitest run src/agent/code/told.test.ts -u` writes it; to be read before it is committed. */
const RECORD = 'told.txt';

const promptsDir = resolve(import.meta.dirname, '../../../prompts');

test('what models are told in code mode, word for word, is what was agreed', async () => {
  const { app } = await openCommands();
  const budget = declarationBudget(128_000, estimateTokens);
  const tools = nameTools(app.tools.toolbox.list());
  const base = { promptsDir, tools, modules: [], functions: [], budget };
  const plugins = { modules: ['units', 'dates'], functions: ['shout', 'join'] };
  const prompts: readonly (readonly [string, CodePromptOptions])[] = [
    ['with all tools', base],
    ['with room for few tools and what plugins add', { ...base, ...plugins, budget: { ...budget, tokens: 600 } }],
    ['of a small model', { ...base, small: true, budget: declarationBudget(8192, estimateTokens) }],
  ];
  const told = prompts.map(([name, options]) => `===== ${name}\n\n${codePrompt(options)}\n`);
  await expect(told.join('\n')).toMatchFileSnapshot(RECORD);
});
