import type { AIMessage, ToolMessage } from '@langchain/core/messages';
import { canonicalJson } from '../../base/json.ts';
import { toolMessage } from '../../conversation/messages.ts';
import {
  callsOf,
  callsStep,
  REFUSED_CALL,
  resultOf,
  resultStep,
  type StoredCall,
} from '../../conversation/stored-calls.ts';
import type { Step } from '../../conversation/types.ts';
import type { ResultData } from '../../models/message-data.ts';
import { type Artifacts, describeResult, readMoreNote } from '../../tools/builtin/artifacts.ts';
import { ASK_WHICH_TIME } from '../replies/ask-which-time.ts';
import type { ReadTexts } from '../replies/read-texts.ts';
import type { EngineRun } from '../types.ts';

const TOOL_STEPS = new Set<Step['kind']>(['tool_calls', 'tool_result']);

/** The same call with the same result so many times means that the model is going in circles. */
const SAME_TIMES = 3;
const CIRCLES = '(The same call has already given this result more than once. Do something else, or answer.)';

/** Runs a model's tool calls through the gate and saves every call and result as it happens, so a kill loses none. */
export class Calls {
  readonly #run: EngineRun;
  readonly #artifacts: Artifacts | undefined;
  readonly #reads: ReadTexts;
  readonly #seen = new Map<string, number>();
  /** Calls without a result yet: LangChain's executor does not tell a tool the id of its call, so it is found here. */
  #open: StoredCall[] = [];
  readonly #saving: Promise<void>[] = [];
  readonly #results = new Map<string, ToolMessage>();
  /** All calls of the last reply have succeeded, and their results hold nothing that the answer has to mention. */
  unremarkable = false;

  /** @param reads remembers every result: a call quoted from one is not a call of the model's. */
  constructor(run: EngineRun, artifacts: Artifacts | undefined, reads: ReadTexts) {
    this.#run = run;
    this.#artifacts = artifacts;
    this.#reads = reads;
  }

  /** Save a reply that asks for tools. */
  async announce(message: AIMessage): Promise<void> {
    const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({ id, name, args }));
    this.#open = calls;
    this.unremarkable = calls.length > 0;
    if (calls.length > 0) await this.#save(callsStep(message.text, calls));
  }

  /** Run one call and save the result. A failure is text too: the model reads it and tries again. */
  async perform(name: string, args: Record<string, unknown>): Promise<string> {
    const call = this.#take(name, args);
    const { ok, text: result, value, told, beside } = await this.#call(call);
    this.#run.context.signal.throwIfAborted();
    const text = this.#inCircles(call, result) ? `${result}\n${CIRCLES}` : result;
    const stored = { id: call.id, name, ok, text, ...(told && !ok ? { told } : {}), ...(beside ? { beside } : {}) };
    this.#results.set(call.id, toolMessage({ ...stored, told }, value));
    await this.#save(resultStep(stored));
    return text;
  }

  /** A result with its data, which LangChain's loops drop. */
  resultOf(message: ToolMessage): ToolMessage {
    return this.#results.get(message.tool_call_id) ?? message;
  }

  /**
   * Complete the saved steps of a turn that is continued: calls without a result go through the gate now, and the
   * effect ledger answers those that had already acted. So do those that waited for the owner and are decided.
   *
   * @returns all steps of the turn so far; empty for a new turn.
   */
  async resume(): Promise<readonly Step[]> {
    const steps = await this.#earlierSteps();
    const stored = steps.filter(isResult).map((step) => resultOf(step.content));
    const results = new Map(stored.map((result) => [result.id, result]));
    this.#open = callsIn(steps).flatMap((call) => {
      const result = results.get(call.id);
      if (!result) return call;
      const waited = this.#run.scope.decided?.find(({ id }) => id === result.told?.values.proposal);
      // As it was made: what is saved may lack a secret.
      return waited ? { ...call, args: waited.input as StoredCall['args'] } : [];
    });
    for (const call of [...this.#open]) await this.perform(call.name, call.args);
    return this.#earlierSteps();
  }

  /** Wait for steps that are still being saved: a loop that is cancelled leaves its calls behind. Never rejects. */
  async saved(): Promise<void> {
    await Promise.allSettled(this.#saving);
  }

  #save(step: Step): Promise<void> {
    const saving = this.#run.conversation.append(step);
    this.#saving.push(saving);
    return saving;
  }

  async #earlierSteps(): Promise<readonly Step[]> {
    return withLatestResults((await this.#run.conversation.resumed()).filter((step) => TOOL_STEPS.has(step.kind)));
  }

  /** Models can repeat a call forever; once told so, most do something else. */
  #inCircles({ name, args }: StoredCall, result: string): boolean {
    const key = `${name} ${canonicalJson(args)} ${result}`;
    const times = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, times);
    return times >= SAME_TIMES;
  }

  async #call(call: StoredCall): Promise<{ text: string; beside?: string | undefined } & ResultData> {
    if (call.name === REFUSED_CALL) {
      this.unremarkable = false;
      const message = String(call.args.reason);
      return { ok: false, text: `Error: ${message}`, told: { code: 'refused_call', values: { message } } };
    }
    const { toolbox, scope } = this.#run;
    const result = await toolbox.call(call.name, call.args, scope);
    if (!(result.ok && result.unremarkable)) this.unremarkable = false;
    if (!result.ok) {
      const { error, unclear, told } = result;
      this.#reads.failed(error);
      return { ok: false, text: `Error: ${error}${unclear ? `\n${ASK_WHICH_TIME}` : ''}`, told };
    }
    const { text, value, told, beside } = result;
    this.#reads.add(value, call.name, call.args);
    return { ok: true, text: await this.#keepWhole(call, { text, value, beside }), value, told, beside };
  }

  /** Keeps a result that the gate had to cut in full, and adds a note on how to read the rest. */
  async #keepWhole(
    call: StoredCall,
    { text: shown, value, beside }: { text: string; value: unknown; beside?: string | undefined },
  ): Promise<string> {
    const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    const isWhole = shown === whole || shown === `${beside}\n${whole}`;
    if (isWhole || this.#run.toolbox.find(call.name)?.name === 'artifact.get') return shown;
    const id = await this.#artifacts?.keep(this.#run.turn, value, {
      description: describeResult(call.name, call.args),
      untrusted: this.#run.scope.labels.untrusted,
    });
    return id === undefined ? shown : `${shown}\n${readMoreNote(id, whole)}`;
  }

  #take(name: string, args: Record<string, unknown>): StoredCall {
    const wanted = canonicalJson(args);
    const index = this.#open.findIndex((call) => call.name === name && canonicalJson(call.args) === wanted);
    const [call] = this.#open.splice(index < 0 ? 0 : index, 1);
    return call ?? { id: '', name, args };
  }
}

function callsIn(steps: readonly Step[]): StoredCall[] {
  return steps.filter((step) => !isResult(step)).flatMap((step) => callsOf(step.content).calls);
}

/** Each call with its latest result, where the first one stood: a call that waited has two. */
function withLatestResults(steps: readonly Step[]): Step[] {
  const known = new Set(callsIn(steps).map(({ id }) => id));
  const latest = new Map(steps.filter(isResult).map((step) => [resultOf(step.content).id, step]));
  return steps.flatMap((step) => {
    if (!isResult(step)) return step;
    const { id } = resultOf(step.content);
    const result = known.has(id) ? latest.get(id) : undefined;
    latest.delete(id);
    return result ?? [];
  });
}

function isResult(step: Step): boolean {
  return step.kind === 'tool_result';
}
