import type { BaseMessage } from '@langchain/core/messages';
import { afterAll, expect, test } from 'vitest';
import { MessageCounter } from '../../conversation/tokens.ts';
import { testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const WINDOW = 4096;
const TASK = 'Count the sheep of nine fields, one script after the other.';

test('nine scripts in a small window: requests fit, task and prompt stay, one summary per round', async () => {
  let script = 0;
  const next = (messages: readonly BaseMessage[]) => {
    if (messages[0]?.text.startsWith('You keep the memory')) return '## Task\nsheep';
    script++;
    return script < 10
      ? `\`\`\`js\nlog('sheep '.repeat(250)); 'field ${script}'\n\`\`\``
      : "```js\nfinalAnswer('nine fields')\n```";
  };
  const agent = await codeAgent(
    sandbox,
    Array.from({ length: 40 }, () => next),
    { window: WINDOW },
  );
  const context = testContext();
  const answer = await agent.runTurn(testTurn(TASK, { mode: 'code_agent' }), context);
  expect(answer).toMatchObject({ stop: 'answered', text: 'nine fields' });
  const counter = new MessageCounter();
  expect(Math.max(...agent.model.requests.map((request) => counter.all(request.messages)))).toBeLessThan(WINDOW);
  const steps = agent.model.requests.filter(({ messages }) => !messages[0]?.text.startsWith('You keep the memory'));
  const system = steps[0]?.messages[0]?.text;
  expect(steps.every(({ messages }) => messages[0]?.text === system)).toBe(true);
  expect(steps.every(({ messages }) => messages.some((message) => message.text.startsWith(TASK)))).toBe(true);
  const rounds = context.events.filter((event) => event.type === 'compaction').length;
  expect(rounds).toBeGreaterThan(0);
  expect(agent.model.requests.length - steps.length).toBe(rounds);
});
