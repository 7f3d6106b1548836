import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import { headAndTail, nearest, preview } from '../../base/text.ts';
import type { Turn, TurnContext } from '../../base/turn.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { ApprovalDesk, type Leave } from './approval-desk.ts';
import type { ApprovalRules } from './approvals.ts';
import { isDerived } from './destinations.ts';
import { readableIssues, withAliases } from './input.ts';
import type { Labels } from './labels.ts';
import type { CallDetails, EffectLedger } from './ledger.ts';
import type { Origins } from './origins.ts';
import { type PolicyQuestion, policy } from './policy.ts';
import { RepetitionGuard } from './repetition.ts';
import { type Call, checked, describeTarget, isOurs, source, toolContext, unlessAborted } from './tool-call.ts';

/** What one turn brings along to every call it makes. */
export interface CallScope {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly labels: Labels;
  readonly ledger: EffectLedger;
  /** What the person said in this conversation, oldest first. */
  readonly said: readonly string[];
  /** Addresses from search results; grows while the turn runs. Those in `said` count as well. */
  readonly destinations: Set<string>;
  /** Tool + destination pairs allowed for the rest of this turn. */
  readonly allowedThisTurn: Set<string>;
  /** The channel a scheduled job reports to. */
  readonly jobChannel?: string | undefined;
  /** The turn's own text is a stranger's (a job that was made while reading one): its addresses lead nowhere freely. */
  readonly bornUntrusted?: boolean | undefined;
  /** The script that calls, as an object of its own; calls of a tool-calling model have none. */
  readonly script?: object | undefined;
  /** Ends the turn, which gets nowhere. */
  readonly halt?: ((reason: string) => void) | undefined;
}

export type FailureReason = 'unknown_tool' | 'invalid_input' | 'denied' | 'timeout' | 'aborted' | 'failed' | 'repeated';

/** What a call came to. `text` is what a model reads; `value` what a script gets. */
export type ToolResult =
  | { readonly ok: true; readonly value: unknown; readonly text: string; readonly cached: boolean }
  | { readonly ok: false; readonly error: string; readonly reason: FailureReason };

export interface ToolboxDeps {
  readonly tools: readonly Tool[];
  readonly rules: ApprovalRules;
  /** Absent: whatever may have been written by others counts as untrusted when it is read back. */
  readonly origins?: Origins | undefined;
  /** Whether nothing of a project may leave this machine; no project unless given. */
  readonly isLocalOnly?: ((project: string) => boolean) | undefined;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Longest text of a result that a model sees at once, in characters. */
  readonly maxResultChars: number;
}

/** The one gate to the world: validate, ask, run, cap, redact, record. */
export class Toolbox {
  readonly #deps: ToolboxDeps;
  readonly #desk: ApprovalDesk;
  readonly #byName = new Map<string, Tool>();

  /** @throws TypeError when two tools have names that a model could not tell apart. */
  constructor(deps: ToolboxDeps) {
    this.#deps = deps;
    this.#desk = new ApprovalDesk(deps);
    const modelNames = new Set<string>();
    for (const tool of deps.tools) {
      const modelName = modelToolName(tool.name);
      if (modelNames.has(modelName)) throw new TypeError(`two tools are called "${modelName}"`);
      modelNames.add(modelName);
      this.#byName.set(tool.name, tool);
    }
  }

