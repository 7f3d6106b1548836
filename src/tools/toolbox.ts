import { messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { canonicalJson, isRecord, sha256 } from '../base/json.ts';
import { type Log, silentLog } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import { headAndTail, nearest, preview } from '../base/text.ts';
import type { ApprovalRequest, Turn, TurnContext } from '../base/turn.ts';
import type { ApprovalRules } from './approvals.ts';
import { isDerived } from './destinations.ts';
import { readableIssues, withAliases } from './input.ts';
import type { Labels } from './labels.ts';
import type { EffectLedger } from './ledger.ts';
import { type PolicyQuestion, policy } from './policy.ts';
import type { Tool, ToolContext } from './tool.ts';

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
}

export type FailureReason = 'unknown_tool' | 'invalid_input' | 'denied' | 'timeout' | 'aborted' | 'failed';

/** What a call came to. `text` is what a model reads; `value` what a script gets. */
export type ToolResult =
  | { readonly ok: true; readonly value: unknown; readonly text: string; readonly cached: boolean }
  | { readonly ok: false; readonly error: string; readonly reason: FailureReason };

export interface ToolboxParts {
  readonly tools: readonly Tool[];
  readonly rules: ApprovalRules;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Longest text of a result that a model sees at once, in characters. */
  readonly maxResultChars: number;
}

/** The one gate to the world: validate, ask, run, cap, redact, record. */
export class Toolbox {
  readonly #parts: ToolboxParts;
  readonly #byName = new Map<string, Tool>();

