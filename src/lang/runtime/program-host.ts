import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { DecidedCall } from '../../tools/gate/decided-calls.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import type { CallScope, ToolResult } from '../../tools/gate/types.ts';
import type { Tool } from '../../tools/tool.ts';
import { agent } from './agent.ts';
import { AgentChannel } from './agent-channel.ts';
import * as builtins from './builtin-tools.ts';
import { type BuiltinTool, isBuiltin } from './builtin-tools.ts';
import type { Context } from './context.ts';
import { GuardFailed, ModelUnavailable, SchemaViolation, ThinkError, Timeout, ToolExecutionError } from './errors.ts';
import { evaluateGuards } from './guards.ts';
import type { AiHost } from './host.ts';
import type { HostReply, Journal } from './journal.ts';
import type { JsonSchema } from './schema.ts';
import { infer, judgeOf, reason, think } from './think.ts';

/** What a running program gets from outside besides models. */
export interface ProgramWorld {
  readonly ai: AiHost;
  readonly toolbox: Toolbox;
  /** The same with the owner's programs. */
  withPrograms(): Promise<Toolbox>;
  /** For the program's own tool calls. */
  scope(): Promise<CallScope>;
  /** Whether its calls have read untrusted text. */
  hasReadUntrusted(): Promise<boolean>;
  print(text: string): void;
  warn(text: string): void;
  /** Lets the run stop at a call that waits for the owner, and go on later; absent: such a call fails. */
  readonly pauses?: Pauses | undefined;
  readonly watch?: CallWatch | undefined;
}

/** Sees the program's own calls of tools; what it throws is an error of the program. */
export interface CallWatch {
  /** Before the call. */
  calls(tool: Tool, input: unknown): void;
  gives(tool: Tool, input: unknown, value: unknown): void;
}

export interface Pauses {
  readonly journal: Journal;
  /** What came of a call that has waited; undefined: it waits still. */
  decided(proposal: string): Promise<DecidedCall | undefined>;
  /** End the run for now. */
  stop(proposal: string): void;
}

type Payload = Readonly<Record<string, unknown>>;

/** For a program that ends where it asks. */
const NEVER = new Promise<never>(() => {});

/** Serves the requests of one running program. */
export class ProgramHost {
  readonly #world: ProgramWorld;
  readonly #agents = new Map<number, AgentChannel>();
  readonly #signal: AbortSignal;
  /** Agents so far, those of an earlier start of the run included. */
  #tasks = 0;
  readonly #work = new Set<Promise<unknown>>();
  #isStopping = false;

  constructor(world: ProgramWorld, signal: AbortSignal) {
    this.#world = world;
    this.#signal = signal;
  }

  /** Never rejects: a failure is an error of the program. */
  async serve(op: unknown, payload: unknown): Promise<HostReply> {
    const { pauses } = this.#world;
    // What was printed is printed again: the run is one, however often it starts.
    if (!pauses || op === 'print') return this.#answer(String(op), payload);
    if (this.#isStopping) return NEVER;
    const { journal } = pauses;
    const known = journal.take(String(op), payload);
    if (known && 'reply' in known) {
      if (op === 'agent') this.#tasks += 1;
      return known.reply;
    }
    const work = known ? this.#decided(known.proposal, payload) : this.#answer(String(op), payload);
    const reply = await this.#underWay(work);
    const proposal = known && !reply ? known.proposal : this.#waiting(reply);
    if (proposal === undefined) {
      if (reply) journal.answered(String(op), payload, reply);
      return reply ?? NEVER;
    }
    journal.waits(String(op), payload, proposal);
    await this.#stop();
    pauses.stop(proposal);
    return NEVER;
  }

  async #underWay<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work);
    try {
      return await work;
    } finally {
      this.#work.delete(work);
    }
  }

