import { AssistantError, messageOf } from '../base/errors.ts';
import { type Answer, addUsage, NO_USAGE, type Turn, type TurnContext, type Usage } from '../base/turn.ts';
import { Compactor } from '../conversation/compaction.ts';
import type { Conversations } from '../conversation/conversations.ts';
import { redactedConversation, type StoredConversation } from '../conversation/stored-conversation.ts';
import { createCounters } from '../conversation/tokens.ts';
import { namesSeveralSteps } from '../models/profile.ts';
import type { ModelChoice, ModelRequest, TaskProfile } from '../models/types.ts';
import { EffectLedger } from '../tools/gate/ledger.ts';
import type { CallScope, Toolbox } from '../tools/gate/toolbox.ts';
import type { AgentDeps, JobContext } from './agent.ts';
import {
  type CompactReport,
  type ContextReport,
  compactConversation,
  type ReportDeps,
  reportContext,
} from './context-report.ts';
import { completedEffects } from './done-before.ts';
import { buildSystemPrompt, internalPrompt } from './prompt.ts';
import { TurnGuard } from './turn-guard.ts';
import type { EngineRun } from './types.ts';

/** Takes one turn from its text to its saved answer. */
export class TurnRunner {
  readonly #deps: AgentDeps;
  readonly #conversations: Conversations;
  readonly #counterFor = createCounters();

  constructor(deps: AgentDeps, conversations: Conversations) {
    this.#deps = deps;
    this.#conversations = conversations;
  }

  /** Never rejects: an abort gives `aborted`, everything else that goes wrong `failed` and one `error` event. */
  async run(given: Turn, outer: TurnContext): Promise<Answer> {
    const started = performance.now();
    const { redactor, options } = this.#deps;
    const guard = new TurnGuard(given, outer, { redactor, linkHosts: options.linkHosts ?? [] });
    const booking = new Booking(guard.turn, guard.context);
    const answer = await this.#attempt(guard, booking);
    const whole = { ...answer, usage: booking.usage };
    guard.context.show({ type: 'answer', text: whole.text, stop: whole.stop });
    for (const text of guard.unsupported(whole)) guard.context.show({ type: 'claim', text, supported: false });
    this.#trace(guard.turn, whole, { model: booking.model, ms: Math.round(performance.now() - started) });
    return whole;
  }

