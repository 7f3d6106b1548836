import { expect, test } from 'vitest';
import { testAgent, testTurn } from '../testing/agent.ts';
import { PLAIN_TOOL } from '../testing/tools.ts';
import { defineTool } from '../tools/tool.ts';
import { Background, type BackgroundTurn } from './background.ts';

/** A tool that does not come back before it is told to. */
function gate() {
  const opened = Promise.withResolvers<string>();
  const reached = Promise.withResolvers<void>();
  const tool = defineTool({
    ...PLAIN_TOOL,
    name: 'wait',
    timeoutMs: 60_000,
    execute: () => {
      reached.resolve();
      return opened.promise;
    },
  });
  return { tool, open: () => opened.resolve('open'), reached: reached.promise };
}

const WAIT = { toolCalls: [{ name: 'wait', args: {} }] };

test('a job tells how far it is and what came of it', async () => {
  const { tool, open, reached } = gate();
  const agent = await testAgent([WAIT, 'Through.'], { tools: [tool] });
  const background = new Background({ timeZone: 'UTC', runTurn: agent.runTurn, now: () => new Date() });
  const ended = Promise.withResolvers<BackgroundTurn>();
  background.start(testTurn('go'), ended.resolve);
  await reached;
  expect(background.list()).toMatchObject([{ number: 1, state: 'running', steps: 0 }]);
  open();
  expect(await ended.promise).toMatchObject({ state: 'answered', steps: 1, last: 'Through.' });
});

test('a stopped job is saved as interrupted', async () => {
  const { tool, reached } = gate();
  const agent = await testAgent([WAIT], { tools: [tool] });
  const background = new Background({ timeZone: 'UTC', runTurn: agent.runTurn, now: () => new Date() });
  background.start(testTurn('go'), () => {});
  await reached;
  expect(background.stop(2)).toEqual([]);
  expect(background.stop(1)).toMatchObject([{ number: 1 }]);
  await background.close();
  expect(background.list()).toMatchObject([{ state: 'aborted' }]);
  expect((await agent.conversations.find('conv_1'))?.status).toBe('interrupted');
});

test('two jobs run at once and both are kept', async () => {
  const first = gate();
  const agent = await testAgent([WAIT, 'Second.', 'First.'], { tools: [first.tool] });
  const background = new Background({ timeZone: 'UTC', runTurn: agent.runTurn, now: () => new Date() });
  background.start(testTurn('one', { conversationId: 'a' }), () => {});
  await first.reached;
  const second = Promise.withResolvers<BackgroundTurn>();
  background.start(testTurn('two', { conversationId: 'b' }), second.resolve);
  expect(await second.promise).toMatchObject({ number: 2, state: 'answered', last: 'Second.' });
  first.open();
  await background.close();
  expect(background.list().map((job) => job.state)).toEqual(['aborted', 'answered']);
});
