import type { TurnWishes } from '../../agent/types.ts';
import { newId } from '../../base/ids.ts';
import { parseJson } from '../../base/json.ts';
import {
  type Answer,
  type ApprovalRequest,
  type Decision,
  type Mode,
  NOBODY_TO_ASK,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../../base/turn.ts';
import { readableTool } from '../../plugins/readable-tool.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import type { Tool, UnreadTool } from '../../tools/tool.ts';
import { AnswerTool } from './answer-tool.ts';
import { type BuiltinTool, isBuiltin } from './builtin-tools.ts';
import { AgentMaxTurnsError, ModelUnavailable, ThinkError, ToolExecutionError } from './errors.ts';
import { evaluateGuards } from './guards.ts';
import type { AiHost } from './host.ts';
import { withRetry } from './retry.ts';
import { checkAnswer, isPlainText } from './schema.ts';
import type { Tape } from './tape.ts';
import { type AiOptions, contextText, judgeOf, refused } from './think.ts';
import { type ToolCall, type ToolCallRecord, ToolHistory, type ToolResult } from './tool-history.ts';

export interface AgentOptions<T> extends AiOptions<T> {
  readonly prompt: string;
  /** Your own from `defineTool`, and built-in ones such as `readFile`; the agent has no others. */
  readonly tools?: readonly (Tool | UnreadTool | BuiltinTool)[] | undefined;
  /** The most model calls; 10 unless given. */
  readonly maxTurns?: number | undefined;
  /** Classic tool calls unless given. */
  readonly mode?: Mode | undefined;
  readonly onToolCall?: ((call: ToolCall) => void) | undefined;
  readonly onToolResult?: ((result: ToolResult) => void) | undefined;
  /** Answers the policy's questions about a call. */
  readonly approve?: ((request: ApprovalRequest) => Promise<Decision>) | undefined;
}

export interface AgentUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined where a price is unknown. */
  readonly costUsd?: number | undefined;
}

export interface AgentResult<T> {
  readonly data: T;
  /** Model calls. */
  readonly turns: number;
  readonly totalUsage: AgentUsage;
  readonly toolCallHistory: readonly ToolCallRecord[];
}

const USUAL_TURNS = 10;

/**
 * Have the assistant's own engine work on a task with the given tools, each behind the gate, until it has an answer of
 * the type.
 *
 * @throws ThinkError; the reason of the signal when it was aborted.
 */
export function agent<T = unknown>(host: AiHost, options: AgentOptions<T>): Promise<AgentResult<T>> {
  const { retryCount: attempts = 1, fallback, abortSignal: signal } = options;
  const conversationId = newId('conv');
  const whole =
    fallback && (async () => ({ data: await fallback(), turns: 0, totalUsage: NOTHING, toolCallHistory: [] }));
  return withRetry<AgentResult<T>>((feedback) => new AgentRun<T>(host, options, conversationId).run(feedback), {
    attempts,
    fallback: whole,
    signal,
  });
}

const NOTHING: AgentUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** One attempt: one turn of the assistant. */
class AgentRun<T> {
  readonly #host: AiHost;
  readonly #options: AgentOptions<T>;
  readonly #turn: Omit<Turn, 'text'>;
  readonly #history: ToolHistory;
  #answer: AnswerTool | undefined;
  #tools: readonly (Tool | BuiltinTool)[] = [];
  #failure: (TurnEvent & { type: 'error' }) | undefined;

  constructor(host: AiHost, options: AgentOptions<T>, conversationId: string) {
    const { mode = 'classic_tools' } = options;
    this.#host = host;
    this.#options = options;
    this.#history = new ToolHistory(options);
    const { origin, project } = host;
    this.#turn = { id: newId('turn'), conversationId, origin, mode, project };
  }

  async run(feedback: string | undefined): Promise<AgentResult<T>> {
    const { prompt } = this.#options;
    const why = feedback ?? this.#options.attempt?.feedback;
    const text = why === undefined ? prompt : `${prompt}\n\n${refused(why)}`;
    const { tape } = this.#host;
    if (tape) return this.#taped(tape, text);
    return this.#live(text);
  }

  /** A recording keeps an agent's result; its tools are not called again. */
  async #taped(tape: Tape, text: string): Promise<AgentResult<T>> {
    let whole: AgentResult<T> | undefined;
    const { jsonSchema: schema } = this.#options;
    const data = await tape.answer({ text, schema, isAgent: true }, async () => {
      whole = await this.#live(text);
      return whole.data;
    });
    if (whole) return whole;
    await evaluateGuards(data, this.#options.guards ?? [], judgeOf(this.#host));
    return { data: data as T, turns: 0, totalUsage: NOTHING, toolCallHistory: [] };
  }

