import { messageOf } from '../../base/errors.ts';
import { headAndTail } from '../../base/text.ts';
import type { ToolContext } from '../tool.ts';
import type { CallDetails } from './effect-ledger.ts';
import { Permission } from './permission.ts';
import { checked, describeSource, describeTarget, isOurs, toolContext, unlessAborted } from './tool-call.ts';
import type { Call, FailureReason, ToolboxDeps, ToolResult } from './types.ts';

/** Takes one valid call through approval, the effect ledger, the tool itself and the labels, in this order. */
export class CallRunner {
  readonly #deps: ToolboxDeps;
  readonly #permission: Permission;

  constructor(deps: ToolboxDeps) {
    this.#deps = deps;
    this.#permission = new Permission(deps);
  }

  async run(call: Call): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const details = await this.#details(call);
    if (tool.effect !== 'none' && scope.ledger.isRecorded(tool, input)) return this.#runOnce(call, details);
    const approval = await this.#permission.decide(call, details);
    if (!approval.granted) {
      scope.ledger.denied(tool, input, { ...details, approvedBy: approval.by });
      return refuse('denied', approval.reason);
    }
    return tool.effect === 'none'
      ? this.#execute(call, undefined)
      : this.#runOnce(call, { ...details, approvedBy: approval.by });
  }

  /** What the policy and the effect ledger have to know of a call. */
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
    const result = await this.#execute(call, begun.key);
    if (result.ok) scope.ledger.done(begun.key, result.value);
    // A timed-out or aborted outbound call may have acted: its row stays an intent, so nothing repeats it blindly.
    else if (result.reason === 'failed' || tool.effect === 'local') scope.ledger.failed(begun.key, result.error);
    return result;
  }

  async #execute(call: Call, key: string | undefined): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const timeout = AbortSignal.timeout(tool.timeoutMs);
    const signal = AbortSignal.any([scope.context.signal, timeout]);
    const context = toolContext(scope, signal, this.#deps.log, key);
    try {
      const value = checked(tool, await unlessAborted(tool.execute(input, context), signal));
      this.#label(call, context, value);
      return this.#present(value, false);
    } catch (error) {
      // Error texts of other code may quote what it read, so a failed call labels the conversation too.
      if (!isOurs(error)) this.#label(call, context, undefined);
      if (scope.context.signal.aborted) return refuse('aborted', `${tool.name} was stopped: the turn was cancelled.`);
      if (timeout.aborted) return refuse('timeout', `${tool.name} did not answer within ${tool.timeoutMs} ms.`);
      return refuse('failed', this.#deps.redactor.redact(`${tool.name} failed: ${messageOf(error)}`));
    }
  }

  /** Before a model sees a result: label the conversation with what was read, and mark what the call wrote. */
  #label({ tool, input, scope }: Call, context: ToolContext, value: unknown): void {
    const { labels, destinations } = scope;
    const thing = tool.recalls(input, context);
    const kept = thing === undefined ? undefined : this.#deps.origins?.of(thing);
    const unknown = thing !== undefined && !this.#deps.origins;
    // A plugin may hand over a tool that never went through defineTool: only a clear label counts.
    const foreign = tool.returns !== 'trusted' && !(value !== undefined && tool.own(value));
    const untrusted = foreign || unknown || kept?.untrusted === true;
    labels.read({ untrusted, private: tool.reads !== 'public' }, describeSource(tool, input));
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
}

/** A call that was not run, or did not succeed. */
export function refuse(reason: FailureReason, error: string): ToolResult {
  return { ok: false, error, reason };
}
