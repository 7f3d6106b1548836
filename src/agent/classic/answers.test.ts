import { expect, test } from 'vitest';
import { z } from 'zod';
import { testAgent, testContext, testTurn } from '../../testing/agent.ts';
import type { ScriptedReply } from '../../testing/scripted-model.ts';
import { defineTool } from '../../tools/tool.ts';

const made = (name: string, fails = false) =>
  defineTool({
    name,
    description: 'Add to it.',
    input: z.object({ text: z.string() }),
    output: z.string(),
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [] },
    presentation: { unremarkable: (output) => output === 'done' },
    execute: ({ text }) => {
      if (fails) throw new Error('the disk is full');
      return text === 'odd' ? 'there already' : 'done';
    },
  });
const TOOLS = [made('write_note'), made('broken', true)];

function calls(...all: readonly (readonly [string, Record<string, unknown>])[]): ScriptedReply {
  return { toolCalls: all.map(([name, args]) => ({ name, args })) };
}

test.each([
  ['the turn ends with it', [['write_note', { text: 'a', answer: 'Noted a.' }]], 'Noted a.', 1],
  [
    'one of several calls carries it',
    [
      ['write_note', { text: 'a' }],
      ['write_note', { text: 'b', answer: 'Noted both.' }],
    ],
    'Noted both.',
    1,
  ],
  [
    'a call beside it fails',
    [
      ['broken', { text: 'a' }],
      ['write_note', { text: 'b', answer: 'Noted both.' }],
    ],
    'Second reply.',
    2,
  ],
  ['its own call fails', [['broken', { text: 'a', answer: 'Noted.' }]], 'Second reply.', 2],
  ['the result has to be read', [['write_note', { text: 'odd', answer: 'Noted.' }]], 'Second reply.', 2],
  ['it is empty', [['write_note', { text: 'a', answer: ' ' }]], 'Second reply.', 2],
  [
    'an unknown tool is beside it',
    [
      ['write_note', { text: 'a', answer: 'Noted.' }],
      ['conjure', {}],
    ],
    'Second reply.',
    2,
  ],
] as const)('an answer sent with a call: %s', async (_name, sent, answer, requests) => {
  const agent = await testAgent([calls(...sent), 'Second reply.'], { tools: TOOLS });
  const given = await agent.runTurn(testTurn('note a'), testContext());
  expect([given.text, given.stop, given.steps]).toEqual([answer, 'answered', requests]);
});

test('an answer with a call is told to the model, and not kept with the call', async () => {
  const agent = await testAgent([calls(['write_note', { text: 'a', answer: 'Noted a.' }])], { tools: TOOLS });
  const prompts = await agent.prompts(testTurn('go'), testContext());
  expect(prompts[0]?.text).toContain('Calls with `answer` may carry');
  expect(prompts.find(({ name }) => name === 'classic: tool declarations')?.text).toContain(
    '"answer":{"type":"string"}',
  );
  await agent.runTurn(testTurn('note a'), testContext());
  const rows = await agent.store.db.selectFrom('messages').select('content').execute();
  expect(rows.filter(({ content }) => content.includes('Noted a.'))).toHaveLength(1);
});
