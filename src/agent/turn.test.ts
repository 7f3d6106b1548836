import { expect, test } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { openTestStore } from '../testing/stores.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import { Artifacts, createArtifactTools } from '../tools/builtin/artifacts.ts';
import { defineTool } from '../tools/tool.ts';
import { createClassicEngine } from './classic/engine.ts';

test('"hello" is one model call with a prompt under 2,000 characters', async () => {
  const agent = await testAgent(['Hello there!'], { tools: [WRITE_NOTE] });
  const context = testContext();
  const answer = await agent.runTurn(testTurn('hello'), context);
  expect(answer).toMatchObject({ text: 'Hello there!', stop: 'answered', steps: 1 });
  expect(agent.model.requests).toHaveLength(1);
  const sent = agent.model.requests[0]?.messages.map((message) => message.text).join('') ?? '';
  expect(sent.length).toBeLessThan(2000);
  expect(context.events.map((event) => event.type)).toEqual(['turn', 'token', 'token', 'answer']);
});

test('the prompt names date, weekday, time zone and project', async () => {
  const agent = await testAgent(['ok']);
  await agent.runTurn(testTurn('hello', { project: 'garden' }), testContext());
  const system = agent.model.requests[0]?.messages[0]?.text;
  expect(system).toContain('Thursday');
  expect(system).toContain('2026-01-15');
  expect(system).toContain('10:00, time zone Europe/Oslo');
  expect(system).toContain('Active project: garden.');
});

test('the next turn sees what was said and what the calls gave', async () => {
  const agent = await testAgent([{ toolCalls: [{ name: 'write_note', args: { text: 'milk' } }] }, 'Noted.', 'Milk.'], {
    tools: [WRITE_NOTE],
  });
  await agent.runTurn(testTurn('note milk'), testContext());
  await agent.runTurn(testTurn('what did I note?'), testContext());
  expect(agent.model.requests[2]?.messages.slice(1).map((message) => message.text)).toEqual([
    'note milk',
    '',
    'noted: milk',
    'Noted.',
    'what did I note?',
  ]);
});

test('an unreachable model is an error event with a hint; the conversation is kept', async () => {
  const down = new AssistantError('model_unreachable', 'Nobody answers at 127.0.0.1:1.', { hint: 'Start the server.' });
  const agent = await testAgent([{ error: down }, 'Back again.']);
  const context = testContext();
  expect(await agent.runTurn(testTurn('hi'), context)).toMatchObject({ stop: 'failed' });
  expect(context.events).toContainEqual({
    type: 'error',
    code: 'model_unreachable',
    message: 'Nobody answers at 127.0.0.1:1.',
    hint: 'Start the server.',
  });
  expect((await agent.conversations.find('conv_1'))?.status).toBe('failed');
  expect(await agent.runTurn(testTurn('still there?'), testContext())).toMatchObject({ text: 'Back again.' });
});

test('what nobody foresaw ends as failed without a stack', async () => {
  const agent = await testAgent([{ error: new TypeError('x is not a function') }]);
  const context = testContext();
  expect(await agent.runTurn(testTurn('hi'), context)).toMatchObject({ stop: 'failed', text: '' });
  expect(context.events).toContainEqual(expect.objectContaining({ code: 'internal', message: 'x is not a function' }));
});

test('a result that is too long is kept whole and can be read on', async () => {
  const store = await openTestStore();
  const artifacts = new Artifacts(store, () => new Date());
  const engine = createClassicEngine({ maxIterations: 9, artifacts });
  const long = defineTool({ ...PLAIN_TOOL, name: 'long', execute: () => `${'x'.repeat(30_000)}END` });
  const readOn: Scripted = (messages) => {
    const id = /"id": "(art_\w+)"/u.exec(messages.at(-1)?.text ?? '')?.[1];
    return { toolCalls: [{ name: 'artifact_get', args: { id, offset: 29_990 } }] };
  };
  const agent = await testAgent([{ toolCalls: [{ name: 'long', args: {} }] }, readOn, 'Read.'], {
    store,
    tools: [long, ...createArtifactTools(artifacts)],
    deps: { engines: { classic_tools: engine, code_agent: engine } },
  });
  await agent.runTurn(testTurn('read all'), testContext());
  expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain('The whole result, 30003 characters, is kept.');
  expect(agent.model.requests[2]?.messages.at(-1)?.text).toMatch(/^x{10}END\n\(Characters 29990 to 30003/u);
});

test('the router learns whether a request names several steps', async () => {
  const agent = await testAgent(['ok', 'ok']);
  await agent.runTurn(testTurn('look it up and then note it'), testContext());
  await agent.runTurn(testTurn('note it'), testContext());
  expect(agent.picked.map(({ severalSteps }) => severalSteps)).toEqual([true, false]);
});
