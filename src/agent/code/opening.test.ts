import { resolve } from 'node:path';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import type { Step } from '../../conversation/types.ts';
import type { ModelChoice } from '../../models/types.ts';
import { createScriptExtensions } from '../../sandbox/script-extensions.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import type { EngineRun } from '../types.ts';
import { openingOf } from './opening.ts';

const deps = { registry: createScriptExtensions(), promptsDir: resolve(import.meta.dirname, '../../../prompts') };
const LOOK = defineTool({ ...PLAIN_TOOL, name: 'look', execute: () => null });
const READ = defineTool({ ...PLAIN_TOOL, name: 'read_file', execute: () => null });
const STORE = defineTool({ ...PLAIN_TOOL, name: 'artifact.store', execute: () => null });

interface Case {
  readonly choice?: Partial<ModelChoice>;
  readonly history?: readonly (HumanMessage | AIMessage)[];
  readonly resumed?: readonly Step[];
  readonly alreadyDone?: string;
}

async function open({ choice = {}, history = [], resumed = [], alreadyDone }: Case = {}) {
  const asked: unknown[] = [];
  const conversation = {
    request: async () => 'Note milk.',
    resumed: async () => resumed,
    history: async (...args: unknown[]) => {
      asked.push(args);
      return history;
    },
  };
  const toolbox = {
    offered: async () => [WRITE_NOTE, LOOK],
    declared: async () => ({ tools: [WRITE_NOTE, STORE, READ], none: ['lists'] }),
  };
  const run = {
    ...{ conversation, toolbox, alreadyDone, turn: { text: 'Note milk.' } },
    ...{ systemPrompt: 'You are large.', smallPrompt: () => 'You are small.' },
  } as unknown as EngineRun;
  const opening = await openingOf(deps, run, { provider: 'scripted', ...choice } as ModelChoice);
  const [system = '', ...texts] = opening.messages.map(({ text }) => text);
  return { ...opening, system, texts, asked };
}

test('a turn starts with the prompt, what was said before and the request', async () => {
  const before = [new HumanMessage('Hello'), new AIMessage('Hi.')];
  const { system, texts, proven, asked } = await open({ history: before, choice: { looksBackTokens: 500 } });
  expect(system).toMatch(/^You are large\./u);
  expect(system).toContain('writeNote(text)');
  expect([system.includes('artifactStore('), system.includes('look()'), system.includes('lists')]).toEqual([
    ...[false, false, true],
  ]);
  expect([texts, proven, asked]).toEqual([['Hello', 'Hi.', 'Note milk.'], undefined, [['code', 500]]]);
});

test('a model that knows all tools by itself is told of those that are offered', async () => {
  const { system } = await open({ choice: { provider: 'builtin' } });
  expect([system.includes('look()'), system.includes('lists')]).toEqual([true, false]);
});

test('what was done already stands behind the request', async () => {
  expect((await open({ alreadyDone: '(Done.)' })).texts).toEqual(['Note milk.\n\n(Done.)']);
});

const step = (kind: Step['kind'], content: string): Step =>
  ({ role: kind === 'code' ? 'assistant' : 'user', kind, content }) as Step;

test('a turn that goes on has its own scripts, and one that was running is to be written again', async () => {
  const first = [step('code', 'a()'), step('feedback', 'The script ran.')];
  expect((await open({ resumed: [...first, step('text', 'Hm.')] })).texts).toEqual([
    'Note milk.',
    expect.stringContaining('a()'),
    'The script ran.',
  ]);
  expect((await open({ resumed: [...first, step('code', 'b()')] })).texts.slice(3)).toEqual([
    expect.stringContaining('b()'),
    'The program was stopped while this script ran. Write it again; calls that already succeeded return their result ' +
      'again without acting twice, and stored values can be recalled.',
  ]);
});

test('a small model has examples until a script of the conversation has run', async () => {
  const small = { choice: { small: true } };
  const fresh = await open(small);
  expect(fresh.system).toMatch(/^You are small\.\nThere were no lists yet .*\n\nYou act by writing JavaScript/u);
  expect([fresh.system.includes('costs.md'), fresh.proven?.text.includes('costs.md')]).toEqual([true, false]);
  const ran = await open({ ...small, history: [new HumanMessage('The script ran. Value:\n3')] });
  expect(ran.system).toBe(ran.proven?.text);
  const said = await open({
    ...small,
    history: [new AIMessage('The script ran.'), new HumanMessage('So The script ran')],
  });
  expect(said.system).toBe(fresh.system);
});
