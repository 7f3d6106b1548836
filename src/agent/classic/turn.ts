import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { messageOf } from '../../base/errors.ts';
import { toMessage } from '../../conversation/messages.ts';
import { profileOf } from '../../models/profile.ts';
import { endMarker } from '../../models/reply.ts';
import type { ModelChoice } from '../../models/types.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import type { EngineRun } from '../types.ts';
import { type Ask, createAsk } from './ask.ts';
import { Calls } from './calls.ts';
import { askWhole } from './continue.ts';
import { endedByLength, guardToolCalls } from './guard.ts';

export interface TurnOptions {
  /** Where results that are too long for the model are kept whole. */
  readonly artifacts?: Artifacts | undefined;
  /** How often the rest of an answer is asked for that the length limit cut; never unless given. */
  readonly maxContinuations?: number | undefined;
}

interface Opening extends Pick<TurnOptions, 'maxContinuations'> {
  readonly choice: ModelChoice;
  readonly calls: Calls;
  readonly opening: readonly BaseMessage[];
}

/** One turn in classic mode, whichever LangChain loop drives it: what is sent, what is let through, what is saved. */
export class ClassicTurn {
  /** What the turn begins with: system prompt, history, the request, and the saved steps of a continued turn. */
  readonly opening: readonly BaseMessage[];
  steps = 0;
  finished = false;
  readonly #run: EngineRun;
  /** The model of this turn, for loops that insist on having one. */
  readonly model: BaseChatModel;
  readonly #ask: Ask;
  readonly #calls: Calls;
  readonly #usedIds: Set<string>;
  readonly #maxContinuations: number;
  #last: AIMessage | undefined;

  private constructor(run: EngineRun, parts: Opening) {
    this.#run = run;
    this.#usedIds = new Set(run.conversation.usedCallIds());
    this.model = parts.choice.model;
    this.#ask = createAsk(run, parts.choice);
    this.#calls = parts.calls;
    this.opening = parts.opening;
    this.#maxContinuations = parts.maxContinuations ?? 0;
  }

  static async start(run: EngineRun, { artifacts, maxContinuations }: TurnOptions = {}): Promise<ClassicTurn> {
    const choice = await run.pick(profileOf(run.turn));
    const calls = new Calls(run, artifacts);
    const earlier = await calls.resume();
    const opening = [
      new SystemMessage(run.systemPrompt),
      ...run.conversation.history('classic'),
      new HumanMessage(request(run)),
      ...earlier.map(toMessage),
    ];
    return new ClassicTurn(run, { choice, calls, opening, maxContinuations });
  }

  /** One model call. What comes back is safe to act on and saved. */
  async step(messages: readonly BaseMessage[]): Promise<AIMessage> {
    this.#run.context.signal.throwIfAborted();
    const { reply, requests } = await askWhole(this.#ask, messages, {
      max: this.#maxContinuations,
      show: (text) => this.#run.context.show({ type: 'token', text }),
      onFailure: (error) => this.#noRest(error),
    });
    const guarded = guardToolCalls(reply, {
      isKnown: (name) => this.#run.toolbox.find(name) !== undefined,
      unknown: (name) => this.#run.toolbox.explainUnknown(name),
      usedIds: this.#usedIds,
    });
    this.steps += requests;
    this.#last = guarded;
    this.finished = (guarded.tool_calls ?? []).length === 0;
    this.#calls.announce(guarded);
    if (this.finished && (endedByLength(reply) || endMarker(reply) === undefined)) this.#tellCut();
    return guarded;
  }

  perform(name: string, args: Record<string, unknown>): Promise<string> {
    return this.#calls.perform(name, args);
  }

  /** The last words of the model, or what to say when the steps ran out. */
  answer(): string {
    const words = this.#last?.text.trim() ?? '';
    if (this.finished) return words;
    const note = `I stopped after ${this.steps} steps without coming to an end. Ask me to go on if I should.`;
    return words === '' ? note : `${words}\n\n${note}`;
  }

  #noRest(error: unknown): void {
    this.#run.context.signal.throwIfAborted();
    this.#run.context.show({ type: 'notice', text: `The rest of the answer could not be had: ${messageOf(error)}` });
  }

  #tellCut(): void {
    this.#run.context.show({
      type: 'error',
      code: 'model_incomplete',
      message: 'The answer ends where the model was cut off.',
      hint: 'Ask for the rest, or for a shorter answer.',
    });
  }
}

function request(run: EngineRun): string {
  return run.alreadyDone === undefined ? run.turn.text : `${run.turn.text}\n\n${run.alreadyDone}`;
}
