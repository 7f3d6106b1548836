import { z } from 'zod';
import { isRecord, parseJson } from '../../base/json.ts';
import { adaptSchema } from '../../plugins/schema/schema.ts';
import type { EngineRun } from '../types.ts';

/** Where a script's own model calls come from. */
export type PickModel = EngineRun['pick'];

/** `llm(prompt)`: ask a model for text. Its usage is booked to the turn. */
export async function askModel(pick: PickModel, prompt: unknown, signal: AbortSignal): Promise<string> {
  const choice = await pick('CODE_ASSISTANCE', { purpose: 'llm' });
  const reply = await choice.model.invoke(promptText('llm', prompt), { signal });
  return reply.text.trim();
}

/**
 * `llmJson(prompt, schema?)`: ask a model for a value. Without a schema, a reply that is not JSON comes back as text.
 *
 * @throws Error when the reply does not fit the schema.
 */
export async function askModelForJson(
  pick: PickModel,
  [prompt, schema]: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  const wanted = schema === undefined || schema === null ? undefined : await asSchema(schema);
  const rules = wanted ? ` that fits this JSON Schema:\n${JSON.stringify(schema)}` : '.';
  const text = `${promptText('llmJson', prompt)}\n\nAnswer with one JSON value only${rules}`;
  const choice = await pick('CODE_ASSISTANCE', { purpose: 'llm', jsonResponse: true });
  const reply = (await choice.model.invoke(text, { signal })).text.trim();
  const value = parseReply(reply);
  if (!wanted) return value === undefined ? reply : value;
  const checked = value === undefined ? undefined : wanted.safeParse(value);
  if (checked?.success) return checked.data;
  const problem = checked ? z.prettifyError(checked.error) : 'it is not JSON';
  throw new Error(`llmJson: the model's reply does not fit the schema: ${problem}`);
}

function promptText(name: string, prompt: unknown): string {
  if (typeof prompt === 'string' && prompt.trim() !== '') return prompt;
  throw new TypeError(`${name}(prompt): the prompt must be text`);
}

function asSchema(schema: unknown): Promise<z.ZodType> {
  if (!isRecord(schema)) throw new TypeError('llmJson(prompt, schema): the schema must be a JSON Schema object');
  return adaptSchema(schema, { foreign: true, anyValue: true });
}

/** Read JSON, which models tend to wrap in a code fence; undefined when the reply is not JSON. */
function parseReply(reply: string): unknown {
  const inner = /^```(?:json)?([\s\S]*?)```$/u.exec(reply)?.[1] ?? reply;
  return parseJson(inner);
}
