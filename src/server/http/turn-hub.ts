import { setImmediate as nextRound } from 'node:timers/promises';
import type { TurnWishes } from '../../agent/types.ts';
import { newId } from '../../base/ids.ts';
import {
  type Answer,
  type ApprovalRequest,
  type Decision,
  type Mode,
  NOBODY_TO_ASK,
  type Origin,
  type Turn,
  type TurnContext,
  type TurnEvent,
  type Verdict,
} from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import { runTurn } from '../../face/run-turn.ts';
import { describeApproval } from '../../tools/gate/approval-text.ts';
import type { Device } from './devices.ts';
import type { EventLog, NumberedEvent } from './event-log.ts';

/** What is asked for by a device. */
export interface TurnOrder {
  readonly text: string;
  readonly conversationId: string;
  readonly project: string;
  readonly mode: Mode;
  readonly origin: Origin;
  readonly material?: Turn['material'];
  readonly unlisted?: boolean;
  readonly wishes?: TurnWishes;
  /** Who asks may decide about its calls, and will be reading in a moment. */
  readonly decides?: Device['kind'] | undefined;
}

interface RunningTurn {
  readonly stop: AbortController;
  readonly steering: string[];
  readonly done: Promise<unknown>;
}

interface Waiting {
  readonly request: ApprovalRequest;
  answer(decision: Decision): void;
}

/** How long a question waits for somebody who was there just now, or is about to be: a page that is loaded anew. */
const GRACE_MS = 5000;
/** Tokens that come within this time are one event. */
const COALESCE_MS = 40;

/**
 * The turns that devices began. A turn belongs to the home: it goes on when the connection that began it is gone, and
 * whoever comes back reads on from the last event that they had.
 */
export class TurnHub {
  readonly #app: Pick<App, 'home' | 'turns'>;
  readonly #log: EventLog;
  readonly #running = new Map<string, RunningTurn>();
  #line: Promise<void> = Promise.resolve();
  readonly #waiting = new Map<string, Waiting>();
  readonly #tokens = new Map<string, { text: string; timer: NodeJS.Timeout }>();
  /** How many readers are there that may decide, by what they are. */
  readonly #deciders = { page: 0, program: 0 };
  readonly #closed = new AbortController();
  readonly #leftAt = { page: Number.NEGATIVE_INFINITY, program: Number.NEGATIVE_INFINITY };

  constructor(app: Pick<App, 'home' | 'turns'>, log: EventLog) {
    this.#app = app;
    this.#log = log;
  }

