import { z } from 'zod';
import type { Told } from '../base/errors.ts';
import type { Step } from './types.ts';

/** A tool call as it is stored; its arguments are complete. */
export interface StoredCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export interface StoredResult {
  /** Id of the call that this is the result of. */
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  /** What the gate said in front of the result, on a line of its own. */
  readonly beside?: string | undefined;
  /** Why it failed, as data; rows of older programs have none. */
  readonly told?: Told | undefined;
}

/** Calls that must not run are renamed to this; models are neither offered nor shown it. */
export const REFUSED_CALL = 'refused_call';

/** What is kept of a refused call: how the model made it, and why it was not run. */
const refusedSchema = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()).default({}),
  reason: z.string(),
});

/** The function names that servers accept. */
const NOT_IN_NAMES = /[^A-Za-z0-9_-]+/gu;

/** A call as the model made it, even if refused, so that the model finds in its history what it wrote. */
export function asMade<Call extends Pick<StoredCall, 'name' | 'args'>>(call: Call): Call {
  if (call.name !== REFUSED_CALL) return call;
  const refused = refusedSchema.safeParse(call.args);
  if (!refused.success) return call;
  const name = refused.data.tool.replace(NOT_IN_NAMES, '_').slice(0, 64) || REFUSED_CALL;
  return { ...call, name, args: refused.data.args };
}

const callsSchema = z.object({
  text: z.string(),
  calls: z.array(z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) })),
});

const toldSchema = z.object({ code: z.string(), values: z.record(z.string(), z.unknown()) });
const resultSchema = z.object({
  ...{ id: z.string(), name: z.string(), ok: z.boolean(), text: z.string() },
  told: toldSchema.optional(),
  beside: z.string().optional(),
});

/** The step for a reply that calls tools; `text` is what the model said along with the calls. */
export function callsStep(text: string, calls: readonly StoredCall[]): Step {
  return { role: 'assistant', kind: 'tool_calls', content: JSON.stringify({ text, calls }) };
}

/** The step for the result of one call. */
export function resultStep(result: StoredResult): Step {
  return { role: 'tool', kind: 'tool_result', content: JSON.stringify(result) };
}

/** Read the content of a `tool_calls` step. */
export function callsOf(content: string): z.infer<typeof callsSchema> {
  return callsSchema.parse(JSON.parse(content));
}

/** Read the content of a `tool_result` step. */
export function resultOf(content: string): StoredResult {
  return resultSchema.parse(JSON.parse(content));
}
