import { resolve } from 'node:path';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Turn } from '../../base/turn.ts';
import { MessageCounter } from '../../conversation/tokens.ts';
import type { Step } from '../../conversation/types.ts';
import { dataOf } from '../../models/message-data.ts';
import type { ModelChoice } from '../../models/types.ts';
import { createScriptExtensions } from '../../sandbox/script-extensions.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import type { EngineRun } from '../types.ts';
import { openingOf } from './opening.ts';

const deps = { registry: createScriptExtensions(), promptsDir: resolve(import.meta.dirname, '../../../prompts') };
const LIGHTS = defineTool({
  ...{ name: 'frobnicate', description: 'Turns the kitchen lights on or off.' },
  input: z.object({ x: z.string().describe('on, off or dim') }),
  execute: () => null,
});
const TIDES = defineTool({
  ...PLAIN_TOOL,
  name: 'tide_table',
  description: 'Say when the tide turns.',
  execute: () => null,
});
const STORE = defineTool({ ...PLAIN_TOOL, name: 'artifact.store', execute: () => null });

interface Case {
  readonly choice?: Partial<ModelChoice>;
  readonly history?: readonly (HumanMessage | AIMessage)[];
  readonly resumed?: readonly Step[];
  readonly alreadyDone?: string;
  readonly text?: string;
}

async function open({ choice = {}, history = [], resumed = [], alreadyDone, text = 'Note milk.' }: Case = {}) {
  const asked: unknown[] = [];
  const conversation = {
    request: async () => text,
    resumed: async () => resumed,
    history: async (...args: unknown[]) => {
      asked.push(args);
      return history;
    },
  };
  const toolbox = {
    offered: async (turn: Turn) => [WRITE_NOTE, ...(turn.text.includes('tide') ? [TIDES] : []), LIGHTS, STORE],
  };
  const run = {
    ...{ conversation, toolbox, alreadyDone, turn: { text }, facts: ['Likes tea.'] },
    counterFor: async () => new MessageCounter(),
    promptParts: (small: boolean) => ({ standing: small ? 'You are small.' : 'You are large.', now: `Asked: ${text}` }),
  } as unknown as EngineRun;
  const messages = await openingOf(deps, run, {
    provider: 'scripted',
    contextWindow: 32_768,
    ...choice,
  } as ModelChoice);
  const [system = '', ...texts] = messages.map((message) => message.text);
  return { system, texts, asked, data: messages.map(dataOf) };
}

test('a turn starts with the prompt, what was said before, and the request with what belongs to this turn', async () => {
  const before = [new HumanMessage('Hello'), new AIMessage('Hi.')];
  const { system, texts, asked } = await open({ history: before, choice: { looksBackTokens: 500 } });
  expect(system).toMatch(/^You are large\./u);
  expect(system).toContain('writeNote(text): unknown // ');
  expect([system.includes('artifactStore('), system.includes('Asked')]).toEqual([false, false]);
  expect(texts).toEqual(['Hello', 'Hi.', 'Note milk.\n\n<context>\nAsked: Note milk.\n</context>']);
  expect(asked).toEqual([['code', 500]]);
});

test("a plugin's tool reaches the model with its words", async () => {
  expect((await open()).system).toContain(
    '\nfrobnicate({ x }): unknown // Turns the kitchen lights on or off. `x`: on, off or dim\n',
  );
});

test.each([{}, { small: true }])('the prefix is the same to the letter whatever is asked: %j', async (choice) => {
  const first = await open({ choice, text: 'Turn on the lights.' });
  const history = [new HumanMessage('Turn on the lights.'), new AIMessage('Done.')];
  const second = await open({ choice, history, text: 'When does the tide turn?' });
  expect(second.system).toBe(first.system);
  expect(second.system).not.toContain('tideTable');
  expect(second.texts.at(-1)).toContain(
    'More tools for this request\ntideTable(): unknown // Say when the tide turns.',
  );
});

test('the built-in model is told as data what was said and which functions there are', async () => {
  const { data } = await open({ text: 'When does the tide turn?' });
  expect(data).toMatchObject([
    {
      functions: { write_note: 'writeNote', frobnicate: 'frobnicate', tide_table: 'tideTable' },
      facts: ['Likes tea.'],
    },
    { said: 'When does the tide turn?' },
  ]);
});

test('what was done already stands behind the request', async () => {
  const [request] = (await open({ alreadyDone: '(Done.)' })).texts;
  expect(request).toMatch(/^Note milk\.\n\n<context>[^<]*<\/context>\n\n\(Done\.\)$/u);
});

const step = (kind: Step['kind'], content: string): Step =>
  ({ role: kind === 'code' ? 'assistant' : 'user', kind, content }) as Step;

test('a turn that goes on has its own scripts, and one that was running is to be written again', async () => {
  const first = [step('code', 'a()'), step('feedback', 'The script ran.')];
  expect((await open({ resumed: [...first, step('text', 'Hm.')] })).texts).toEqual([
    expect.stringMatching(/^Note milk/u),
    expect.stringContaining('a()'),
    'The script ran.',
  ]);
  expect((await open({ resumed: [...first, step('code', 'b()')] })).texts.slice(3)).toEqual([
    expect.stringContaining('b()'),
    'The program was stopped while this script ran. Write it again; calls that already succeeded return their result ' +
      'again without acting twice, and stored values can be recalled.',
  ]);
});
