import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import type { CallScope } from '../../tools/gate/types.ts';
import { agent } from './agent.ts';
import { AgentChannel } from './agent-channel.ts';
import * as builtins from './builtin-tools.ts';
import { isBuiltin } from './builtin-tools.ts';
import type { Context } from './context.ts';
import { GuardFailed, ModelUnavailable, SchemaViolation, ThinkError, Timeout, ToolExecutionError } from './errors.ts';
import { evaluateGuards } from './guards.ts';
import type { AiHost } from './host.ts';
import type { JsonSchema } from './schema.ts';
import { infer, judgeOf, reason, think } from './think.ts';

/** What a running program gets from outside besides models. */
export interface ProgramWorld {
  readonly ai: AiHost;
  readonly toolbox: Toolbox;
  /** For the program's own tool calls. */
  scope(): Promise<CallScope>;
  /** Whether its calls have read untrusted text. */
  hasReadUntrusted(): Promise<boolean>;
  print(text: string): void;
  warn(text: string): void;
}

/** The answer to the guest: a value, or an error that it throws. */
export type HostReply = { readonly ok: unknown } | { readonly error: Record<string, unknown> };

type Payload = Readonly<Record<string, unknown>>;

/** Serves the requests of one running program. */
export class ProgramHost {
  readonly #world: ProgramWorld;
  readonly #agents = new Map<number, AgentChannel>();
  readonly #signal: AbortSignal;

  constructor(world: ProgramWorld, signal: AbortSignal) {
    this.#world = world;
    this.#signal = signal;
  }

  /** Never rejects: a failure is an error of the program. */
  async serve(op: unknown, payload: unknown): Promise<HostReply> {
    try {
      return { ok: await this.#do(String(op), payload) };
    } catch (error) {
      return { error: described(error) };
    }
  }

  async #do(op: string, payload: unknown): Promise<unknown> {
    if (op === 'print') return this.#world.print(String(payload));
    if (op === 'spent') return this.#world.ai.costs.getSummary().costUsd;
    if (op === 'pause') return sleep(Number(payload), null, { signal: this.#signal });
    const given = isRecord(payload) ? payload : {};
    switch (op) {
      case 'ask':
        return this.#ask(given);
      case 'agent':
        return this.#agent(given);
      case 'resume':
        return this.#agents.get(Number(given.task))?.resume(given);
      case 'guard':
        return this.#guard(given);
      case 'judge':
        return judgeOf(this.#world.ai)(given.value, String(given.criteria));
      case 'tool':
        return this.#tool(String(given.name), Array.isArray(given.args) ? given.args : []);
      case 'warn':
        return this.#world.warn(String(given.text));
      default:
        throw new TypeError(`a program asked for ${op}`);
    }
  }

  #options(payload: Payload) {
    const { schema, name, context, without, feedback, repair } = payload;
    return {
      jsonSchema: schema as JsonSchema,
      schemaName: String(name),
      ...(isRecord(context) ? { context: context as Context } : {}),
      ...(Array.isArray(without) ? { withoutContext: without.map(String) } : {}),
      abortSignal: this.#signal,
      attempt: { feedback: typeof feedback === 'string' ? feedback : undefined, repair: repair === true },
    };
  }

  #ask(payload: Payload): Promise<unknown> {
    const { ai } = this.#world;
    const options = this.#options(payload);
    switch (payload.op) {
      case 'infer':
        return infer(ai, { ...options, value: payload.value, hint: payload.hint as string | undefined });
      case 'reason':
        return reason(ai, { ...options, goal: String(payload.goal), steps: payload.steps as string[] });
      case 'map_think':
      case 'reduce_think':
        return think(ai, { ...options, prompt: String(payload.prompt) }, payload.op);
      default:
        return think(ai, { ...options, prompt: String(payload.prompt) });
    }
  }

  #agent(payload: Payload): Promise<unknown> {
    const channel = new AgentChannel(this.#agents.size + 1, this.#world);
    this.#agents.set(channel.task, channel);
    const wanted = Array.isArray(payload.tools) ? payload.tools.filter(isRecord) : [];
    const tools = wanted.map((about) =>
      about.kind === 'given' ? this.#given(String(about.name)) : channel.tool(about),
    );
    const { maxTurns, prompt } = payload;
    const options = { ...this.#options(payload), prompt: String(prompt), tools, mode: this.#world.ai.mode };
    const run = agent(this.#world.ai, { ...options, ...(typeof maxTurns === 'number' ? { maxTurns } : {}) });
    return channel.follow(run.then(({ data }) => data));
  }

  /** One of the assistant's tools, by the name that programs use, or its own. */
  #given(name: string) {
    const builtin = Object.values(builtins).find(
      (each) => typeof each === 'object' && isBuiltin(each) && each.name === name,
    );
    if (builtin && typeof builtin === 'object') return builtin;
    const tool = this.#world.toolbox.find(name);
    if (!tool) throw new ToolExecutionError(name, 'there is no such tool');
    return { name, gated: tool.name };
  }

  async #guard({ value, name, constraint, end }: Payload): Promise<void> {
    const rule = { name: String(name), constraint, ...(end === null ? {} : { rangeEnd: end }) };
    await evaluateGuards(value, [rule], judgeOf(this.#world.ai));
  }

  /** A tool call by the program itself. */
  async #tool(name: string, args: readonly unknown[]): Promise<unknown> {
    const { toolbox } = this.#world;
    const { gated } = this.#given(name);
    const tool = toolbox.find(gated);
    if (!tool) throw new ToolExecutionError(name, 'it is not available here');
    const [only] = args;
    const isFields = args.length === 1 && isRecord(only);
    const input = isFields
      ? only
      : Object.fromEntries(args.map((value, index) => [tool.positional[index] ?? `argument ${index + 1}`, value]));
    const result = await toolbox.call(gated, input, await this.#world.scope());
    this.#signal.throwIfAborted();
    if (!result.ok) throw new ToolExecutionError(name, result.error);
    return result.value;
  }
}

/** An error with every field that a program may read. */
function described(error: unknown): Record<string, unknown> {
  if (!(error instanceof ThinkError)) return { name: 'Error', message: messageOf(error) };
  const isBusy = error instanceof ModelUnavailable && error.code === 'model_unreachable';
  const retry = isBusy || error instanceof GuardFailed || error instanceof SchemaViolation || error instanceof Timeout;
  const pause = isBusy || error instanceof Timeout;
  const { name, message, cause: _cause, stack: _stack, ...fields } = error as ThinkError & Record<string, unknown>;
  return { ...fields, name, message, ai: true, retry, pause };
}