  /** Begin a turn; its events follow. @param id one of ours. */
  start(id: string, { decides, ...order }: TurnOrder): void {
    const stop = new AbortController();
    const show = (event: TurnEvent) => this.#show(id, event);
    void this.#run(id, order, {
      stop,
      show,
      approve: (request) => this.#ask(id, request, { signal: stop.signal, decides }),
    });
  }

  /** Run a turn for one caller, who alone sees its events. Its calls that need approval become proposals. */
  run(id: string, order: TurnOrder, { signal, show }: Pick<TurnContext, 'signal' | 'show'>): Promise<Answer> {
    const stop = new AbortController();
    const leave = () => stop.abort(new Error('nobody reads any more'));
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    const running = this.#run(id, order, { stop, show, approve: () => Promise.resolve(NOBODY_TO_ASK) });
    return running.finally(() => signal.removeEventListener('abort', leave));
  }

  #run(
    id: string,
    { wishes, ...order }: TurnOrder,
    { stop, show, approve }: Pick<RunningTurn, 'stop'> & Pick<TurnContext, 'show' | 'approve'>,
  ): Promise<Answer> {
    const steering: string[] = [];
    const context: TurnContext = {
      ...{ signal: stop.signal, now: () => new Date(), timeZone: this.#app.home.timeZone },
      ...{ showsChanges: true, show, approve, steering: () => steering.splice(0) },
    };
    const done = this.#inLine()
      .then(() => runTurn(this.#app, { id, ...order }, context, wishes))
      .finally(() => this.#running.delete(id));
    this.#running.set(id, { stop, steering, done });
    return done;
  }

  /**
   * Each turn begins in a round of the event loop of its own. A model in this process answers within the round: many
   * that begin in one would keep everybody else waiting until the last of them is answered.
   */
  #inLine(): Promise<void> {
    this.#line = this.#line.then(() => nextRound());
    return this.#line;
  }

  /** @returns false when it has ended already. */
  stop(id: string): boolean {
    const running = this.#running.get(id);
    running?.stop.abort(new Error('stopped by its owner'));
    return running !== undefined;
  }

  /** @returns false when it has ended already. */
  steer(id: string, text: string): boolean {
    const running = this.#running.get(id);
    running?.steering.push(text);
    return running !== undefined;
  }

  /** The calls that running turns wait for. */
  get questions(): readonly ApprovalRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  /** A call that waits for a decision. */
  asked(id: string): ApprovalRequest | undefined {
    return this.#waiting.get(id)?.request;
  }

  /** Decide a call that waits. @returns false when it was decided already, or is unknown. */
  decide(id: string, verdict: Verdict, by: string): boolean {
    return this.#settle(id, { verdict, by });
  }

  #settle(id: string, decision: Decision): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.answer(decision);
    return waiting !== undefined;
  }

  /**
   * The events behind the one with this id, then all that come, until the signal fires.
   *
   * @param turnId those of one turn, ending with its answer; absent: those of all.
   * @param decides the reader may decide about calls, as a device of this kind: turns wait for it.
   */
  async *read(
    after: number,
    {
      turnId,
      decides,
      signal,
    }: { turnId?: string | undefined; decides: Device['kind'] | undefined; signal: AbortSignal },
  ): AsyncGenerator<NumberedEvent> {
    if (decides) this.#deciders[decides] += 1;
    try {
      yield* this.#log.read(after, turnId, AbortSignal.any([signal, this.#closed.signal]));
    } finally {
      if (decides) this.#left(decides);
    }
  }

  /** See `EventLog`. */
  get range(): EventLog['range'] {
    return this.#log.range;
  }

  /** See `EventLog`. */
  eventsOf(turnId: string): readonly NumberedEvent[] {
    return this.#log.eventsOf(turnId);
  }

  /** This program runs the turn, or has its events. */
  has(turnId: string): boolean {
    return this.#log.has(turnId) || this.#running.has(turnId);
  }

  /** Ends every turn and waits for it, and then whoever reads. */
  async close(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort(new Error('the program is ending'));
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    this.#closed.abort();
  }

  #left(kind: Device['kind']): void {
    this.#deciders[kind] -= 1;
    this.#leftAt[kind] = performance.now();
    this.#giveUpSoon();
  }

  /** What nobody who is there then may decide becomes a proposal. */
  #giveUpSoon(): void {
    const giveUp = () => {
      for (const [id, { request }] of [...this.#waiting])
        if (!this.#isSomebodyThere(request)) this.#settle(id, NOBODY_TO_ASK);
    };
    setTimeout(giveUp, GRACE_MS).unref();
  }

  #isSomebodyThere(request: ApprovalRequest): boolean {
    return KINDS.some((kind) => this.#deciders[kind] > 0 && mayDecide(kind, request));
  }

  /** Who has begun the turn is about to read it; a page that is loaded anew is back in a moment. */
  #isSomebodyComing(request: ApprovalRequest, begunBy: Device['kind'] | undefined): boolean {
    const now = performance.now();
    const coming = KINDS.filter((kind) => kind === begunBy || now - this.#leftAt[kind] < GRACE_MS);
    return coming.some((kind) => mayDecide(kind, request));
  }

  #ask(
    turnId: string,
    request: ApprovalRequest,
    { signal, decides }: { readonly signal: AbortSignal; readonly decides: Device['kind'] | undefined },
  ): Promise<Decision> {
    const isAway = !this.#isSomebodyThere(request);
    if (isAway && !this.#isSomebodyComing(request, decides)) return Promise.resolve(NOBODY_TO_ASK);
    if (isAway) this.#giveUpSoon();
    const { promise, resolve } = Promise.withResolvers<Decision>();
    this.#waiting.set(request.id, { request, answer: resolve });
    signal.addEventListener('abort', () => this.decide(request.id, 'denied', 'the end of the turn'), { once: true });
    this.#log.add(turnId, { type: 'question', id: request.id, text: describeApproval(request) });
    return promise;
  }

  #show(turnId: string, event: TurnEvent): void {
    if (event.type === 'token') this.#token(turnId, event.text);
    else {
      this.#flush(turnId);
      this.#log.add(turnId, event);
    }
  }

  #token(turnId: string, text: string): void {
    const open = this.#tokens.get(turnId);
    if (open) open.text += text;
    else this.#tokens.set(turnId, { text, timer: setTimeout(() => this.#flush(turnId), COALESCE_MS) });
  }

  #flush(turnId: string): void {
    const open = this.#tokens.get(turnId);
    if (!open) return;
    clearTimeout(open.timer);
    this.#tokens.delete(turnId);
    this.#log.add(turnId, { type: 'token', text: open.text });
  }
}

const KINDS = ['page', 'program'] as const;

function mayDecide(kind: Device['kind'], { ownerOnly }: ApprovalRequest): boolean {
  return kind === 'page' || ownerOnly !== true;
}

export const newTurnId = (): string => newId('turn');
