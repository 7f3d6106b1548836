import { AssistantError, messageOf } from '../base/errors.ts';
import { type Answer, type Mode, NO_USAGE, type Turn, type TurnContext, type TurnEvent } from '../base/turn.ts';
import { Compactor } from '../conversation/compaction.ts';
import type { Conversations } from '../conversation/conversations.ts';
import { type OpenConversation, redactedConversation } from '../conversation/open-conversation.ts';
import { createCounters } from '../conversation/tokens.ts';
import { createScriptExtensions } from '../sandbox/script-extensions.ts';
import { writeFailure } from '../store/write-failure.ts';
import { turnOf } from '../tools/gate/decided-calls.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import { doneIn } from '../tools/gate/effect-rows.ts';
import { OncePerReply } from '../tools/gate/once-per-reply.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { startTurnState } from '../tools/gate/turn-state.ts';
import type { CallScope } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';
import { completedEffects, tellUnknown } from './completed-effects.ts';
import {
  type CompactReport,
  type ContextReport,
  compactConversation,
  type ReportDeps,
  reportContext,
  unannounced,
} from './context-report.ts';
import { apart, buildSystemPrompt, internalPrompt, type PromptOptions, promptParts } from './prompt.ts';
import { promptReport, type ShownPrompt } from './prompt-report.ts';
import { proposalLines, withProposals } from './proposal-lines.ts';
import { runOrStandIn } from './stand-in.ts';
import { TurnGuard } from './turn-guard.ts';
import { TurnModels } from './turn-models.ts';
import type { AgentDeps, EngineRun, JobContext, TurnToolsRun, TurnWishes } from './types.ts';

/** `/compact` keeps the last exchange: a request and its answer. */
const LAST_EXCHANGE = 2;
/** Nobody speaks of "it" and means what was done longer ago than so many requests. */
const LOOKED_BACK = 12;

/** What the parts of a running turn share. */
interface Running {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly conversation: OpenConversation;
  readonly models: TurnModels;
  readonly wishes: TurnWishes;
}

/** Runs turns, each from its request to its saved answer. */
export class TurnRunner {
  readonly #deps: AgentDeps;
  readonly #conversations: Conversations;
  readonly #counterFor = createCounters();

  constructor(deps: AgentDeps, conversations: Conversations) {
    this.#deps = deps;
    this.#conversations = conversations;
  }

