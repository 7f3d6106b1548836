import type { BaseMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { MessageCounter } from '../../conversation/tokens.ts';
import { type TestAgent, type TestAgentOptions, testAgent, testContext, testTurn } from '../../testing/agent.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { sqlAll, sqlGet, sqlRun } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import { createClassicEngine } from './engine.ts';

const WINDOW = 8192;
const counter = new MessageCounter();

async function agentOn(replies: readonly Scripted[], options: TestAgentOptions = {}) {
  const engine = createClassicEngine({ maxIterations: 50 });
  return testAgent(replies, {
    ...options,
    deps: { engines: { classic_tools: engine, code_agent: engine }, ...options.deps },
  });
}

const rows = async (agent: TestAgent) =>
  (await sqlAll(agent.store, 'SELECT kind FROM messages ORDER BY sequence')).map((row) => row.kind);

describe('a classic turn', () => {
  test('a tool is called through the gate, its result read, every step saved in order', async () => {
    const agent = await agentOn(
      [{ text: 'Writing.', toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Done.'],
      {
        tools: [WRITE_NOTE],
      },
    );
    const context = testContext();
    const answer = await agent.runTurn(testTurn('note milk'), context);
    expect(answer).toMatchObject({ text: 'Done.', steps: 2 });
    expect(context.events.find((event) => event.type === 'tool')).toMatchObject({ ok: true, preview: 'noted: milk' });
    expect(agent.model.requests[1]?.messages.map((message) => message.type)).toEqual(['system', 'human', 'ai', 'tool']);
    const saved = await sqlAll(agent.store, 'SELECT sequence, role, kind FROM messages ORDER BY sequence');
    expect(saved.map((row) => `${row.sequence} ${row.role} ${row.kind}`)).toEqual([
      '1 user text',
      '2 assistant tool_calls',
      '3 tool tool_result',
      '4 assistant answer',
    ]);
  });

  test.each([
    ['an unknown tool', { name: 'writ_not', args: {} }, 'Did you mean "write_note"?'],
    ['a bad argument', { name: 'write_note', args: { text: { a: 1, b: 2 } } }, 'text:'],
  ])('%s is answered with words the model can use', async (_case, call, words) => {
    const agent = await agentOn([{ toolCalls: [call] }, 'Sorry.'], { tools: [WRITE_NOTE] });
    const answer = await agent.runTurn(testTurn('note'), testContext());
    expect(answer.stop).toBe('answered');
    expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain(words);
  });

  test.each([
    ['length', '{"text":"half of it'],
    ['length', '{"text":"whole"}'.slice(0, -1)],
    ['tool_calls', '{"text":"broken'],
  ])('a call that was cut off (%s, %s) is not run', async (finish, rawArgs) => {
    const agent = await agentOn([{ toolCalls: [{ name: 'write_note', args: {}, rawArgs }], finish }, 'Again later.'], {
      tools: [WRITE_NOTE],
    });
    const context = testContext();
    await agent.runTurn(testTurn('note'), context);
    expect(context.events.filter((event) => event.type === 'tool')).toEqual([]);
    expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain('was not run');
  });

  test('an answer that was cut off is said to be', async () => {
    const agent = await agentOn([{ text: 'Once upon', finish: 'length' }]);
    const context = testContext();
    expect(await agent.runTurn(testTurn('tell'), context)).toMatchObject({ text: 'Once upon', stop: 'cut_off' });
    expect(context.events).toContainEqual(expect.objectContaining({ type: 'error', code: 'model_incomplete' }));
  });

  test('too many steps end as step_limit and say so', async () => {
    const call = (_: unknown, index: number) => ({
      toolCalls: [{ name: 'write_note', args: { text: `x${index}` } }],
    });
    const agent = await agentOn(Array.from({ length: 50 }, call), { tools: [WRITE_NOTE] });
    const answer = await agent.runTurn(testTurn('loop'), testContext());
    expect(answer).toMatchObject({
      stop: 'step_limit',
      steps: 50,
      text: expect.stringContaining('stopped after 50 steps'),
    });
  });

  test('the same call over and over ends the turn long before that', async () => {
    const call = { toolCalls: [{ name: 'write_note', args: { text: 'x' } }] };
    const agent = await agentOn(
      Array.from({ length: 50 }, () => call),
      { tools: [WRITE_NOTE] },
    );
    const answer = await agent.runTurn(testTurn('loop'), testContext());
    expect(answer).toMatchObject({ stop: 'step_limit', text: expect.stringContaining('three times') });
    expect(agent.model.requests).toHaveLength(4);
  });

  test('an abort ends the turn as aborted while a tool runs', async () => {
    const stop = new AbortController();
    const slow = defineTool({
      ...PLAIN_TOOL,
      name: 'slow',
      timeoutMs: 60_000,
      execute: () => {
        stop.abort();
        return new Promise<string>(() => {});
      },
    });
    const agent = await agentOn([{ toolCalls: [{ name: 'slow', args: {} }] }], { tools: [slow] });
    const answer = await agent.runTurn(testTurn('wait'), testContext({ signal: stop.signal }));
    expect(answer.stop).toBe('aborted');
    expect((await agent.conversations.find('conv_1'))?.status).toBe('interrupted');
  });

  test('calls of one reply all run; each result stands behind its call', async () => {
    const calls = ['a', 'b', 'c'].map((text) => ({ name: 'write_note', args: { text } }));
    const agent = await agentOn([{ toolCalls: calls }, 'Done.'], { tools: [WRITE_NOTE] });
    await agent.runTurn(testTurn('note all'), testContext());
    const sent = agent.model.requests[1]?.messages ?? [];
    expect(sent.map((message) => message.text).slice(-3)).toEqual(['noted: a', 'noted: b', 'noted: c']);
    expect(await rows(agent)).toEqual(['text', 'tool_calls', 'tool_result', 'tool_result', 'tool_result', 'answer']);
  });

  test('a tool that fails is read as a result', async () => {
    const broken = defineTool({
      ...PLAIN_TOOL,
      name: 'broken',
      execute: () => {
        throw new Error('no paper');
      },
    });
    const agent = await agentOn([{ toolCalls: [{ name: 'broken', args: {} }] }, 'It has no paper.'], {
      tools: [broken],
    });
    expect(await agent.runTurn(testTurn('print'), testContext())).toMatchObject({ stop: 'answered' });
    expect(agent.model.requests[1]?.messages.at(-1)?.text).toBe('Error: broken failed: no paper');
  });

  test('where only the person knows the time, the model is told to ask', async () => {
    const book = defineTool({
      ...PLAIN_TOOL,
      name: 'book',
      execute: () => {
        throw new AssistantError('bad_time', '"next week" is not clear.', { hint: 'Name the day.', unclear: true });
      },
    });
    const agent = await agentOn([{ toolCalls: [{ name: 'book', args: {} }] }, 'Which day?'], { tools: [book] });
    expect(await agent.runTurn(testTurn('next week'), testContext())).toMatchObject({ text: 'Which day?' });
    expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain('Ask the user which time is meant');
  });

  test('a call that was refused by the person is read as a result', async () => {
    const send = defineTool({
      ...PLAIN_TOOL,
      name: 'send',
      policy: { ...PLAIN_TOOL.policy, effect: 'outbound' },
      execute: () => 'sent',
    });
    const agent = await agentOn([{ toolCalls: [{ name: 'send', args: {} }] }, 'Not sent.'], { tools: [send] });
    const context = testContext({ decide: { verdict: 'denied', by: 'terminal' } });
    await agent.runTurn(testTurn('send'), context);
    expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain('refused by terminal');
    expect(context.events.filter((event) => event.type === 'approval')).toHaveLength(2);
  });

  test('a long turn stays within the window with one summary per round', async () => {
    const look = defineTool({
      ...PLAIN_TOOL,
      name: 'look',
      input: z.object({ n: z.number() }),
      execute: () => 'sheep '.repeat(200),
    });
    let step = 0;
    const next = (messages: readonly BaseMessage[]) => {
      if (messages[0]?.text.startsWith('You keep the memory')) return '## Task\nlooking';
      return step++ < 30 ? { toolCalls: [{ name: 'look', args: { n: step } }] } : 'Seen.';
    };
    const agent = await agentOn(
      Array.from({ length: 60 }, () => next),
      { tools: [look], window: WINDOW },
    );
    expect(await agent.runTurn(testTurn('look thirty times'), testContext())).toMatchObject({
      text: 'Seen.',
      steps: 31,
    });
    const sizes = agent.model.requests.map((request) => counter.all(request.messages));
    expect(Math.max(...sizes)).toBeLessThan(WINDOW);
    const rounds = await sqlGet(agent.store, 'SELECT count(*) AS n FROM compaction_events');
    expect(Number(rounds?.n)).toBeGreaterThan(1);
    expect(agent.model.requests).toHaveLength(31 + Number(rounds?.n));
  });

  test('a model that goes in circles is told so', async () => {
    const look = defineTool({ ...PLAIN_TOOL, name: 'look', execute: () => 'grass' });
    const call = { toolCalls: [{ name: 'look', args: {} }] };
    const agent = await agentOn([call, call, call, 'Only grass.'], { tools: [look] });
    await agent.runTurn(testTurn('look'), testContext());
    const last = (request: number) => agent.model.requests[request]?.messages.at(-1)?.text;
    expect([last(1), last(2)]).toEqual(['grass', 'grass']);
    expect(last(3)).toContain('Do something else');
  });

  test('a killed turn goes on after its last saved step', async () => {
    const store = await openTestStore();
    const script = [{ toolCalls: [{ name: 'write_note', args: { text: 'a' } }] }, 'Noted.'];
    await (await agentOn(script, { store, tools: [WRITE_NOTE] })).runTurn(testTurn('note a'), testContext());
    await sqlRun(store, 'DELETE FROM messages WHERE sequence > 2');
    await sqlRun(store, "UPDATE turns SET status = 'running', owner = '999999@gone#1'");
    const second = await agentOn(script.slice(1), { store, tools: [WRITE_NOTE] });
    const context = testContext();
    expect(await second.runTurn(testTurn('note a'), context)).toMatchObject({ text: 'Noted.', stop: 'answered' });
    expect(context.events.find((event) => event.type === 'tool')).toMatchObject({ cached: true });
    expect(await rows(second)).toEqual(['text', 'tool_calls', 'tool_result', 'answer']);
  });
});
