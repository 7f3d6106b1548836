import { type AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Turn, TurnContext } from '../base/turn.ts';
import type { ModelChoice } from '../models/types.ts';
import { type CompactionRecords, isSummary, type Round, summaryMessage } from './compaction-records.ts';
import { summarise } from './summarise.ts';
import { MessageCounter } from './tokens.ts';
import { trimToFit } from './trim.ts';
import type { CompactOptions } from './types.ts';
import { type Budgets, budgetsFor, KEPT_MESSAGES, keepBudget, keptFrom } from './window.ts';

/** Below this share of the threshold the estimate decides; the tokenizer, slow to load, is asked only near it. */
const SURE = 0.5;

export interface CompactorDeps {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly records: CompactionRecords;
  /** Instructions of the summariser. */
  readonly prompt: () => string;
  /** The model for one summary, booked as compaction. */
  readonly pickSummariser: (maxTokens: number) => Promise<ModelChoice>;
  /** Overrides the window that the model is known for. */
  readonly windowTokens?: number | undefined;
  readonly counterFor: (model: string) => Promise<MessageCounter>;
  readonly log: Log;
  /** How many messages stay as they are; ten unless given. */
  readonly keep?: number | undefined;
}

/** A request, taken apart: what opens it and stays, and the messages that may go. */
interface Parted {
  readonly prefix: readonly BaseMessage[];
  readonly tail: readonly BaseMessage[];
}

/** What earlier rounds of this turn have replaced. */
interface Replaced {
  /** How many messages at the beginning of the growing list `prefix` stands for. */
  readonly covered: number;
  /** The first message's text; another mode's list begins with another one. */
  readonly opening: string;
  readonly prefix: readonly BaseMessage[];
}

interface Measure {
  readonly counter: MessageCounter;
  readonly budgets: Budgets;
  readonly overhead: number;
}

/**
 * Keeps the requests of one turn under the model's window. A round lasts: later calls get the summary in place of
 * what it covers, whether the engine hands in its whole list again or the list it was given.
 */
export class Compactor {
  readonly #deps: CompactorDeps;
  #replaced: Replaced | undefined;
  readonly #estimate = new MessageCounter();
  /** What a round without a summary left out; the next one summarises it too. */
  #leftOut: readonly BaseMessage[] = [];
  /** Set when the server refused a request that counted as fitting. */
  #learntWindow = Number.POSITIVE_INFINITY;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
  }

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

  /** A round whatever the count says, as far as there is anything to summarise. */
  async compactNow(messages: readonly BaseMessage[], choice: ModelChoice): Promise<BaseMessage[]> {
    const counter = await this.#deps.counterFor(choice.name);
    const parted = this.#part(messages);
    const budgets = budgetsFor(this.#deps.windowTokens ?? choice.contextWindow);
    return this.#round(parted, counter.all(messages), { counter, budgets, overhead: 0 });
  }

  /** The list as it stands after the rounds before. */
  #part(messages: readonly BaseMessage[]): Parted {
    const summaryAt = messages.findLastIndex(isSummary);
    const opening = messages[0]?.text ?? '';
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

  async #round({ prefix, tail }: Parted, before: number, measure: Measure): Promise<BaseMessage[]> {
    const { counter, budgets, overhead } = measure;
    const task = this.#task([...prefix, ...tail]);
    const opening = prefix.filter((message) => !isSummary(message) && message !== task);
    const fixed = overhead + counter.all(opening) + (task ? counter.of(task) : 0);
    const limit = this.#deps.keep ?? KEPT_MESSAGES;
    const from = keptFrom(tail, counter, { budget: keepBudget(budgets, fixed), limit });
    const gone = tail.slice(0, from).filter((message) => message !== task);
    const covered = gone.length === 0 ? [] : [...this.#leftOut, ...gone];
    const kept = tail.slice(from);
    const notes: string[] = [];
    const written = covered.length === 0 ? undefined : await this.#summary(covered, { task, budgets, notes });
    const summary = written ?? (covered.length === 0 ? prefix.find(isSummary) : this.#standIn(covered.length));
    const carried = task && !kept.includes(task) ? [task] : [];
    const start = [...opening, ...carried, ...(summary ? [summary] : [])];
    const budget = budgets.threshold - overhead;
    const fits = counter.all([...start, ...kept]) <= budget;
    const fitting = fits ? [...start, ...kept] : trimToFit([...start, ...kept], counter, { budget, task });
    if (!fits) notes.push('The last messages are too long for the model: they were cut in the middle.');
    const after = counter.all(fitting) + overhead;
    const { opening: first = '', covered: earlier = 0 } = this.#replaced ?? {};
    this.#replaced = { opening: first, covered: earlier + from, prefix: start };
    if (written) this.#save({ covered, summary: written, before, after });
    if (gone.length > 0) this.#leftOut = written ? [] : covered;
    for (const note of notes) this.#tell({ before, after, messages: covered.length, note });
    return fitting;
  }

  #save(round: Omit<Round, 'at'>): void {
    const { before, after } = round;
    const number = this.#deps.records.save({ ...round, at: this.#deps.context.now() });
    const count = round.covered.length;
    this.#deps.log.info(`[Compaction] Round ${number}: ${before} → ${after} tokens (${count} messages summarized)`);
    this.#deps.context.show({ type: 'compaction', round: number, before, after, messages: count });
  }

  /** What stands for `covered` and for all before it; undefined when the model gives no summary. */
  async #summary(
    covered: readonly BaseMessage[],
    { task, budgets, notes }: { task: BaseMessage | undefined; budgets: Budgets; notes: string[] },
  ): Promise<AIMessage | undefined> {
    const { records, context, prompt, pickSummariser, turn } = this.#deps;
    const previous = records.latest();
    try {
      const text = await summarise({
        choice: await pickSummariser(budgets.summary),
        prompt: prompt(),
        round: records.rounds() + 1,
        previous,
        task: task?.text ?? turn.text,
        messages: covered,
        budgets,
        signal: context.signal,
      });
      return summaryMessage(text);
    } catch (error) {
      context.signal.throwIfAborted();
      notes.push(`Older messages were left out, because no summary could be had: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Stands in for a summary for the rest of this turn; it is not saved, so the next turn tries again. */
  #standIn(count: number): AIMessage {
    const note = `(${count} messages before this point were left out because they no longer fit.)`;
    return summaryMessage([this.#deps.records.latest(), note].filter((part) => part !== undefined).join('\n\n'));
  }

  /** The request of this turn among the messages, however the engine has dressed it. */
  #task(messages: readonly BaseMessage[]): BaseMessage | undefined {
    const human = messages.filter((message) => HumanMessage.isInstance(message));
    return human.findLast((message) => message.text.startsWith(this.#deps.turn.text)) ?? human[0];
  }

  #tell(what: { before: number; after: number; messages: number; note: string }): void {
    this.#deps.log.warn(`compaction: ${what.note}`);
    this.#deps.context.show({ type: 'compaction', round: this.#deps.records.rounds(), ...what });
  }
}