  /** Never rejects: an abort ends as `aborted`, anything else that goes wrong as `failed` with one `error` event. */
  async run(given: Turn, outer: TurnContext, wishes: TurnWishes = {}): Promise<Answer> {
    const started = performance.now();
    const guard = this.#guard(given, outer);
    const { turn, context } = guard;
    const models = this.#models(turn, context, wishes);
    const answer = await this.#attempt(guard, models, wishes);
    const whole = { ...answer, usage: models.usage };
    context.show({ type: 'answer', text: whole.text, stop: whole.stop });
    for (const event of await this.#afterwards(guard, whole, models)) context.show(event);
    this.#trace(turn, whole, { model: models.model, ms: Math.round(performance.now() - started) });
    this.#deps.plugins.observeTurn?.(turn, whole);
    return whole;
  }

  /** What would fill the context window of the conversation's next request. */
  async context(turn: Turn, context: TurnContext): Promise<ContextReport> {
    return reportContext(await this.#reportDeps(turn, context));
  }

  /** Every prompt and declaration as it is sent; nothing is asked. */
  async prompts(turn: Turn, outer: TurnContext): Promise<readonly ShownPrompt[]> {
    const { promptsDir, registry = createScriptExtensions() } = this.#deps;
    const guard = this.#guard(turn, outer);
    const { context } = guard;
    const { prepared, ...toolboxes } = await this.#toolboxes(turn, guard);
    const prompt = this.#promptOptions(turn, context, prepared.context);
    return promptReport(turn, { promptsDir, registry, prompt, toolboxes });
  }

  /** Every tool that a model can get in this turn, in one mode or the other. */
  async tools(turn: Turn, outer: TurnContext): Promise<readonly Tool[]> {
    return (await this.#toolboxes(turn, this.#guard(turn, outer))).classic.list();
  }

  #guard(turn: Turn, outer: TurnContext): TurnGuard {
    const { redactor, options } = this.#deps;
    return new TurnGuard(turn, outer, { redactor, linkHosts: options.linkHosts ?? [] });
  }

  /** The toolboxes of a turn that is only looked at, as it would be in each mode. */
  async #toolboxes(turn: Turn, guard: TurnGuard) {
    const prepared = await this.#deps.plugins.prepare(turn);
    const toolbox = this.#deps.toolbox.with(prepared.tools);
    const scope = await this.#scope(guard, {});
    const pick: EngineRun['pick'] = () => Promise.reject(new Error('a report asks no model'));
    const { context } = guard;
    const inMode = (mode: Mode) => turnToolbox(this.#deps, { turn: { ...turn, mode }, context, scope, pick, toolbox });
    return { prepared, classic: await inMode('classic_tools'), code: await inMode('code_agent') };
  }

  /** Summarise a conversation now. @throws AssistantError when no model is available. */
  async compact(turn: Turn, context: TurnContext): Promise<CompactReport> {
    const deps = await this.#reportDeps(turn, context);
    const { conversation } = deps;
    const models = this.#models(turn, unannounced(context));
    const running = { turn, context, conversation, models, wishes: {} };
    return compactConversation(this.#compactor(running, LAST_EXCHANGE), deps, context);
  }

  async #reportDeps(turn: Turn, context: TurnContext): Promise<ReportDeps> {
    const { prepared, classic, code } = await this.#toolboxes(turn, this.#guard(turn, context));
    const choice = await this.#models(turn, unannounced(context)).pick({ profile: 'TOOL_EXECUTION' });
    return {
      turn,
      choice,
      window: this.#deps.options.contextWindowTokens ?? choice.contextWindow,
      counter: await this.#counterFor(choice.name),
      systemPrompt: buildSystemPrompt(this.#promptOptions(turn, context, prepared.context)),
      toolbox: turn.mode === 'code_agent' ? code : classic,
      conversation: await this.#conversations.look(turn, () => context.now()),
    };
  }

  #models(turn: Turn, context: TurnContext, wishes: TurnWishes = {}): TurnModels {
    const { models, store } = this.#deps;
    return new TurnModels({ models, store, turn, context, model: wishes.model, job: this.#job(turn, wishes) });
  }

  #job(turn: Turn, wishes: TurnWishes): JobContext | undefined {
    return wishes.job ?? this.#deps.jobContext?.(turn);
  }

  async #attempt(guard: TurnGuard, models: TurnModels, wishes: TurnWishes): Promise<Answer> {
    const { turn, context } = guard;
    try {
      const conversation = await this.#conversations.begin(turn, () => context.now());
      const running = { turn, context, conversation, models, wishes };
      const found = await this.#answer(guard, running).catch((error: unknown) => this.#failure(error, context, models));
      const answer = guard.settle({ ...found, text: withProposals(found.text, guard.proposed()) });
      await this.#conversations.finish(turn, answer, context.now());
      return answer;
    } catch (error) {
      return this.#failure(error, context, models);
    }
  }

  /** The turn has ended, so a store that fails now must not make it fail. */
  async #afterwards(guard: TurnGuard, answer: Answer, models: TurnModels): Promise<readonly TurnEvent[]> {
    try {
      return await guard.afterwards(answer, models);
    } catch (error) {
      this.#deps.log.error('what follows an answer was not found', { error: messageOf(error) });
      return [];
    }
  }

  async #answer(guard: TurnGuard, running: Running): Promise<Answer> {
    const { turn, context, conversation, models, wishes } = running;
    const prepared = await this.#deps.plugins.prepare(turn);
    for (const text of (await this.#deps.projects.refused?.(turn.project)) ?? [])
      context.show({ type: 'notice', text });
    const job = this.#job(turn, wishes);
    const scope = await this.#scope(guard, wishes);
    if (prepared.private) await scope.labels.read({ untrusted: false, private: true }, 'memory');
    guard.watch(scope);
    const pick: EngineRun['pick'] = (profile, options) => models.pick({ profile, ...options });
    const offered = this.#deps.toolbox.with(prepared.tools);
    const toolbox = await turnToolbox(this.#deps, { turn, context, scope, pick, job, toolbox: offered }, wishes);
    const compactor = this.#compactor(running);
    const isContinued = (await conversation.resumed()).length > 0;
    if (isContinued) await tellUnknown(this.#deps.cutOff, turn, context);
    const waiting = proposalLines((await this.#deps.proposals?.list()) ?? [], turn);
    const form = wishes.answer ? [wishes.answer.lines[turn.mode]] : [];
    const lines = apart(prepared.context, waiting, wishes.lines ?? [], form);
    const prompt = this.#promptOptions(turn, context, lines);
    const redact = (text: string) => this.#deps.redactor.redact(text);
    const run: EngineRun = {
      turn,
      context,
      toolbox,
      scope,
      models: this.#deps.models,
      systemPrompt: redact(buildSystemPrompt(prompt)),
      promptParts: (small) => {
        const { standing, now } = promptParts({ ...prompt, small });
        return { standing: redact(standing), now: redact(now) };
      },
      counterFor: this.#counterFor,
      facts: (prepared.facts ?? []).map(redact),
      offers: prepared.offers ?? [],
      done: await doneIn(this.#deps.store, await this.#conversations.turnsBefore(turn, LOOKED_BACK)),
      conversation: redactedConversation(conversation, this.#deps.redactor, wishes.before),
      redactor: this.#deps.redactor,
      compact: (messages, choice, options) => compactor.compact(messages, choice, options),
      pick,
      job,
      maxSteps: wishes.maxSteps,
      wanted: wishes.answer,
      alreadyDone: isContinued ? completedEffects(await scope.ledger.list()) : undefined,
    };
    const allowed = !isContinued && !job && !wishes.engine && !wishes.answer && wishes.standIn !== false;
    return runOrStandIn(wishes.engine ?? this.#deps.engines[turn.mode], run, { models, allowed });
  }

  async #scope({ turn, context, halt }: TurnGuard, wishes: TurnWishes): Promise<CallScope> {
    const job = this.#job(turn, wishes);
    const labels = await this.#conversations.labels(turn.conversationId);
    // A chat message may come from anybody who can write to the channel.
    const bornUntrusted = job?.untrusted === true || turn.origin === 'channel';
    const source = job ? 'a job created from untrusted content' : 'a chat message';
    if (bornUntrusted) await labels.read({ untrusted: true, private: false }, source);
    if (wishes.read) await labels.read(wishes.read, 'the program that asks');
    for (const { name, untrusted, shared = false } of turn.material ?? [])
      await labels.read({ untrusted, private: !shared }, name);
    return {
      turn,
      context,
      labels,
      ledger: new EffectLedger({
        ...{ store: this.#deps.store, turn, now: () => context.now(), runId: job?.runId },
        approved: job?.decided?.map(turnOf),
      }),
      said: wishes.said ?? (await this.#conversations.said(turn.conversationId, job && !bornUntrusted ? turn.id : '')),
      ...startTurnState(),
      reply: new OncePerReply(),
      jobChannel: job?.channel,
      decided: job?.decided,
      bornUntrusted,
      halt,
    };
  }

  #promptOptions(turn: Turn, context: TurnContext, lines: readonly string[]): PromptOptions {
    return {
      dir: this.#deps.promptsDir,
      ownDir: this.#deps.ownPromptsDir,
      isObeyed: this.#deps.projects.isObeyed,
      turn,
      now: context.now(),
      timeZone: context.timeZone,
      project: this.#deps.projects.prompt(turn.project),
      context: lines,
    };
  }

  #compactor({ turn, context, conversation, models }: Running, keep?: number): Compactor {
    return new Compactor({
      turn,
      context,
      records: conversation.compactions(),
      prompt: () => internalPrompt(this.#deps.promptsDir, 'summary'),
      pickSummariser: (maxTokens) => models.pickSummariser(maxTokens),
      windowTokens: this.#deps.options.contextWindowTokens,
      counterFor: this.#counterFor,
      log: this.#deps.log,
      keep,
    });
  }

  #failure(thrown: unknown, context: TurnContext, models: TurnModels): Answer {
    const error = writeFailure(thrown) ?? thrown;
    models.announce('none');
    const end = { usage: NO_USAGE, steps: 0 };
    if (context.signal.aborted) return { ...end, text: '', stop: 'aborted' };
    const known = error instanceof AssistantError;
    const redact = (text: string) => this.#deps.redactor.redact(text);
    if (!known) this.#deps.log.error('turn failed', { error: messageOf(error), stack: stackOf(error) });
    context.show({
      type: 'error',
      code: known ? error.code : 'internal',
      message: redact(messageOf(error)),
      hint: known ? error.hint : 'This is a bug in Wooster; logs/ has the details.',
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

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}

/**
 * The tools of a turn: what a job leaves of them, the owner's programs, those of classic mode, and what the caller
 * wants of all these.
 *
 * @param run.toolbox before a job has narrowed it.
 */
async function turnToolbox(
  { classicTools, turnTools }: Pick<AgentDeps, 'classicTools' | 'turnTools'>,
  run: TurnToolsRun,
  { tools, answer }: Pick<TurnWishes, 'tools' | 'answer'> = {},
): Promise<Toolbox> {
  const limit = (toolbox: Toolbox) => run.job?.limit?.(toolbox) ?? toolbox;
  const toolbox = limit(run.toolbox);
  const own = (await turnTools?.({ ...run, toolbox })) ?? [];
  const all = own.length === 0 ? toolbox : limit(run.toolbox.with(own));
  const isClassic = run.turn.mode === 'classic_tools';
  const usual = isClassic ? all.with(classicTools?.({ ...run, toolbox: all }) ?? []) : all;
  const wished = tools?.(usual) ?? usual;
  return answer && isClassic ? wished.with([answer.tool]) : wished;
}
