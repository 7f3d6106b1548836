import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nameTools } from '../../agent/code/names.ts';
import { codePrompt, declarationBudget } from '../../agent/code/prompt.ts';
import { estimateTokens } from '../../base/text.ts';
import type { Mode, Turn } from '../../base/turn.ts';
import { testAgent } from '../../testing/agent.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { Discovery } from './discovery.ts';

const VERBS = ['create', 'list', 'close', 'merge', 'rename'];
const THINGS = ['issue', 'invoice', 'sensor', 'playlist', 'shipment'];

/** The given number of tools of two servers, each with its own name and description. */
function many(count: number, discovery: Discovery): Tool[] {
  return Array.from({ length: count }, (_, n) => {
    const what = `${VERBS[n % 5]}_${THINGS[Math.floor(n / 5) % 5]}_${n}`;
    const name = `${n % 2 === 0 ? 'hub' : 'house'}.${what}`;
    return defineTool({
      ...{ name, server: name.split('.')[0] ?? '', description: `To ${what.replaceAll('_', ' ')} of the team.` },
      policy: { effect: 'outbound', network: true },
      presentation: { offer: (turn) => discovery.isOffered(name, turn) },
      timeoutMs: 1000,
      input: z.object({ id: z.string(), text: z.string().optional() }),
      execute: () => `did ${name}`,
    });
  });
}

const turn = (mode: Mode): Turn => ({
  ...{ id: 'turn_1', conversationId: 'c', text: '', origin: 'cli', project: 'home' },
  mode,
});

async function offered(tools: readonly Tool[], mode: Mode): Promise<string[]> {
  const scope = await testScope();
  return (await testToolbox(tools, scope).offered(turn(mode))).map(({ name }) => name);
}

function codePromptFor(tools: readonly Tool[]): string {
  const budget = declarationBudget(128_000, estimateTokens);
  return codePrompt({ promptsDir: resolve('prompts'), tools: nameTools(tools), modules: [], functions: [], budget });
}

test.each(['classic_tools', 'code_agent'] as const)(
  '40 tools of servers are all declared in %s, beside any number of our own',
  async (mode) => {
    const discovery = new Discovery();
    const tools = discovery.of(many(40, discovery));
    expect(await offered(tools, mode)).toHaveLength(40);
    expect(discovery.lines(tools, turn(mode))).toEqual([]);
    const prompt = codePromptFor(tools);
    expect(prompt.match(/^(?:hub|house)[A-Z]\w+\(/gmu)).toHaveLength(40);
  },
);

test('500 tools add at most 600 tokens to a prompt in classic mode', async () => {
  const discovery = new Discovery();
  const tools = discovery.of(many(500, discovery));
  expect(await offered(tools, 'classic_tools')).toEqual(['discover_tools']);
  const lines = discovery.lines(tools, turn('classic_tools')).join('\n');
  expect(lines).toContain('500 more tools');
  expect(lines).toContain('- hub: create_issue_0 (To create issue 0 of the team.)');
  const finder = JSON.stringify(tools.find(({ name }) => name === 'discover_tools')?.description ?? '');
  expect(estimateTokens(lines) + estimateTokens(finder)).toBeLessThan(600);
});

test('in code mode all 500 are offered, and the prompt declares as many as it has room for', async () => {
  const discovery = new Discovery();
  const tools = discovery.of(many(500, discovery));
  expect(await offered(tools, 'code_agent')).toHaveLength(500);
  expect(discovery.lines(tools, turn('code_agent'))).toEqual([]);
  expect(codePromptFor(tools)).toMatch(
    /^hubCreateIssue0\(.*\/\/ To create issue 0 of the team\.[\s\S]*, and \d+ others\./mu,
  );
});

test('a model in classic mode finds a tool, is told of eight at most, and calls it', async () => {
  const discovery = new Discovery();
  const tools = discovery.of(many(100, discovery));
  const agent = await testAgent(
    [
      { toolCalls: [{ name: 'discover_tools', args: { query: 'merge a shipment' } }] },
      { toolCalls: [{ name: 'house_merge_shipment_23', args: { id: '7' } }] },
      'Merged.',
    ],
    { tools },
  );
  const called: string[] = [];
  const answer = await agent.runTurn(turn('classic_tools'), {
    ...{ signal: new AbortController().signal, now: () => new Date(), timeZone: 'UTC' },
    show: (event) => event.type === 'tool' && called.push(`${event.name} ${event.preview}`),
    approve: async () => ({ verdict: 'once', by: 'test' }),
  });
  expect(answer.text).toBe('Merged.');
  expect(called[1]).toBe('house.merge_shipment_23 did house.merge_shipment_23');
  const [before, after] = agent.model.requests.map((request) => request.tools);
  expect(before).toEqual(['discover_tools']);
  expect(after).toHaveLength(9);
  expect(after).toContain('hub_merge_shipment_48');
});
