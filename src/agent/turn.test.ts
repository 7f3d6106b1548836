import { expect, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../base/errors.ts';
import { openStore } from '../store/store.ts';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { Artifacts, createArtifactTools } from '../tools/artifacts.ts';
import { defineTool } from '../tools/tool.ts';
import { createClassicEngine } from './classic/engine.ts';

const plain = {
  description: 'A tool.',
  input: z.object({}),
  effect: 'none',
  reads: 'public',
  returns: 'trusted',
  timeoutMs: 1000,
} as const;

const note = defineTool({
  name: 'write_note',
  positional: ['text'],
  description: 'Append a note.',
  input: z.object({ text: z.string() }),
  effect: 'local',
  reads: 'public',
  returns: 'trusted',
  timeoutMs: 1000,
  change: 'append',
  execute: ({ text }) => `noted: ${text}`,
});

test('"hello" is one model call with a prompt under 2,000 characters', async () => {
  const agent = testAgent(['Hello there!'], { tools: [note] });
  const context = testContext();
  const answer = await agent.runTurn(testTurn('hello'), context);
  expect(answer).toMatchObject({ text: 'Hello there!', stop: 'answered', steps: 1 });
  expect(agent.model.requests).toHaveLength(1);
  const sent = agent.model.requests[0]?.messages.map((message) => message.text).join('') ?? '';
  expect(sent.length).toBeLessThan(2000);
  expect(context.events.map((event) => event.type)).toEqual(['turn', 'token', 'token', 'answer']);
});

test('the prompt names date, weekday, time zone and project', async () => {
  const agent = testAgent(['ok']);
  await agent.runTurn(testTurn('hello', { project: 'garden' }), testContext());
  const system = agent.model.requests[0]?.messages[0]?.text;
  expect(system).toContain('Thursday');
  expect(system).toContain('2026-01-15');
  expect(system).toContain('10:00, time zone Europe/Oslo');
  expect(system).toContain('Active project: garden.');
});

test('a tool is called through the gate, its result read, every step saved in order', async () => {
  const agent = testAgent(
    [{ text: 'Writing.', toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Done.'],
    {
      tools: [note],
    },
  );
  const context = testContext();
  const answer = await agent.runTurn(testTurn('note milk'), context);
  expect(answer).toMatchObject({ text: 'Done.', steps: 2 });
  expect(context.events.find((event) => event.type === 'tool')).toMatchObject({ ok: true, preview: 'noted: milk' });
  expect(agent.model.requests[1]?.messages.map((message) => message.type)).toEqual(['system', 'human', 'ai', 'tool']);
  const saved = agent.store.sql.prepare('SELECT sequence, role, kind FROM messages ORDER BY sequence').all();
  expect(saved.map((row) => `${row.sequence} ${row.role} ${row.kind}`)).toEqual([
    '1 user text',
    '2 assistant tool_calls',
    '3 tool tool_result',
    '4 assistant answer',
  ]);
});

test('the next turn sees what was said, not the tool steps', async () => {
  const agent = testAgent([{ toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Noted.', 'Milk.'], {
    tools: [note],
  });
  await agent.runTurn(testTurn('note milk'), testContext());
  await agent.runTurn(testTurn('what did I note?'), testContext());
  expect(agent.model.requests[2]?.messages.slice(1).map((message) => message.text)).toEqual([
    'note milk',
    'Noted.',
    'what did I note?',
  ]);
});

test.each([
  ['an unknown tool', { name: 'write_not', args: {} }, 'Did you mean "write_note"?'],
  ['a bad argument', { name: 'write_note', args: { text: 7 } }, 'text:'],
])('%s is answered with words the model can use', async (_case, call, words) => {
  const agent = testAgent([{ toolCalls: [call] }, 'Sorry.'], { tools: [note] });
  const answer = await agent.runTurn(testTurn('note'), testContext());
  expect(answer.stop).toBe('answered');
  expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain(words);
});

test.each([
  ['length', '{"text":"half of it'],
  ['length', '{"text":"whole"}'.slice(0, -1)],
  ['tool_calls', '{"text":"broken'],
])('a call that was cut off (%s, %s) is not run', async (finish, rawArgs) => {
  const agent = testAgent([{ toolCalls: [{ name: 'write_note', args: {}, rawArgs }], finish }, 'Again later.'], {
    tools: [note],
  });
  const context = testContext();
  await agent.runTurn(testTurn('note'), context);
  expect(context.events.filter((event) => event.type === 'tool')).toEqual([]);
  expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain('was not run');
});

test('an answer that was cut off is said to be', async () => {
  const agent = testAgent([{ text: 'Once upon', finish: 'length' }]);
  const context = testContext();
  await agent.runTurn(testTurn('tell'), context);
  expect(context.events).toContainEqual(expect.objectContaining({ type: 'error', code: 'model_incomplete' }));
});

test('too many steps end as step_limit and say so', async () => {
  const call = { toolCalls: [{ name: 'write_note', args: { text: 'x' } }] };
  const agent = testAgent(
    Array.from({ length: 50 }, () => call),
    { tools: [note] },
  );
  const answer = await agent.runTurn(testTurn('loop'), testContext());
  expect(answer).toMatchObject({
    stop: 'step_limit',
    steps: 50,
    text: expect.stringContaining('stopped after 50 steps'),
  });
});

test('an unreachable model is an error event with a hint; the conversation is kept', async () => {
  const down = new AssistantError('model_unreachable', 'Nobody answers at 127.0.0.1:1.', { hint: 'Start the server.' });
  const agent = testAgent([{ error: down }, 'Back again.']);
  const context = testContext();
  expect(await agent.runTurn(testTurn('hi'), context)).toMatchObject({ stop: 'failed' });
  expect(context.events).toContainEqual({
    type: 'error',
    code: 'model_unreachable',
    message: 'Nobody answers at 127.0.0.1:1.',
    hint: 'Start the server.',
  });
  expect(agent.conversations.find('conv_1')?.status).toBe('failed');
  expect(await agent.runTurn(testTurn('still there?'), testContext())).toMatchObject({ text: 'Back again.' });
});

test('an abort ends the turn as aborted while a tool runs', async () => {
  const stop = new AbortController();
  const slow = defineTool({
    name: 'slow',
    description: 'Wait.',
    input: z.object({}),
    effect: 'none',
    reads: 'public',
    returns: 'trusted',
    timeoutMs: 60_000,
    execute: () => {
      stop.abort();
      return new Promise<string>(() => {});
    },
  });
  const agent = testAgent([{ toolCalls: [{ name: 'slow', args: {} }] }], { tools: [slow] });
  const answer = await agent.runTurn(testTurn('wait'), testContext({ signal: stop.signal }));
  expect(answer.stop).toBe('aborted');
  expect(agent.conversations.find('conv_1')?.status).toBe('interrupted');
});

test('what nobody foresaw ends as failed without a stack', async () => {
  const agent = testAgent([{ error: new TypeError('x is not a function') }]);
  const context = testContext();
  expect(await agent.runTurn(testTurn('hi'), context)).toMatchObject({ stop: 'failed', text: '' });
  expect(context.events).toContainEqual(expect.objectContaining({ code: 'internal', message: 'x is not a function' }));
});

test('a result that is too long is kept whole and can be read on', async () => {
  const store = openStore(':memory:');
  const artifacts = new Artifacts(store, () => new Date());
  const engine = createClassicEngine({ maxIterations: 9, artifacts });
  const long = defineTool({ ...plain, name: 'long', execute: () => `${'x'.repeat(30_000)}END` });
  const readOn: Scripted = (messages) => {
    const id = /"id": "(art_\w+)"/u.exec(messages.at(-1)?.text ?? '')?.[1];
    return { toolCalls: [{ name: 'artifact_get', args: { id, offset: 29_990 } }] };
  };
  const agent = testAgent([{ toolCalls: [{ name: 'long', args: {} }] }, readOn, 'Read.'], {
    store,
    tools: [long, ...createArtifactTools(artifacts)],
    parts: { engines: { classic_tools: engine, code_agent: engine } },
  });
  await agent.runTurn(testTurn('read all'), testContext());
  expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain('The whole result, 30003 characters, is kept.');
  expect(agent.model.requests[2]?.messages.at(-1)?.text).toMatch(/^x{10}END\n\(Characters 29990 to 30003/u);
});