  /** What would fill the window of the next request of this conversation. */
  async context(turn: Turn, context: TurnContext): Promise<ContextReport> {
    return reportContext(await this.#reportParts(turn, context));
  }

  /** Summarise a conversation now. @throws AssistantError when no model can be had. */
  async compact(turn: Turn, context: TurnContext): Promise<CompactReport> {
    const deps = await this.#reportParts(turn, context);
    const booking = new Booking(turn, context);
    const compactor = this.#compactor({ turn, context, conversation: deps.conversation, booking }, 2);
    return compactConversation(compactor, deps, context);
  }

  async #reportParts(turn: Turn, context: TurnContext): Promise<ReportDeps> {
    const prepared = await this.#deps.plugins.prepare(turn);
    const quiet = { ...context, show: () => {} };
    const choice = await this.#pick(
      { profile: 'TOOL_EXECUTION' },
      { turn, context, booking: new Booking(turn, quiet) },
    );
    return {
      turn,
      choice,
      window: this.#deps.options.contextWindowTokens ?? choice.contextWindow,
      counter: await this.#counterFor(choice.name),
      systemPrompt: this.#systemPrompt(turn, context, prepared.context),
      toolbox: this.#deps.toolbox.with(prepared.tools),
      conversation: this.#conversations.look(turn, () => context.now()),
    };
  }

  async #attempt(guard: TurnGuard, booking: Booking): Promise<Answer> {
    const { turn, context } = guard;
    try {
      const conversation = this.#conversations.begin(turn, () => context.now());
      const found = await this.#answer(guard, { conversation, booking }).catch((error: unknown) =>
        this.#failure(error, context, booking),
      );
      const answer = guard.settle(found);
      this.#conversations.finish(turn, answer, context.now());
      return answer;
    } catch (error) {
      return this.#failure(error, context, booking);
    }
  }

  async #answer(
    guard: TurnGuard,
    { conversation, booking }: { conversation: StoredConversation; booking: Booking },
  ): Promise<Answer> {
    const { turn, context } = guard;
    const prepared = await this.#deps.plugins.prepare(turn);
    const job = this.#deps.jobContext?.(turn);
    const scope = this.#scope(guard, job);
    guard.watch(scope);
    const pick: EngineRun['pick'] = (profile, options) =>
      this.#pick({ profile, ...options }, { turn, context, booking });
    const offered = this.#deps.toolbox.with(prepared.tools);
    const toolbox = this.#toolbox({ turn, context, scope, pick, toolbox: job?.limit?.(offered) ?? offered });
    const compactor = this.#compactor({ turn, context, conversation, booking });
    const run: EngineRun = {
      turn,
      context,
      toolbox,
      scope,
      models: this.#deps.models,
      systemPrompt: this.#deps.redactor.redact(this.#systemPrompt(turn, context, prepared.context)),
      conversation: redactedConversation(conversation, this.#deps.redactor),
      compact: (messages, choice, options) => compactor.compact(messages, choice, options),
      pick,
      alreadyDone: conversation.resumed().length > 0 ? completedEffects(scope.ledger.list()) : undefined,
    };
    return this.#deps.engines[turn.mode].run(run);
  }

  #scope({ turn, context, halt }: TurnGuard, job: JobContext | undefined): CallScope {
    const labels = this.#conversations.labels(turn.conversationId);
    const bornUntrusted = job?.untrusted === true || turn.origin === 'channel';
    const source = job ? 'a job born from text of strangers' : 'a message by chat';
    if (bornUntrusted) labels.read({ untrusted: true, private: false }, source);
    return {
      turn,
      context,
      labels,
      ledger: new EffectLedger({ store: this.#deps.store, turn, now: () => context.now(), runId: job?.runId }),
      said: this.#conversations.said(turn.conversationId),
      destinations: new Set(),
      allowedThisTurn: new Set(),
      jobChannel: job?.channel,
      bornUntrusted,
      halt,
    };
  }

  #toolbox(run: Pick<EngineRun, 'turn' | 'context' | 'scope' | 'toolbox' | 'pick'>): Toolbox {
    return run.turn.mode === 'classic_tools' ? run.toolbox.with(this.#deps.classicTools?.(run) ?? []) : run.toolbox;
  }

  #systemPrompt(turn: Turn, context: TurnContext, lines: readonly string[]): string {
    return buildSystemPrompt({
      dir: this.#deps.promptsDir,
      turn,
      now: context.now(),
      timeZone: this.#deps.options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      project: this.#deps.projects.prompt(turn.project),
      context: lines,
    });
  }

  #compactor(
    at: { turn: Turn; context: TurnContext; conversation: StoredConversation; booking: Booking },
    keep?: number,
  ): Compactor {
    const { turn, context, conversation, booking } = at;
    return new Compactor({
      turn,
      context,
      records: conversation.compactions(),
      prompt: () => internalPrompt(this.#deps.promptsDir, 'summary'),
      pickSummariser: (maxTokens) =>
        this.#pick(
          { profile: booking.profile, purpose: 'compaction', maxTokens, temperature: 0.3 },
          { turn, context, booking },
        ),
      windowTokens: this.#deps.options.contextWindowTokens,
      counterFor: this.#counterFor,
      log: this.#deps.log,
      keep,
    });
  }

  async #pick(
    wanted: Pick<ModelRequest, 'profile'> & Partial<ModelRequest>,
    { turn, context, booking }: { turn: Turn; context: TurnContext; booking: Booking },
  ): Promise<ModelChoice> {
    const job = this.#deps.jobContext?.(turn);
    const choice = await this.#deps.models.pick({
      purpose: 'turn',
      ...wanted,
      profile: (wanted.purpose !== 'compaction' && job?.profile) || wanted.profile,
      severalSteps: namesSeveralSteps(turn.text),
      mode: turn.mode,
      project: turn.project,
      turnId: turn.id,
      conversationId: turn.conversationId,
      jobId: job?.jobId,
      jobBudgetUsd: job?.budgetUsd,
      signal: context.signal,
      onRetry: (retry) => context.show({ type: 'retry', ...retry }),
      onNotice: (text) => context.show({ type: 'notice', text }),
      onUsage: (usage) => booking.add(usage),
    });
    if (wanted.purpose !== 'compaction') booking.profile = wanted.profile;
    booking.announce(choice.name);
    return choice;
  }

  #failure(error: unknown, context: TurnContext, booking: Booking): Answer {
    booking.announce('none');
    const end = { usage: NO_USAGE, steps: 0 };
    if (context.signal.aborted) return { ...end, text: '', stop: 'aborted' };
    const known = error instanceof AssistantError;
    const redact = (text: string) => this.#deps.redactor.redact(text);
    if (!known) this.#deps.log.error('turn failed', { error: messageOf(error), stack: stackOf(error) });
    context.show({
      type: 'error',
      code: known ? error.code : 'internal',
      message: redact(messageOf(error)),
      hint: known ? error.hint : 'This is a fault of the program; logs/ has the details.',
    });
    return { ...end, text: '', stop: known && error.code === 'budget_reached' ? 'budget' : 'failed' };
  }

  #trace(turn: Turn, answer: Answer, { model, ms }: { model: string; ms: number }): void {
    this.#deps.log.debug(`[Agent] Completed in ${answer.steps} steps`);
    this.#deps.log.info('turn', {
      turn: turn.id,
      conversation: turn.conversationId,
      origin: turn.origin,
      mode: turn.mode,
      project: turn.project,
      model,
      stop: answer.stop,
      steps: answer.steps,
      calls: answer.usage.calls,
      inputTokens: answer.usage.inputTokens,
      outputTokens: answer.usage.outputTokens,
      ms,
    });
  }
}

/** What the turn cost so far, and the event that opens it: shown once, when the model is known. */
class Booking {
  usage: Usage = NO_USAGE;
  model = 'none';
  /** What the turn's model was picked for; its summaries come from the same one. */
  profile: TaskProfile = 'TOOL_EXECUTION';
  #announced = false;
  readonly #turn: Turn;
  readonly #context: TurnContext;

  constructor(turn: Turn, context: TurnContext) {
    this.#turn = turn;
    this.#context = context;
  }

  announce(model: string): void {
    if (this.#announced) return;
    this.#announced = true;
    this.model = model;
    const { id, conversationId, mode, project } = this.#turn;
    this.#context.show({ type: 'turn', id, conversationId, mode, model, project });
  }

  add(usage: Usage & { readonly model: string }): void {
    this.usage = addUsage(this.usage, usage);
    const { model, inputTokens, outputTokens, costUsd } = usage;
    this.#context.show({ type: 'usage', model, inputTokens, outputTokens, costUsd });
  }
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
