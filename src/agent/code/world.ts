import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Redactor } from '../../base/redact.ts';
import type { BridgeReply, HostFunction, ScriptOptions } from '../../sandbox/contract.ts';
import { Pauses } from '../../sandbox/pauses.ts';
import type { ScriptRegistry } from '../../sandbox/registry.ts';
import { fromPositional } from '../../tools/gate/input.ts';
import type { CallScope, Toolbox } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import { compactDescription } from './declare.ts';
import { askModel, askModelForJson, type PickModel } from './llm.ts';
import { isFree, nameTools, spelling, suggest } from './names.ts';
import type { ScriptOutput } from './script-output.ts';

export interface WorldDeps {
  readonly toolbox: Toolbox;
  readonly scope: CallScope;
  readonly pick: PickModel;
  readonly registry: ScriptRegistry;
  /** Absent where a script cannot speak to the person: `interpreter.run-code`. */
  readonly ending?: ScriptOutput;
  readonly redactor?: Redactor;
  /** Sees every call with its result, for traces. */
  onCall?(call: WorldCall): void;
  onLog?(line: string): void;
}

export interface WorldCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly reply: BridgeReply;
}

type WorldOptions = Pick<ScriptOptions, 'functions' | 'bridge' | 'pauses' | 'signal'> &
  Required<Pick<ScriptOptions, 'modules' | 'now' | 'seed'>>;

type Act = (args: readonly unknown[], signal: AbortSignal) => unknown;

interface Built {
  readonly act: Act;
  readonly kind: HostFunction['kind'];
  readonly network?: boolean;
}

const MAX_SLEEP_MS = 600_000;

/** All that a script can reach, and the one way from there to the toolbox. */
export class World {
  readonly #deps: WorldDeps;
  readonly #built: ReadonlyMap<string, Built>;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #functions: readonly HostFunction[];
  readonly pauses = new Pauses();

