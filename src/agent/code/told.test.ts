import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { type CodePromptOptions, codePrompt } from './prompt.ts';

/** `npx vitest run src/agent/code/told.test.ts -u` writes it; to be read before it is committed. */
const RECORD = 'told.txt';

const promptsDir = resolve(import.meta.dirname, '../../../prompts');

test('what models are told in code mode, word for word, is what was agreed', async () => {
  const { app } = await openCommands();
  const base = { promptsDir, tools: app.tools.toolbox.list(), modules: [], functions: [] };
  const plugins = { modules: ['units', 'dates'], functions: ['shout', 'join'] };
  const prompts: readonly (readonly [string, CodePromptOptions])[] = [
    ['with all tools', base],
    ['with room for few tools and what plugins add', { ...base, ...plugins, maxDeclarationTokens: 400 }],
    ['of a small model', { ...base, small: { request: 'Delete the note' } }],
    ['of a small model that has run a script', { ...base, ...plugins, small: { request: 'Hello', proven: true } }],
  ];
  const told = prompts.map(([name, options]) => `===== ${name}\n\n${codePrompt(options)}\n`);
  await expect(told.join('\n')).toMatchFileSnapshot(RECORD);
});
