import { messageOf, type Told } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { isDeeperThan, MAX_JSON_DEPTH } from '../../base/json.ts';
import { nearest, preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { CallForm } from '../signature.ts';
import type { Tool } from '../tool.ts';
import { CallRunner, endWithoutHome, notRun, refuse, toldOf } from './call-runner.ts';
import { readInput } from './input.ts';
import { isHomeless } from './tool-call.ts';
import { meantTool, toolsLike } from './tool-names.ts';
import { filesOf } from './touched-files.ts';

import type { CallScope, NumberedScope, ToolboxDeps, ToolResult } from './types.ts';

/**
 * The one gate to the world: validate, ask for approval, run, cap, redact, record. Every mode, script and plugin calls
 * tools through it, so no rule can be bypassed.
 */
export class Toolbox {
  readonly #deps: ToolboxDeps;
  readonly #runner: CallRunner;
  readonly #fixed = new Map<string, Tool>();
  /** All tools by name, as of the last look at those that come and go. */
  #all: { readonly more: readonly Tool[]; readonly byName: ReadonlyMap<string, Tool> } | undefined;

  /** @throws TypeError when two tools have names that a model could not tell apart. */
  constructor(deps: ToolboxDeps) {
    this.#deps = deps;
    this.#runner = new CallRunner(deps);
    const modelNames = new Set<string>();
    for (const tool of deps.tools) {
      const modelName = modelToolName(tool.name);
      if (modelNames.has(modelName)) throw new TypeError(`two tools are called "${modelName}"`);
      modelNames.add(modelName);
      this.#fixed.set(tool.name, tool);
    }
  }

  /** All tools in order of registration, those that come and go last. */
  list(): readonly Tool[] {
    return [...this.#byName().values()];
  }

  #byName(): ReadonlyMap<string, Tool> {
    const more = this.#deps.more?.() ?? NO_TOOLS;
    if (this.#all?.more !== more) this.#all = { more, byName: withFree(this.#fixed, more) };
    return this.#all.byName;
  }

  /** The tools that models are told of in this turn; the others can be called too. */
  async offered(turn: Turn): Promise<readonly Tool[]> {
    const tools = this.list();
    // Many tools share one, which may look into a file or the database.
    const offers = new Set(tools.flatMap(({ presentation }) => presentation.offer ?? []));
    const answers = await Promise.all([...offers].map(async (offer) => [offer, await offer(turn)] as const));
    const isOffered = new Map(answers);
    return tools.filter(({ presentation: { offer } }) => !offer || isOffered.get(offer));
  }

  /**
   * The offered tools that there is anything for in this turn, and what there is nothing of yet.
   *
   * @param full as if there were something of everything.
   */
  async declared(
    turn: Turn,
    { full = false } = {},
  ): Promise<{ readonly tools: readonly Tool[]; readonly none: readonly string[] }> {
    const offered = (await this.offered(turn)).filter(({ presentation }) => !presentation.untold);
    const needs = new Map(
      offered.flatMap(({ presentation: { needs: own } }) => (own ? [[own.what, own] as const] : [])),
    );
    const none = new Set<string>();
    if (!full) for (const [what, { any }] of needs) if (!(await any(turn))) none.add(what);
    const tools = offered.filter(({ presentation: { needs: own } }) => !(own && none.has(own.what)));
    return { tools, none: [...none] };
  }

  /** By id, by the id with dots as `_`, or by function name. */
  find(name: string): Tool | undefined {
    const tool = this.#byName().get(name);
    return tool ?? this.list().find((each) => modelToolName(each.name) === name || each.functionName === name);
  }

  /** The tool that a model means by a name: its own, or one that is near to it or a usual synonym. */
  meant(name: string): Tool | undefined {
    return this.find(name) ?? meantTool(name, this.list());
  }

  /** The same gate with more tools, for one turn. */
  with(tools: readonly Tool[]): Toolbox {
    return tools.length === 0 ? this : new Toolbox({ ...this.#deps, tools: [...this.#deps.tools, ...tools] });
  }

  /** The same gate with each tool changed. */
  map(change: (tool: Tool) => Tool): Toolbox {
    return this.#changed((tools) => tools.map(change));
  }

  /** The same gate with fewer tools. */
  only(keep: (tool: Tool) => boolean): Toolbox {
    return this.#changed((tools) => tools.filter(keep));
  }

  #changed(change: (tools: readonly Tool[]) => readonly Tool[]): Toolbox {
    const { tools, more } = this.#deps;
    if (!more) return new Toolbox({ ...this.#deps, tools: change(tools) });
    let last: { readonly from: readonly Tool[]; readonly to: readonly Tool[] } | undefined;
    const changedMore = () => {
      const from = more();
      if (last?.from !== from) last = { from, to: change(from) };
      return last.to;
    };
    return new Toolbox({ ...this.#deps, tools: change(tools), more: changedMore });
  }

  /** Validate, ask for approval, run, report. Never rejects: the model reads failures and tries again. */
  async call(name: string, raw: unknown, asked: CallScope): Promise<ToolResult> {
    const started = performance.now();
    const meant = this.meant(name);
    const tool = meant?.name ?? name;
    const callId = newId('call', asked.context.now());
    const scope = { ...asked, callId };
    scope.context.doing?.(tool);
    const isDeep = isDeeperThan(raw);
    // Nothing behind this line has to fear for its stack.
    const input = isDeep ? '(nested too deeply)' : raw;
    const shown = this.#deps.redactor.redactValue(input);
    this.#deps.observer?.observeCall({ tool, input: shown });
    const files = await filesOf(meant, input, scope);
    scope.context.show({ type: 'call', callId, name: tool, input: shown, ...files.locations });
    const before = await files.read();
    const result = isDeep
      ? refuse('invalid_input', `${name}: the input is nested deeper than ${MAX_JSON_DEPTH} levels; make it flatter.`)
      : await this.#guarded(name, input, scope).catch((error: unknown) => this.#unforeseen(name, error, scope));
    const seen = {
      input: shown,
      ok: result.ok,
      ms: Math.round(performance.now() - started),
      preview: preview(result.ok ? result.text : result.error),
    };
    this.#deps.observer?.observeResult({ tool, ...seen });
    const cached = result.ok && result.cached ? { cached: true } : {};
    const changes = result.ok ? await files.changesSince(before) : {};
    scope.context.show({ type: 'tool', callId, name: tool, ...seen, ...cached, ...changes });
    return result;
  }

  /** End a turn that repeats the same call without learning anything new. */
  async #guarded(name: string, input: unknown, scope: NumberedScope): Promise<ToolResult> {
    const call = { tool: this.meant(name)?.name ?? name, input, script: scope.script };
    const ruling = scope.repetition.judge(call);
    if (ruling !== 'run') return this.#repeated(call.tool, ruling, scope);
    const result = await this.#attempt(name, input, scope);
    if (!(result.ok && result.cached)) scope.repetition.note(call, result.ok, result.ok ? result.text : result.error);
    return result;
  }

  #repeated(name: string, ruling: 'refuse' | 'halt', scope: NumberedScope): ToolResult {
    const what = `${name} was called three times with the same input and gave the same result`;
    if (ruling === 'refuse') {
      return refuse('repeated', `${what}; it was not run again. Keep its result in a variable, or do something else.`);
    }
    scope.halt?.(`${what}; the turn was stopped.`);
    return refuse('repeated', `${what}; the turn was stopped.`);
  }

  async #attempt(name: string, raw: unknown, scope: NumberedScope): Promise<ToolResult> {
    const tool = this.meant(name);
    const form = scope.script ? 'function' : 'tool';
    if (!tool) return refuse('unknown_tool', this.explainUnknown(name, form));
    const read = readInput(tool, this.#deps.redactor.hideKnownIn(raw), form);
    if (!read.ok) return refuse('invalid_input', read.error);
    if (scope.context.signal.aborted) return notRun(tool);
    return this.#runner.run({ tool, input: read.data, scope });
  }

  /** What to tell a model that asked for a tool that does not exist. It names only what can be called in this form. */
  explainUnknown(name: string, form: CallForm = 'tool'): string {
    const spell = (tool: Tool) => (form === 'function' ? tool.functionName : modelToolName(tool.name));
    const near = nearest(name, this.list().map(spell));
    const guesses = near === undefined ? toolsLike(name, this.list()).map(spell) : [near];
    const question = guesses.map((guess) => `"${guess}"`).join(' or ');
    return `Tool "${name}" not found.${question && ` Did you mean ${question}?`}`;
  }

  #unforeseen(name: string, error: unknown, scope: NumberedScope): ToolResult {
    if (isHomeless(error)) return endWithoutHome(name, error, scope);
    this.#deps.log.error('tool call failed unforeseen', { tool: name, error: messageOf(error) });
    const { redactor } = this.#deps;
    const told = redactor.redactValue(toldOf(error)) as Told;
    return refuse('failed', redactor.redact(`${name} failed: ${messageOf(error)}`), told);
  }
}

const NO_TOOLS: readonly Tool[] = [];

/** The fixed tools, and of the others those whose names a model can tell apart from all before them. */
function withFree(fixed: ReadonlyMap<string, Tool>, more: readonly Tool[]): ReadonlyMap<string, Tool> {
  const all = new Map(fixed);
  const taken = new Set([...fixed.keys()].map(modelToolName));
  for (const tool of more) {
    const modelName = modelToolName(tool.name);
    if (!taken.has(modelName)) all.set(tool.name, tool);
    taken.add(modelName);
  }
  return all;
}

/** Model APIs refuse dots in tool names. */
export function modelToolName(name: string): string {
  return name.replaceAll('.', '_');
}
