import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssistantError } from '../base/errors.ts';
import { makeFolder } from '../base/folders.ts';

const NAME = /^[a-z][a-z0-9-]{0,31}$/u;

/**
 * Write a working plugin as a starting point, with a passing test.
 *
 * @returns its folder.
 * @throws AssistantError `bad_usage` for a name that is taken or invalid.
 */
export function newPlugin(home: string, name: string): string {
  if (!NAME.test(name)) {
    throw new AssistantError('bad_usage', `"${name}" cannot be the name of a plugin.`, {
      hint: 'Use up to 32 of a-z, 0-9 and -, beginning with a letter.',
    });
  }
  const folder = join(home, 'user-plugins', name);
  if (existsSync(folder)) {
    throw new AssistantError('bad_usage', `${folder} is there already.`, { hint: 'Choose another name.' });
  }
  makeFolder(folder);
  writeFileSync(join(folder, 'index.ts'), indexOf(name), { flag: 'wx' });
  writeFileSync(join(folder, 'index.test.ts'), testOf(name), { flag: 'wx' });
  return folder;
}

function indexOf(name: string): string {
  return `import { definePlugin, defineTool, z } from '#plugin';

/** Counts the words of a text: a place to begin. */
export default definePlugin({
  name: '${name}',
  version: '0.1.0',
  description: 'Counts words.',

  // What it may do beyond answering. It is kept to that.
  hosts: [],
  folders: [],
  effects: ['none'],

  getAgentTools() {
    return [
      defineTool({
        name: '${name}.count_words',
        positional: ['text'],
        description: 'Count the words of a text.',
        input: z.object({ text: z.string() }),
        output: z.object({ words: z.int() }),
        policy: { effect: 'none' },
        provenance: { readsFrom: [] },
        timeoutMs: 5000,
        execute: ({ text }) => ({ words: text.split(/\\s+/u).filter(Boolean).length }),
      }),
    ];
  },
});
`;
}

function testOf(name: string): string {
  return `import { startPlugin } from '#plugin/testing';
import { expect, test } from 'vitest';
import plugin from './index.ts';

test('words are counted as people count them', async () => {
  const { call } = await startPlugin(plugin);
  expect(await call('${name}.count_words', { text: ' low  tide ' })).toEqual({ words: 2 });
});

test('a text is needed', async () => {
  const { call } = await startPlugin(plugin);
  await expect(call('${name}.count_words', {})).rejects.toThrow('text: missing');
});
`;
}