  constructor(deps: WorldDeps) {
    this.#deps = deps;
    this.#built = this.#build();
    const named = nameTools(deps.toolbox.list(), new Set(this.#built.keys()));
    this.#tools = new Map(
      named.flatMap(({ tool, plain }) => [[tool.name, tool] as const, ...(plain ? [[plain, tool] as const] : [])]),
    );
    this.#functions = [
      ...[...this.#built].map(([name, { kind, network }]) => ({ name, kind, ...(network ? { network } : {}) })),
      ...[...this.#tools].map(([name, { network }]) => toolFunction(name, network)),
    ];
  }

  /** The names that work in a script, for suggestions. */
  names(): string[] {
    return this.#functions.map(({ name }) => name);
  }

  /** What the sandbox needs for one script; `signal` ends the calls that the script leaves behind. */
  options(signal: AbortSignal): WorldOptions {
    return {
      functions: this.#functions,
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

  async #call(name: string, args: readonly unknown[], signal: AbortSignal): Promise<BridgeReply> {
    const reply = await this.#act(name, args, signal);
    this.#deps.onCall?.({ name, args, reply });
    return reply;
  }

  async #act(name: string, args: readonly unknown[], signal: AbortSignal): Promise<BridgeReply> {
    const built = this.#built.get(name);
    if (!built) return this.#callTool(name, args, signal);
    try {
      const value = await built.act(args, signal);
      return { ok: true, value: value ?? null };
    } catch (error) {
      return { ok: false, error: this.#redact(messageOf(error)) };
    }
  }

  async #callTool(name: string, args: readonly unknown[], signal: AbortSignal): Promise<BridgeReply> {
    const tool = this.#tools.get(name) ?? this.#deps.toolbox.find(name);
    const input = tool ? fromPositional(tool, withoutIndex(args)) : args[0];
    const result = await this.#deps.toolbox.call(tool?.name ?? name, input, this.#scope(signal));
    return result.ok ? { ok: true, value: result.value } : { ok: false, error: result.error };
  }

  /** The turn's scope, with the script's signal, and with the clock stopped while a person decides. */
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
        approve: async (request) => {
          const resume = this.pauses.begin();
          try {
            return await context.approve(request);
          } finally {
            resume();
          }
        },
      },
    };
  }

  #build(): Map<string, Built> {
    const { registry, pick } = this.#deps;
    const value = (act: Act): Built => ({ kind: 'value', act });
    const built = new Map<string, Built>([
      ['discoverTools', value(() => this.#discover())],
      ['toolSchema', value(([id]) => this.#schema(String(id)))],
      ['parallel', { kind: 'batch', act: () => undefined }],
      ['sleep', value(([ms], signal) => sleep(ms, signal))],
      ['parseUrl', value(([url]) => parseUrl(String(url)))],
      ['llm', { ...value(([prompt], signal) => askModel(pick, prompt, signal)), network: true }],
      ['llmJson', { ...value((args, signal) => askModelForJson(pick, args, signal)), network: true }],
      ...this.#endings(),
      ...this.#artifacts(),
    ]);
    for (const [name, run] of registry.functions()) {
      if (isFree(name) && !built.has(name))
        built.set(
          name,
          value((args) => run(...args)),
        );
    }
    return built;
  }

  #endings(): [string, Built][] {
    const { ending } = this.#deps;
    if (!ending) return [];
    const fire = (act: Act): Built => ({ kind: 'fire', act });
    const value = (act: Act): Built => ({ kind: 'value', act });
    const refuse = (name: string, ended: boolean) => {
      if (!ended) this.#deps.onLog?.(`${name} was refused: the turn was already ended`);
    };
    return [
      ['output', fire(([text]) => ending.output(this.#redactText(text)))],
      ['finalAnswer', fire(([text]) => refuse('finalAnswer', ending.finalAnswer(this.#redactText(text))))],
      ['complete', value(([options]) => refuse('complete', ending.complete(options)))],
      ['done', fire(() => refuse('done', ending.done()))],
    ];
  }

  /** The tools `artifact.*` under the names that scripts know them by. */
  #artifacts(): [string, Built][] {
    const { toolbox } = this.#deps;
    const call = async (id: string, input: unknown, signal: AbortSignal) => {
      const result = await toolbox.call(id, input, this.#scope(signal));
      if (!result.ok) throw new Error(result.error);
      return result.value;
    };
    if (!toolbox.find('artifact.store')) return [];
    const store: Act = async ([data, description], signal) => {
      const kept = await call('artifact.store', { data, ...(description ? { description } : {}) }, signal);
      return (kept as { id: string }).id;
    };
    return [
      ['storeArtifact', { kind: 'value', act: store }],
      ['getArtifact', { kind: 'value', act: ([id], signal) => call('artifact.get', { id }, signal) }],
      ['listArtifacts', { kind: 'value', act: (_args, signal) => call('artifact.list', {}, signal) }],
    ];
  }

  #discover(): unknown {
    return nameTools(this.#deps.toolbox.list(), new Set(this.#built.keys())).map((named) => ({
      id: named.tool.name,
      name: spelling(named),
      description: compactDescription(named.tool.description, 300),
    }));
  }

  /** @throws Error for an unknown tool, with the nearest name. */
  #schema(id: string): unknown {
    const tool = this.#tools.get(id) ?? this.#deps.toolbox.find(id);
    if (tool) return z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
    const guess = suggest(id, this.#tools.keys());
    throw new Error(`Tool "${id}" not found.${guess ? ` Did you mean "${guess}"?` : ''}`);
  }

  #redact(text: string): string {
    return this.#deps.redactor?.redact(text) ?? text;
  }

  #redactText(value: unknown): unknown {
    return typeof value === 'string' ? this.#redact(value) : value;
  }
}

/** `list.map(tool)` where the call could not be rewritten: the index and the list are not meant for the tool. */
function withoutIndex(args: readonly unknown[]): readonly unknown[] {
  const [first, index, list] = args;
  const mapped = args.length === 3 && typeof index === 'number' && Array.isArray(list);
  return mapped && canonicalJson(list[index]) === canonicalJson(first) ? [first] : args;
}

function toolFunction(name: string, network: boolean): HostFunction {
  return { name, kind: 'value', tool: true, global: isFree(name), ...(network ? { network } : {}) };
}

async function sleep(ms: unknown, signal: AbortSignal): Promise<void> {
  if (typeof ms !== 'number' || !Number.isFinite(ms)) throw new TypeError('sleep(ms): ms must be a number');
  await delay(Math.min(Math.max(0, ms), MAX_SLEEP_MS), undefined, { signal });
}

/** The parts of an address; scripts have no `URL`. */
function parseUrl(text: string): unknown {
  const url = new URL(text);
  const { href, protocol, hostname, port, pathname, search, hash, origin } = url;
  const query = Object.fromEntries(url.searchParams);
  return { href, protocol, hostname, port, pathname, search, hash, origin, query };
}
