import { EventEmitter } from 'node:events';
import type { TurnEvent } from '../../base/turn.ts';
import type { Question } from '../../face/doors.ts';
import type { NewsEvent } from './home-news.ts';

/** Events that a reader wanted are kept no more: what it shows has to be loaded anew. */
export interface Gap {
  readonly type: 'gap';
}

/** An event as it is sent: `id` rises over all turns, also from one run of the program to the next. */
export interface NumberedEvent {
  readonly id: number;
  /** '' for what is of no turn. */
  readonly turnId: string;
  readonly event: TurnEvent | Question | NewsEvent | Gap;
}

interface Kept extends NumberedEvent {
  readonly at: number;
  readonly chars: number;
}

/** An event stays readable this long, for whoever was away. */
const KEPT_MS = 24 * 3_600_000;
const MOST_CHARS = 32 * 1024 * 1024;
/** Room that is made at a time, so that a full log is not moved for each event. */
const SLACK = 0.9;
/** Handed to a reader at a time. */
const BATCH = 100;

/**
 * What has happened lately. Readers have a place in it and nothing of their own: however slow they are, and however
 * many, memory holds each event once.
 */
export class EventLog {
  readonly #now: () => number;
  readonly #mostChars: number;
  #events: Kept[] = [];
  #chars = 0;
  /** Events kept of each turn. */
  readonly #ofTurn = new Map<string, number>();
  readonly #news = new EventEmitter<{ news: [] }>().setMaxListeners(0);
  #last: number;
  /** The id of the newest event that was dropped. */
  #dropped: number;

  constructor(now: () => number = Date.now, mostChars = MOST_CHARS) {
    this.#now = now;
    this.#mostChars = mostChars;
    // A reader of the program that ran before has seen smaller numbers.
    this.#last = now() * 1000;
    this.#dropped = this.#last;
  }

  add(turnId: string, event: NumberedEvent['event']): void {
    this.#last += 1;
    const chars = JSON.stringify(event).length;
    this.#events.push({ id: this.#last, turnId, event, at: this.#now(), chars });
    this.#chars += chars;
    this.#ofTurn.set(turnId, (this.#ofTurn.get(turnId) ?? 0) + 1);
    this.#drop();
    this.#news.emit('news');
  }

  has(turnId: string): boolean {
    return this.#ofTurn.has(turnId);
  }

  /** The newest event, and the one before the oldest that is kept. */
  get range(): { readonly last: number; readonly before: number } {
    return { last: this.#last, before: this.#dropped };
  }

  /** What is kept of one turn. */
  eventsOf(turnId: string): readonly NumberedEvent[] {
    return this.has(turnId) ? this.#events.filter((each) => each.turnId === turnId) : [];
  }

  /**
   * The events behind the one with this id, then all that come, until the signal fires.
   *
   * @param after 0: all that are kept.
   * @param turnId those of one turn, ending with its answer; absent: those of all.
   */
  async *read(after: number, turnId: string | undefined, signal: AbortSignal): AsyncGenerator<NumberedEvent> {
    // A number of a clock that was put back since is none of ours.
    let at = after > this.#last ? 0 : after;
    while (!signal.aborted) {
      if (at > 0 && at < this.#dropped) yield { id: this.#dropped, turnId: turnId ?? '', event: { type: 'gap' } };
      at = Math.max(at, this.#dropped);
      const batch = this.#behind(at);
      if (batch.length === 0) await this.#next(signal);
      for (const kept of batch) {
        at = kept.id;
        if (turnId !== undefined && kept.turnId !== turnId) continue;
        yield { id: kept.id, turnId: kept.turnId, event: kept.event };
        if (turnId !== undefined && kept.event.type === 'answer') return;
      }
    }
  }

  #behind(id: number): readonly Kept[] {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.id ?? 0) > id) high = middle;
      else low = middle + 1;
    }
    return this.#events.slice(low, low + BATCH);
  }

  async #next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#news.off('news', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#news.on('news', done);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  #drop(): void {
    const old = this.#now() - KEPT_MS;
    const isFull = this.#chars > this.#mostChars;
    if (!isFull && (this.#events[0]?.at ?? old) >= old) return;
    const most = isFull ? this.#mostChars * SLACK : this.#mostChars;
    let count = 0;
    for (const { at, chars, turnId, id } of this.#events) {
      if (this.#chars <= most && at >= old) break;
      this.#chars -= chars;
      this.#dropped = id;
      this.#forget(turnId);
      count += 1;
    }
    this.#events = this.#events.slice(count);
  }

  #forget(turnId: string): void {
    const left = (this.#ofTurn.get(turnId) ?? 0) - 1;
    if (left > 0) this.#ofTurn.set(turnId, left);
    else this.#ofTurn.delete(turnId);
  }
}
