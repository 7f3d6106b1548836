import { setTimeout as delay } from 'node:timers/promises';
import { exactSum } from '../../quantities/exact-sum.ts';
import type { HostFunction } from '../../sandbox/contract.ts';
import type { ScriptExtensions } from '../../sandbox/script-extensions.ts';
import { findTools } from '../../tools/find-tools.ts';
import { toSchema } from '../../tools/signature.ts';
import type { Tool } from '../../tools/tool.ts';
import { dateAfter, daysApart } from '../../when/days.ts';
import { describedFields, inNamesOf, signatureOf, wordsOf } from './declare.ts';
import { askModel, askModelForJson, type PickModel } from './llm.ts';
import { isFree, type NamedTool, spelling, suggest } from './names.ts';
import type { ScriptOutput } from './script-output.ts';

/** The implementation of a function; `signal` aborts it when the script ends. */
type Act = (args: readonly unknown[], signal: AbortSignal) => unknown;

/** A function of the script's world that is not a tool. */
export interface BuiltIn {
  readonly act: Act;
  readonly kind: HostFunction['kind'];
  readonly network?: boolean;
}

export interface BuiltInDeps {
  readonly pick: PickModel;
  readonly registry: ScriptExtensions;
  /** Without it a script has no `output`, `finalAnswer`, `complete` and `done`. */
  readonly output: ScriptOutput | undefined;
  /** The turn's tools as scripts reach them; asked when a script calls, not before. */
  readonly tools: () => readonly NamedTool[];
  /** Find a tool by id or by any of its names. */
  readonly find: (name: string) => Tool | undefined;
  /** Whether the tools `artifact.*` are there. */
  readonly hasArtifacts: boolean;
  /** Call a tool through the gate. @throws Error when it fails. */
  readonly callTool: (id: string, input: unknown, signal: AbortSignal) => Promise<unknown>;
  readonly redact: (text: string) => string;
  readonly log: (line: string) => void;
}

const MAX_SLEEP_MS = 600_000;

/** The functions of the script's world by name: our own first, then those of plugins whose names are free. */
export function builtInFunctions(deps: BuiltInDeps): Map<string, BuiltIn> {
  const { pick, registry } = deps;
  const built = new Map<string, BuiltIn>([
    ['discoverTools', value(([query]) => discover(deps.tools(), query))],
    ['toolSchema', value(([id]) => schemaOf(deps, String(id)))],
    ['parallel', { kind: 'batch', act: () => undefined }],
    ['sleep', value(([ms], signal) => sleep(ms, signal))],
    ['parseUrl', value(([url]) => parseUrl(String(url)))],
    ['daysBetween', value(([from, to]) => daysApart(String(from), String(to)))],
    ['addDays', value(([date, days]) => dateAfter(String(date), Number(days)))],
    ['sum', value((args) => exactSum(args.length === 1 ? [args[0]].flat() : args))],
    ['llm', { ...value(([prompt], signal) => askModel(pick, prompt, signal)), network: true }],
    ['llmJson', { ...value((args, signal) => askModelForJson(pick, args, signal)), network: true }],
    ...outputs(deps),
    ...artifacts(deps),
  ]);
  for (const [name, run] of registry.functions()) {
    if (!isFree(name) || built.has(name)) continue;
    built.set(
      name,
      value((args) => run(...args)),
    );
  }
  return built;
}

/** A function whose result the script waits for. */
function value(act: Act): BuiltIn {
  return { kind: 'value', act };
}

/** What a script says to the person. */
function outputs({ output, redact, log }: BuiltInDeps): [string, BuiltIn][] {
  if (!output) return [];
  const fire = (act: Act): BuiltIn => ({ kind: 'fire', act });
  const clean = (text: unknown) => (typeof text === 'string' ? redact(text) : text);
  const warn = (name: string, ended: boolean) => {
    if (!ended) log(`${name} was refused: the turn has already ended`);
  };
  return [
    ['output', fire(([text]) => output.output(clean(text)))],
    ['finalAnswer', fire(([text]) => warn('finalAnswer', output.finalAnswer(clean(text))))],
    ['complete', value(([options]) => warn('complete', output.complete(options)))],
    ['done', fire(() => warn('done', output.done()))],
  ];
}

/** The tools `artifact.*` under the names that scripts know them by. */
function artifacts({ hasArtifacts, callTool }: BuiltInDeps): [string, BuiltIn][] {
  if (!hasArtifacts) return [];
  const store: Act = async ([data, description], signal) => {
    const kept = await callTool('artifact.store', { data, ...(description ? { description } : {}) }, signal);
    return (kept as { id: string }).id;
  };
  return [
    ['storeArtifact', value(store)],
    ['getArtifact', value(([id], signal) => callTool('artifact.get', { id }, signal))],
    ['listArtifacts', value((_args, signal) => callTool('artifact.list', {}, signal))],
  ];
}

/** How to call every tool, or those whose names, descriptions or fields match some words. */
function discover(tools: readonly NamedTool[], query: unknown): unknown {
  const isSearch = typeof query === 'string' && query.trim() !== '';
  const meant = isSearch ? findTools(tools.map(searched), query) : tools.map(searched);
  return meant.map(({ named }) => ({
    id: named.tool.name,
    name: spelling(named),
    signature: signatureOf(named),
    description: wordsOf(named, tools),
  }));
}

function searched(named: NamedTool) {
  const { name, description } = named.tool;
  return { named, name, description: [description, ...describedFields(named).flat()].join('\n') };
}

/** @throws Error for an unknown tool, with the nearest name. */
function schemaOf({ find, tools }: BuiltInDeps, id: string): unknown {
  const tool = find(id);
  if (tool) return { description: inNamesOf(tools(), tool.description), ...toSchema(tool.input, 'input') };
  const known = tools().flatMap(({ tool: { name }, plain }) => (plain === undefined ? [name] : [name, plain]));
  const guess = suggest(id, known);
  throw new Error(`Tool "${id}" not found.${guess ? ` Did you mean "${guess}"?` : ''}`);
}

async function sleep(ms: unknown, signal: AbortSignal): Promise<void> {
  if (typeof ms !== 'number' || !Number.isFinite(ms)) throw new TypeError('sleep(ms): ms must be a number');
  await delay(Math.min(Math.max(0, ms), MAX_SLEEP_MS), undefined, { signal });
}

/** The parts of a URL; scripts have no `URL`. */
function parseUrl(text: string): unknown {
  const url = new URL(text);
  const { href, protocol, hostname, port, pathname, search, hash, origin } = url;
  const query = Object.fromEntries(url.searchParams);
  return { href, protocol, hostname, port, pathname, search, hash, origin, query };
}
