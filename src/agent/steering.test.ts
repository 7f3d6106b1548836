import { HumanMessage } from '@langchain/core/messages';
import { afterAll, expect, test } from 'vitest';
import type { Conversation, Step } from '../conversation/types.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { createCurrentTimeTool } from '../tools/builtin/current-time.ts';
import { Steering } from './steering.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

/** Three model calls; the person speaks during the first. */
const SCRIPTS: Readonly<Record<'classic_tools' | 'code_agent', readonly Scripted[]>> = {
  classic_tools: [
    { toolCalls: [{ name: 'current_time', args: {} }] },
    { toolCalls: [{ name: 'current_time', args: { zone: 'x' } }] },
    'Kurz gesagt: fertig.',
  ],
  code_agent: ['```js\nlog(1)\n```', '```js\nlog(2)\n```', '```js\nfinalAnswer("Kurz gesagt: fertig.")\n```'],
};

test.each(['classic_tools', 'code_agent'] as const)(
  '%s: what is said to a running turn reaches its next model call, once, and stays in its place',
  async (mode) => {
    const agent = await codeAgent(sandbox, SCRIPTS[mode], { tools: [createCurrentTimeTool()] });
    const said = [['in German, please'], ['and short']];
    const context = {
      ...testContext(),
      steering: () => (agent.model.requests.length === 0 ? [] : (said.shift() ?? [])),
    };
    const answer = await agent.runTurn(testTurn('what is there?', { mode }), context);
    expect(answer.text).toBe('Kurz gesagt: fertig.');
    const texts = agent.model.requests.map(({ messages }) => messages.map((message) => message.text));
    expect(texts[0]?.join('\n')).not.toContain('in German');
    expect(texts[1]?.at(-1)).toMatch(/in German, please$/u);
    expect(texts[2]?.at(-1)).toMatch(/and short$/u);
    expect(texts[2]?.filter((text) => text.includes('in German, please'))).toHaveLength(1);
    expect(texts[2]?.slice(0, texts[1]?.length)).toEqual(texts[1]);
  },
);

const LEAD = 'The person adds, while you are working on this: ';

/** What is said to the turn, one list for each time it listens; what is saved of it, in order. */
function steered(said: readonly (readonly string[])[]) {
  const left = [...said];
  const saved: Step[] = [];
  const conversation = { append: async (step: Step) => void saved.push(step) } as Conversation;
  const context = { ...testContext(), steering: () => left.shift() ?? [] };
  return { steering: new Steering({ context, conversation }), saved };
}

test('words that are said are saved as steps, each once', async () => {
  const { steering, saved } = steered([['in German', 'and short'], []]);
  const steps: Step[] = [
    { role: 'user', kind: 'feedback', content: `${LEAD}in German` },
    { role: 'user', kind: 'feedback', content: `${LEAD}and short` },
  ];
  expect(await steering.take()).toEqual(steps);
  expect(await steering.take()).toEqual([]);
  expect(saved).toEqual(steps);
});

test('each stands behind the messages that were there when it was said', async () => {
  const { steering } = steered([[], ['in German', 'and short'], [], ['and funny']]);
  const messages = ['system', 'request', 'call', 'result', 'call', 'result'].map((text) => new HumanMessage(text));
  const texts = async (count: number) => {
    const given = await steering.into(messages.slice(0, count));
    expect(given.every((message) => HumanMessage.isInstance(message))).toBe(true);
    return given.map(({ text }) => text);
  };
  const two = messages.slice(0, 2);
  expect(await steering.into(two)).toBe(two);
  const first = ['system', 'request', `${LEAD}in German`, `${LEAD}and short`];
  expect(await texts(2)).toEqual(first);
  expect(await texts(4)).toEqual([...first, 'call', 'result']);
  expect(await texts(6)).toEqual([...first, 'call', 'result', 'call', 'result', `${LEAD}and funny`]);
});

test('where nobody can say anything, nothing is added', async () => {
  const { saved } = steered([]);
  const conversation = { append: async (step: Step) => void saved.push(step) } as Conversation;
  const steering = new Steering({ context: testContext(), conversation });
  expect(await steering.take()).toEqual([]);
  expect(saved).toEqual([]);
});
