import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { z } from 'zod';
import type { Mode } from '../../src/base/turn.ts';

/** Takes one turn. @returns its answer. */
export type Take = (text: string) => Promise<string>;
export interface Way extends AsyncDisposable {
  readonly take: Take;
}

const SYSTEM = 'You are an assistant.';
const NAME = 'look_up';
const DESCRIPTION = 'Look a word up in the almanac.';
const INPUT = z.object({ word: z.string() });
/** What the tool of every way does. */
const found = ({ word }: { word: string }) => `${word}: high water at 14:05, low water at 20:17`;

/** The ways to take a turn with one tool. Each loads what it needs when it is made, so that its memory is its own. */
export const WAYS: Readonly<Record<string, (url: string) => Promise<Way>>> = {
  'classic mode': (url) => ours(url, 'classic_tools'),
  'code mode': (url) => ours(url, 'code_agent'),
  AgentExecutor: agentExecutor,
  createAgent: agentOfGraph,
  'loop on the openai client': async (url) => {
    const client = new (await import('openai')).OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 });
    return way((input) => loop(client, input));
  },
};

/** The same turn by a call of the library, for the suite of the language. */
export const LIBRARY_WAYS: typeof WAYS = { 'agent()': agentCall };

async function agentExecutor(url: string): Promise<Way> {
  const { AgentExecutor, createToolCallingAgent } = await import('@langchain/classic/agents');
  const { ChatPromptTemplate } = await import('@langchain/core/prompts');
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', SYSTEM],
    ['human', '{input}'],
    ['placeholder', '{agent_scratchpad}'],
  ]);
  const tools = [await langchainTool()];
  const agent = createToolCallingAgent({ llm: await chatModel(url), tools, prompt });
  const executor = new AgentExecutor({ agent, tools });
  return way(async (input) => String((await executor.invoke({ input })).output));
}

async function agentOfGraph(url: string): Promise<Way> {
  const { createAgent } = await import('langchain');
  const parts = { model: await chatModel(url), tools: [await langchainTool()] };
  const agent = createAgent({ ...parts, systemPrompt: SYSTEM });
  return way(async (content) => {
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content }] });
    return messages.at(-1)?.text ?? '';
  });
}

const LOOK_UP = {
  ...({
    name: NAME,
    description: DESCRIPTION,
    input: INPUT,
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
  } as const),
  execute: found,
};

async function agentCall(url: string): Promise<Way> {
  const { agent, close, defineTool, init } = await import('../../src/runtime.ts');
  const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  const env = { ROUTING_LOCAL_ENABLED: 'false' };
  init({ provider: 'compatible', model: 'bench', baseUrl: url, home, env, timeZone: 'UTC' });
  const tools = [defineTool(LOOK_UP)];
  return {
    take: async (prompt) => (await agent<string>({ prompt, tools })).data,
    [Symbol.asyncDispose]: async () => {
      await close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function ours(url: string, mode: Mode): Promise<Way> {
  const { createAssistant, defineTool } = await import('../../src/index.ts');
  const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  const lookUp = defineTool(LOOK_UP);
  const model = { provider: 'compatible', model: 'bench', baseUrl: url };
  const env = { ROUTING_LOCAL_ENABLED: 'false', AGENT_MAX_ITERATIONS: '100' };
  const assistant = await createAssistant({ home, mode, model, env, tools: [lookUp], timeZone: 'UTC' });
  return {
    take: async (input) => (await assistant.ask(input)).text,
    [Symbol.asyncDispose]: async () => {
      await assistant.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const way = (take: Take): Way => ({ take, [Symbol.asyncDispose]: async () => {} });

async function chatModel(url: string) {
  const { ChatOpenAI } = await import('@langchain/openai');
  return new ChatOpenAI({ model: 'bench', apiKey: 'none', maxRetries: 0, configuration: { baseURL: url } });
}

async function langchainTool() {
  const { tool } = await import('@langchain/core/tools');
  return tool(found, { name: NAME, description: DESCRIPTION, schema: INPUT });
}

async function loop(client: OpenAI, input: string): Promise<string> {
  const declared = { name: NAME, description: DESCRIPTION, parameters: z.toJSONSchema(INPUT) };
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: input },
  ];
  for (;;) {
    const tools = [{ type: 'function' as const, function: declared }];
    const { choices } = await client.chat.completions.create({ model: 'bench', messages, tools });
    const message = choices[0]?.message;
    if (!message?.tool_calls) return message?.content ?? '';
    messages.push(message);
    for (const call of message.tool_calls) {
      const content = call.type === 'function' ? found(INPUT.parse(JSON.parse(call.function.arguments))) : '';
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}
