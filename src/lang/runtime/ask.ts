import type { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { answerIn } from '../../models/answer-form.ts';
import { isRefusedRequest, isTimeout } from '../../models/failure.ts';
import type { ModelChoice, Purpose, TaskProfile } from '../../models/types.ts';
import { AnswerCache } from './cache.ts';
import { ModelUnavailable, SchemaViolation, ThinkError, Timeout, TokenBudgetExceeded } from './errors.ts';
import type { AiHost } from './host.ts';
import { checkAnswer, isPlainText, type JsonSchema, wrapped } from './schema.ts';

/** One question to a model, with the type of its answer. */
export interface Question {
  readonly operation: Purpose;
  readonly text: string;
  /** Left out: any text is an answer. */
  readonly schema?: JsonSchema | undefined;
  readonly schemaName?: string | undefined;
  /** Zod's own check instead of the schema's: it may transform the value. */
  readonly zod?: z.ZodType | undefined;
  readonly model?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ask once more, saying what was wrong, when the answer does not have the type. */
  readonly repair?: boolean;
  /** Whether the answer may be cached: only that of a first attempt may, not that of a retry. */
  readonly remember?: boolean;
}

const SYSTEM = 'You answer for a program. Give exactly what is asked for, without any words around it.';
const DEFAULT_NAME = 'result';

/** Servers that refused a JSON Schema; they are given a tool instead from then on. */
const REFUSES_SCHEMAS = new Set<string>();

/** What was asked and what came back, for the repair round. */
interface Exchange {
  readonly said: string;
  readonly problem: string;
}

/** Ask a model. @throws ThinkError. */
export async function askModelFor(host: AiHost, question: Question): Promise<unknown> {
  const text = host.redactor.redact(question.text);
  const asked = { ...question, text };
  const started = performance.now();
  try {
    const { tape } = host;
    if (!tape) return await remembered(host, asked);
    const value = await tape.answer({ text, schema: question.schema }, () => remembered(host, asked));
    return question.schema ? await checkAnswer(value, question.schema, question.zod) : value;
  } catch (error) {
    question.signal?.throwIfAborted();
    host.signal.throwIfAborted();
    throw asThinkError(error, { model: question.model, ms: performance.now() - started });
  }
}

async function remembered(host: AiHost, question: Question): Promise<unknown> {
  const usual = await pick(host, question, false);
  const choice = REFUSES_SCHEMAS.has(labelOf(usual)) ? await pick(host, question, true) : usual;
  if (!host.cache || question.remember === false) return answered(host, question, choice);
  const { text, schema = null, model = null } = question;
  const key = AnswerCache.key({ text, schema, model, choice: labelOf(choice) });
  const found = host.cache.get(key);
  if (found) return found.value;
  const value = await answered(host, question, choice);
  host.cache.set(key, value);
  return value;
}

async function answered(host: AiHost, question: Question, choice: ModelChoice): Promise<unknown> {
  if (isPlainText(question.schema)) return (await invoke(choice, question)).text.trim();
  const schema = question.schema ?? {};
  const { value, said } = await askTyped(host, question, choice);
  try {
    return await checkAnswer(value, schema, question.zod);
  } catch (error) {
    if (!(error instanceof SchemaViolation) || question.repair === false) throw error;
    const again = await askTyped(host, question, choice, { said, problem: messageOf(error) });
    return checkAnswer(again.value, schema, question.zod);
  }
}

async function askTyped(host: AiHost, question: Question, choice: ModelChoice, before?: Exchange) {
  const { isWrapped } = wrapped(question.schema ?? {});
  const reply = await invoke(choice, question, before).catch(async (error: unknown) => {
    if (!isRefusedRequest(error) || REFUSES_SCHEMAS.has(labelOf(choice))) throw error;
    REFUSES_SCHEMAS.add(labelOf(choice));
    return invoke(await pick(host, question, true), question, before);
  });
  const value = answerIn(reply);
  const said = reply.text === '' ? (JSON.stringify(value) ?? '') : reply.text;
  const isInner = isWrapped && typeof value === 'object' && value !== null && 'value' in value;
  return { value: isInner ? value.value : value, said };
}

function labelOf({ provider, name }: ModelChoice): string {
  return `${provider}:${name}`;
}

function pick(host: AiHost, question: Question, byTool: boolean): Promise<ModelChoice> {
  const { operation, schema, schemaName = DEFAULT_NAME, model, signal } = question;
  const name = schemaName.replace(/[^\w-]/gu, '_').slice(0, 60);
  const answer = isPlainText(schema) ? undefined : { name, schema: wrapped(schema ?? {}).schema, byTool };
  return host.models.pick({
    profile: PROFILES[operation] ?? 'TOOL_EXECUTION',
    mode: host.mode,
    project: host.project,
    purpose: operation,
    model,
    answer,
    signal: signal ? AbortSignal.any([host.signal, signal]) : host.signal,
    onNotice: (text) => host.warn?.(text),
    onUsage: ({ model: used, inputTokens, outputTokens, costUsd }) =>
      host.costs.record({ operation, model: used, inputTokens, outputTokens, costUsd }),
  });
}

const PROFILES: Readonly<Partial<Record<Purpose, TaskProfile>>> = { reason: 'COMPLEX_REASONING' };

function invoke({ model }: ModelChoice, question: Question, before?: Exchange) {
  return model.invoke(messagesOf(question, before));
}

function messagesOf({ text }: Pick<Question, 'text'>, before?: Exchange): [string, string][] {
  return [['system', SYSTEM], ['human', text], ...(before ? turns(before) : [])];
}

function turns({ said, problem }: Exchange): [string, string][] {
  return [
    ['ai', said || '(nothing)'],
    ['human', `${problem} Send the whole answer again, corrected.`],
  ];
}

/** An answer's text as it arrives. @throws ThinkError. */
export async function* streamModel(host: AiHost, question: Question): AsyncGenerator<string, void, undefined> {
  const asked = { ...question, text: host.redactor.redact(question.text) };
  const started = performance.now();
  try {
    const { model } = await pick(host, asked, false);
    for await (const chunk of await model.stream(messagesOf(asked))) if (chunk.text !== '') yield chunk.text;
  } catch (error) {
    question.signal?.throwIfAborted();
    host.signal.throwIfAborted();
    throw asThinkError(error, { model: question.model, ms: performance.now() - started });
  }
}

/** The failure of a model call as a `ThinkError`; any other error is returned unchanged. */
export function asThinkError(error: unknown, { model, ms }: { model?: string | undefined; ms: number }): unknown {
  if (error instanceof ThinkError || !(error instanceof AssistantError)) return error;
  if (error.code === 'context_overflow') return new TokenBudgetExceeded(error.message, { cause: error });
  if (isTimeout(error)) return new Timeout(error.message, Math.round(ms), error);
  return new ModelUnavailable(error.message, { model, code: error.code, hint: error.hint, cause: error });
}
