import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModelChoice, ModelRequest } from '../models/types.ts';
import { type TestAgent, testAgent, testContext, testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type Scripted, ScriptedModel } from '../testing/scripted-model.ts';
import { WRITE_NOTE } from '../testing/tools.ts';

/** A note is made, and a word is said. */
const SAID: readonly Scripted[] = [{ toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Noted.', 'One.'];

/** An agent with a short prompt, whose model has a window of 8,000 tokens and says something when picked. */
async function toldAgent(replies: readonly Scripted[], choice: Partial<ModelChoice> = {}, windowTokens?: number) {
  const promptsDir = temporaryFolder();
  mkdirSync(join(promptsDir, 'internal'));
  writeFileSync(join(promptsDir, 'base_system_prompt.txt'), 'Be brief.');
  writeFileSync(join(promptsDir, 'internal', 'summary.txt'), 'Summarise.');
  const model = new ScriptedModel(replies);
  const asked: ModelRequest[] = [];
  const pick = async (request: ModelRequest) => {
    asked.push(request);
    request.onNotice?.('half the budget is used');
    return { model, provider: 'scripted', name: 'small', local: true, contextWindow: 8000, why: [], ...choice };
  };
  const agent = await testAgent([], {
    tools: [WRITE_NOTE],
    deps: {
      promptsDir,
      models: { pick, candidates: async () => [], close: async () => {} },
      options: { contextWindowTokens: windowTokens },
    },
  });
  return { agent, model, asked };
}

async function say(agent: TestAgent, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await agent.runTurn(testTurn(text), testContext());
}

test('a new conversation holds the prompt and the tools; nothing is asked, and no turn announced', async () => {
  const { agent, model, asked } = await toldAgent([]);
  const context = testContext();
  expect(await agent.context(testTurn(''), context)).toEqual({
    model: 'small',
    window: 8000,
    threshold: 4800,
    total: 66,
    parts: [
      { name: 'system prompt', tokens: 30, messages: 1 },
      { name: 'tools', tokens: 36, messages: 0 },
      { name: 'summary', tokens: 0, messages: 0 },
      { name: 'your messages', tokens: 0, messages: 0 },
      { name: 'answers', tokens: 0, messages: 0 },
      { name: 'tool results', tokens: 0, messages: 0 },
    ],
  });
  expect(context.events).toEqual([{ type: 'notice', text: 'half the budget is used' }]);
  expect(asked).toMatchObject([{ profile: 'TOOL_EXECUTION', purpose: 'turn' }]);
  expect(model.requests).toEqual([]);
});

const TOLD = { summary: [0, 0], 'your messages': [9, 2], answers: [16, 3], 'tool results': [5, 1] };

test.each([
  ['what was called in classic mode, as messages', {}, {}, TOLD],
  [
    'the same in words, for scripts',
    { mode: 'code_agent' },
    {},
    { ...TOLD, 'your messages': [32, 2], answers: [7, 2], 'tool results': [0, 0] },
  ],
  [
    'no more than the model looks back at',
    {},
    { looksBackTokens: 4 },
    { ...TOLD, 'your messages': [4, 1], answers: [3, 1], 'tool results': [0, 0] },
  ],
] as const)('what was said is counted by kind: %s', async (_what, turn, choice, expected) => {
  const { agent } = await toldAgent(SAID, choice);
  await say(agent, 'note milk', 'say one');
  const { parts, total } = await agent.context(testTurn('', turn), testContext());
  const said = parts.slice(2);
  expect(Object.fromEntries(said.map(({ name, tokens, messages }) => [name, [tokens, messages]]))).toEqual(expected);
  expect(total).toBe(66 + said.reduce((sum, { tokens }) => sum + tokens, 0));
});

test.each([
  ['code_agent', [9, 2], [10, 2], 49],
  ['classic_tools', [26, 1], [3, 1], 59],
] as const)('a script and what it gave, as a model in %s would be sent them', async (mode, yours, answers, before) => {
  const { agent } = await toldAgent(['Two was found.']);
  const turn = testTurn('add up', { mode: 'code_agent' });
  const conversation = await agent.conversations.begin(turn, () => new Date());
  await conversation.append({ role: 'assistant', kind: 'code', content: 'log(1 + 1)' });
  await conversation.append({ role: 'user', kind: 'feedback', content: 'It logged 2.' });
  await agent.conversations.finish(turn, { text: 'Two.', stop: 'answered' }, new Date());
  const { parts } = await agent.context(testTurn('', { mode }), testContext());
  expect(parts.slice(3, 5).map(({ tokens, messages }) => [tokens, messages])).toEqual([yours, answers]);
  expect(await agent.compact(testTurn('', { mode }), testContext())).toMatchObject({ before });
});

test('the window of the settings is the one that counts', async () => {
  const { agent } = await toldAgent([], {}, 4000);
  expect(await agent.context(testTurn(''), testContext())).toMatchObject({ window: 4000, threshold: 2400 });
});

describe('a summary on request', () => {
  test('replaces all but the last exchange, and says what that gained', async () => {
    const { agent, model, asked } = await toldAgent([...SAID, 'Two.', 'Milk was noted.']);
    await say(agent, 'note milk', 'say one', 'say two');
    const context = testContext();
    expect(await agent.compact(testTurn(''), context)).toEqual({ messages: 4, before: 76, after: 51 });
    const notice = { type: 'notice', text: 'half the budget is used' };
    const round = { type: 'compaction', round: 1, before: 76, after: 51, messages: 4 };
    expect(context.events).toEqual([notice, notice, round]);
    expect(asked.at(-1)).toMatchObject({ profile: 'TOOL_EXECUTION', purpose: 'compaction', maxTokens: 1000 });
    expect(model.requests.at(-1)?.messages[0]?.text).toBe('Summarise.');
    expect((await agent.context(testTurn(''), testContext())).parts.slice(2)).toEqual([
      { name: 'summary', tokens: 14, messages: 1 },
      { name: 'your messages', tokens: 4, messages: 1 },
      { name: 'answers', tokens: 3, messages: 1 },
      { name: 'tool results', tokens: 0, messages: 0 },
    ]);
  });

  test('changes nothing where there is only one exchange', async () => {
    const { agent, model } = await toldAgent(['One.']);
    await say(agent, 'say one');
    expect(await agent.compact(testTurn(''), testContext())).toEqual({ messages: 0, before: 37, after: 37 });
    expect(model.requests).toHaveLength(1);
  });

  test.each([
    ['classic_tools', 60],
    ['code_agent', 69],
  ] as const)('counts what the model of %s would be sent', async (mode, before) => {
    const { agent } = await toldAgent([...SAID, 'Milk was noted.']);
    await say(agent, 'note milk', 'say one');
    expect((await agent.compact(testTurn('', { mode }), testContext())).before).toBe(before);
  });

  test('that is stopped reports nothing', async () => {
    const { agent } = await toldAgent(['One.']);
    await say(agent, 'say one');
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(agent.compact(testTurn(''), testContext({ signal }))).rejects.toThrow('stopped');
  });
});
