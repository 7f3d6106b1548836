import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { AssistantError } from '../../base/errors.ts';
import { type Answer, NO_USAGE } from '../../base/turn.ts';
import { toMessage } from '../../conversation/messages.ts';
import type { Step } from '../../conversation/types.ts';
import { profileOf } from '../../models/profile.ts';
import type { ModelChoice } from '../../models/types.ts';
import type { ScriptResult } from '../../sandbox/contract.ts';
import { endedByLength } from '../classic/guard.ts';
import { completedEffects } from '../done-before.ts';
import type { EngineRun } from '../types.ts';
import { ask } from './ask.ts';
import type { CodeEngineDeps } from './engine.ts';
import { feedback, formatFeedback } from './feedback.ts';
import { saveCodeTurn } from './mode-stats.ts';
import { codePrompt } from './prompt.ts';
import { type Reply, readReply } from './read-reply.ts';
import { runScript } from './run-script.ts';
import { ScriptOutput } from './script-output.ts';
import { StoredValues } from './stored-values.ts';
import { ProseView } from './token-view.ts';
import { Trace } from './trace.ts';
import { World } from './world.ts';

export interface CodeTurnDeps extends CodeEngineDeps {
  readonly promptsDir: string;
  readonly maxAttempts: number;
}

const OWN_STEPS: ReadonlySet<Step['kind']> = new Set(['code', 'feedback']);

const CUT_OFF =
  'The program was ended while this script ran. Write it again; calls that already succeeded give their result again and do not act twice, and what was stored can be recalled.';

/** One turn in code mode, from its first request to its answer or to the fallback. */
export class CodeTurn {
  readonly #deps: CodeTurnDeps;
  readonly #run: EngineRun;
  readonly #ending: ScriptOutput;
  readonly #memory: StoredValues;
  readonly #world: World;
  readonly #trace: Trace;
  readonly #messages: BaseMessage[];
  /** Failed attempts in a row. */
  #failures = 0;
  #scripts = 0;
  #replies = 0;
  #scriptMs = 0;
  #cleanReplies = 0;
  #retries = 0;
  #model = '';

