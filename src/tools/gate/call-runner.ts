import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError, messageOf, type Told } from '../../base/errors.ts';
import { headAndTail } from '../../base/text.ts';
import { AGREED_UNSEEN } from '../../base/turn.ts';
import { writeFailure } from '../../store/write-failure.ts';
import { ChangedMeanwhile, type Stake } from '../stakes.ts';
import { changeOf, OutcomeUnknown, type Tool, type ToolContext, type ToolPresentation } from '../tool.ts';
import { CallSources } from './call-sources.ts';
import { decidedOf, sameCall } from './decided-calls.ts';
import type { CallDetails, Recorded } from './effect-ledger.ts';
import { Notes } from './notes.ts';
import { Permission } from './permission.ts';
import type { Proposal } from './proposals.ts';
import {
  askingContext,
  changedNothing,
  checked,
  describeSource,
  describeTarget,
  isFinal,
  isHomeless,
  isUnclear,
  keptBy,
  namesOf,
  toolContext,
  unlessAborted,
} from './tool-call.ts';
import type { Call, FailureReason, ToolboxDeps, ToolResult } from './types.ts';

/** The result code of a tool that declares no others. */
const OK: Told = { code: 'ok', values: {} };

/** How often a call is asked about whose files change each time before they could be written. */
const MAX_QUESTIONS = 3;

/** The grace period of a local call that has passed its time limit, or whose turn was cancelled. */
const GRACE_MS = 2000;

/** Takes one valid call through approval, the effect ledger, the tool itself and the labels, in this order. */
export class CallRunner {
  readonly #deps: ToolboxDeps;
  readonly #permission: Permission;

  constructor(deps: ToolboxDeps) {
    this.#deps = deps;
    this.#permission = new Permission(deps);
  }

