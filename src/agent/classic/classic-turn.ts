import { AIMessage, type AIMessageChunk, type BaseMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { messageOf } from '../../base/errors.ts';
import { picturesOf } from '../../base/turn.ts';
import { feedbackMessage, requestMessage, toMessage } from '../../conversation/messages.ts';
import { asMade } from '../../conversation/stored-calls.ts';
import { isEmptyReply } from '../../models/failure.ts';
import { withData } from '../../models/message-data.ts';
import { profileOf } from '../../models/profile.ts';
import { endedByLength, endMarker, textOf } from '../../models/reply.ts';
import type { ModelChoice } from '../../models/types.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import { asArguments } from '../../tools/gate/input.ts';
import { modelToolName } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import { CUT_OFF, stoppedAfter } from '../cut-off.ts';
import { type PromptParts, sections } from '../prompt.ts';
import { ProseView } from '../replies/prose-view.ts';
import { ReadTexts } from '../replies/read-texts.ts';
import { ReplyReview, type Verdict, WAS_CALL } from '../replies/review.ts';
import { startsLikeCall } from '../replies/written-calls.ts';
import { requestData } from '../request-data.ts';
import { Room } from '../room.ts';
import { Steering } from '../steering.ts';
import type { EngineRun } from '../types.ts';
import { classicPrompt, mayAnswer, smallPrompt, takeAnswer } from './answers.ts';
import { type Ask, createAsk } from './ask-model.ts';
import { Calls } from './calls.ts';
import { askWhole } from './continue.ts';
import { asWritten, hasCalls, noAnswer, type Usable } from './reply.ts';
import { guardToolCalls } from './tool-call-guard.ts';

export interface TurnOptions {
  /** Where results that are too long for the model are kept in full. */
  readonly artifacts?: Artifacts | undefined;
  /** How often to ask for the rest of an answer that hit the length limit; never unless given. */
  readonly maxContinuations?: number | undefined;
  /** The most steps of the turn: past these no reply is asked for. */
  readonly maxSteps?: number | undefined;
}

interface Opening extends Pick<TurnOptions, 'maxContinuations' | 'maxSteps'> {
  readonly choice: ModelChoice;
  readonly room: Room;
  readonly calls: Calls;
  readonly reads: ReadTexts;
  readonly usedIds: Iterable<string>;
  readonly opening: readonly BaseMessage[];
  /** What the first request declares. */
  readonly tools: readonly Tool[];
}

/** A reply and what is to be done with it; `view` is what the person has seen of it. */
interface Judged {
  readonly reply: AIMessage | AIMessageChunk;
  readonly verdict: Verdict | undefined;
  readonly view: ProseView;
  /** Why there was no reply. */
  readonly error?: unknown;
}

/** What is told of a reply that the model has to mend. */
const MAX_TOLD_CHARS = 4000;
/** The parts of a reply that are the model's words and calls. */
const SAID: ReadonlySet<string> = new Set(['text', 'tool_use', 'function_call', 'tool_call']);

/** What the person sees of a reply while it arrives: prose, and nothing of a call written as text. */
const PROSE = { mayBeElse: startsLikeCall, end: /<\/?(?:tool_|function|invoke)|^[ \t]*\{\s*"(?:name|tool)|^Action:/mu };

/** One turn in classic mode: what is sent, what is let through, what is saved. */
export class ClassicTurn {
  /** What the turn starts with: system prompt, history, the request, and the saved steps if it is continued. */
  readonly opening: readonly BaseMessage[];
  /** Model calls so far. */
  steps = 0;
  /** The last reply called no tool, so it is the answer. */
  finished = false;
  /** The answer broke off, and the rest could not be had. */
  isCutOff = false;
  readonly #run: EngineRun;
  readonly #ask: Ask;
  readonly #calls: Calls;
  readonly #room: Room;
  readonly #review: ReplyReview;
  readonly #usedIds: Set<string>;
  readonly #maxContinuations: number;
  readonly #steering: Steering;
  /** From the store, which holds no secrets. */
  readonly #history: ReadonlySet<BaseMessage>;
  /** The replies of this turn, as the model is told them again. */
  readonly #asRead = new WeakMap<AIMessage, AIMessage>();
  /** Replies that were used or will be: what the most steps count. */
  #taken = 0;
  #last: AIMessage | undefined;
  /** What the model would say of the calls that run now. */
  #answer: string | undefined;

  private constructor(run: EngineRun, start: Opening) {
    this.#run = run;
    this.#steering = new Steering(run);
    this.#usedIds = new Set(start.usedIds);
    this.#ask = createAsk(run, start.choice, start.tools);
    this.#calls = start.calls;
    this.#room = start.room;
    const { toolbox, scope, wanted } = run;
    const { reads, choice } = start;
    reads.known.said(run.systemPrompt);
    const checks = choice.provider !== 'builtin';
    const hasStepLeft = () => this.#taken < (start.maxSteps ?? Number.POSITIVE_INFINITY);
    const { tried } = run.job ?? {};
    this.#review = new ReplyReview({ toolbox, scope, reads, form: 'tool', wanted, checks, hasStepLeft, tried });
    this.opening = start.opening;
    this.#history = new Set(start.opening);
    this.#maxContinuations = start.maxContinuations ?? 0;
  }

  /** Pick the model and, if the turn is continued, finish the calls that a kill interrupted. */
  static async start(given: EngineRun, options: TurnOptions = {}): Promise<ClassicTurn> {
    const { artifacts, maxContinuations, maxSteps } = options;
    const choice = await given.pick(profileOf(given.turn));
    const room = new Room(choice.contextWindow);
    const run = { ...given, scope: { ...given.scope, room: () => room.left() } };
    const history = await run.conversation.history('classic', choice.looksBackTokens);
    const request = await run.conversation.request();
    const reads = ReadTexts.of(request, history);
    const calls = new Calls(run, artifacts, reads);
    const earlier = await calls.resume();
    const { tools, none } = await run.toolbox.declared(run.turn);
    const prompt: PromptParts = choice.small
      ? smallPrompt(run, none)
      : { standing: classicPrompt(run.systemPrompt, { none, tools: mayAnswer(run, choice) ? tools : [] }), now: '' };
    const opening = [
      new SystemMessage({ content: prompt.standing, ...withData(await requestData(run)) }),
      ...history,
      requestMessage(request, sections([prompt.now, run.alreadyDone ?? '']) || undefined, picturesOf(run.turn)),
      ...earlier.map(toMessage),
    ];
    const usedIds = await run.conversation.usedCallIds();
    return new ClassicTurn(run, { choice, room, calls, reads, usedIds, opening, tools, maxContinuations, maxSteps });
  }

  /**
   * Get one reply that can be used, asking again where a slip of the model can be told to it. The reply has only
   * complete calls of known tools, and is saved.
   */
  async step(messages: readonly BaseMessage[]): Promise<AIMessage> {
    this.#taken += 1;
    const taken = this.#run.wanted?.taken();
    if (taken !== undefined) return this.#end(taken);
    const steered = await this.#steering.into(messages);
    const told = steered.at(-1) === messages.at(-1) ? await this.#told() : undefined;
    if (told !== undefined) return this.#end(told);
    const said = steered.map((message) => this.#asMade(message));
    this.#room.sends(said);
    for (;;) {
      this.#run.context.signal.throwIfAborted();
      this.#run.scope.reply?.next();
      const { reply, verdict, view, error } = await this.#judged(said);
      if (verdict?.kind === 'again') {
        this.#run.context.show({ type: 'retry', reason: verdict.why, waitMs: 0 });
        const wrote = this.#clean(reply.text).slice(0, MAX_TOLD_CHARS) || '(empty)';
        said.push(new AIMessage(wrote), feedbackMessage(this.#clean(verdict.reason), {}));
        continue;
      }
      if (verdict?.kind === 'stuck') throw error ?? noAnswer(verdict.why);
      return this.#accept(reply, verdict, view);
    }
  }

  /** The answer that came with calls, now that they have done what it says. */
  async #told(): Promise<string | undefined> {
    const answer = this.#answer;
    if (answer === undefined || !this.#calls.unremarkable) return undefined;
    const verdict = await this.#review.reply(answer);
    return verdict.kind === 'answer' ? verdict.text : undefined;
  }

  /** A tool has taken the answer, or a call carried it. */
  #end(text: string): AIMessage {
    this.finished = true;
    this.#last = new AIMessage(text);
    return this.#last;
  }

  /** One model call, with the verdict on its reply. */
  async #judged(said: readonly BaseMessage[]): Promise<Judged> {
    const show = (text: string) => this.#run.context.show({ type: 'token', text });
    const view = new ProseView(show, PROSE);
    try {
      const { reply, requests } = await askWhole(this.#ask, said, {
        max: this.#maxContinuations,
        clean: (text) => this.#clean(text),
        onText: (text) => view.add(text),
        show: (text) => {
          view.finish();
          show(text);
        },
        onFailure: (error) => this.#noRest(error),
      });
      this.steps += requests;
      return { reply, verdict: hasCalls(reply) ? undefined : await this.#review.reply(textOf(reply)), view };
    } catch (error) {
      if (!isEmptyReply(error)) throw error;
      this.steps += 1;
      return { reply: new AIMessage(''), verdict: this.#review.empty(), view, error };
    }
  }

  async #accept(reply: AIMessage | AIMessageChunk, verdict: Usable | undefined, view: ProseView): Promise<AIMessage> {
    if (verdict?.kind === 'answer' && textOf(reply).includes(verdict.text)) view.finish();
    else if (verdict && view.hasShown) {
      const reason = (verdict.kind === 'calls' && verdict.why) || WAS_CALL;
      this.#run.context.show({ type: 'retry', reason, waitMs: 0 });
    }
    const whole = verdict ? asWritten(reply, verdict) : reply;
    const { toolbox } = this.#run;
    const guarded = guardToolCalls(whole, {
      known: (name) => {
        const tool = toolbox.meant(name);
        return tool && modelToolName(tool.name);
      },
      asArguments: (name, input) => {
        const tool = toolbox.meant(name);
        return tool && asArguments(tool, input);
      },
      unknown: (name) => toolbox.explainUnknown(name),
      usedIds: this.#usedIds,
    });
    const answer = takeAnswer(guarded, toolbox);
    this.#answer = this.#run.wanted ? undefined : answer;
    this.#last = guarded;
    this.finished = (guarded.tool_calls ?? []).length === 0;
    await this.#calls.announce(guarded);
    if (this.finished && (endedByLength(reply) || endMarker(reply) === undefined)) this.#tellCut();
    return guarded;
  }

  /** Run one tool call of the last reply. @returns what the model reads. */
  async perform(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await this.#calls.perform(name, args);
    this.#room.adds(result);
    return result;
  }

  /** Wait until everything is saved, for example after a cancelled loop. */
  saved(): Promise<void> {
    return this.#calls.saved();
  }

  /** The model's last words, with a note when the steps ran out. */
  answer(): string {
    const words = this.#last?.text.trim() ?? '';
    if (this.finished) return words;
    const note = stoppedAfter(this.steps, 'step');
    return words === '' ? note : `${words}\n\n${note}`;
  }

  /** The model sees refused calls exactly as it made them, but no secret that it wrote, and results with their data. */
  #asMade(message: BaseMessage): BaseMessage {
    if (ToolMessage.isInstance(message)) return this.#calls.resultOf(message);
    if (!AIMessage.isInstance(message)) return message;
    const told = this.#asRead.get(message) ?? this.#asTold(message);
    this.#asRead.set(message, told);
    return told;
  }

  /** Some providers have the arguments in the content, too. What a model thought is signed, and goes back as it is. */
  #asTold(message: AIMessage): AIMessage {
    const { content, tool_calls: calls = [], additional_kwargs, response_metadata, id } = message;
    const clean = <T>(value: T) => (this.#history.has(message) ? value : (this.#run.redactor.redactValue(value) as T));
    const words =
      typeof content === 'string' ? clean(content) : content.map((each) => (SAID.has(each.type) ? clean(each) : each));
    const told = calls.map((call) => asMade(call)).map((call) => ({ ...call, args: clean(call.args) }));
    if (JSON.stringify([words, told]) === JSON.stringify([content, calls])) return message;
    const about = { additional_kwargs, response_metadata, ...(id === undefined ? {} : { id }) };
    return new AIMessage({ content: words, tool_calls: told, ...about });
  }

  #clean(text: string): string {
    return this.#run.redactor.redact(text);
  }

  #noRest(error: unknown): void {
    this.#run.context.signal.throwIfAborted();
    this.#run.context.show({ type: 'notice', text: `The rest of the answer is missing: ${messageOf(error)}` });
  }

  #tellCut(): void {
    this.isCutOff = true;
    this.#run.context.show(CUT_OFF);
  }
}