  /** All tools in order of registration. */
  list(): readonly Tool[] {
    return [...this.#byName.values()];
  }

  /** By id, by the id with dots as `_`, or by function name. */
  find(name: string): Tool | undefined {
    const tool = this.#byName.get(name);
    return tool ?? this.list().find((each) => modelToolName(each.name) === name || each.functionName === name);
  }

  /** The same gate with more tools, for one turn. */
  with(tools: readonly Tool[]): Toolbox {
    return tools.length === 0 ? this : new Toolbox({ ...this.#deps, tools: [...this.#deps.tools, ...tools] });
  }

  /** The same gate with each tool changed. */
  map(change: (tool: Tool) => Tool): Toolbox {
    return new Toolbox({ ...this.#deps, tools: this.#deps.tools.map(change) });
  }

  /** The same gate with some of the tools. */
  only(keep: (tool: Tool) => boolean): Toolbox {
    return new Toolbox({ ...this.#deps, tools: this.#deps.tools.filter(keep) });
  }

  /** Validate, ask, run, report. Never rejects: the model reads failures and tries again. */
  async call(name: string, input: unknown, scope: CallScope): Promise<ToolResult> {
    const started = performance.now();
    const result = await this.#guarded(name, input, scope).catch((error: unknown) => this.#unforeseen(name, error));
    scope.context.show({
      type: 'tool',
      name: this.find(name)?.name ?? name,
      input: this.#deps.redactor.redactValue(input),
      ok: result.ok,
      ms: Math.round(performance.now() - started),
      preview: preview(result.ok ? result.text : result.error),
      ...(result.ok && result.cached ? { cached: true } : {}),
    });
    return result;
  }

  /** A turn that makes the same call over and over, and learns nothing by it, is ended. */
  async #guarded(name: string, input: unknown, scope: CallScope): Promise<ToolResult> {
    const guard = guardOf(scope.turn);
    const call = { tool: this.find(name)?.name ?? name, input, script: scope.script };
    const verdict = guard.judge(call);
    if (verdict !== 'run') return this.#repeated(call.tool, verdict, scope);
    const result = await this.#attempt(name, input, scope);
    if (!(result.ok && result.cached)) guard.note(call, result.ok, result.ok ? result.text : result.error);
    return result;
  }

  #repeated(name: string, verdict: 'refuse' | 'halt', scope: CallScope): ToolResult {
    const what = `${name} was called three times with the same input and came to the same`;
    if (verdict === 'refuse') {
      return refuse(
        'repeated',
        `${what}; it was not run again. Keep what it gave in a variable, or do something else.`,
      );
    }
    scope.halt?.(`${what}; the turn was stopped.`);
    return refuse('repeated', `${what}; the turn was stopped.`);
  }

  async #attempt(name: string, raw: unknown, scope: CallScope): Promise<ToolResult> {
    const tool = this.find(name);
    if (!tool) return refuse('unknown_tool', this.explainUnknown(name));
    const parsed = tool.input.safeParse(this.#deps.redactor.hideKnownIn(withAliases(tool, raw)));
    if (!parsed.success) return refuse('invalid_input', `${tool.name}: ${readableIssues(parsed.error)}`);
    if (scope.context.signal.aborted) return refuse('aborted', `${tool.name} was not run: the turn was cancelled.`);
    return this.#perform({ tool, input: parsed.data, scope });
  }

  async #perform(call: Call): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const details = await this.#details(call);
    if (tool.effect !== 'none' && scope.ledger.isRecorded(tool, input)) return this.#runOnce(call, details);
    const leave = await this.#askLeave(call, details);
    if (!leave.granted) {
      scope.ledger.denied(tool, input, { ...details, approvedBy: leave.by });
      return refuse('denied', leave.reason);
    }
    return tool.effect === 'none'
      ? this.#run(call, undefined)
      : this.#runOnce(call, { ...details, approvedBy: leave.by });
  }

  /** What the policy and the ledger have to know of a call. */
  async #details({ tool, input, scope }: Call): Promise<CallDetails> {
    const context = toolContext(scope, scope.context.signal, this.#deps.log, undefined);
    return {
      destination: describeTarget(tool, input, scope),
      change: tool.effect === 'local' ? await tool.change(input, context) : undefined,
      shown: this.#deps.redactor.redactValue(input),
    };
  }

  /** Run an effectful call unless this turn has already made it. */
  async #runOnce(call: Call, details: CallDetails): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const begun = scope.ledger.begin(tool, input, details);
    if (begun.recorded?.state === 'done') return this.#present(begun.recorded.value, true);
    if (begun.recorded) {
      return refuse('failed', `${tool.name} was begun before and its outcome is unknown; it was not repeated.`);
    }
    const result = await this.#run(call, begun.key);
    if (result.ok) scope.ledger.done(begun.key, result.value);
    // A timed-out or aborted outbound call may have acted: its row stays an intent, so nothing repeats it blindly.
    else if (result.reason === 'failed' || tool.effect === 'local') scope.ledger.failed(begun.key, result.error);
    return result;
  }

  async #run(call: Call, key: string | undefined): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const timeout = AbortSignal.timeout(tool.timeoutMs);
    const signal = AbortSignal.any([scope.context.signal, timeout]);
    const context = toolContext(scope, signal, this.#deps.log, key);
    try {
      const value = checked(tool, await unlessAborted(tool.execute(input, context), signal));
      this.#label(call, context, value);
      return this.#present(value, false);
    } catch (error) {
      if (!isOurs(error)) this.#label(call, context, undefined);
      if (scope.context.signal.aborted) return refuse('aborted', `${tool.name} was stopped: the turn was cancelled.`);
      if (timeout.aborted) return refuse('timeout', `${tool.name} did not answer within ${tool.timeoutMs} ms.`);
      return refuse('failed', this.#deps.redactor.redact(`${tool.name} failed: ${messageOf(error)}`));
    }
  }

  /** Before a model sees a result: what its text is, and what the call leaves behind. */
  #label({ tool, input, scope }: Call, context: ToolContext, value: unknown): void {
    const { labels, destinations } = scope;
    const thing = tool.recalls(input, context);
    const kept = thing === undefined ? undefined : this.#deps.origins?.of(thing);
    const unknown = thing !== undefined && !this.#deps.origins;
    // A plugin may hand over a tool that never went through defineTool: only a clear label counts.
    const strange = tool.returns !== 'trusted' && !(value !== undefined && tool.own(value));
    const untrusted = strange || unknown || kept?.untrusted === true;
    labels.read({ untrusted, private: tool.reads !== 'public' }, source(tool, input));
    if (value === undefined) return;
    for (const address of tool.found(value)) destinations.add(address);
    const written = tool.keeps(input, context, value);
    if (written !== undefined) this.#deps.origins?.mark(written, labels.provenance());
  }

  #present(value: unknown, cached: boolean): ToolResult {
    const clean = this.#deps.redactor.redactValue(value ?? null);
    const text = typeof clean === 'string' ? clean : (JSON.stringify(clean) ?? '');
    return { ok: true, value: clean, text: headAndTail(text, this.#deps.maxResultChars), cached };
  }

  async #askLeave(call: Call, details: CallDetails): Promise<Leave> {
    const kept = this.#keptHere(call);
    if (kept !== undefined) return { granted: false, by: 'the project', reason: kept };
    const { verdict, reason } = policy(this.#question(call, details));
    if (verdict === 'allow') return { granted: true, by: undefined };
    const { tool, input, scope } = call;
    return this.#desk.ask({ tool, input, target: details.destination, reason }, scope);
  }

  /** Why a call may not leave the machine; no approval can change it. */
  #keptHere({ tool, input, scope }: Call): string | undefined {
    const { project } = scope.turn;
    if ((!tool.network && tool.effect !== 'outbound') || !this.#deps.isLocalOnly?.(project)) return undefined;
    const recipient = tool.recipient(input, toolContext(scope, scope.context.signal, this.#deps.log, undefined));
    if (recipient?.channel === 'terminal') return undefined;
    return `${tool.name} was not run: the project "${project}" is local only, nothing of it may leave this machine.`;
  }

  #question({ tool, input, scope }: Call, details: CallDetails): PolicyQuestion {
    const destination = tool.destination(input);
    const known = { destinations: scope.destinations, said: scope.bornUntrusted ? [] : scope.said };
    return {
      effect: tool.effect,
      change: details.change ?? 'overwrite',
      untrusted: scope.labels.untrusted,
      private: scope.labels.private,
      recipient: this.#recipient(tool, input, scope),
      destination: destination === undefined ? 'none' : isDerived(destination, known) ? 'derived' : 'free',
    };
  }

  #recipient(tool: Tool, input: unknown, scope: CallScope): PolicyQuestion['recipient'] {
    if (this.#deps.rules.allows(tool.name, describeTarget(tool, input, scope) ?? '')) return 'ruled';
    const recipient = tool.recipient(input, toolContext(scope, scope.context.signal, this.#deps.log, undefined));
    if (recipient?.own && recipient.channel === scope.jobChannel) return 'job';
    return recipient?.own ? 'own' : 'other';
  }

  /** What to tell a model that asked for a tool which does not exist. */
  explainUnknown(name: string): string {
    const guess = nearest(
      name,
      this.list().flatMap((tool) => [tool.name, tool.functionName]),
    );
    return `Tool "${name}" not found.${guess ? ` Did you mean "${guess}"?` : ''}`;
  }

  #unforeseen(name: string, error: unknown): ToolResult {
    this.#deps.log.error('tool call failed unforeseen', { tool: name, error: messageOf(error) });
    return refuse('failed', this.#deps.redactor.redact(`${name} failed: ${messageOf(error)}`));
  }
}

/** Model APIs refuse dots in tool names. */
export function modelToolName(name: string): string {
  return name.replaceAll('.', '_');
}

const GUARDS = new WeakMap<Turn, RepetitionGuard>();

/** One per turn, whichever gate of the turn is asked, from whichever script. */
function guardOf(turn: Turn): RepetitionGuard {
  const guard = GUARDS.get(turn) ?? new RepetitionGuard();
  GUARDS.set(turn, guard);
  return guard;
}

function refuse(reason: FailureReason, error: string): ToolResult {
  return { ok: false, error, reason };
}
