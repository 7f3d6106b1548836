import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { messageOf } from '../../base/errors.ts';
import { toMessage } from '../../conversation/messages.ts';
import { profileOf } from '../../models/profile.ts';
import { endMarker } from '../../models/reply.ts';
import type { ModelChoice } from '../../models/types.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import { Steering } from '../steering.ts';
import type { EngineRun } from '../types.ts';
import { type Ask, createAsk } from './ask-model.ts';
import { Calls } from './calls.ts';
import { askWhole } from './continue.ts';
import { endedByLength, guardToolCalls } from './tool-call-guard.ts';

/** Drives `turn` until the model calls no more tools or has been called `maxIterations` times. */
export type Loop = (turn: ClassicTurn, run: EngineRun, maxIterations: number) => Promise<void>;

export interface TurnOptions {
  /** Where results that are too long for the model are kept in full. */
  readonly artifacts?: Artifacts | undefined;
  /** How often to ask for the rest of an answer that hit the length limit; never unless given. */
  readonly maxContinuations?: number | undefined;
}

interface Opening extends Pick<TurnOptions, 'maxContinuations'> {
  readonly choice: ModelChoice;
  readonly calls: Calls;
  readonly usedIds: Iterable<string>;
  readonly opening: readonly BaseMessage[];
}

/** One turn in classic mode: what is sent, what is let through, what is saved, whichever LangChain loop drives it. */
export class ClassicTurn {
  /** What the turn starts with: system prompt, history, the request, and the saved steps if it is continued. */
  readonly opening: readonly BaseMessage[];
  /** Model calls so far. */
  steps = 0;
  /** The last reply called no tool, so it is the answer. */
  finished = false;
  readonly #run: EngineRun;
  /** The model of this turn, for loops that insist on one; calls go through `step`. */
  readonly model: BaseChatModel;
  readonly #ask: Ask;
  readonly #calls: Calls;
  readonly #usedIds: Set<string>;
  readonly #maxContinuations: number;
  readonly #steering: Steering;
  #last: AIMessage | undefined;

  private constructor(run: EngineRun, start: Opening) {
    this.#run = run;
    this.#steering = new Steering(run);
    this.#usedIds = new Set(start.usedIds);
    this.model = start.choice.model;
    this.#ask = createAsk(run, start.choice);
    this.#calls = start.calls;
    this.opening = start.opening;
    this.#maxContinuations = start.maxContinuations ?? 0;
  }

  /** Pick the model and, if the turn is continued, finish the calls that a kill interrupted. */
  static async start(run: EngineRun, { artifacts, maxContinuations }: TurnOptions = {}): Promise<ClassicTurn> {
    const choice = await run.pick(profileOf(run.turn));
    const calls = new Calls(run, artifacts);
    const earlier = await calls.resume();
    const opening = [
      new SystemMessage(run.systemPrompt),
      ...(await run.conversation.history('classic')),
      new HumanMessage(request(run)),
      ...earlier.map(toMessage),
    ];
    const usedIds = await run.conversation.usedCallIds();
    return new ClassicTurn(run, { choice, calls, usedIds, opening, maxContinuations });
  }

  /** Make one model call. The reply has only complete calls of known tools, and is saved. */
  async step(messages: readonly BaseMessage[]): Promise<AIMessage> {
    this.#run.context.signal.throwIfAborted();
    const { reply, requests } = await askWhole(this.#ask, await this.#steering.into(messages), {
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
    await this.#calls.announce(guarded);
    if (this.finished && (endedByLength(reply) || endMarker(reply) === undefined)) this.#tellCut();
    return guarded;
  }

  /** Run one tool call of the last reply. @returns what the model reads. */
  perform(name: string, args: Record<string, unknown>): Promise<string> {
    return this.#calls.perform(name, args);
  }

  /** Wait for what is still being saved, as after a cancelled loop. */
  saved(): Promise<void> {
    return this.#calls.saved();
  }

  /** The model's last words, with a note when the steps ran out. */
  answer(): string {
    const words = this.#last?.text.trim() ?? '';
    if (this.finished) return words;
    const note = `I stopped after ${this.steps} steps without finishing. Ask me to go on if you want the rest.`;
    return words === '' ? note : `${words}\n\n${note}`;
  }

  #noRest(error: unknown): void {
    this.#run.context.signal.throwIfAborted();
    this.#run.context.show({ type: 'notice', text: `The rest of the answer is missing: ${messageOf(error)}` });
  }

  #tellCut(): void {
    this.#run.context.show({
      type: 'error',
      code: 'model_incomplete',
      message: 'The answer is incomplete: the model was cut off.',
      hint: 'Ask for the rest, or for a shorter answer.',
    });
  }
}

function request(run: EngineRun): string {
  return run.alreadyDone === undefined ? run.turn.text : `${run.turn.text}\n\n${run.alreadyDone}`;
}