  async #live(text: string): Promise<AgentResult<T>> {
    const { guards = [], jsonSchema, zod, tools = [] } = this.#options;
    this.#tools = await Promise.all(tools.map(async (tool) => (isBuiltin(tool) ? tool : readableTool(tool))));
    this.#answer = isPlainText(jsonSchema) ? undefined : await AnswerTool.of(jsonSchema ?? {}, zod);
    const context = this.#context();
    context.signal.throwIfAborted();
    const answer = await this.#host.runTurn({ ...this.#turn, text }, context, this.#wishes());
    if (this.#answer?.value === undefined) this.#check(answer);
    const data = (await this.#data(answer)) as T;
    await evaluateGuards(data, guards, judgeOf(this.#host));
    const { inputTokens, outputTokens, costUsd } = answer.usage;
    const totalUsage = { inputTokens, outputTokens, costUsd };
    return { data, turns: answer.steps, totalUsage, toolCallHistory: this.#history.records };
  }

  #wishes(): TurnWishes {
    const { maxTurns = USUAL_TURNS, model } = this.#options;
    const context = contextText(this.#host, this.#options).trim();
    return {
      tools: (toolbox) => this.#toolbox(toolbox),
      maxSteps: maxTurns,
      model,
      lines: context === '' ? [] : [context],
      answer: this.#answer,
      standIn: false,
    };
  }

  #toolbox(all: Toolbox): Toolbox {
    const chosen = this.#tools.map((tool) => (isBuiltin(tool) ? gatedTool(all, tool) : tool));
    return all.only(() => false).with(chosen.map((tool) => this.#history.watched(tool)));
  }

  #context(): TurnContext {
    const { abortSignal } = this.#options;
    const { signal, timeZone, now, show } = this.#host;
    return {
      signal: abortSignal ? AbortSignal.any([signal, abortSignal]) : signal,
      timeZone,
      now,
      show: (event) => {
        this.#see(event);
        show?.(event);
      },
      approve: (request) => this.#approve(request),
    };
  }

  #see(event: TurnEvent): void {
    if (event.type === 'error') this.#failure = event;
    if (event.type === 'tool') this.#history.ended(event);
    if (event.type !== 'usage') return;
    const { model, inputTokens, outputTokens, costUsd } = event;
    this.#host.costs.record({ operation: 'agent', model, inputTokens, outputTokens, costUsd });
  }

  /** A program that passes its own tool has agreed to its calls when nobody is there to ask. */
  async #approve(request: ApprovalRequest): Promise<Decision> {
    const ask = this.#options.approve ?? this.#host.approve;
    if (ask) return ask(request);
    const isOwn = (this.#options.tools ?? []).some((tool) => !isBuiltin(tool) && tool.name === request.tool);
    return isOwn ? { verdict: 'once', by: 'the program that passed the tool' } : NOBODY_TO_ASK;
  }

  /** @throws ThinkError for a turn without an answer. */
  #check({ stop, steps }: Answer): void {
    const { maxTurns = USUAL_TURNS, abortSignal, model } = this.#options;
    if (stop === 'answered' || stop === 'cut_off') return;
    abortSignal?.throwIfAborted();
    this.#host.signal.throwIfAborted();
    if (stop === 'step_limit') throw new AgentMaxTurnsError(maxTurns, steps);
    const failed = this.#history.lastFailure();
    if (failed && !this.#failure) throw new ToolExecutionError(failed.name, failed.error);
    const { code, message, hint } = this.#failure ?? { code: 'internal', message: `It ended as ${stop}.`, hint: '' };
    if (code === 'internal') throw new ThinkError(message);
    throw new ModelUnavailable(message, { model, code, hint });
  }

  /** The accepted value; one of the wrong form has been sent back to the model once. @throws SchemaViolation */
  async #data({ text }: Answer): Promise<unknown> {
    const { jsonSchema = {}, zod } = this.#options;
    if (!this.#answer) return text;
    return checkAnswer(this.#answer.value ?? parseJson(text) ?? text, jsonSchema, zod);
  }
}

/** @throws ThinkError when the assistant has no such tool now. */
function gatedTool(all: Toolbox, { name, gated }: BuiltinTool): Tool {
  const tool = all.find(gated);
  if (tool) return { ...tool, name, functionName: name };
  throw new ThinkError(`The tool ${name} is not available: the assistant has no ${gated} now.`);
}
