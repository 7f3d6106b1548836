import type { BaseMessage } from '@langchain/core/messages';
import { AssistantError } from '../../base/errors.ts';
import { type Answer, NO_USAGE } from '../../base/turn.ts';
import { toMessage } from '../../conversation/messages.ts';
import type { Step } from '../../conversation/types.ts';
import { profileOf } from '../../models/profile.ts';
import type { ModelChoice } from '../../models/types.ts';
import type { ScriptResult } from '../../sandbox/contract.ts';
import { endedByLength } from '../classic/tool-call-guard.ts';
import { completedEffects } from '../completed-effects.ts';
import { Steering } from '../steering.ts';
import type { EngineRun } from '../types.ts';
import { ask, ProseView } from './ask-model.ts';
import { feedback, formatFeedback } from './feedback.ts';
import { saveCodeTurn } from './mode-stats.ts';
import { openingMessages } from './opening.ts';
import { type Reply, readReply } from './read-reply.ts';
import { runScript } from './run-script.ts';
import { ScriptOutput } from './script-output.ts';
import { StoredValues } from './stored-values.ts';
import { Trace } from './trace.ts';
import type { CodeTurnDeps } from './types.ts';
import { World } from './world.ts';

interface Opening {
  readonly values: StoredValues;
  readonly messages: BaseMessage[];
}

/** One turn in code mode, from the first model call to the answer, or to the fallback. */
export class CodeTurn {
  readonly #deps: CodeTurnDeps;
  readonly #run: EngineRun;
  readonly #output: ScriptOutput;
  readonly #values: StoredValues;
  readonly #world: World;
  readonly #trace: Trace;
  readonly #messages: BaseMessage[];
  readonly #steering: Steering;
  /** Failed attempts in a row; any script that runs through resets it. */
  #failures = 0;
  #scripts = 0;
  #scriptMs = 0;
  // What `wooster usage --modes` compares models by.
  #replies = 0;
  #cleanReplies = 0;
  #retries = 0;
  #model = '';

