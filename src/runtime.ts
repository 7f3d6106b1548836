/** AI calls for programs: what `import ... from 'wooster/runtime'` gives. See docs/library.md. */

import type { InitOptions, ModelProviderFactory, ProviderOptions } from './embed/library.ts';
import { Library, NamedProvider } from './embed/library.ts';
import type { Arguments, ProgramOutcome, RunOptions } from './embed/types.ts';
import type { CompiledProgram } from './lang/compile/module-text.ts';
import * as on from './lang/runtime/agent.ts';
import { type BatchOptions, type BatchResult, batch as runBatch } from './lang/runtime/batch.ts';
import type { AnswerCache } from './lang/runtime/cache.ts';
import type { Costs } from './lang/runtime/costs.ts';
import {
  type MapThinkOptions,
  mapThink as mapOn,
  type ReduceThinkOptions,
  reduceThink as reduceOn,
} from './lang/runtime/map-think.ts';
import * as ask from './lang/runtime/think.ts';
import type { ModelProvider } from './models/providers/completing.ts';
import type { Price } from './models/providers/provider.ts';

const library = new Library();

/**
 * Say which model the calls go to, and what else belongs to them; without it, what the settings of the home say. The
 * assistant behind the calls opens with the first of them.
 */
export function init(options: InitOptions = {}): void {
  library.init(options);
}

/** Let go of everything. The next call opens it again. */
export function close(): Promise<void> {
  return library.close();
}

/** Make a provider of your own known under a name. */
export function registerProvider(name: string, factory: ModelProviderFactory): void {
  library.registerProvider(name, factory);
}

/** @throws ThinkError for an unknown name. */
export function createProvider(name: string, options: ProviderOptions = {}): ModelProvider {
  return library.createProvider(name, options);
}

/** As `createProvider('openai', options)`; so are the others. */
export class OpenAIProvider extends NamedProvider {
  constructor(options: ProviderOptions = {}) {
    super(library, { provider: 'openai', ...options });
  }
}

export class AnthropicProvider extends NamedProvider {
  constructor(options: ProviderOptions = {}) {
    super(library, { provider: 'anthropic', ...options });
  }
}

export class GeminiProvider extends NamedProvider {
  constructor(options: ProviderOptions = {}) {
    super(library, { provider: 'gemini', ...options });
  }
}

export class OllamaProvider extends NamedProvider {
  constructor(options: ProviderOptions = {}) {
    super(library, { provider: 'ollama', ...options });
  }
}

export function getRegisteredProviders(): string[] {
  return library.providers();
}

export function setProvider(provider: ModelProvider): void {
  library.init({ provider });
}

export function getProvider(): ModelProvider {
  return library.provider;
}

/** What a model costs, in USD per million tokens; for cost reports and budgets. */
export function registerPricing(model: string, price: Price): void {
  library.registerPricing(model, price);
}

/** Ask a model. @throws ThinkError. */
export async function think<T = string>(options: ask.ThinkOptions<T>): Promise<T> {
  return ask.think(await library.host(), options);
}

/** Have a model read a value. @throws ThinkError. */
export async function infer<T = string>(options: ask.InferOptions<T>): Promise<T> {
  return ask.infer(await library.host(), options);
}

/** Have a model work through steps towards a goal. @throws ThinkError. */
export async function reason<T = string>(options: ask.ReasonOptions<T>): Promise<T> {
  return ask.reason(await library.host(), options);
}

/** Have an agent work with tools until it has an answer. @throws ThinkError. */
export async function agent<T = unknown>(options: on.AgentOptions<T>): Promise<on.AgentResult<T>> {
  return on.agent(await library.host(), options);
}

/** Whether a value meets criteria in words, as a model judges. */
export async function semanticCheck(
  value: unknown,
  criteria: string,
): Promise<{ passes: boolean; explanation: string }> {
  return ask.judgeOf(await library.host())(value, criteria);
}

/** The words of an answer as they arrive. @throws ThinkError. */
export async function* streamThink(options: ask.ThinkOptions<unknown>): AsyncGenerator<string, void, undefined> {
  yield* ask.streamThink(await library.host(), options);
}