  run(call: Call): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const act = () => this.#decideAndRun(call).catch((error: unknown) => this.#unforeseen(call, error));
    return tool.policy.effect === 'none' || !scope.reply ? act() : scope.reply.run(tool, input, act);
  }

  async #decideAndRun(call: Call): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const waited = sameCall(scope.decided ?? [], { tool: tool.name, input });
    if (waited) return this.#asDecided(call, waited);
    const details = await this.#details(call);
    const recorded =
      tool.policy.effect === 'none' ? undefined : await scope.ledger.recall(tool, input, scope.context.signal);
    return recorded ? this.#repeat(call, recorded) : this.#askAndRun(call, details);
  }

  /** A call that has waited is not made again: it gives what it came to. */
  async #asDecided(call: Call, proposal: Proposal): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const decided = decidedOf(proposal) ?? { error: `${tool.name} still waits for the owner (${proposal.id})` };
    await scope.labels.read(await new CallSources(call, this.#deps.origins).ofResult(), describeSource(tool, input));
    if ('error' in decided) return { ...refuse('denied', this.#deps.redactor.redact(decided.error)), final: true };
    return this.#repeat(call, { state: 'done', ...decided }, `Approved by the owner, and done (${proposal.id}).`);
  }

  async #askAndRun(call: Call, details: CallDetails, earlier?: Earlier): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const { approval, why } = await this.#permission.decide(call, details);
    if (!approval.granted) {
      await scope.ledger.denied(tool, input, { ...details, approvedBy: approval.by });
      return { ...refuse('denied', approval.reason, approval.told), final: true };
    }
    return tool.policy.effect === 'none'
      ? this.#execute(call, undefined)
      : this.#runOnce(call, { ...details, approvedBy: approval.by, why }, earlier);
  }

  /** Also an error from deciding about a call may quote what the call would have read. */
  async #unforeseen(call: Call, error: unknown): Promise<never> {
    await this.#labelError(call, new CallSources(call, this.#deps.origins));
    throw error;
  }

  /** What the policy and the effect ledger need to know about a call. */
  async #details({ tool, input, scope }: Call): Promise<CallDetails> {
    const context = askingContext(scope, this.#deps.log);
    const isLocal = tool.policy.effect === 'local';
    return {
      destination: await describeTarget(tool, input, scope),
      change: isLocal ? await changeOf(tool, input, context) : undefined,
      control: isLocal ? await tool.policy.control?.(input, context) : undefined,
      shown: this.#deps.redactor.redactValue(input),
    };
  }

  /** Run an effectful call unless this turn has already made it. */
  async #runOnce(call: Call, details: CallDetails, earlier?: Earlier): Promise<ToolResult> {
    const { tool, input, scope } = call;
    // A script may end while one of its calls is decided upon. The ledger counts the next script's calls anew then, so
    // nothing may be awaited between this line and `begin`.
    if (scope.context.signal.aborted) return notRun(tool);
    if (tool.durability.trace === 'transaction') return this.#runTogether(call, details);
    const begun = await scope.ledger.begin(tool, input, details, earlier?.key);
    if (begun.recorded) return this.#repeat(call, begun.recorded);
    if (scope.context.signal.aborted) {
      await scope.ledger.failed(begun.key, 'it was not run');
      return notRun(tool);
    }
    try {
      const undo = isTakenBack(tool, details) ? [`undo_change ${begun.id} takes it back.`] : [];
      const result = await this.#execute(call, begun.key, { agreed: agreedIn(details), notes: undo });
      return (await this.#record(call, begun.key, result)) ?? result;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      await scope.ledger.failed(begun.key, error.message);
      return this.#askAnew(call, { key: begun.key, questions: (earlier?.questions ?? 0) + 1 });
    }
  }

  /** What the owner agreed to is not what would be written now, so they see what is. */
  async #askAnew(call: Call, earlier: Earlier): Promise<ToolResult> {
    if (earlier.questions < MAX_QUESTIONS) return this.#askAndRun(call, await this.#details(call), earlier);
    const why = `${call.tool.name} was not done: what it changes was changed after each question.`;
    return { ...refuse('failed', why), final: true };
  }

  /** The effect and its record are one transaction, so a kill leaves both or neither. */
  async #runTogether(call: Call, details: CallDetails): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const { ledger } = scope;
    const key = ledger.count(tool, input);
    const { log, origins } = this.#deps;
    const sources = new CallSources(call, origins);
    const notes = new Notes();
    const parts = { signal: scope.context.signal, log, key, holds: sources.holds, beside: notes.add };
    const context = toolContext(scope, parts);
    // It holds no more than its tool has named, so the labels are saved before, and stay when the transaction does not.
    await this.#labelError(call, sources);
    let failure: ToolResult & { readonly ok: false };
    try {
      return await ledger.together(async () => {
        const { recorded } = await ledger.begin(tool, input, details, key);
        if (recorded) return this.#repeat(call, recorded);
        const value = await tool.execute(input, context).catch((error: unknown) => {
          throw new NotDone(error);
        });
        const result = this.#presentAny(tool, checked(tool, value), { notes, viewChars: this.#viewOf(call) });
        if (result.ok) await ledger.done(key, result.value);
        return result;
      });
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      failure = this.#failure(tool, error.cause);
    }
    await ledger.begin(tool, input, details, key);
    await ledger.failed(key, failure.error);
    return failure;
  }

  /**
   * A result that cannot be recorded is still the result: as a failure it would invite the model to act once more. But
   * without the home there may be nothing of what was done.
   *
   * @returns what to say instead of the result.
   */
  async #record({ tool, scope }: Call, key: string, result: ToolResult): Promise<ToolResult | undefined> {
    try {
      if (result.ok) await scope.ledger.done(key, result.value);
      // An outbound call that timed out, was aborted or lost may have acted: its row stays an intent, so nothing
      // repeats it blindly.
      else if (result.reason === 'failed' || tool.policy.effect === 'local')
        await scope.ledger.failed(key, result.error);
    } catch (error) {
      this.#deps.log.error('the outcome of a call was not recorded', { tool: tool.name, error: messageOf(error) });
      if (isHomeless(error)) return endWithoutHome(tool.name, error, scope);
    }
    return undefined;
  }

  /** What this turn has already done. */
  #repeat(call: Call, recorded: Recorded, beside = 'Done before in this turn and not repeated.'): ToolResult {
    const { tool } = call;
    const notes = new Notes();
    notes.add(beside);
    if (recorded.state === 'done')
      return this.#present(tool, recorded.value, { cached: true, notes, viewChars: this.#viewOf(call) });
    const why = `${tool.name} was begun before and its outcome is unknown; it was not repeated.`;
    return { ...refuse('failed', why), final: true };
  }

  /** @throws ChangedMeanwhile when it would change something else than was agreed to; nothing is changed then. */
  async #execute(call: Call, key: string | undefined, { agreed, notes: first = [] }: Extras = {}): Promise<ToolResult> {
    const { tool, input, scope } = call;
    const timeout = AbortSignal.timeout(tool.timeoutMs);
    const signal = AbortSignal.any([scope.context.signal, timeout]);
    const { log, origins } = this.#deps;
    const sources = new CallSources(call, origins);
    const notes = new Notes();
    const parts = { signal, log, key, holds: sources.holds, beside: notes.add };
    const viewChars = this.#viewOf(call);
    const shared = toolContext(scope, { ...parts, viewChars });
    const context = agreed ? { ...shared, agreed } : shared;
    let acted = false;
    let unmark = async () => {};
    try {
      unmark = await this.#markAhead(call, context);
      if (tool.policy.effect !== 'none') await sources.named();
      const value = checked(tool, await this.#outcome(tool, tool.execute(input, context), signal));
      acted = true;
      await this.#label(call, { context, value, sources });
      for (const note of first) notes.add(note);
      return this.#presentAny(tool, value, { notes, viewChars });
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        await unmark();
        throw error;
      }
      await this.#labelError(call, sources, error);
      // A store that fails afterwards must not look like a call that did not act.
      if (acted) throw error;
      if (scope.context.signal.aborted) return refuse('aborted', `${tool.name} was stopped: the turn was cancelled.`);
      if (timeout.aborted) return refuse('timeout', `${tool.name} did not answer within ${tool.timeoutMs} ms.`);
      if (changedNothing(error)) await unmark();
      return this.#failure(tool, error);
    }
  }

  /**
   * The result of a tool within its time limit. A local one may have acted while the program was suspended, as on a
   * laptop that slept, or be about to act when its turn is cancelled: then it is done by now or in a moment. It must
   * not be taken for a failure, nor change anything behind the answer.
   */
  async #outcome(tool: Tool, work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    try {
      return await unlessAborted(work, signal);
    } catch (error) {
      if (tool.policy.effect !== 'local' || !signal.aborted) throw error;
      return await Promise.race([work, sleep(GRACE_MS).then(() => Promise.reject(error))]);
    }
  }

  #failure(tool: Tool, thrown: unknown): ToolResult & { readonly ok: false } {
    const error = writeFailure(thrown) ?? thrown;
    const { redactor } = this.#deps;
    const text = redactor.redact(`${tool.name} failed: ${messageOf(error)}`);
    const told = redactor.redactValue(toldOf(error)) as Told;
    if (error instanceof OutcomeUnknown) return { ...refuse('lost', text, told), final: true };
    const failed = refuse('failed', text, told);
    if (isFinal(error)) return { ...failed, final: true };
    return isUnclear(error) ? { ...failed, unclear: true } : failed;
  }

  /** A kill between writing and marking must not make a text trusted, so files are marked before as well. */
  async #markAhead(call: Call, context: ToolContext): Promise<() => Promise<void>> {
    const none = async () => {};
    const { tool, scope } = call;
    if (tool.policy.effect !== 'local' || !scope.labels.untrusted) return none;
    const { origins } = this.#deps;
    const unmark = await Promise.all(
      keptBy(call, context).map((thing) => origins?.begin(thing, scope.labels.provenance()) ?? none),
    );
    return async () => void (await Promise.all(unmark.map((each) => each())));
  }

  /** Before a model sees a result: label the conversation with what it holds, and mark what the call wrote. */
  async #label(
    { tool, input, scope }: Call,
    { context, value, sources }: { context: ToolContext; value: unknown; sources: CallSources },
  ): Promise<void> {
    const { labels, destinations } = scope;
    const saved = labels.read(await sources.ofResult(), describeSource(tool, input));
    for (const address of tool.provenance.found?.(value) ?? []) destinations.add(address);
    const { origins } = this.#deps;
    const marked = namesOf(tool.provenance.writesTo?.(input, context, value)).map((thing) =>
      origins?.mark(thing, labels.provenance(), tool.provenance.replaces),
    );
    // Others can read already what the call wrote, so the marks wait for nothing.
    await Promise.all([saved, ...marked]);
  }

  async #labelError({ tool, input, scope }: Call, sources: CallSources, error?: unknown): Promise<void> {
    const labels = await sources.ofError({ answered: error !== undefined && !changedNothing(error) });
    await scope.labels.read(labels, describeSource(tool, input));
  }

  /** A result that JSON cannot hold is a failed call, but as one an effect would invite the model to act once more. */
  #presentAny(tool: Tool, value: unknown, view: Pick<View, 'notes' | 'viewChars'>): ToolResult {
    try {
      return this.#present(tool, value, { cached: false, ...view });
    } catch (error) {
      const text = `${tool.name} ran, but its result cannot be passed on: ${messageOf(error)}`;
      return tool.policy.effect === 'none'
        ? refuse('failed', text)
        : { ok: true, value: text, text, cached: false, told: OK };
    }
  }

  /** The longest result that a model sees whole. */
  #viewOf({ tool, scope }: Call): number {
    const { maxResultChars } = this.#deps;
    return tool.presentation.whole ? Math.max(maxResultChars, scope.room?.() ?? 0) : maxResultChars;
  }

  #present({ output, presentation }: Tool, value: unknown, { cached, notes, viewChars }: View): ToolResult {
    const clean = this.#deps.redactor.redactValue(value ?? null);
    const whole = typeof clean === 'string' ? clean : (JSON.stringify(clean) ?? '');
    const shown = headAndTail(whole, viewChars);
    const note = notes.text();
    const beside = note === undefined ? undefined : this.#deps.redactor.redact(note);
    // What was found out about a call that was cut off is our sentence: the tool knows outputs of its own only.
    const isOutput = !cached || output?.safeParse(clean).success !== false;
    const { told, unremarkable }: ToolPresentation = isOutput ? presentation : {};
    return {
      ok: true,
      ...{
        value: clean,
        text: beside === undefined ? shown : `${beside}\n${shown}`,
        cached,
        told: told?.(clean) ?? OK,
      },
      ...(beside === undefined ? {} : { beside }),
      ...(unremarkable?.(clean) ? { unremarkable: true } : {}),
    };
  }
}