  private constructor(deps: CodeTurnDeps, run: EngineRun, { values, messages }: Opening) {
    this.#deps = deps;
    this.#run = run;
    this.#steering = new Steering(run);
    this.#output = new ScriptOutput((text) => run.context.show({ type: 'output', text }));
    this.#values = values;
    this.#trace = new Trace(deps.traceDir, run.turn.id, deps.redactor);
    this.#world = new World({
      toolbox: run.toolbox,
      scope: run.scope,
      pick: run.pick,
      registry: deps.registry,
      output: this.#output,
      ...(deps.redactor ? { redactor: deps.redactor } : {}),
      onCall: (call) => this.#trace.call(call),
      onLog: (text) => run.context.show({ type: 'log', text }),
    });
    this.#messages = messages;
  }

  /** Load what the turn starts with: the conversation, and what the turn saved before it was interrupted. */
  static async start(deps: CodeTurnDeps, run: EngineRun): Promise<CodeTurn> {
    const values = await StoredValues.load(run.conversation);
    return new CodeTurn(deps, run, { values, messages: await openingMessages(deps, run) });
  }

  /** Run the turn. Where scripts cannot run at all, it goes on in classic mode. */
  async run(): Promise<Answer> {
    try {
      return await this.#loop();
    } catch (error) {
      if (!(error instanceof AssistantError) || error.code !== 'sandbox_unavailable') throw error;
      const { code, message, hint } = error;
      this.#run.context.show({ type: 'error', code, message, hint });
      return this.#fallBack('scripts cannot run here');
    }
  }

  async #loop(): Promise<Answer> {
    void this.#deps.sandbox.warm();
    const choice = await this.#run.pick(profileOf(this.#run.turn));
    this.#model = choice.name;
    while (this.#replies < this.#deps.options.maxIterations) {
      this.#run.context.signal.throwIfAborted();
      const answer = await this.#iterate(choice);
      if (answer !== undefined) return this.#answered(answer);
      if (this.#failures >= this.#deps.maxAttempts) return this.#fallBack(`${this.#failures} failed scripts in a row`);
      if (this.#leftMs() <= 0) return this.#fallBack('the time for scripts is used up');
    }
    return this.#stepLimit();
  }

  /** Ask for one reply and act on it. @returns the answer once the turn is over. */
  async #iterate(choice: ModelChoice): Promise<string | undefined> {
    const { context } = this.#run;
    const { strictFormat } = this.#deps.options;
    for (const step of await this.#steering.take()) this.#messages.push(toMessage(step));
    const view = new ProseView((text) => context.show({ type: 'token', text }));
    const message = await ask(this.#run, choice, this.#messages, (part) => {
      if (!strictFormat) view.add(part);
    });
    this.#replies += 1;
    const reply = readReply(message.text, endedByLength(message));
    if (reply.kind === 'code' && reply.clean) this.#cleanReplies += 1;
    if (reply.kind === 'code') return this.#runScript(reply.source);
    if (reply.kind === 'text' && !strictFormat) {
      view.finish();
      return reply.text;
    }
    this.#refuse(message.text, reply.kind);
    return undefined;
  }

  /** Not saved: to the next turn a refused reply is worth nothing. */
  #refuse(text: string, kind: Exclude<Reply['kind'], 'code'>): void {
    this.#failures += 1;
    this.#retries += 1;
    this.#run.context.show({ type: 'retry', reason: formatFeedback(kind), waitMs: 0 });
    this.#messages.push(
      toMessage({ role: 'assistant', kind: 'text', content: text.slice(0, 2000) || '(empty)' }),
      toMessage({ role: 'user', kind: 'feedback', content: formatFeedback(kind) }),
    );
  }

  async #runScript(source: string): Promise<string | undefined> {
    const { context, scope } = this.#run;
    this.#scripts += 1;
    context.show({ type: 'code', attempt: this.#scripts, source });
    await this.#remember({ role: 'assistant', kind: 'code', content: source });
    const result = await this.#execute(source);
    context.signal.throwIfAborted();
    if (this.#output.answer !== undefined) return this.#end();
    if (result.failed) scope.ledger.rewind();
    else scope.ledger.settle();
    this.#failures = result.failed ? this.#failures + 1 : 0;
    if (result.failed) this.#retries += 1;
    await this.#remember({ role: 'user', kind: 'feedback', content: await this.#feedback(result) });
    return undefined;
  }

  async #execute(source: string): Promise<ScriptResult> {
    const { options, sandbox } = this.#deps;
    const deps = { sandbox, world: this.#world, values: this.#values, trace: this.#trace };
    const result = await runScript(deps, source, {
      signal: this.#run.context.signal,
      limits: { timeoutMs: Math.min(options.stepTimeoutMs, this.#leftMs()), memoryMb: options.memoryLimitMb },
    });
    this.#scriptMs += result.ms;
    return result;
  }

  #feedback(result: ScriptResult): Promise<string> {
    return feedback({
      result,
      stored: this.#values.sizes(),
      names: this.#world.names(),
      maxChars: this.#deps.options.maxOutputLength,
      keep: (value) => this.#keepWhole(value),
      attemptsLeft: this.#deps.maxAttempts - this.#failures,
    });
  }

  /**
   * Keep a value that is too long for the model as an artifact. What tools gave the script is redacted already; what
   * the script itself made is not, so the value is redacted here.
   *
   * @returns its id; undefined where it cannot be kept or could not be read again.
   */
  async #keepWhole(value: unknown): Promise<string | undefined> {
    const { artifacts, redactor } = this.#deps;
    const { turn, toolbox } = this.#run;
    if (!toolbox.find('artifact.get')) return undefined;
    try {
      return await artifacts?.keep(turn, redactor?.redactValue(value) ?? value, `value of script ${this.#scripts}`);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #end(): string {
    this.#run.scope.ledger.settle();
    return this.#output.answer ?? '';
  }

  async #answered(text: string): Promise<Answer> {
    await this.#run.conversation.setLastData(this.#output.data?.value);
    await this.#save(false);
    return { text, stop: 'answered', usage: NO_USAGE, steps: this.#replies };
  }

  async #stepLimit(): Promise<Answer> {
    await this.#save(false);
    const note = `I stopped after ${this.#replies} scripts without finishing. Ask me to go on if you want the rest.`;
    const text = [...this.#output.outputs, note].join('\n\n');
    return { text, stop: 'step_limit', usage: NO_USAGE, steps: this.#replies };
  }

  async #fallBack(reason: string): Promise<Answer> {
    const { context, scope } = this.#run;
    context.show({ type: 'fallback', from: 'code_agent', to: 'classic_tools', reason });
    this.#deps.log.warn('code mode falls back', { turn: this.#run.turn.id, reason });
    scope.ledger.rewindAll();
    await this.#save(true);
    const alreadyDone = await this.#alreadyDone();
    const answer = await this.#deps.fallback.run({ ...this.#run, ...(alreadyDone ? { alreadyDone } : {}) });
    return { ...answer, steps: answer.steps + this.#replies };
  }

  /** What the model that takes over has to know: completed effects, and what the person has already read. */
  async #alreadyDone(): Promise<string | undefined> {
    const said = this.#output.outputs;
    const shown = said.length > 0 ? `(Already shown to the person:\n${said.join('\n').slice(0, 4000)})` : undefined;
    const parts = [this.#run.alreadyDone, completedEffects(await this.#run.scope.ledger.list()), shown];
    const text = [...new Set(parts)].filter((part) => part !== undefined).join('\n\n');
    return text === '' ? undefined : text;
  }

  async #save(fellBack: boolean): Promise<void> {
    const { turn, context } = this.#run;
    const stats = {
      turnId: turn.id,
      model: this.#model,
      replies: this.#replies,
      clean: this.#cleanReplies,
      retries: this.#retries,
    };
    await saveCodeTurn(this.#deps.store, { ...stats, fellBack }, context.now());
  }

  #leftMs(): number {
    return this.#deps.options.totalTimeoutMs - this.#scriptMs;
  }

  async #remember(step: Step): Promise<void> {
    await this.#run.conversation.append(step);
    this.#messages.push(toMessage(step));
  }
}
