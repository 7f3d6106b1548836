import { tool } from '@langchain/core/tools';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ScriptedModel } from './scripted-model.ts';

test('streams text word by word and keeps what it was asked', async () => {
  const model = new ScriptedModel(['one two']);
  const words: string[] = [];
  for await (const part of await model.stream('hello')) words.push(part.text);
  expect(words.filter(Boolean)).toEqual(['one', ' two']);
  expect(model.requests[0]?.messages[0]?.text).toBe('hello');
});

test('answers with tool calls and records which tools it could use', async () => {
  const model = new ScriptedModel([{ toolCalls: [{ name: 'add', args: { a: 1 } }] }]);
  const add = tool(() => '1', { name: 'add', description: 'add', schema: z.object({ a: z.number() }) });
  const reply = await model.bindTools([add]).invoke('go');
  expect(reply.tool_calls).toMatchObject([{ name: 'add', args: { a: 1 } }]);
  expect(model.requests[0]?.tools).toEqual(['add']);
});

test('fails loudly when the script is over', async () => {
  await expect(new ScriptedModel([]).invoke('hi')).rejects.toThrow('has ended');
});
