import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';
import { z } from 'zod';
import { AssistantError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';

export interface Structure<T> {
  /** A function name: the model is made to call it. */
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType<T>;
}

const HINT = 'Ask again, or use a model that calls tools reliably.';

/**
 * Ask for one value of a schema. The value travels as the arguments of a tool call, the one way that all providers
 * have; a model that answers in JSON text instead is understood too.
 *
 * @throws AssistantError `model_incomplete` when the reply holds no such value.
 */
export async function askStructured<T>(
  model: BaseChatModel,
  messages: readonly BaseMessage[],
  { name, description, schema }: Structure<T>,
): Promise<T> {
  const parameters = z.toJSONSchema(schema, { io: 'input' });
  const tool = { type: 'function' as const, function: { name, description, parameters } };
  const bound = (model.bindTools?.([tool], { tool_choice: name }) ?? model) as Runnable<BaseMessage[], AIMessage>;
  const reply = await bound.invoke([...messages]);
  const parsed = schema.safeParse(reply.tool_calls?.[0]?.args ?? jsonIn(reply.text));
  if (parsed.success) return parsed.data;
  const problem = z.prettifyError(parsed.error).split('\n')[0];
  throw new AssistantError('model_incomplete', `The model did not give a valid ${name}: ${problem}.`, { hint: HINT });
}

/** The first JSON value of a text, fenced or not. */
function jsonIn(text: string): unknown {
  const inner = /```(?:json)?\s*([\s\S]*?)```/u.exec(text)?.[1] ?? text;
  const start = inner.search(/[[{]/u);
  const end = Math.max(inner.lastIndexOf('}'), inner.lastIndexOf(']')) + 1;
  return parseJson(start < 0 ? inner : inner.slice(start, end));
}
