import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ScriptedModel } from '../testing/scripted-model.ts';
import { chatModel } from './chat-model.ts';
import { openModels } from './providers/provider.contract.ts';

async function open(replies: ConstructorParameters<typeof ScriptedModel>[0]) {
  const { models } = await openModels({ use: 'mine:m' });
  const scripted = new ScriptedModel(replies);
  models.registerProvider('mine', async () => scripted);
  const model = chatModel(models, {
    profile: 'TOOL_EXECUTION',
    mode: 'classic_tools',
    project: 'home',
    purpose: 'llm',
  });
  return { models, model };
}

test('one chat model answers again and again, and every call is recorded', async () => {
  const { models, model } = await open(['first', 'second']);
  expect((await model.invoke('hello')).text).toBe('first');
  let streamed = '';
  for await (const chunk of await model.stream([new HumanMessage('hello')])) streamed += chunk.text;
  expect(streamed).toBe('second');
  expect(await models.usage('purpose')).toMatchObject([{ group: 'llm', calls: 2, failed: 0 }]);
});

test('it follows a change of model, and tokens are reported once', async () => {
  const { models, model } = await open(['from mine']);
  models.registerProvider('other', async () => new ScriptedModel(['from other']));
  await models.select('other:o');
  let tokens = '';
  const handleLLMNewToken = (token: string) => {
    tokens += token;
  };
  for await (const _ of await model.stream('hello', { callbacks: [{ handleLLMNewToken }] }));
  expect(tokens).toBe('from other');
});

test('it calls tools, and stops with the signal of the call', async () => {
  const { model } = await open([{ toolCalls: [{ name: 'weather', args: { city: 'Oslo' } }] }]);
  const weather = tool(() => '3C', { name: 'weather', description: '', schema: z.object({ city: z.string() }) });
  const reply = await model.bindTools?.([weather]).invoke('weather please');
  expect(reply?.tool_calls?.[0]).toMatchObject({ name: 'weather', args: { city: 'Oslo' } });
  await expect(model.invoke('hello', { signal: AbortSignal.abort() })).rejects.toThrow();
});

test('a model that takes no tools says so when it is given some', async () => {
  const { models, model } = await open([]);
  models.registerProvider('mine', async () => Object.assign(new ScriptedModel(['hello']), { bindTools: undefined }));
  const weather = tool(() => '3C', { name: 'weather', description: '', schema: z.object({ city: z.string() }) });
  await expect(model.bindTools?.([weather]).invoke('weather?')).rejects.toMatchObject({
    code: 'model_unreachable',
    message: 'No answer: mine:m cannot call tools.',
  });
});