/** How a result is shown. */
interface View {
  /** It was recorded before. */
  readonly cached: boolean;
  readonly notes: Notes;
  readonly viewChars: number;
}

/** What a call brings along besides its input. */
interface Extras {
  readonly agreed?: readonly Stake[] | undefined;
  /** What is said beside its result. */
  readonly notes?: readonly string[];
}

/** Whether a call replaces or deletes what `undo_change` brings back. */
function isTakenBack({ durability, name }: Tool, { change }: CallDetails): boolean {
  return durability.versioned === true && (change === 'overwrite' || change === 'delete') && name !== 'undo_change';
}

/** Rolls back the transaction of a call whose tool failed, as its cause says. */
class NotDone extends Error {
  constructor(cause: unknown) {
    super('the call failed', { cause });
  }
}

/** A call whose turn or script has ended before it could run. */
export function notRun({ name }: Tool): ToolResult {
  return refuse('aborted', `${name} was not run: the turn was cancelled.`);
}

/** A call without a home to record it in. The turn ends: no other call can succeed, and no answer may claim one. */
export function endWithoutHome(name: string, error: unknown, scope: Call['scope']): ToolResult {
  scope.halt?.(messageOf(error));
  return { ...refuse('failed', `${name} failed: ${messageOf(error)}`, toldOf(error)), final: true };
}

/** A call that was not run, or did not succeed. */
export function refuse(
  reason: FailureReason,
  error: string,
  told: Told = { code: reason, values: { message: error } },
): ToolResult & { readonly ok: false } {
  return { ok: false, error, reason, told };
}

/** The code and values of an error. */
export function toldOf(error: unknown): Told {
  const message = messageOf(error);
  if (!(error instanceof AssistantError)) return { code: 'failed', values: { message } };
  return error.told ?? { code: error.code, values: { message, hint: error.hint } };
}

/** An earlier try of a call, which changed nothing. */
interface Earlier {
  /** Of the effect that both are. */
  readonly key: string;
  /** How often the owner was asked about it. */
  readonly questions: number;
}

/** What a person has read of the change to control files, and agreed to. */
function agreedIn({ control, approvedBy }: CallDetails): readonly Stake[] | undefined {
  return approvedBy === undefined || approvedBy === AGREED_UNSEEN.by ? undefined : control?.stakes;
}
