import { randomInt } from 'node:crypto';
import { messageOf } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Redactor } from '../../base/redact.ts';
import { nearest } from '../../base/text.ts';
import { ApprovalPauses } from '../../sandbox/approval-pauses.ts';
import type { BridgeReply, HostFunction, ScriptFailure, ScriptOptions, ScriptResult } from '../../sandbox/contract.ts';
import type { ScriptExtensions } from '../../sandbox/script-extensions.ts';
import { fromPositional } from '../../tools/gate/input.ts';
import { toolsLike } from '../../tools/gate/tool-names.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import type { CallScope, ToolResult } from '../../tools/gate/types.ts';
import type { Tool } from '../../tools/tool.ts';
import { type BuiltIn, builtInFunctions } from './built-in-functions.ts';
import { inNamesOf, signatureOf } from './declare.ts';
import type { PickModel } from './llm.ts';
import { isFree, type NamedTool, nameTools, spelling } from './names.ts';
import type { ScriptOutput } from './script-output.ts';

export interface WorldDeps {
  readonly toolbox: Toolbox;
  readonly scope: CallScope;
  /** Where the script's own model calls come from. */
  readonly pick: PickModel;
  readonly registry: ScriptExtensions;
  /** Absent where a script cannot speak to the person: `interpreter.run-code`. */
  readonly output?: ScriptOutput;
  readonly redactor?: Redactor;
  /** Sees every call with its result, for traces. */
  onCall?(call: WorldCall): void;
  onLog?(line: string): void;
}

/** Why a script does no better when it is written again: a call was refused for good, or only the person can tell. */
export type DeadEnd = 'refused' | 'unclear';

/** One call that a script made, and what it got. */
export interface WorldCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly reply: BridgeReply;
  /** It has an effect: it was made to act, not to read. */
  readonly acts?: boolean;
}

type WorldOptions = Pick<ScriptOptions, 'functions' | 'bridge' | 'pauses' | 'signal'> &
  Required<Pick<ScriptOptions, 'modules' | 'now' | 'seed'>>;

