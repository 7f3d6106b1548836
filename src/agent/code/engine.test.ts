import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { testContext, testTurn } from '../../testing/agent.ts';
import { type CodeAgentOptions, codeAgent, testSandbox } from '../../testing/code-agent.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const js = (source: string) => `\`\`\`js\n${source}\n\`\`\``;
const turn = (text = 'do it', id?: string) => testTurn(text, { mode: 'code_agent', ...(id ? { id } : {}) });

function sender(sent: string[]): Tool {
  return defineTool({
    name: 'send',
    positional: ['text'],
    description: 'Send a text.',
    input: z.object({ text: z.string() }),
    output: z.string(),
    policy: { effect: 'outbound', recipient: () => ({ channel: 'test', address: 'me', own: true }) },
    provenance: { readsFrom: [] },
    timeoutMs: 1000,
    execute: ({ text }) => {
      sent.push(text);
      return `sent ${text}`;
    },
  });
}

async function play(replies: readonly Scripted[], options: CodeAgentOptions = {}) {
  const agent = await codeAgent(sandbox, replies, options);
  const context = testContext();
  const answer = await agent.runTurn(turn(), context);
  const seen = (type: string) => context.events.filter((event) => event.type === type);
  return { agent, context, answer, seen };
}

test('finalAnswer ends the turn; the first one counts', async () => {
  const { answer } = await play([js("finalAnswer('one'); finalAnswer('two'); done()")]);
  expect(answer).toMatchObject({ text: 'one', stop: 'answered', steps: 1 });
});

test('plain text without code is the answer', async () => {
  expect((await play(['It is four.'])).answer).toMatchObject({ text: 'It is four.', stop: 'answered' });
});

test('a value goes back to the model, what was stored in script 1 is used in script 3', async () => {
  const { agent, answer } = await play([
    js("store('list', [1, 2, 3]); 'stored'"),
    js("log('looking'); recall('list').length"),
    js("finalAnswer('sum ' + recall('list').reduce((a, b) => a + b))"),
  ]);
  expect(answer).toMatchObject({ text: 'sum 6', steps: 3 });
  const last = agent.model.requests[2]?.messages.at(-1)?.text;
  expect(last).toContain('Value:\n3');
  expect(last).toContain('looking');
  expect(last).toContain('list (7 characters)');
});

test('output is shown at once and done gives it as the answer', async () => {
  const { answer, seen } = await play([js("output('first'); output('second'); done()")]);
  expect(answer.text).toBe('first\nsecond');
  expect(seen('output')).toEqual([
    { type: 'output', text: 'first' },
    { type: 'output', text: 'second' },
  ]);
});

test('two failures fall back, and the first notification is not sent again', async () => {
  const sent: string[] = [];
  const { answer, seen, agent } = await play(
    [
      js("send('hello'); null.x"),
      js("send('hello'); nope()"),
      { toolCalls: [{ name: 'send', args: { text: 'hello' } }] },
      'Sent.',
    ],
    { tools: [sender(sent)] },
  );
  expect(sent).toEqual(['hello']);
  expect(answer).toMatchObject({ text: 'Sent.', stop: 'answered' });
  expect(seen('fallback')).toHaveLength(1);
  expect(seen('tool')).toMatchObject([{ ok: true }, { ok: true, cached: true }, { ok: true, cached: true }]);
  expect(agent.model.requests[2]?.messages.at(-1)?.text).toContain('Already done for this request');
  expect(agent.model.requests[1]?.messages.at(-1)?.text).toMatch(/line 1, column \d+/u);
});

test('complete keeps its data for the next turn', async () => {
  const { agent, answer } = await play([js("complete({ response: 'Here.', data: { n: 5 }, followUp: 'More?' })")]);
  expect(answer.text).toBe('Here.\n\nMore?');
  const later = await codeAgent(sandbox, [js("finalAnswer('n is ' + recall('_lastData').n)")], { store: agent.store });
  expect(await later.runTurn(turn('again'), testContext())).toMatchObject({ text: 'n is 5' });
});

test('a reply that was cut off is not run', async () => {
  const { answer, agent, seen } = await play([
    { text: js("finalAnswer('half')"), finish: 'length' },
    js("finalAnswer('whole')"),
  ]);
  expect(answer.text).toBe('whole');
  expect(seen('code')).toHaveLength(1);
  expect(agent.model.requests[1]?.messages.at(-1)?.text).toContain('cut off');
});

test('strictFormat asks for a block instead of taking prose as the answer', async () => {
  const { answer } = await play(['It is four.', js("finalAnswer('4')")], { code: { strictFormat: true } });
  expect(answer.text).toBe('4');
});

test('the number of scripts is limited and said', async () => {
  const replies = Array.from({ length: 3 }, () => js('1'));
  const after = async (maxIterations: number) => (await play(replies, { code: { maxIterations } })).answer;
  expect(await after(3)).toMatchObject({
    stop: 'step_limit',
    steps: 3,
    text: expect.stringContaining('after 3 scripts '),
  });
  expect(await after(1)).toMatchObject({
    steps: 1,
    text: expect.stringContaining('after 1 script without finishing.'),
  });
});
