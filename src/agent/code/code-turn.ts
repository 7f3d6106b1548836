import { AIMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { AssistantError } from '../../base/errors.ts';
import { withoutThinking } from '../../base/thinking.ts';
import { type Answer, NO_USAGE } from '../../base/turn.ts';
import { feedbackMessage, toMessage } from '../../conversation/messages.ts';
import type { Step } from '../../conversation/types.ts';
import { isEmptyReply, isModelFailure } from '../../models/failure.ts';
import { profileOf } from '../../models/profile.ts';
import { endedByLength } from '../../models/reply.ts';
import type { ModelChoice } from '../../models/types.ts';
import type { ScriptResult, TurnSandbox } from '../../sandbox/contract.ts';
import { CUT_OFF, stoppedAfter } from '../cut-off.ts';
import { ProseView } from '../replies/prose-view.ts';
import { ReadTexts } from '../replies/read-texts.ts';
import { ANSWER_CAUSES, type MeantCall, ReplyReview, type Verdict, WAS_CALL } from '../replies/review.ts';
import { Room } from '../room.ts';
import { Steering } from '../steering.ts';
import type { EngineRun } from '../types.ts';
import { ask, CODE_PROSE } from './ask-model.ts';
import { feedback, formatFeedback } from './feedback.ts';
import { handover, inClassic } from './handover.ts';
import { keepWhole } from './keep-whole.ts';
import { TurnCounts } from './mode-stats.ts';
import { openingOf } from './opening.ts';
import { readReply } from './read-reply.ts';
import { runScript } from './run-script.ts';
import { ScriptCalls } from './script-calls.ts';
import { ScriptOutput } from './script-output.ts';
import { StoredValues } from './stored-values.ts';
import { Trace } from './trace.ts';
import type { CodeTurnDeps, Failures } from './types.ts';
import { type DeadEnd, World, type WorldCall } from './world.ts';
import { nativeCalls, scriptOf } from './written-script.ts';

interface Opening {
  readonly choice: ModelChoice;
  readonly values: StoredValues;
  readonly messages: BaseMessage[];
  readonly reads: ReadTexts;
}

type Unusable = Extract<Verdict, { kind: 'again' | 'stuck' }>;

/** One turn in code mode, from the first model call to the answer, or to the fallback. */
export class CodeTurn {
  readonly #deps: CodeTurnDeps;
  readonly #run: EngineRun;
  readonly #choice: ModelChoice;
  readonly #sandbox: TurnSandbox;
  readonly #output: ScriptOutput;
  readonly #values: StoredValues;
  readonly #world: World;
  readonly #trace: Trace;
  readonly #messages: BaseMessage[];
  readonly #steering: Steering;
  readonly #calls = new ScriptCalls();
  readonly #review: ReplyReview;
  readonly #reads: ReadTexts;
  /** Failed attempts in a row; any script that runs through resets them. */
  #failures: Failures = { form: 0, script: 0 };
  readonly #sources: string[] = [];
  #scriptMs = 0;
  readonly #counts = new TurnCounts();
  /** The longest reply in words that broke off: it is the answer where no whole one comes. */
  #brokenOff = '';

  private constructor(deps: CodeTurnDeps, run: EngineRun, { choice, values, messages, reads }: Opening) {
    this.#deps = deps;
    this.#run = run;
    this.#steering = new Steering(run);
    this.#sandbox = deps.sandbox.forTurn(() => !run.scope.labels.untrusted);
    this.#choice = choice;
    this.#output = new ScriptOutput((text) => run.context.show({ type: 'output', text }));
    this.#values = values;
    this.#trace = new Trace(deps.traceDir, run.turn.id, deps.traceRedactor ?? run.redactor);
    this.#world = new World({
      toolbox: run.toolbox,
      scope: run.scope,
      pick: run.pick,
      registry: deps.registry,
      output: this.#output,
      redactor: run.redactor,
      onCall: (call) => this.#called(call),
      onLog: (text) => run.context.show({ type: 'log', text }),
    });
    this.#messages = messages;
    this.#reads = reads;
    const { toolbox, scope, wanted } = run;
    reads.known.said(run.systemPrompt);
    const checks = choice.provider !== 'builtin';
    const hasStepLeft = () => this.#counts.replies < this.#mostReplies();
    const { tried } = run.job ?? {};
    this.#review = new ReplyReview({ toolbox, scope, reads, form: 'function', wanted, checks, hasStepLeft, tried });
  }

  /** Load what the turn starts with: the conversation, and what the turn saved before it was interrupted. */
  static async start(deps: CodeTurnDeps, run: EngineRun): Promise<CodeTurn> {
    void deps.sandbox.warm();
    const choice = await run.pick(profileOf(run.turn));
    const values = await StoredValues.load(run.conversation);
    const messages = await openingOf(deps, run, choice);
    const reads = ReadTexts.of(run.turn.text, messages.slice(1));
    return new CodeTurn(deps, run, { choice, values, messages, reads });
  }

  /** Run the turn. Where scripts cannot run at all, it goes on in classic mode. */
  async run(): Promise<Answer> {
    try {
      const answer = await this.#inEitherMode();
      const isLonger = answer.stop === 'cut_off' && answer.text.length < this.#brokenOff.length;
      return isLonger ? { ...answer, text: this.#brokenOff } : answer;
    } catch (error) {
      return await this.#cutAnswer(error);
    } finally {
      this.#sandbox.close();
    }
  }

  async #inEitherMode(): Promise<Answer> {
    try {
      return await this.#loop();
    } catch (error) {
      if (!(error instanceof AssistantError) || error.code !== 'sandbox_unavailable') throw error;
      const { code, message, hint } = error;
      this.#run.context.show({ type: 'error', code, message, hint });
      return await this.#fallBack('scripts cannot run here');
    }
  }

  /** What had arrived before the model failed for good. @throws the failure where that is nothing. */
  async #cutAnswer(error: unknown): Promise<Answer> {
    const { signal, show } = this.#run.context;
    if (this.#brokenOff === '' || signal.aborted || !isModelFailure(error)) throw error;
    show({ type: 'notice', text: `The rest of the answer is missing: ${error.message}` });
    show(CUT_OFF);
    return { text: this.#brokenOff, stop: 'cut_off', usage: NO_USAGE, steps: this.#counts.replies };
  }

  async #loop(): Promise<Answer> {
    while (this.#counts.replies < this.#mostReplies()) {
      this.#run.context.signal.throwIfAborted();
      const answer = await this.#iterate();
      if (answer !== undefined) return this.#answered(answer);
      const { form, script } = this.#failures;
      if (script >= this.#deps.maxAttempts) return this.#fallBack(`${script} failed scripts in a row`);
      if (form >= this.#deps.maxAttempts) return this.#fallBack(`${form} replies in a row that could not be run`);
      if (this.#leftMs() <= 0) return this.#fallBack('the time for scripts is used up');
    }
    return this.#stepLimit();
  }

  #mostReplies(): number {
    return Math.min(this.#deps.options.maxIterations, this.#run.maxSteps ?? Number.POSITIVE_INFINITY);
  }

  /** Ask for one reply and act on it. @returns the answer once the turn is over. */
  async #iterate(): Promise<string | undefined> {
    const { context, scope } = this.#run;
    const { strictFormat } = this.#deps.options;
    for (const step of await this.#steering.take()) this.#messages.push(toMessage(step));
    this.#sandbox.warm();
    const view = new ProseView((text) => context.show({ type: 'token', text }), CODE_PROSE);
    const message = await this.#ask((part) => {
      if (!strictFormat) view.add(part);
    });
    this.#counts.replies += 1;
    scope.reply?.next();
    const native = nativeCalls(message, this.#run.toolbox);
    if (native.length > 0) return this.#runCalls(native);
    const reply = readReply(message.text, endedByLength(message), (name) => this.#world.knows(name));
    if (reply.kind === 'code' && !this.#reads.holdScript(reply.source)) {
      if (reply.clean) this.#counts.clean += 1;
      return this.#runScript(reply.source);
    }
    if (reply.kind === 'cut') this.#keepCut(message.text);
    if (reply.kind === 'cut' || reply.kind === 'foreign') return this.#refuse(message.text, formatFeedback(reply));
    const verdict = await this.#review.reply(message.text);
    if (verdict.kind === 'calls') {
      if (view.hasShown) context.show({ type: 'retry', reason: verdict.why ?? WAS_CALL, waitMs: 0 });
      return this.#runCalls(verdict.calls);
    }
    if (verdict.kind !== 'answer') return this.#sendBack(message.text, verdict);
    if (strictFormat) return this.#refuse(message.text, formatFeedback({ kind: 'text', text: verdict.text }));
    if (message.text.includes(verdict.text)) view.finish();
    return verdict.text;
  }

  /** Half a script says nothing to a person. */
  #keepCut(text: string): void {
    const words = this.#clean(withoutThinking(text).trim());
    const isProse = !CODE_PROSE.mayBeElse(words) && !CODE_PROSE.end.test(words);
    if (isProse && words.length > this.#brokenOff.length) this.#brokenOff = words;
  }

  /** One model call. A model that sends nothing at all has sent an empty reply. */
  async #ask(onText: (part: string) => void): Promise<AIMessage | AIMessageChunk> {
    try {
      return await ask(this.#run, this.#choice, this.#messages, onText);
    } catch (error) {
      if (!isEmptyReply(error) || this.#failures.form > 0) throw error;
      return new AIMessage('');
    }
  }

  /** The script that was asked for, for calls that came as text or as tool calls. */
  #runCalls(calls: readonly MeantCall[]): Promise<string | undefined> {
    return this.#runScript(scriptOf(calls, (tool) => this.#world.spell(tool)));
  }

  /** Not saved: to the next turn a refused reply is worth nothing. */
  #refuse(text: string, reason: string): undefined {
    this.#failures.form += 1;
    this.#counts.retries += 1;
    this.#run.context.show({ type: 'retry', reason, waitMs: 0 });
    this.#messages.push(
      toMessage({ role: 'assistant', kind: 'text', content: this.#clean(text).slice(0, 2000) || '(empty)' }),
      feedbackMessage(this.#clean(reason), { failed: reason }),
    );
  }

  /** Asking for another answer does not count as an error of format. */
  #sendBack(text: string, verdict: Unusable): undefined {
    this.#refuse(text, verdict.reason);
    if (verdict.kind === 'again' && ANSWER_CAUSES.has(verdict.cause)) this.#failures.form -= 1;
  }

  async #runScript(source: string): Promise<string | undefined> {
    const { context, scope } = this.#run;
    context.show({ type: 'code', attempt: this.#sources.length + 1, source });
    await this.#remember({ role: 'assistant', kind: 'code', content: source });
    this.#calls.next(source);
    const result = await this.#execute(source);
    this.#sources.push(source);
    context.signal.throwIfAborted();
    if (this.#output.answer !== undefined) return this.#end(this.#output.answer);
    if (result.failed) scope.ledger.rewind();
    else scope.ledger.settle();
    const deadEnd = this.#world.deadEnd(result.failed);
    // The script did all it was allowed to, so the other mode would do no better.
    const isBad = result.failed !== undefined && deadEnd !== 'refused';
    if (isBad) this.#failures.script += 1;
    else this.#failures = { form: 0, script: 0 };
    if (isBad) this.#counts.retries += 1;
    await this.#tell(await this.#feedback(result, deadEnd), result.failed?.message);
    return undefined;
  }

  async #execute(source: string): Promise<ScriptResult> {
    const { options } = this.#deps;
    const parts = { sandbox: this.#sandbox, world: this.#world, values: this.#values, trace: this.#trace };
    const result = await runScript(parts, source, {
      signal: this.#run.context.signal,
      limits: { timeoutMs: Math.min(options.stepTimeoutMs, this.#leftMs()), memoryMb: options.memoryLimitMb },
    });
    this.#scriptMs += result.ms;
    return result;
  }

  #feedback(result: ScriptResult, deadEnd: DeadEnd | undefined): Promise<string> {
    return feedback({
      result,
      deadEnd,
      stored: this.#values.sizes(),
      names: this.#world.names(),
      like: (name) => this.#world.like(name),
      maxChars: this.#deps.options.maxOutputLength,
      maxValueChars: this.#viewOf(result.value),
      keep: (value) => keepWhole(this.#deps, this.#run, { value, script: this.#sources.length }),
      attemptsLeft: this.#deps.maxAttempts - this.#failures.script,
      calls: this.#calls,
      earlier: this.#sources.slice(0, -1),
    });
  }

  /** How much is shown of a script's value: of a whole file as much as the window has room for. */
  #viewOf(value: unknown): number {
    const usual = this.#deps.options.maxOutputLength;
    const tools = this.#calls.giving(value).map((name) => this.#run.toolbox.find(name));
    if (!tools.some((tool) => tool?.presentation.whole)) return usual;
    const room = new Room(this.#choice.contextWindow);
    room.sends(this.#messages);
    return Math.max(usual, room.left());
  }

  /** A script has given its answer: the turn is over, unless the review rejects it. */
  async #end(text: string): Promise<string | undefined> {
    this.#run.scope.ledger.settle();
    const verdict = await this.#review.final(text, this.#sources.at(-1));
    if (verdict.kind === 'answer') {
      const kept = this.#calls.kept(verdict.text);
      if (kept !== undefined) await this.#tell(kept);
      return verdict.text;
    }
    this.#output.reopen();
    if (verdict.kind === 'calls') return this.#runCalls(verdict.calls);
    const { why, reason } = verdict;
    this.#counts.retries += 1;
    if (verdict.kind === 'stuck') this.#failures.script += 1;
    this.#run.context.show({ type: 'retry', reason: why, waitMs: 0 });
    const known = [await this.#calls.shapes(), this.#calls.results(), this.#calls.acted()];
    await this.#tell([reason, ...known].filter((part) => part !== '').join('\n'), why);
    return undefined;
  }

  #called(call: WorldCall): void {
    this.#trace.call(call);
    this.#calls.add({ ...call, args: call.args.map((arg) => this.#run.redactor.redactValue(arg)) });
    if (call.reply.ok) this.#reads.add(call.reply.value, call.name, call.args);
    else this.#reads.failed(call.reply.error);
  }

  async #answered(text: string): Promise<Answer> {
    await this.#run.conversation.setLastData(this.#output.data?.value);
    await this.#save(false);
    return { text, stop: 'answered', usage: NO_USAGE, steps: this.#counts.replies };
  }

  async #stepLimit(): Promise<Answer> {
    await this.#save(false);
    const text = [...this.#output.outputs, stoppedAfter(this.#counts.replies, 'script')].join('\n\n');
    return { text, stop: 'step_limit', usage: NO_USAGE, steps: this.#counts.replies };
  }

  async #fallBack(reason: string): Promise<Answer> {
    const { context, scope } = this.#run;
    context.show({ type: 'fallback', from: 'code_agent', to: 'classic_tools', reason });
    this.#deps.log.warn('code mode falls back', { turn: this.#run.turn.id, reason });
    scope.ledger.rewindAll();
    await this.#save(true);
    const alreadyDone = await handover(this.#run, {
      calls: this.#calls,
      shown: this.#output.outputs.map((text) => this.#clean(text)),
      reason,
    });
    const answer = await this.#deps.fallback.run({ ...inClassic(this.#run), ...(alreadyDone ? { alreadyDone } : {}) });
    return { ...answer, steps: answer.steps + this.#counts.replies };
  }

  #save(fellBack: boolean): Promise<void> {
    const about = { turnId: this.#run.turn.id, model: this.#choice.name, fellBack };
    return this.#counts.save(this.#deps.store, about, this.#run.context.now());
  }

  #leftMs(): number {
    return this.#deps.options.totalTimeoutMs - this.#scriptMs;
  }

  async #remember(given: Step, message?: BaseMessage): Promise<void> {
    const step = { ...given, content: this.#clean(given.content) };
    await this.#run.conversation.append(step);
    this.#messages.push(message ?? toMessage(step));
  }

  /** A model may write down a secret that it has from elsewhere, and does not get it back. */
  #clean(text: string): string {
    return this.#run.redactor.redact(text);
  }

  /** Tell the model the outcome of its script. @param failed why it has to write another. */
  #tell(content: string, failed?: string): Promise<void> {
    const outcomes = this.#calls.outcomes();
    const message = feedbackMessage(this.#clean(content), { outcomes, ...(failed === undefined ? {} : { failed }) });
    return this.#remember({ role: 'user', kind: 'feedback', content }, message);
  }
}