  constructor(deps: CodeTurnDeps, run: EngineRun) {
    this.#deps = deps;
    this.#run = run;
    this.#ending = new ScriptOutput((text) => run.context.show({ type: 'output', text }));
    this.#memory = new StoredValues(run.conversation.lastData(), run.conversation);
    this.#trace = new Trace(deps.traceDir, run.turn.id, deps.redactor);
    this.#world = new World({
      toolbox: run.toolbox,
      scope: run.scope,
      pick: run.pick,
      registry: deps.registry,
      ending: this.#ending,
      ...(deps.redactor ? { redactor: deps.redactor } : {}),
      onCall: (call) => this.#trace.call(call),
      onLog: (text) => run.context.show({ type: 'log', text }),
    });
    this.#messages = this.#opening();
  }

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

  /** One reply and what comes of it. @returns the answer's text when the turn is over. */
  async #iterate(choice: ModelChoice): Promise<string | undefined> {
    const { context } = this.#run;
    const { strictFormat } = this.#deps.options;
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

  #refuse(text: string, kind: Exclude<Reply['kind'], 'code'>): void {
    this.#failures += 1;
    this.#retries += 1;
    this.#run.context.show({ type: 'retry', reason: formatFeedback(kind), waitMs: 0 });
    this.#remember({ role: 'assistant', kind: 'text', content: text.slice(0, 2000) || '(empty)' }, false);
    this.#remember({ role: 'user', kind: 'feedback', content: formatFeedback(kind) }, false);
  }

  async #runScript(source: string): Promise<string | undefined> {
    const { context, scope } = this.#run;
    this.#scripts += 1;
    context.show({ type: 'code', attempt: this.#scripts, source });
    this.#remember({ role: 'assistant', kind: 'code', content: source });
    const result = await this.#execute(source);
    context.signal.throwIfAborted();
    if (this.#ending.answer !== undefined) return this.#end();
    if (result.failed) scope.ledger.rewind();
    else scope.ledger.settle();
    this.#failures = result.failed ? this.#failures + 1 : 0;
    if (result.failed) this.#retries += 1;
    this.#remember({ role: 'user', kind: 'feedback', content: this.#feedback(result) });
    return undefined;
  }

  async #execute(source: string): Promise<ScriptResult> {
    const { options, sandbox } = this.#deps;
    const parts = { sandbox, world: this.#world, memory: this.#memory, trace: this.#trace };
    const result = await runScript(parts, source, {
      signal: this.#run.context.signal,
      limits: { wallMs: Math.min(options.stepTimeoutMs, this.#leftMs()), memoryMb: options.memoryLimitMb },
    });
    this.#scriptMs += result.ms;
    return result;
  }

  #feedback(result: ScriptResult): string {
    return feedback({
      result,
      stored: this.#memory.sizes(),
      names: this.#world.names(),
      maxChars: this.#deps.options.maxOutputLength,
      keep: (value) => this.#keepWhole(value),
      attemptsLeft: this.#deps.maxAttempts - this.#failures,
    });
  }

  /** Values come out of a script: tools have cleaned what they gave it, the script's own words nobody has. */
  #keepWhole(value: unknown): string | undefined {
    const { artifacts, redactor } = this.#deps;
    const { turn, toolbox } = this.#run;
    // Without its tool nobody could read it again.
    if (!toolbox.find('artifact.get')) return undefined;
    try {
      return artifacts?.keep(turn, redactor?.redactValue(value) ?? value, `value of script ${this.#scripts}`);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #end(): string {
    this.#run.scope.ledger.settle();
    return this.#ending.answer ?? '';
  }

  #answered(text: string): Answer {
    this.#run.conversation.setLastData(this.#ending.data?.value);
    this.#save(false);
    return { text, stop: 'answered', usage: NO_USAGE, steps: this.#replies };
  }

  #stepLimit(): Answer {
    this.#save(false);
    const note = `I stopped after ${this.#replies} scripts without coming to an end. Ask me to go on if I should.`;
    const text = [...this.#ending.outputs, note].join('\n\n');
    return { text, stop: 'step_limit', usage: NO_USAGE, steps: this.#replies };
  }

  async #fallBack(reason: string): Promise<Answer> {
    const { context, scope } = this.#run;
    context.show({ type: 'fallback', from: 'code_agent', to: 'classic_tools', reason });
    this.#deps.log.warn('code mode falls back', { turn: this.#run.turn.id, reason });
    scope.ledger.rewindAll();
    this.#save(true);
    const alreadyDone = this.#alreadyDone();
    const answer = await this.#deps.fallback.run({ ...this.#run, ...(alreadyDone ? { alreadyDone } : {}) });
    return { ...answer, steps: answer.steps + this.#replies };
  }

  /** For the model that takes over: effects, and words that the person has already read. */
  #alreadyDone(): string | undefined {
    const said = this.#ending.outputs;
    const shown =
      said.length > 0 ? `(The person has already been shown:\n${said.join('\n').slice(0, 4000)})` : undefined;
    const parts = [this.#run.alreadyDone, completedEffects(this.#run.scope.ledger.list()), shown];
    const text = [...new Set(parts)].filter((part) => part !== undefined).join('\n\n');
    return text === '' ? undefined : text;
  }

  #save(fellBack: boolean): void {
    const { turn, context } = this.#run;
    const stats = {
      turnId: turn.id,
      model: this.#model,
      replies: this.#replies,
      clean: this.#cleanReplies,
      retries: this.#retries,
    };
    saveCodeTurn(this.#deps.store, { ...stats, fellBack }, context.now());
  }

  #leftMs(): number {
    return this.#deps.options.totalTimeoutMs - this.#scriptMs;
  }

  #remember(step: Step, save = true): void {
    if (save) this.#run.conversation.append(step);
    this.#messages.push(toMessage(step));
  }

  #opening(): BaseMessage[] {
    const { conversation, turn, systemPrompt, alreadyDone, toolbox } = this.#run;
    const { registry, promptsDir } = this.#deps;
    const prompt = codePrompt({
      promptsDir,
      tools: toolbox.list(),
      modules: Object.keys(registry.modules()),
      functions: [...registry.functions().keys()],
    });
    const resumed = conversation.resumed().filter((step) => OWN_STEPS.has(step.kind));
    const cutOff = resumed.at(-1)?.kind === 'code' ? [new HumanMessage(CUT_OFF)] : [];
    return [
      new SystemMessage(`${systemPrompt}\n\n${prompt}`),
      ...conversation.history('code'),
      new HumanMessage(alreadyDone === undefined ? turn.text : `${turn.text}\n\n${alreadyDone}`),
      ...resumed.map(toMessage),
      ...cutOff,
    ];
  }
}
