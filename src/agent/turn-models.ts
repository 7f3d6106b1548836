import { setImmediate as nextRound } from 'node:timers/promises';
import { addUsage, NO_USAGE, type Turn, type TurnContext, type Usage } from '../base/turn.ts';
import { namesSeveralSteps } from '../models/profile.ts';
import { providerOf } from '../models/providers/list.ts';
import type { ModelChoice, ModelRequest, Models, TaskProfile } from '../models/types.ts';
import type { Store } from '../store/store.ts';
import type { JobContext } from './types.ts';

export interface TurnModelsDeps {
  readonly models: Models;
  readonly store: Store;
  readonly turn: Turn;
  readonly context: TurnContext;
  /** The caller's, asked before any other. */
  readonly model?: string | undefined;
  readonly job: JobContext | undefined;
}

/** The model that stands in for others. */
const STAND_IN = 'builtin';

/** Picks the models of one turn, sums up what they cost, and announces the turn once its first model is known. */
export class TurnModels {
  readonly #deps: TurnModelsDeps;
  #usage: Usage = NO_USAGE;
  #first: string | undefined;
  #steerable = false;
  #isAway = false;
  #profile: TaskProfile = 'TOOL_EXECUTION';

  constructor(deps: TurnModelsDeps) {
    this.#deps = deps;
  }

  /** What the turn has cost so far. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Name of the model that the turn began with, or of the one that stood in for it; `none` before one was picked. */
  get model(): string {
    return this.#first ?? 'none';
  }

  /** A model that obeys whatever it reads took part: the built-in one acts on the person's words alone. */
  get steerable(): boolean {
    return this.#steerable;
  }

  /** Some model has replied to the turn. */
  get hasReplied(): boolean {
    return this.#usage.calls > 0;
  }

  /** From now on only the built-in model is picked: nothing has come of the others. */
  standIn(): void {
    this.#isAway = true;
    this.#steerable = false;
  }

  /** The built-in model has taken the turn over. */
  tookOver(): void {
    const from = this.#first;
    this.announce(STAND_IN);
    if (from === undefined) return;
    this.#deps.context.show({ type: 'fallback', from, to: STAND_IN, reason: 'the model is unreachable' });
    this.#first = STAND_IN;
  }

  /** @throws AssistantError when no model is available or the budget is used up. */
  async pick(wanted: Pick<ModelRequest, 'profile'> & Partial<ModelRequest>): Promise<ModelChoice> {
    const { models, store, turn, context, model, job } = this.#deps;
    const choice = await models.pick({
      purpose: turn.origin === 'program' ? 'agent' : 'turn',
      model,
      ...wanted,
      ...(this.#isAway && { model: STAND_IN }),
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
      onUsage: (usage) => {
        this.#add(usage);
        wanted.onUsage?.(usage);
      },
    });
    if (wanted.purpose !== 'compaction') this.#profile = wanted.profile;
    const isHere = providerOf(choice.provider)?.inProcess === true;
    this.#steerable ||= !isHere;
    // One that stands in is announced once it has found that it may.
    // A model in this process keeps the processor until it has answered: what was shown goes out first.
    if (!this.#isAway && this.announce(choice.name) && isHere) await nextRound();
    return { ...choice, small: await isSmall(store, choice) };
  }

  /** A model for a summary, from the same profile as the turn's own model. */
  pickSummariser(maxTokens: number): Promise<ModelChoice> {
    return this.pick({ profile: this.#profile, purpose: 'compaction', maxTokens, temperature: 0.3 });
  }

  /** Show the event that opens a turn. @returns false when that has been done already. */
  announce(model: string): boolean {
    if (this.#first !== undefined) return false;
    this.#first = model;
    const { id, conversationId, mode, project } = this.#deps.turn;
    this.#deps.context.show({ type: 'turn', id, conversationId, mode, model, project });
    return true;
  }

  #add(usage: Usage & { readonly model: string }): void {
    this.#usage = addUsage(this.#usage, usage);
    const { model, inputTokens, outputTokens, costUsd } = usage;
    this.#deps.context.show({ type: 'usage', model, inputTokens, outputTokens, costUsd });
  }
}

/** A window in which the usual prompt would leave too little room. */
const SMALL_WINDOW = 16_384;
/** Fewer replies say nothing about a model. */
const MIN_REPLIES = 20;
/** A model that keeps to the format less often needs a shorter prompt. */
const MIN_CLEAN_SHARE = 0.5;

/**
 * Whether a model gets the compact prompt and plain calls: by its size, by its window, or by how it has kept to the
 * format so far. One whose size nobody knows is not small for that alone. The built-in one looks for its tools in the
 * prompt and needs all of them.
 */
async function isSmall(store: Store, { provider, name, small, contextWindow }: ModelChoice): Promise<boolean> {
  if (providerOf(provider)?.inProcess) return false;
  if (small === true || contextWindow <= SMALL_WINDOW) return true;
  const seen = await store.read
    .selectFrom('code_turns')
    .where('model', '=', name)
    .select(({ fn }) => [fn.sum<number>('replies').as('replies'), fn.sum<number>('clean').as('clean')])
    .executeTakeFirst();
  const replies = Number(seen?.replies ?? 0);
  return replies >= MIN_REPLIES && Number(seen?.clean ?? 0) / replies < MIN_CLEAN_SHARE;
}