/** Calls of plain functions and of `tools.NAME` or `tools["NAME"]`. */
const CALLED =
  /(?<![\w$.])(?:tools\s*\??\.\s*)?([A-Za-z_$][\w$]*)\s*\(|(?<![\w$.])tools\[\s*["'`]([\w.-]+)["'`]\s*\]/gu;

/** Everything that a script can reach: tools, through the same gate as in classic mode, and the built-in functions. */
export class World {
  readonly #deps: WorldDeps;
  readonly #builtIns: ReadonlyMap<string, BuiltIn>;
  readonly #named: readonly NamedTool[];
  /** By id, and by plain name where the tool has one. */
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #functions: readonly HostFunction[];
  /** By the ids of the calls that were told what no other attempt can change. */
  readonly #deadEnds = new Map<string, DeadEnd>();
  /** Stops the script's clock while a person decides about an approval. */
  readonly pauses = new ApprovalPauses();

  constructor(deps: WorldDeps) {
    this.#deps = deps;
    this.#builtIns = builtInFunctions({
      pick: deps.pick,
      registry: deps.registry,
      output: deps.output,
      tools: () => this.#named,
      find: (name) => this.#find(name),
      hasArtifacts: deps.toolbox.find('artifact.store') !== undefined,
      callTool: (id, input, signal) => this.#callById(id, input, signal),
      redact: (text) => this.#redact(text),
      log: (line) => deps.onLog?.(line),
    });
    this.#named = nameTools(deps.toolbox.list(), new Set(this.#builtIns.keys()));
    this.#tools = new Map(
      this.#named.flatMap(({ tool, plain }) => [
        [tool.name, tool] as const,
        ...(plain ? [[plain, tool] as const] : []),
      ]),
    );
    this.#functions = [
      ...[...this.#builtIns].map(([name, { kind, network }]) => ({ name, kind, ...(network ? { network } : {}) })),
      ...[...this.#tools].map(([name, { policy }]) => toolFunction(name, policy.network)),
    ];
  }

  /** The names that work in a script, for suggestions. */
  names(): string[] {
    return this.#functions.map(({ name }) => name);
  }

  /** Whether a script can call a function of this name, or means a tool by it. */
  knows(name: string): boolean {
    return this.#builtIns.has(name) || this.#find(name) !== undefined;
  }

  /** The name under which a script calls this tool. */
  spell(tool: Tool): string {
    return spelling(this.#named.find((each) => each.tool.name === tool.name) ?? { tool, plain: undefined });
  }

  /** What a wrong name may mean, as a script writes it: a near name, else declarations of tools for the same thing. */
  like(name: string): readonly string[] {
    const meant = this.#deps.toolbox.meant(name);
    const near = meant ? undefined : nearest(name, this.names());
    if (near !== undefined) return [near];
    const tools = meant ? [meant] : toolsLike(name, this.#deps.toolbox.list());
    return this.#named.filter(({ tool }) => tools.includes(tool)).map(signatureOf);
  }

  /** What the sandbox needs to run one script; `signal` ends the calls that are still under way when it is over. */
  options(signal: AbortSignal, source: string): WorldOptions {
    return {
      functions: [...this.#functions, ...this.#meantIn(source)],
      modules: this.#deps.registry.modules(),
      pauses: this.pauses,
      signal,
      now: this.#deps.scope.context.now(),
      seed: randomInt(1, 2 ** 31),
      bridge: {
        call: (name, args) => this.#call(name, args, signal),
        log: (line) => this.#deps.onLog?.(this.#redact(line)),
      },
    };
  }

  /** What a script made, without secrets: it may have put together what no single result held. */
  clean(result: ScriptResult): ScriptResult {
    const { redactor } = this.#deps;
    return redactor ? (redactor.redactValue(result) as ScriptResult) : result;
  }

  async #call(name: string, args: readonly unknown[], signal: AbortSignal): Promise<BridgeReply> {
    const builtIn = this.#builtIns.get(name);
    const reply = builtIn ? await this.#callBuiltIn(builtIn, args, signal) : await this.#callTool(name, args, signal);
    const effect = builtIn ? 'none' : this.#find(name)?.policy.effect;
    this.#deps.onCall?.({ name, args, reply, acts: effect !== 'none' });
    return reply;
  }

  /** Functions that a script calls by other names, where one tool is meant: `queryRag`, `set_reminder`. */
  #meantIn(source: string): HostFunction[] {
    const names = [...source.matchAll(CALLED)].map((match) => match[1] ?? match[2] ?? '');
    const strange = [...new Set(names)].filter((name) => !this.#builtIns.has(name) && !this.#tools.has(name));
    return strange.flatMap((name) => {
      const tool = isFree(name) || name.includes('-') || name.includes('.') ? this.#find(name) : undefined;
      return tool ? [toolFunction(name, tool.policy.network)] : [];
    });
  }

  async #callBuiltIn({ act }: BuiltIn, args: readonly unknown[], signal: AbortSignal): Promise<BridgeReply> {
    try {
      const value = await act(args, signal);
      return { ok: true, value: value ?? null };
    } catch (error) {
      if (error instanceof CallFailed) return error.reply;
      return { ok: false, error: this.#redact(messageOf(error)) };
    }
  }

  async #callTool(name: string, args: readonly unknown[], signal: AbortSignal): Promise<BridgeReply> {
    const tool = this.#find(name);
    const input = tool ? fromPositional(tool, withoutIndex(args)) : args[0];
    const result = await this.#deps.toolbox.call(tool?.name ?? name, input, this.#scope(signal));
    if (!result.ok) return this.#failed(result);
    const beside = result.beside === undefined ? {} : { beside: inNamesOf(this.#named, result.beside) };
    return { ok: true, value: result.value, told: result.told, ...beside };
  }

  /** A failed call as the script sees it, with tools under the names that it can call. */
  #failed({ error, told, final, unclear }: ToolResult & { readonly ok: false }): FailedReply {
    const reply = { ok: false, error: inNamesOf(this.#named, error), told } as const;
    const kind = final ? 'refused' : unclear && 'unclear';
    if (!kind) return reply;
    const id = `call_${this.#deadEnds.size + 1}`;
    this.#deadEnds.set(id, kind);
    return { ...reply, id };
  }

  /** What a script ended with that writing it again does not change. */
  deadEnd(failed: ScriptFailure | undefined): DeadEnd | undefined {
    return this.#deadEnds.get(failed?.id ?? '');
  }

  async #callById(id: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    const result = await this.#deps.toolbox.call(id, input, this.#scope(signal));
    if (result.ok) return result.value;
    throw new CallFailed(this.#failed(result));
  }

  /** The toolbox also knows tools by the names that models tend to make up. */
  #find(name: string): Tool | undefined {
    return this.#tools.get(name) ?? this.#deps.toolbox.meant(name);
  }

  /** The turn's scope for one script: with its signal, and with its clock stopped while a person decides. */
  #scope(signal: AbortSignal): CallScope {
    const { scope } = this.#deps;
    const { context } = scope;
    return {
      ...scope,
      script: signal,
      context: {
        ...context,
        signal,
        now: () => context.now(),
        show: (event) => context.show(event),
        approve: (request) => this.#paused(() => context.approve(request)),
        ...(context.ask && {
          ask: (question: string) => this.#paused(async () => context.ask?.(question)),
        }),
      },
    };
  }

  /** The script's clock stands still while a person answers. */
  async #paused<T>(answer: () => Promise<T>): Promise<T> {
    const resume = this.pauses.begin();
    try {
      return await answer();
    } finally {
      resume();
    }
  }

  #redact(text: string): string {
    return this.#deps.redactor?.redact(text) ?? text;
  }
}

type FailedReply = BridgeReply & { readonly ok: false };

/** A tool that a built-in function calls has failed. */
class CallFailed extends Error {
  readonly reply: FailedReply;

  constructor(reply: FailedReply) {
    super(reply.error);
    this.reply = reply;
  }
}

/** `list.map(tool)` where the call could not be rewritten: index and list are not meant for the tool. */
function withoutIndex(args: readonly unknown[]): readonly unknown[] {
  const [first, index, list] = args;
  const mapped = args.length === 3 && typeof index === 'number' && Array.isArray(list);
  return mapped && canonicalJson(list[index]) === canonicalJson(first) ? [first] : args;
}

/** Only tools whose name is free become plain functions; the others are reached as `tools["id"]`. */
function toolFunction(name: string, network: boolean): HostFunction {
  return { name, kind: 'value', tool: true, global: isFree(name), ...(network ? { network } : {}) };
}
