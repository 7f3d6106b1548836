import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Turn, TurnContext } from '../base/turn.ts';
import { textOf } from '../models/reply.ts';
import type { ModelChoice } from '../models/types.ts';
import { type CompactionRecords, isSummary, type Round, SummaryMessage } from './compaction-records.ts';
import { summarise } from './summarise.ts';
import { MessageCounter } from './tokens.ts';
import { trimToFit } from './trim.ts';
import type { CompactOptions } from './types.ts';
import { type Budgets, budgetsFor, KEPT_MESSAGES, keepBudget, keptFrom } from './window.ts';

/** Below this share of the threshold the estimate is good enough; the tokenizer, slow to load, decides only near it. */
const SURE = 0.5;

export interface CompactorDeps {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly records: CompactionRecords;
  /** Instructions for the summariser, read when a round needs them. */
  readonly prompt: () => string;
  /** Picks the model for one summary; its usage is booked as compaction. */
  readonly pickSummariser: (maxTokens: number) => Promise<ModelChoice>;
  /** Overrides the context window known for the model, in tokens. */
  readonly windowTokens?: number | undefined;
  readonly counterFor: (model: string) => Promise<MessageCounter>;
  readonly log: Log;
  /** How many messages stay as they are; KEPT_MESSAGES unless given. */
  readonly keep?: number | undefined;
}

/** A request in two parts: its opening, which stays, and the messages that may be summarised. */
interface Parted {
  readonly prefix: readonly BaseMessage[];
  readonly tail: readonly BaseMessage[];
}

/** What the rounds so far have replaced in the engine's list of messages. */
interface Replaced {
  /** How many messages at the start of the engine's growing list `prefix` stands for. */
  readonly covered: number;
  /** Text of the first message, to tell the lists of the two modes apart when one falls back to the other. */
  readonly opening: string;
  readonly prefix: readonly BaseMessage[];
}

/** The messages of a request by what a round does with them. */
interface Split {
  readonly task: BaseMessage | undefined;
  /** System prompt and whatever else always opens the request. */
  readonly opening: readonly BaseMessage[];
  /** Summarised, or dropped when there is no summary. */
  readonly covered: readonly BaseMessage[];
  readonly kept: readonly BaseMessage[];
  /** Index of the first kept message in the tail. */
  readonly from: number;
}

interface Measure {
  readonly counter: MessageCounter;
  readonly budgets: Budgets;
  readonly overhead: number;
}

/**
 * Keeps the requests of one turn within the model's context window by summarising older messages. A round lasts: later
 * calls get the summary in place of what it covers, whether the engine passes its whole list again or the list that it
 * got back. One per turn.
 */
