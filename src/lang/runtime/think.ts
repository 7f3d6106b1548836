import type { z } from 'zod';
import type { Purpose } from '../../models/types.ts';
import { askModelFor, streamModel } from './ask.ts';
import { type Context, excludeFromContext, truncateContext } from './context.ts';
import { evaluateGuards, type GuardRule, type Judge } from './guards.ts';
import type { AiHost } from './host.ts';
import { withRetry } from './retry.ts';
import type { JsonSchema } from './schema.ts';

/** Options of every AI call. */
export interface AiOptions<T> {
  /** JSON Schema of the answer; a text unless given. See `zodSchema`. */
  readonly jsonSchema?: JsonSchema | undefined;
  /** The name of the type, which models see. */
  readonly schemaName?: string | undefined;
  /** From `zodSchema`. */
  readonly zod?: z.ZodType<T> | undefined;
  /** Extra context for the model, as JSON. */
  readonly context?: Context | undefined;
  /** Keys and paths that are removed from the context. */
  readonly withoutContext?: readonly string[] | undefined;
  readonly guards?: readonly GuardRule[] | undefined;
  /** Attempts in total when a guard or the type fails; 1 unless given. */
  readonly retryCount?: number | undefined;
  /** The value to use when all attempts failed. */
  readonly fallback?: (() => T | Promise<T>) | undefined;
  /** `model` or `provider:model`. */
  readonly model?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  /** For callers with retries of their own: why the last answer was refused, and whether to repair a wrong type. */
  readonly attempt?: { readonly feedback?: string | undefined; readonly repair: boolean } | undefined;
}

export interface ThinkOptions<T> extends AiOptions<T> {
  readonly prompt: string;
}

export interface InferOptions<T> extends AiOptions<T> {
  readonly value: unknown;
  readonly hint?: string | undefined;
}

export interface ReasonOptions<T> extends AiOptions<T> {
  readonly goal: string;
  readonly steps: readonly (string | { readonly number?: number; readonly description: string })[];
}

/** Ask a model a question. @throws ThinkError. */
export function think<T>(host: AiHost, options: ThinkOptions<T>, operation: Purpose = 'think'): Promise<T> {
  return answer(host, { operation, text: options.prompt }, options);
}

/** Have a model interpret a value: classify, parse or complete it. @throws ThinkError. */
export function infer<T>(host: AiHost, options: InferOptions<T>): Promise<T> {
  return answer(host, { operation: 'infer', text: inferText(options) }, options);
}

function inferText({ value, hint }: Pick<InferOptions<unknown>, 'value' | 'hint'>): string {
  const shown = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  const what = hint === undefined ? 'Infer the answer from this value:' : `${hint}\n\nThe value:`;
  return `${what}\n${shown}`;
}

/** Have a model work towards a goal, step by step. @throws ThinkError. */
export function reason<T>(host: AiHost, options: ReasonOptions<T>): Promise<T> {
  const steps = options.steps.map((step, index) => {
    const { number = index + 1, description } = typeof step === 'string' ? { description: step } : step;
    return `${number}. ${description}`;
  });
  const text = `Goal: ${options.goal}\n\nTake these steps, in this order:\n${steps.join('\n')}`;
  return answer(host, { operation: 'reason', text }, options);
}

/** The answer's text as it arrives; for a typed answer, its JSON. @throws ThinkError. */
export function streamThink(host: AiHost, options: ThinkOptions<unknown>): AsyncGenerator<string, void, undefined> {
  const { prompt, jsonSchema: schema, schemaName, model, abortSignal: signal } = options;
  const text = `${prompt}${contextText(host, options)}`;
  return streamModel(host, { operation: 'think', text, schema, schemaName, model, signal });
}

/** The same for `infer`. @throws ThinkError. */
export function streamInfer(host: AiHost, options: InferOptions<unknown>): AsyncGenerator<string, void, undefined> {
  const { jsonSchema: schema, schemaName, model, abortSignal: signal } = options;
  const text = `${inferText(options)}${contextText(host, options)}`;
  return streamModel(host, { operation: 'infer', text, schema, schemaName, model, signal });
}

/** The whole of a stream. */
export async function collectStream(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}

interface ThinkRequest {
  readonly operation: Purpose;
  readonly text: string;
}

async function answer<T>(host: AiHost, { operation, text }: ThinkRequest, options: AiOptions<T>): Promise<T> {
  const { guards = [], retryCount: attempts = 1, fallback, abortSignal: signal } = options;
  const { attempt } = options;
  const before = attempt?.feedback;
  const whole = `${text}${contextText(host, options)}`;
  return withRetry(
    async (own) => {
      const feedback = own ?? before;
      const value = await askModelFor(host, {
        operation,
        text: feedback === undefined ? whole : `${whole}\n\n${refused(feedback)}`,
        schema: options.jsonSchema,
        schemaName: options.schemaName,
        zod: options.zod,
        model: options.model,
        signal,
        repair: attempt?.repair ?? attempts === 1,
        remember: feedback === undefined,
      });
      await evaluateGuards(value, guards, judgeOf(host));
      return value as T;
    },
    { attempts, fallback, signal, warn: host.warn?.bind(host) },
  );
}

/** What the model is told about a refused answer. */
export function refused(feedback: string): string {
  return `An earlier answer was refused: ${feedback} Give another one.`;
}

/** The context as the model sees it, after a blank line; empty without a context. */
export function contextText(
  host: Pick<AiHost, 'warn'>,
  { context, withoutContext }: Pick<AiOptions<unknown>, 'context' | 'withoutContext'>,
): string {
  if (context === undefined) return '';
  const { context: fitting, cut } = truncateContext(excludeFromContext(context, withoutContext));
  if (cut.length > 0) host.warn?.(`The context is too long; cut: ${cut.join(', ')}.`);
  return `\n\nContext:\n${JSON.stringify(fitting, undefined, 2)}`;
}

const VERDICT = {
  type: 'object',
  properties: { passes: { type: 'boolean' }, explanation: { type: 'string' } },
  required: ['passes', 'explanation'],
  additionalProperties: false,
} as const;

/** A model as the judge of demands expressed in words. */
export function judgeOf(host: AiHost): Judge {
  return (value, criteria) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
    const prompt = `Does the value meet the criteria?\n\nCriteria: ${criteria}\n\nValue:\n${shown}`;
    return think(host, { prompt, jsonSchema: VERDICT, schemaName: 'Verdict' }, 'semantic_assert');
  };
}
