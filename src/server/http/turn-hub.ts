import { EventEmitter } from 'node:events';
import { newId } from '../../base/ids.ts';
import {
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

/** An event as it is sent: `id` rises by one over all turns of this program. */
export interface NumberedEvent {
  readonly id: number;
  readonly turnId: string;
  readonly event: TurnEvent | Asked;
}

/** A call that waits for a decision, as a person reads it. */
export interface Asked {
  readonly type: 'question';
  readonly id: string;
  readonly text: string;
}

/** What is asked for by a device. */
export interface TurnOrder {
  readonly text: string;
  readonly conversationId: string;
  readonly project: string;
  readonly mode: Mode;
  readonly origin: Origin;
  readonly material?: Turn['material'];
  /** Nobody is asked about its calls: they become proposals. */
  readonly unattended?: boolean;
}

interface Waiting {
  readonly request: ApprovalRequest;
  readonly answer: (decision: Decision) => void;
}

interface RunningTurn {
  readonly stop: AbortController;
  readonly steering: string[];
  readonly done: Promise<unknown>;
}

/** An event stays readable this long, for whoever was away. */
const KEPT_MS = 24 * 3_600_000;
const MOST_EVENTS = 50_000;
/** Tokens that come within this time are one event. */
const COALESCE_MS = 40;

/**
 * The turns that devices began. A turn belongs to the home: it goes on when the connection that began it is gone, and
 * whoever comes back reads on from the last event that they had.
 */
export class TurnHub {
  readonly #app: App;
  readonly #events: (NumberedEvent & { readonly at: number })[] = [];
  readonly #news = new EventEmitter<{ event: [NumberedEvent] }>().setMaxListeners(0);
  readonly #running = new Map<string, RunningTurn>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #tokens = new Map<string, { text: string; timer: NodeJS.Timeout }>();
  /** How many readers are there that may decide. */
  #deciders = 0;
  #last = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** Begin a turn; its events follow. @param id one of ours. */
  start(id: string, { unattended = false, ...order }: TurnOrder): void {
    const stop = new AbortController();
    const steering: string[] = [];
    const context: TurnContext = {
      signal: stop.signal,
      now: () => new Date(),
      timeZone: this.#app.home.timeZone,
      showsChanges: true,
      show: (event) => this.#show(id, event),
      approve: (request) => (unattended ? Promise.resolve(NOBODY_TO_ASK) : this.#ask(id, request, stop.signal)),
      steering: () => steering.splice(0),
    };
    const done = runTurn(this.#app, { id, ...order }, context).finally(() => this.#running.delete(id));
    this.#running.set(id, { stop, steering, done });
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
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

  /** The call that a turn waits to be decided. */
  asked(id: string): ApprovalRequest | undefined {
    return this.#waiting.get(id)?.request;
  }

  /** Decide a call that waits. @returns false when it was decided already, or is unknown. */
  decide(id: string, verdict: Verdict, by: string): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.answer({ verdict, by });
    return waiting !== undefined;
  }

  /**
   * The events after the one with this id, then all that come, until the signal fires.
   *
   * @param turnId those of one turn, ending with its answer; absent: those of all.
   * @param decides the reader may decide about calls: turns wait for it.
   */
  async *read(
    after: number,
    { turnId, decides, signal }: { turnId?: string | undefined; decides: boolean; signal: AbortSignal },
  ): AsyncGenerator<NumberedEvent> {
    const queue = this.#events.filter((each) => each.id > after && (turnId ?? each.turnId) === each.turnId);
    const waiting: NumberedEvent[] = [...queue];
    let wake = () => {};
    const take = (event: NumberedEvent) => {
      if ((turnId ?? event.turnId) !== event.turnId) return;
      waiting.push(event);
      wake();
    };
    this.#news.on('event', take);
    if (decides) this.#deciders += 1;
    const stop = () => wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next) {
          yield next;
          if (turnId !== undefined && next.event.type === 'answer') return;
          continue;
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#news.off('event', take);
      signal.removeEventListener('abort', stop);
      if (decides) this.#left();
    }
  }

  /** The events of a turn that this program has. */
  has(turnId: string): boolean {
    return this.#events.some((each) => each.turnId === turnId) || this.#running.has(turnId);
  }

  /** Ends every turn and waits for it. */
  async close(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort(new Error('the program is ending'));
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  /** Nobody who may decide is left: what waits becomes a proposal. */
  #left(): void {
    this.#deciders -= 1;
    if (this.#deciders > 0) return;
    for (const [id, { answer }] of this.#waiting) {
      this.#waiting.delete(id);
      answer(NOBODY_TO_ASK);
    }
  }

  #ask(turnId: string, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
    if (this.#deciders === 0) return Promise.resolve(NOBODY_TO_ASK);
    const { promise, resolve } = Promise.withResolvers<Decision>();
    this.#waiting.set(request.id, { request, answer: resolve });
    signal.addEventListener('abort', () => this.decide(request.id, 'denied', 'the end of the turn'), { once: true });
    this.#add(turnId, { type: 'question', id: request.id, text: describeApproval(request) });
    return promise;
  }

  #show(turnId: string, event: TurnEvent): void {
    if (event.type === 'token') this.#token(turnId, event.text);
    else {
      this.#flush(turnId);
      this.#add(turnId, event);
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
    this.#add(turnId, { type: 'token', text: open.text });
  }

  #add(turnId: string, event: NumberedEvent['event']): void {
    this.#last += 1;
    const at = Date.now();
    const numbered = { id: this.#last, turnId, event, at };
    this.#events.push(numbered);
    while (this.#events.length > MOST_EVENTS || (this.#events[0]?.at ?? at) < at - KEPT_MS) this.#events.shift();
    this.#news.emit('event', numbered);
  }
}

export const newTurnId = (): string => newId('turn');