export class Compactor {
  readonly #deps: CompactorDeps;
  #replaced: Replaced | undefined;
  readonly #estimate = new MessageCounter();
  /** Dropped by a round that got no summary; the next round summarises these too. */
  #leftOut: readonly BaseMessage[] = [];
  /** In tokens. Lowered when the server rejects a request that we counted as fitting. */
  #learntWindow = Number.POSITIVE_INFINITY;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
  }

  /** See `Compact`. A request that already fits is returned as it is. */
  async compact(
    messages: readonly BaseMessage[],
    choice: ModelChoice,
    options: CompactOptions = {},
  ): Promise<BaseMessage[]> {
    const overhead = options.overheadTokens ?? 0;
    const parted = this.#part(messages);
    const whole = [...parted.prefix, ...parted.tail];
    const window = Math.min(this.#deps.windowTokens ?? choice.contextWindow, this.#learntWindow);
    const { threshold } = budgetsFor(window);
    const estimate = this.#estimate.all(whole) + overhead;
    this.#deps.log.debug(`[prepareStep] Token count: ${estimate}`, { threshold });
    if (!options.force && estimate < threshold * SURE) return whole;
    const counter = await this.#deps.counterFor(choice.name);
    const tokens = counter.all(whole) + overhead;
    if (!options.force && tokens <= threshold) return whole;
    if (options.force) this.#learntWindow = Math.min(window, Math.floor(tokens * 0.9));
    const budgets = budgetsFor(Math.min(window, this.#learntWindow));
    return this.#round(parted, tokens, { counter, budgets, overhead });
  }

  /** Summarise now, however short the messages are; does nothing when there is nothing to summarise. */
  async compactNow(messages: readonly BaseMessage[], choice: ModelChoice): Promise<BaseMessage[]> {
    const counter = await this.#deps.counterFor(choice.name);
    const parted = this.#part(messages);
    const budgets = budgetsFor(this.#deps.windowTokens ?? choice.contextWindow);
    return this.#round(parted, counter.all(messages), { counter, budgets, overhead: 0 });
  }

  /** Apply the earlier rounds to `messages` and split the result. */
  #part(messages: readonly BaseMessage[]): Parted {
    const summaryAt = messages.findLastIndex(isSummary);
    const opening = messages[0] ? textOf(messages[0]) : '';
    const known = this.#replaced?.opening === opening ? this.#replaced : undefined;
    if (known && summaryAt >= 0 && known.prefix.includes(messages[summaryAt] as BaseMessage)) {
      return { prefix: messages.slice(0, summaryAt + 1), tail: messages.slice(summaryAt + 1) };
    }
    if (known) return { prefix: known.prefix, tail: messages.slice(known.covered) };
    const first = summaryAt >= 0 ? summaryAt + 1 : messages.findIndex((each) => !SystemMessage.isInstance(each));
    const end = first < 0 ? messages.length : first;
    this.#replaced = { opening, covered: end, prefix: messages.slice(0, end) };
    return { prefix: messages.slice(0, end), tail: messages.slice(end) };
  }

  async #round(parted: Parted, before: number, { counter, budgets, overhead }: Measure): Promise<BaseMessage[]> {
    const split = this.#split(parted, { counter, budgets, overhead });
    const { task, covered, kept } = split;
    const notes: string[] = [];
    const written = covered.length === 0 ? undefined : await this.#summary(covered, { task, budgets, notes });
    const start = await this.#start(parted.prefix, split, written);
    const whole = [...start, ...kept];
    const budget = budgets.threshold - overhead;
    const fits = counter.all(whole) <= budget;
    const fitting = fits ? whole : trimToFit(whole, counter, { budget, task });
    if (!fits) notes.push('The last messages are too long for the model and were cut in the middle.');
    const after = counter.all(fitting) + overhead;
    const { opening = '', covered: earlier = 0 } = this.#replaced ?? {};
    this.#replaced = { opening, covered: earlier + split.from, prefix: start };
    if (written) await this.#save({ covered, summary: written, before, after });
    if (covered.length > 0) this.#leftOut = written ? [] : covered;
    for (const note of notes) await this.#report({ before, after, messages: covered.length, note });
    return fitting;
  }

  /** Decide which messages stay and which are summarised. */
  #split({ prefix, tail }: Parted, { counter, budgets, overhead }: Measure): Split {
    const task = this.#task([...prefix, ...tail]);
    const opening = prefix.filter((message) => !isSummary(message) && message !== task);
    const fixed = overhead + counter.all(opening) + (task ? counter.of(task) : 0);
    const limit = this.#deps.keep ?? KEPT_MESSAGES;
    const from = keptFrom(tail, counter, { budget: keepBudget(budgets, fixed), limit });
    const gone = tail.slice(0, from).filter((message) => message !== task);
    const covered = gone.length === 0 ? [] : [...this.#leftOut, ...gone];
    return { task, opening, from, covered, kept: tail.slice(from) };
  }

  /** What the request begins with after the round: opening, task and summary. The task itself is never summarised. */
  async #start(
    prefix: readonly BaseMessage[],
    { opening, task, covered, kept }: Split,
    written: SummaryMessage | undefined,
  ): Promise<BaseMessage[]> {
    const summary = written ?? (covered.length === 0 ? prefix.find(isSummary) : await this.#standIn(covered.length));
    return [...opening, ...(task && !kept.includes(task) ? [task] : []), ...(summary ? [summary] : [])];
  }

  async #save(round: Omit<Round, 'at'>): Promise<void> {
    const { before, after } = round;
    const number = await this.#deps.records.save({ ...round, at: this.#deps.context.now() });
    const count = round.covered.length;
    this.#deps.log.info(`[Compaction] Round ${number}: ${before} → ${after} tokens (${count} messages summarized)`);
    this.#deps.context.show({ type: 'compaction', round: number, before, after, messages: count });
  }

  /** A summary of `covered` and of all that came before it; undefined when the model gives none. */
  async #summary(
    covered: readonly BaseMessage[],
    { task, budgets, notes }: { task: BaseMessage | undefined; budgets: Budgets; notes: string[] },
  ): Promise<SummaryMessage | undefined> {
    const { records, context, prompt, pickSummariser, turn } = this.#deps;
    const previous = await records.latest();
    try {
      const text = await summarise({
        choice: await pickSummariser(budgets.summary),
        prompt: prompt(),
        round: (await records.rounds()) + 1,
        previous,
        task: task?.text ?? turn.text,
        messages: covered,
        budgets,
        signal: context.signal,
      });
      return new SummaryMessage(text);
    } catch (error) {
      context.signal.throwIfAborted();
      notes.push(`Older messages were left out because they could not be summarised: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Replaces a missing summary for the rest of this turn. Not saved, so the next turn tries again. */
  async #standIn(count: number): Promise<SummaryMessage> {
    const earlier = await this.#deps.records.latest();
    const note = `(${count} messages before this point were left out because they no longer fit.)`;
    return new SummaryMessage([earlier, note].filter((part) => part !== undefined).join('\n\n'));
  }

  /** This turn's request among the messages; engines may have appended to its text. */
  #task(messages: readonly BaseMessage[]): BaseMessage | undefined {
    const human = messages.filter((message) => HumanMessage.isInstance(message));
    return human.findLast((message) => textOf(message).startsWith(this.#deps.turn.text)) ?? human[0];
  }

  async #report(what: { before: number; after: number; messages: number; note: string }): Promise<void> {
    this.#deps.log.warn(`compaction: ${what.note}`);
    this.#deps.context.show({ type: 'compaction', round: await this.#deps.records.rounds(), ...what });
  }
}
