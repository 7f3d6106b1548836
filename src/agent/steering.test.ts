import { afterAll, expect, test } from 'vitest';
import { testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { createCurrentTimeTool } from '../tools/builtin/current-time.ts';

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
