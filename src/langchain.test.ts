import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type AssistantOptions, createAssistant } from './index.ts';
import { createChatModel, ProjectRetriever, toLangChainTools } from './langchain.ts';
import { temporaryFolder } from './testing/home.ts';
import { mailTool } from './testing/tools.ts';

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.on({ userMessage: 'remember', hasToolResult: false }, { toolCalls: [call('write_note', { text: 'milk' })] });
  mock.on({ userMessage: 'remember', hasToolResult: true }, { content: 'I wrote it down.' });
  mock.on({ userMessage: 'mail', hasToolResult: false }, { toolCalls: [call('send_mail', { to: 'eve@example.com' })] });
  mock.on({ userMessage: 'mail', hasToolResult: true }, { content: 'I could not.' });
  mock.on({ userMessage: 'ferry' }, { content: 'It leaves at seven.' });
  await mock.start();
});
afterAll(async () => mock.stop());

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });

async function open(options: AssistantOptions = {}) {
  const home = temporaryFolder();
  const assistant = await createAssistant({
    home,
    env: { ROUTING_LOCAL_ENABLED: 'false' },
    model: { provider: 'compatible', model: 'test-model', baseUrl: `${mock.url}/v1` },
    ...options,
  });
  onTestFinished(() => assistant.close());
  return { home, assistant };
}

async function executor(options: AssistantOptions, only: readonly string[]) {
  const { assistant, home } = await open(options);
  const tools = toLangChainTools(assistant, { only });
  const prompt = ChatPromptTemplate.fromMessages([
    ['system', 'Be brief.'],
    ['human', '{input}'],
    ['placeholder', '{agent_scratchpad}'],
  ]);
  const agent = createToolCallingAgent({ llm: createChatModel(assistant), tools, prompt });
  return { executor: new AgentExecutor({ agent, tools }), home, assistant };
}

test('an AgentExecutor works with our model and our tools', async () => {
  const { executor: run, assistant } = await executor({}, ['write_note']);
  expect(await run.invoke({ input: 'remember milk' })).toMatchObject({ output: 'I wrote it down.' });
  const [listNotes] = toLangChainTools(assistant, { only: ['list_notes'] });
  expect(await listNotes?.invoke({})).toContain('milk');
});

test('an AgentExecutor cannot go around approval', async () => {
  const sent: string[] = [];
  const { executor: run } = await executor({ tools: [mailTool(sent)] }, ['send_mail']);
  expect(await run.invoke({ input: 'mail eve@example.com' })).toMatchObject({ output: 'I could not.' });
  expect(sent).toEqual([]);
});

test('the approve function of the assistant decides about calls from LangChain', async () => {
  const sent: string[] = [];
  const { assistant } = await open({ tools: [mailTool(sent)], approve: () => 'once' });
  const [mail] = toLangChainTools(assistant, { only: ['send_mail'] });
  expect(await mail?.invoke({ to: 'ann@example.com' })).toBe('sent to ann@example.com');
  expect(await mail?.invoke({ to: 'ann@example.com' })).toBe('sent to ann@example.com');
  expect(sent).toEqual(['ann@example.com', 'ann@example.com']);
  expect(() => toLangChainTools(assistant, { only: ['send_mial'] })).toThrow(/send_mail/u);
});

test("a chain answers from the project's documents", async () => {
  const { assistant, home } = await open();
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  writeFileSync(join(home, 'projects', 'home', 'ferry.md'), '# Ferry\n\nThe ferry to Nesodden leaves at seven.\n');
  const retriever = ProjectRetriever.from(assistant, { k: 1 });
  const chain = RunnableSequence.from([
    {
      context: retriever.pipe((found) => found.map((each) => each.pageContent).join()),
      input: new RunnablePassthrough(),
    },
    ChatPromptTemplate.fromTemplate('Context: {context}\nQuestion: {input}'),
    createChatModel(assistant),
    new StringOutputParser(),
  ]);
  expect(await retriever.invoke('when does the ferry leave?')).toMatchObject([
    { metadata: { citation: expect.stringMatching(/ferry\.md/u) } },
  ]);
  expect(await chain.invoke('when does the ferry leave?')).toBe('It leaves at seven.');
  expect(JSON.stringify(mock.getRequests().at(-1))).toContain('Nesodden');
});

test('the model ends with its assistant', async () => {
  const { assistant } = await open();
  const model = createChatModel(assistant);
  await assistant.close();
  await expect(model.invoke('ferry')).rejects.toThrow();
  await expect(toLangChainTools(assistant)[0]?.invoke({ text: 'x' })).rejects.toMatchObject({ code: 'bad_usage' });
});
