import { LLMock } from '@copilotkit/aimock';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { openStore } from '../store/store.ts';
import { modelsOptions } from '../testing/models-options.ts';
import { ScriptedModel } from '../testing/scripted-model.ts';
import { createModels } from './models.ts';
import type { ModelsOptions } from './options.ts';
import { Providers } from './providers.ts';
import { askStructured } from './structured.ts';
import type { ModelRequest } from './types.ts';

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.on(
    { userMessage: 'where was the boat' },
    { toolCalls: [{ name: 'place', arguments: '{"city":"Oslo","year":2020}' }] },
  );
  mock.on({ userMessage: 'and now' }, { content: 'Still there.' });
  await mock.start();
});
afterAll(async () => mock.stop());

const PROVIDERS: readonly (readonly [string, () => Partial<ModelsOptions>])[] = [
  ['openai', () => ({ openaiApiKey: 'test', openaiBaseUrl: `${mock.url}/v1`, openaiModelName: 'gpt-4o-mini' })],
  ['anthropic', () => ({ anthropicApiKey: 'test', anthropicBaseUrl: mock.url })],
  ['gemini', () => ({ geminiApiKey: 'test', geminiBaseUrl: mock.url })],
  ['ollama', () => ({ ollamaBaseUrl: mock.url, ollamaModelName: 'llama3.2' })],
];

/** The models, and every request body that they send. */
function open(options: Partial<ModelsOptions>) {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const bodies: string[] = [];
  const recording: typeof fetch = async (input, init) => {
    const sent = new Request(input, init);
    bodies.push(await sent.clone().text());
    return fetch(sent);
  };
  const parts = {
    options: modelsOptions(options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date(),
  };
  return { models: createModels({ ...parts, fetchFor: () => recording }), bodies };
}

const request = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  profile: 'TOOL_EXECUTION',
  mode: 'classic_tools',
  project: 'home',
  purpose: 'turn',
  signal: new AbortController().signal,
  ...changes,
});
const PLACE = {
  name: 'place',
  description: 'Where and when',
  schema: z.object({ city: z.string(), year: z.number() }),
};
const note = tool(() => 'noted', { name: 'write_note', description: 'note', schema: z.object({ text: z.string() }) });
const QUESTION = [new HumanMessage('where was the boat')];

describe.each(PROVIDERS)('%s', (_name, options) => {
  test('gives a value of a schema', async () => {
    const { model } = await open(options()).models.pick(request());
    expect(await askStructured(model, QUESTION, PLACE)).toEqual({ city: 'Oslo', year: 2020 });
  });

  test('gets the whole conversation, tool results included, and the stop sequences', async () => {
    const { models, bodies } = open(options());
    const { model } = await models.pick(request());
    const call = { id: 'call_1', name: 'write_note', args: { text: 'a boat' }, type: 'tool_call' as const };
    const messages = [
      new SystemMessage('Be brief'),
      new HumanMessage('remember the boat'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ content: 'noted in home.md', tool_call_id: 'call_1', name: 'write_note' }),
      new AIMessage('Done.'),
      new HumanMessage('and now'),
    ];
    const bound = model.bindTools?.([note]) ?? model;
    const reply = await bound.invoke(messages, { stop: ['ENOUGH'] });
    expect(reply.text).toBe('Still there.');
    for (const part of ['Be brief', 'remember the boat', 'a boat', 'noted in home.md', 'and now', 'ENOUGH'])
      expect(bodies[0]).toContain(part);
  });

  test.each(['auto', 'required', 'none', 'place'] as const)('takes the tool choice %s', async (choice) => {
    const { models, bodies } = open(options());
    const { model } = await models.pick(request());
    const place = tool(() => '', PLACE);
    const reply = await (model.bindTools?.([place], { tool_choice: choice }) ?? model).invoke(QUESTION);
    expect(reply.tool_calls?.[0]?.name).toBe('place');
    expect(bodies[0]?.includes('"place"')).toBe(choice !== 'none');
  });

  test('is asked for JSON, and for as many tokens as the mode allows', async () => {
    const { models, bodies } = open(options());
    const { model } = await models.pick(request({ mode: 'code_agent', jsonResponse: true }));
    await model.invoke('and now');
    expect(bodies[0]).toContain('4096');
    expect(bodies[0]).toMatch(/json|max_tokens":4096/u);
  });
});

test('Ollama is told the window, which it would cut silently', async () => {
  const { models, bodies } = open({ ollamaBaseUrl: mock.url, ollamaModelName: 'qwen3:8b' });
  const { model, contextWindow } = await models.pick(request());
  await model.invoke('and now');
  expect(bodies[0]).toContain(`"num_ctx":${contextWindow}`);
});

test.each([
  ['gpt-4o-mini', true],
  ['gpt-5-mini', false],
  ['o4-mini', false],
])('%s is sent a temperature: %s', async (name, sent) => {
  const { models, bodies } = open({ openaiApiKey: 'test', openaiBaseUrl: `${mock.url}/v1`, openaiModelName: name });
  const { model } = await models.pick(request());
  await model.invoke('and now');
  expect(bodies[0]?.includes('temperature')).toBe(sent);
});

describe('other providers', () => {
  const options = { model: 'm', contextWindow: 8192, fetch, now: () => new Date() };

  test('one that is not installed is named with the command that installs it', async () => {
    await expect(new Providers().open('mistralai', options)).rejects.toMatchObject({
      code: 'model_missing_package',
      hint: 'Install it with: npm install @langchain/mistralai',
    });
  });

  test('one that is not installed ends a call with that command', async () => {
    const { model } = await open({ use: 'mistralai:m' }).models.pick(request());
    await expect(model.invoke('hello')).rejects.toMatchObject({
      code: 'model_missing_package',
      hint: 'Install it with: npm install @langchain/mistralai',
    });
  });

  test('the package is named as it is called, where it is not called like the provider', async () => {
    await expect(new Providers().open('bedrock', options)).rejects.toMatchObject({
      code: 'model_missing_package',
      hint: 'Install it with: npm install @langchain/aws',
    });
  });

  test('one that nobody knows says so', async () => {
    await expect(new Providers().open('nonsense', options)).rejects.toMatchObject({ code: 'model_missing_package' });
  });

  test('a plugin adds its own, which then answers', async () => {
    const { models } = open({ use: 'mine:m' });
    models.registerProvider('mine', async () => new ScriptedModel(['from mine']));
    const { model, name } = await models.pick(request());
    expect([name, (await model.invoke('hello')).text]).toEqual(['m', 'from mine']);
  });
});

test.each([
  ['a fenced value', '```json\n{"city":"Oslo","year":2020}\n```'],
  ['a value among words', 'Here it is: {"city":"Oslo","year":2020}.'],
])('a structured answer as text is understood: %s', async (_name, text) => {
  expect(await askStructured(new ScriptedModel([text]), QUESTION, PLACE)).toEqual({ city: 'Oslo', year: 2020 });
});

test('an answer without the value is refused with the field that is wrong', async () => {
  const model = new ScriptedModel(['{"city":"Oslo"}']);
  await expect(askStructured(model, QUESTION, PLACE)).rejects.toMatchObject({
    code: 'model_incomplete',
    message: expect.stringContaining('place'),
  });
});