/** The words of an answer about a value as they arrive. @throws ThinkError. */
export async function* streamInfer(options: ask.InferOptions<unknown>): AsyncGenerator<string, void, undefined> {
  yield* ask.streamInfer(await library.host(), options);
}

/** Work through a list, several items at once. @throws BatchAbortedError, or as `onError` says. */
export function batch<Item, Result>(options: BatchOptions<Item, Result>): Promise<BatchResult<Result>> {
  return runBatch({ spentUsd: () => library.costs.getSummary().costUsd, ...options });
}

/** Ask the same of every item. @throws as `batch`. */
export async function mapThink<Item, T = string>(options: MapThinkOptions<Item, T>): Promise<BatchResult<T>> {
  return mapOn(await library.host(), options);
}

/** Make one answer of many items. @throws ThinkError. */
export async function reduceThink<Item, T = string>(options: ReduceThinkOptions<Item, T>): Promise<T> {
  return reduceOn(await library.host(), options);
}

/** A program that `wooster think compile` has made a module of, as a function that runs it. */
export function compiled(program: CompiledProgram): RunCompiled {
  return (given = {}, options = {}) => library.run(program, given, options);
}

/** @throws AssistantError `bad_usage` for arguments that do not fit; `program_failed`, with the line where it did. */
export type RunCompiled = (given?: Arguments, options?: RunOptions) => Promise<ProgramOutcome>;

/** Answers of this process, for an hour. */
export const globalCache: AnswerCache = library.cache;
/** What the calls of this process cost. */
export const globalCostTracker: Costs = library.costs;

export { z } from 'zod';
export type {
  InitOptions,
  ModelProviderFactory,
  ModelProviderFactory as ProviderFactory,
  ProviderOptions,
} from './embed/library.ts';
export type { Arguments, ProgramOutcome, RunOptions } from './embed/types.ts';
export type { CompiledProgram } from './lang/compile/module-text.ts';
export type { AgentOptions, AgentResult, AgentUsage } from './lang/runtime/agent.ts';
export type { BatchItem, BatchOptions, BatchProgress, BatchResult } from './lang/runtime/batch.ts';
export {
  type BuiltinTool,
  fetchUrl,
  readFile,
  runCommand,
  searchWeb,
  writeFile,
} from './lang/runtime/builtin-tools.ts';
export { AnswerCache as ExactMatchCache } from './lang/runtime/cache.ts';
export { type ChunkOptions, chunkArray, chunkText } from './lang/runtime/chunks.ts';
export { Confident, confidentSchema } from './lang/runtime/confident.ts';
export { type Context, estimateTokens, excludeFromContext, truncateContext } from './lang/runtime/context.ts';
export { type CostRecord, type CostSum, type CostSummary, Costs as CostTracker } from './lang/runtime/costs.ts';
export { Dataset, DatasetResult } from './lang/runtime/dataset.ts';
export * from './lang/runtime/errors.ts';
export { evaluateGuards, type GuardRule, type Judge } from './lang/runtime/guards.ts';
export type { MapThinkOptions, ReduceThinkOptions } from './lang/runtime/map-think.ts';
export { type Attempt, type RetryOptions, withRetry } from './lang/runtime/retry.ts';
export { type JsonSchema, zodSchema } from './lang/runtime/schema.ts';
export {
  type AiOptions,
  collectStream,
  type InferOptions,
  type ReasonOptions,
  type ThinkOptions,
} from './lang/runtime/think.ts';
export type { ToolCall, ToolCallRecord, ToolResult } from './lang/runtime/tool-history.ts';
export type {
  CompleteOptions,
  CompleteResult,
  CompletingToolCall,
  CompletingToolResult,
  Message,
  ModelProvider,
  ToolChoice,
  ToolDefinition as ProviderTool,
  UsageInfo,
} from './models/providers/completing.ts';
export type { Price, Price as ModelPricing } from './models/providers/provider.ts';
export { defineTool, type Tool, type ToolContext, type ToolDefinition, type UnreadTool } from './tools/tool.ts';