  /** Nothing new begins, and what was begun beside the call that waits ends and is noted: it must not be done again. */
  async #stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#work);
    await nextTurn();
  }

  async #answer(op: string, payload: unknown): Promise<HostReply> {
    try {
      return { ok: await this.#do(op, payload) };
    } catch (error) {
      return { error: described(error) };
    }
  }

  /** A tool of the program that an agent calls does not wait: the agent would be lost with the run. */
  #waiting(reply: HostReply | undefined): string | undefined {
    const isAlone = [...this.#agents.values()].every((agent) => agent.isOver);
    const proposal = reply && 'error' in reply && isAlone ? reply.error.proposal : undefined;
    return typeof proposal === 'string' ? proposal : undefined;
  }

  async #decided(proposal: string, payload: unknown): Promise<HostReply | undefined> {
    const decided = await this.#world.pauses?.decided(proposal);
    if (!decided) return undefined;
    if ('value' in decided) return { ok: decided.value };
    const name = isRecord(payload) ? String(payload.name) : 'a tool';
    return { error: described(new ToolExecutionError(name, decided.error)) };
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

  async #agent(payload: Payload): Promise<unknown> {
    this.#tasks += 1;
    const channel = new AgentChannel(this.#tasks, this.#world);
    this.#agents.set(channel.task, channel);
    const wanted = Array.isArray(payload.tools) ? payload.tools.filter(isRecord) : [];
    const tools = await Promise.all(
      wanted.map(async (about) =>
        about.kind === 'given' ? named(String(about.name), await this.#find(String(about.name))) : channel.tool(about),
      ),
    );
    const { maxTurns, prompt } = payload;
    const options = { ...this.#options(payload), prompt: String(prompt), tools, mode: this.#world.ai.mode };
    const run = agent(this.#world.ai, { ...options, ...(typeof maxTurns === 'number' ? { maxTurns } : {}) });
    return channel.follow(run.then(({ data }) => data));
  }

  /** One of the assistant's tools or of the owner's programs, by the name that programs use, or its own. */
  async #find(name: string): Promise<{ readonly tool: Tool; readonly toolbox: Toolbox }> {
    const builtin = Object.values(builtins).find(
      (each) => typeof each === 'object' && isBuiltin(each) && each.name === name,
    );
    const gated = builtin && typeof builtin === 'object' ? builtin.gated : name;
    const { toolbox } = this.#world;
    const own = toolbox.find(gated);
    if (own) return { tool: own, toolbox };
    const all = await this.#world.withPrograms();
    const tool = all.find(gated);
    if (tool) return { tool, toolbox: all };
    throw new ToolExecutionError(name, 'there is no such tool here');
  }

  async #guard({ value, name, constraint, end }: Payload): Promise<void> {
    const rule = { name: String(name), constraint, ...(end === null ? {} : { rangeEnd: end }) };
    await evaluateGuards(value, [rule], judgeOf(this.#world.ai));
  }

  /** A tool call by the program itself. */
  async #tool(name: string, args: readonly unknown[]): Promise<unknown> {
    const { tool, toolbox } = await this.#find(name);
    const [only] = args;
    const isFields = args.length === 1 && isRecord(only);
    const input = isFields
      ? only
      : Object.fromEntries(args.map((value, index) => [tool.positional[index] ?? `argument ${index + 1}`, value]));
    const { watch } = this.#world;
    watch?.calls(tool, input);
    const result = await toolbox.call(tool.name, input, await this.#world.scope());
    this.#signal.throwIfAborted();
    if (!result.ok) throw failedCall(name, result);
    watch?.gives(tool, input, result.value);
    return result.value;
  }
}

/** A tool for an agent, under the name that the program uses. */
function named(name: string, { tool }: { readonly tool: Tool }): BuiltinTool {
  return { name, gated: tool.name };
}

/** A call that waits for the owner says under which id. */
function failedCall(name: string, { error, told }: ToolResult & { readonly ok: false }): Error {
  const { proposal } = told.values;
  const failed = new ToolExecutionError(name, error);
  return proposal === undefined ? failed : Object.assign(failed, { proposal });
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