  /** @throws TypeError when two tools have names that a model could not tell apart. */
  constructor(parts: ToolboxParts) {
    this.#parts = parts;
    const modelNames = new Set<string>();
    for (const tool of parts.tools) {
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
    return tools.length === 0 ? this : new Toolbox({ ...this.#parts, tools: [...this.#parts.tools, ...tools] });
  }

  /** Validate, ask, run, report. Never rejects: the model reads failures and tries again. */
  async call(name: string, input: unknown, scope: CallScope): Promise<ToolResult> {
    const started = performance.now();
    const result = await this.#attempt(name, input, scope).catch((error: unknown) => this.#unforeseen(name, error));
    scope.context.show({
      type: 'tool',
      name: this.find(name)?.name ?? name,
      input: this.#parts.redactor.redactValue(input),
      ok: result.ok,
      ms: Math.round(performance.now() - started),
      preview: preview(result.ok ? result.text : result.error),
      ...(result.ok && result.cached ? { cached: true } : {}),
    });
    return result;
  }

  async #attempt(name: string, raw: unknown, scope: CallScope): Promise<ToolResult> {
    const tool = this.find(name);
    if (!tool) return refuse('unknown_tool', this.explainUnknown(name));
    const parsed = tool.input.safeParse(withAliases(tool, raw));
    if (!parsed.success) return refuse('invalid_input', `${tool.name}: ${readableIssues(parsed.error)}`);
    if (scope.context.signal.aborted) return refuse('aborted', `${tool.name} was not run: the turn was cancelled.`);
    const leave = await this.#askLeave(tool, parsed.data, scope);
    if (!leave.granted) return refuse('denied', leave.reason);
    return tool.effect === 'none'
      ? this.#run(tool, parsed.data, scope, undefined)
      : this.#runOnce(tool, parsed.data, scope, leave.by);
  }

  /** Run an effectful call unless this turn has already made it. */
  async #runOnce(tool: Tool, input: unknown, scope: CallScope, approvedBy: string | undefined): Promise<ToolResult> {
    const begun = scope.ledger.begin(tool, input, { destination: describeTarget(tool, input, scope), approvedBy });
    if (begun.recorded?.state === 'done') return this.#present(begun.recorded.value, true);
    if (begun.recorded) {
      return refuse('failed', `${tool.name} was begun before and its outcome is unknown; it was not repeated.`);
    }
    const result = await this.#run(tool, input, scope, begun.key);
    if (result.ok) scope.ledger.done(begun.key, result.value);
    // A timed-out or aborted outbound call may have acted: its row stays an intent, so nothing repeats it blindly.
    else if (result.reason === 'failed' || tool.effect === 'local') scope.ledger.failed(begun.key, result.error);
    return result;
  }

  async #run(tool: Tool, input: unknown, scope: CallScope, key: string | undefined): Promise<ToolResult> {
    const timeout = AbortSignal.timeout(tool.timeoutMs);
    const signal = AbortSignal.any([scope.context.signal, timeout]);
    const context = toolContext(scope, signal, this.#parts.log, key);
    try {
      const value = checked(tool, await unlessAborted(tool.execute(input, context), signal));
      scope.labels.read(
        { untrusted: tool.returns === 'untrusted', private: tool.reads === 'private' },
        source(tool, input),
      );
      for (const address of tool.found(value)) scope.destinations.add(address);
      return this.#present(value, false);
    } catch (error) {
      if (scope.context.signal.aborted) return refuse('aborted', `${tool.name} was stopped: the turn was cancelled.`);
      if (timeout.aborted) return refuse('timeout', `${tool.name} did not answer within ${tool.timeoutMs} ms.`);
      return refuse('failed', this.#parts.redactor.redact(`${tool.name} failed: ${messageOf(error)}`));
    }
  }

  #present(value: unknown, cached: boolean): ToolResult {
    const clean = this.#parts.redactor.redactValue(value ?? null);
    const text = typeof clean === 'string' ? clean : (JSON.stringify(clean) ?? '');
    return { ok: true, value: clean, text: headAndTail(text, this.#parts.maxResultChars), cached };
  }

  async #askLeave(tool: Tool, input: unknown, scope: CallScope): Promise<Leave> {
    const target = describeTarget(tool, input, scope);
    const answer = policy(await this.#question(tool, input, target, scope));
    if (answer.verdict === 'allow') return { granted: true, by: undefined };
    const pair = `${tool.name} ${target ?? ''}`;
    if (scope.allowedThisTurn.has(pair)) return { granted: true, by: 'this turn' };
    return this.#decide({ tool, input, target, pair, reason: answer.reason }, scope);
  }

  async #decide(call: PendingCall, scope: CallScope): Promise<Leave> {
    const request = this.#request(call, scope);
    const { id, tool, input, destination, provenance } = request;
    scope.context.show({ type: 'approval', id, tool, input, destination, provenance });
    const { verdict, by } = await scope.context.approve(request);
    scope.context.show({ type: 'approval', id, tool, input, destination, provenance, decision: verdict, by });
    if (verdict === 'denied')
      return { granted: false, reason: `${tool} was not run: ${call.reason}; refused by ${by}.` };
    if (verdict === 'turn') scope.allowedThisTurn.add(call.pair);
    if (verdict === 'always') this.#parts.rules.allow(tool, destination ?? '');
    return { granted: true, by };
  }

  #request(call: PendingCall, scope: CallScope): ApprovalRequest {
    return {
      id: newId('apr', scope.context.now()),
      tool: call.tool.name,
      input: this.#parts.redactor.redactValue(call.input),
      destination: call.target,
      reason: call.reason,
      provenance: scope.labels.provenance(),
      hash: sha256(`${call.tool.name} ${canonicalJson(call.input)} ${call.target ?? ''}`),
    };
  }

  async #question(tool: Tool, input: unknown, target: string | undefined, scope: CallScope): Promise<PolicyQuestion> {
    const context = toolContext(scope, scope.context.signal, this.#parts.log, undefined);
    const recipient = tool.recipient(input, context);
    const destination = tool.destination(input);
    return {
      effect: tool.effect,
      change: await tool.change(input, context),
      untrusted: scope.labels.untrusted,
      private: scope.labels.private,
      recipient: this.#parts.rules.allows(tool.name, target ?? '')
        ? 'ruled'
        : recipient && recipient.channel === scope.jobChannel
          ? 'job'
          : recipient?.own
            ? 'own'
            : 'other',
      destination: destination === undefined ? 'none' : isDerived(destination, scope) ? 'derived' : 'free',
    };
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
    this.#parts.log.error('tool call failed unforeseen', { tool: name, error: messageOf(error) });
    return refuse('failed', this.#parts.redactor.redact(`${name} failed: ${messageOf(error)}`));
  }
}

/** Model APIs refuse dots in tool names. */
export function modelToolName(name: string): string {
  return name.replaceAll('.', '_');
}

type Leave =
  | { readonly granted: true; readonly by: string | undefined }
  | { readonly granted: false; readonly reason: string };

interface PendingCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly target: string | undefined;
  readonly pair: string;
  readonly reason: string;
}

function refuse(reason: FailureReason, error: string): ToolResult {
  return { ok: false, error, reason };
}

function checked(tool: Tool, value: unknown): unknown {
  return tool.output ? tool.output.parse(value) : value;
}

function toolContext(scope: CallScope, signal: AbortSignal, log: Log, key: string | undefined): ToolContext {
  return {
    turn: scope.turn,
    signal,
    log,
    said: scope.said,
    untrusted: scope.labels.untrusted,
    now: () => scope.context.now(),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
}

function describeTarget(tool: Tool, input: unknown, scope: CallScope): string | undefined {
  const recipient = tool.recipient(input, toolContext(scope, scope.context.signal, silentLog, undefined));
  return recipient ? `${recipient.channel}:${recipient.address}` : tool.destination(input);
}

function source(tool: Tool, input: unknown): string {
  const where = tool.destination(input) ?? (isRecord(input) && typeof input.path === 'string' ? input.path : '');
  return where ? `${tool.name} ${where}` : tool.name;
}

/** Settle as soon as the signal fires, even when the tool does not listen to it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject, resolve } = Promise.withResolvers<T>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  return promise;
}
