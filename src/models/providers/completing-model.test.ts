import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ANSWER_TOOL, forcedToAnswer } from '../answer-form.ts';
import type { CompleteOptions, CompleteResult } from './completing.ts';
import { CompletingModel } from './completing-model.ts';

const USAGE = { inputTokens: 12, outputTokens: 3 };

/** A model with this reply, and the requests it got. */
function replying(result: Partial<CompleteResult> = {}, maxTokens?: number) {
  const asked: CompleteOptions[] = [];
  const complete = async (options: CompleteOptions) => {
    asked.push(options);
    return { data: 'Hello.', usage: USAGE, model: 'own', ...result };
  };
  return { asked, model: new CompletingModel({ complete }, { model: 'own-1', maxTokens }) };
}

const note = tool(async () => 'Noted.', {
  ...{ name: 'write_note', description: 'Write a note.' },
  schema: z.object({ text: z.string() }),
});
const NOTE = {
  ...{ name: 'write_note', description: 'Write a note.' },
  inputSchema: expect.objectContaining({ type: 'object', properties: { text: { type: 'string' } } }),
};

describe('what the provider is asked', () => {
  test('a single message needs no history', async () => {
    const { asked, model } = replying();
    await model.invoke([new SystemMessage('Be brief.'), new SystemMessage('Be kind.'), new HumanMessage('hello')]);
    expect(asked).toEqual([{ systemPrompt: 'Be brief.\n\nBe kind.', userMessage: 'hello', model: 'own-1' }]);
  });

  test('the limits of the request go along', async () => {
    const { asked, model } = replying({}, 200);
    await model.invoke('hello', { stop: ['END'] });
    expect(asked).toEqual([
      { systemPrompt: '', userMessage: 'hello', model: 'own-1', maxTokens: 200, stopSequences: ['END'] },
    ]);
  });

  test('of a conversation all is told, the results of one reply in one message', async () => {
    const { asked, model } = replying();
    const call = (id: string, text: string) => ({ id, name: 'write_note', args: { text } });
    await model.invoke([
      new HumanMessage('note a and b'),
      new AIMessage({ content: 'On it.', tool_calls: [call('1', 'a'), call('2', 'b')] }),
      new ToolMessage({ tool_call_id: '1', content: 'Noted.' }),
      new ToolMessage({ tool_call_id: '2', content: 'Error: the disk is full' }),
      new AIMessage('One is noted.'),
      new HumanMessage('thanks'),
      new AIMessage({ content: '', tool_calls: [{ name: 'write_note', args: {} }] }),
      new ToolMessage({ tool_call_id: '', content: 'No Error: fine' }),
    ]);
    expect(asked[0]?.userMessage).toBe('thanks');
    expect(asked[0]?.messages).toEqual([
      { role: 'user', content: 'note a and b' },
      {
        role: 'assistant',
        content: [
          { id: '1', name: 'write_note', input: { text: 'a' } },
          { id: '2', name: 'write_note', input: { text: 'b' } },
        ],
      },
      {
        ...{ role: 'tool_result', content: '' },
        toolResults: [
          { toolCallId: '1', output: 'Noted.', isError: false },
          { toolCallId: '2', output: 'Error: the disk is full', isError: true },
        ],
      },
      { role: 'assistant', content: 'One is noted.' },
      { role: 'user', content: 'thanks' },
      { role: 'assistant', content: [{ id: '', name: 'write_note', input: {} }] },
      {
        ...{ role: 'tool_result', content: '' },
        toolResults: [{ toolCallId: '', output: 'No Error: fine', isError: false }],
      },
    ]);
  });

  test('without a word of the person that is empty', async () => {
    const { asked, model } = replying();
    await model.invoke([new SystemMessage('Go on.')]);
    expect(asked).toEqual([{ systemPrompt: 'Go on.', userMessage: '', model: 'own-1' }]);
  });

  test.each([
    [undefined, 'auto'],
    ['auto', 'auto'],
    ['any', 'required'],
    ['required', 'required'],
    ['none', 'none'],
    ['write_note', { name: 'write_note' }],
    [{ type: 'function' }, 'auto'],
  ])('tools with tool_choice %j', async (choice, toolChoice) => {
    const { asked, model } = replying();
    await model.bindTools([note], { tool_choice: choice as never }).invoke('note a');
    expect(asked[0]).toMatchObject({ tools: [NOTE], toolChoice });
    expect(asked[0]).not.toHaveProperty('jsonSchema');
  });

  test('an answer of a form is asked for by its schema, not by a tool', async () => {
    const { asked, model } = replying();
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    await forcedToAnswer(model, { name: 'place', schema }).invoke('where?');
    expect(asked).toEqual([{ systemPrompt: '', userMessage: 'where?', model: 'own-1', jsonSchema: schema }]);
    await model.invoke('where?', { tool_choice: ANSWER_TOOL });
    expect(asked[1]).toEqual({ systemPrompt: '', userMessage: 'where?', model: 'own-1' });
  });
});

describe('what comes back', () => {
  test.each([
    ['Hello.', 'Hello.'],
    [{ city: 'Galway' }, '{"city":"Galway"}'],
    [0, '0'],
    [null, ''],
    [undefined, ''],
  ])('%j as text', async (data, text) => {
    expect((await replying({ data }).model.invoke('hello')).content).toBe(text);
  });

  test.each([
    [{}, 'stop'],
    [{ stopReason: 'end_turn' }, 'stop'],
    [{ stopReason: 'stop_sequence' }, 'stop'],
    [{ stopReason: 'max_tokens' }, 'length'],
    [{ stopReason: 'tool_use' }, 'tool_calls'],
    [{ toolCalls: [{ id: '1', name: 'write_note', input: {} }] }, 'tool_calls'],
    [{ toolCalls: [{ id: '1', name: 'write_note', input: {} }], stopReason: 'max_tokens' }, 'length'],
  ] as const)('%j ends for the reason "%s"', async (result, reason) => {
    const { response_metadata } = await replying(result as Partial<CompleteResult>).model.invoke('hello');
    expect(response_metadata).toMatchObject({ finish_reason: reason });
  });

  test('calls and usage are those of the provider', async () => {
    const { model } = replying({ toolCalls: [{ id: '1', name: 'write_note', input: { text: 'a' } }] });
    const reply = await model.bindTools([note]).invoke('note a');
    expect(reply.tool_calls).toEqual([{ type: 'tool_call', id: '1', name: 'write_note', args: { text: 'a' } }]);
    expect(reply.usage_metadata).toEqual({ input_tokens: 12, output_tokens: 3, total_tokens: 15 });
  });

  test('a provider that counts nothing is believed to have used nothing', async () => {
    const { usage_metadata } = await replying({ usage: undefined as never }).model.invoke('hello');
    expect(usage_metadata).toEqual({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
  });
});
