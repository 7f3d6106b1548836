import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { describe, expect, test } from 'vitest';
import { completeWith } from './complete-with.ts';
import type { CompleteOptions, CompleteResult } from './providers/completing.ts';
import { CompletingModel } from './providers/completing-model.ts';
import type { ModelChoice, ModelRequest } from './types.ts';

const ASKED: CompleteOptions = { systemPrompt: 'Be brief.', userMessage: 'hello' };
const NOTE = { name: 'write_note', description: 'Write a note.', inputSchema: { type: 'object', properties: {} } };
const signal = new AbortController().signal;

/** The request and its outcome for this reply of the model. */
async function complete(options: Partial<CompleteOptions>, reply: Partial<CompleteResult> = {}, model?: BaseChatModel) {
  const requests: ModelRequest[] = [];
  const asked: CompleteOptions[] = [];
  const provider = {
    complete: async (each: CompleteOptions) => {
      asked.push(each);
      return { data: 'Hello.', usage: { inputTokens: 12, outputTokens: 3 }, model: 'own', ...reply };
    },
  };
  const pick = async (request: ModelRequest) => {
    requests.push(request);
    return { model: model ?? new CompletingModel(provider, { model: 'm' }), name: 'picked' } as ModelChoice;
  };
  const result = await completeWith({ models: { pick }, project: 'home', signal }, { ...ASKED, ...options });
  return { request: requests[0], asked: asked[0], result };
}

test('a plain request is asked as it is, of a model for tools', async () => {
  const { request, asked, result } = await complete({});
  expect(request).toEqual({
    ...{ profile: 'TOOL_EXECUTION', mode: 'classic_tools', purpose: 'llm', project: 'home' },
    ...{ model: undefined, maxTokens: undefined, answer: undefined, signal },
  });
  expect(asked).toEqual({ systemPrompt: 'Be brief.', userMessage: 'hello', model: 'm' });
  expect(result).toEqual({
    data: 'Hello.',
    usage: { inputTokens: 12, outputTokens: 3 },
    model: 'picked',
    stopReason: 'end_turn',
  });
});

test('which model, how much of it and where it ends can be said', async () => {
  const { request, asked } = await complete({ model: 'openai:gpt-4o', maxTokens: 50, stopSequences: ['END'] });
  expect(request).toMatchObject({ model: 'openai:gpt-4o', maxTokens: 50 });
  expect(asked?.stopSequences).toEqual(['END']);
});

describe('an answer of a form', () => {
  const jsonSchema = { type: 'object' };

  test.each([
    ['place', 'place'],
    [undefined, 'result'],
  ])('named %j', async (schemaName, name) => {
    const { request, result } = await complete(
      { jsonSchema, ...(schemaName && { schemaName }) },
      { data: { city: 'Galway' } },
    );
    expect(request?.answer).toEqual({ name, schema: jsonSchema });
    expect(result.data).toEqual({ city: 'Galway' });
  });

  test('given by the tool for it is no call of a tool', async () => {
    const toolCalls = [{ id: '1', name: 'answer', input: { city: 'Galway' } }];
    const { result } = await complete({ jsonSchema }, { toolCalls });
    expect(result).toEqual({
      data: { city: 'Galway' },
      usage: { inputTokens: 12, outputTokens: 3 },
      model: 'picked',
      stopReason: 'end_turn',
    });
  });
});

describe('tools', () => {
  test.each([
    [undefined, 'auto'],
    ['required', 'required'],
    ['none', 'none'],
    [{ name: 'write_note' }, { name: 'write_note' }],
  ] as const)('with the choice %j', async (toolChoice, choice) => {
    const { asked } = await complete({ tools: [NOTE], ...(toolChoice && { toolChoice }) });
    expect(asked).toMatchObject({ tools: [NOTE], toolChoice: choice });
  });

  test('are left out where there are none, or the model can call none', async () => {
    expect((await complete({ tools: [] })).asked).not.toHaveProperty('tools');
    const model = Object.assign(new FakeListChatModel({ responses: ['Without.'] }), { bindTools: undefined });
    expect((await complete({ tools: [NOTE] }, {}, model as never)).result.data).toBe('Without.');
  });

  test('calls are handed back', async () => {
    const toolCalls = [{ id: '1', name: 'write_note', input: { text: 'a' } }];
    const { result } = await complete({ tools: [NOTE] }, { toolCalls });
    expect(result).toMatchObject({ toolCalls, stopReason: 'tool_use' });
  });
});

test('an answer that ran into a length limit is told as one', async () => {
  const { result } = await complete({ maxTokens: 1 }, { stopReason: 'max_tokens' });
  expect(result).toMatchObject({ data: 'Hello.', stopReason: 'max_tokens' });
});

test('what was said before is told in order, calls and results with it', async () => {
  const calls = [{ id: '1', name: 'write_note', input: { text: 'a' } }];
  const toolResults = [
    { toolCallId: '1', output: 'Noted.' },
    { toolCallId: '2', output: { kept: 1 } },
    { toolCallId: '3', output: undefined },
    { toolCallId: '4', output: 'No such note.', isError: true },
  ];
  const { asked } = await complete({
    userMessage: 'not this',
    messages: [
      { role: 'user', content: 'note a' },
      { role: 'assistant', content: calls },
      { role: 'tool_result', content: '', toolResults },
      { role: 'tool_result', content: 'none' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'thanks' },
    ],
  });
  expect(asked?.userMessage).toBe('thanks');
  expect(asked?.messages).toEqual([
    { role: 'user', content: 'note a' },
    { role: 'assistant', content: calls },
    {
      ...{ role: 'tool_result', content: '' },
      toolResults: [
        { toolCallId: '1', output: 'Noted.', isError: false },
        { toolCallId: '2', output: '{"kept":1}', isError: false },
        { toolCallId: '3', output: '', isError: false },
        { toolCallId: '4', output: 'No such note.', isError: true },
      ],
    },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'thanks' },
  ]);
});
