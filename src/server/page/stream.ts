import type { TurnEvent } from '../../base/turn.ts';
import { ask } from './api.ts';
import { sentEvents } from './sent-events.ts';

/** An event of a turn as it comes: `id` rises by one over all turns. */
export type Told = { readonly turnId: string } & (
  | TurnEvent
  | { readonly type: 'question'; readonly id: string; readonly text: string }
);

/** A notice as it is shown. */
export interface Notice {
  readonly key: string;
  readonly number: number;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  readonly urgent: boolean;
}

/** What the stream tells besides. */
type Aside =
  | { readonly type: 'hello'; readonly last: number; readonly before: number }
  | { readonly type: 'alive' }
  | { readonly type: 'changed' }
  | { readonly type: 'notices'; readonly name: string; readonly notices: readonly Notice[] };

/** What a page can listen for. */
export interface Heard {
  /** Something that lists show may be different now. */
  changed: () => void;
  /** Events were missed: what is shown has to be asked for anew. */
  missed: () => void;
  told: (event: Told, id: number) => void;
  notices: (notices: readonly Notice[], name: string) => void;
  connection: (live: boolean) => void;
  /** The server answered, and gave no stream. */
  refused: () => void;
}

const LOCK = 'wooster-stream';
/** The server says that it is there every 15 s. */
const DEAD_MS = 40_000;
const [FIRST_TRY_MS, LAST_TRY_MS] = [500, 15_000];
const MOST_RECENT = 4000;
const READY_MS = 4000;

/** An event with its id, as tabs pass it on to each other. */
interface Passed {
  readonly id: number;
  readonly data: string;
}

/**
 * The one stream of this browser. The tab that was looked at last holds it and passes on what comes; hidden tabs have
 * none. Whoever comes back reads on from the last event that they had.
 */
class Stream {
  readonly #channel = new BroadcastChannel(LOCK);
  readonly #heard = new Map<keyof Heard, Set<(...args: never[]) => void>>();
  readonly #recent: { readonly id: number; readonly event: Told }[] = [];
  readonly #ready = Promise.withResolvers<void>();
  #last = 0;
  #source: AbortController | undefined;
  #release: (() => void) | undefined;
  /** To hold the stream: aborted where it is over, or another took its place. */
  #wish: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;

  /** @returns a function that stops listening. */
  on<Name extends keyof Heard>(name: Name, hear: Heard[Name]): () => void {
    const all = this.#heard.get(name) ?? new Set();
    this.#heard.set(name, all.add(hear));
    return () => void all.delete(hear);
  }

  /** Begin, and follow the visibility of the tab from now on. */
  begin(): void {
    this.#channel.onmessage = ({ data }: MessageEvent<Passed>) =>
      document.visibilityState === 'visible' && this.#overhear(data);
    const follow = () => (document.visibilityState === 'visible' ? this.#lead({ steal: true }) : this.#leave());
    document.addEventListener('visibilitychange', follow);
    addEventListener('pagehide', () => this.#leave());
    addEventListener('pageshow', follow);
    addEventListener('online', () => this.#source === undefined && this.#release && this.#connect());
    follow();
  }

  /** Once events come, so that nothing is missed between what is asked for now and the next event. */
  async ready(): Promise<void> {
    await Promise.race([this.#ready.promise, new Promise((resolve) => setTimeout(resolve, READY_MS))]);
  }

  /** The events of a turn after this one that have come already. */
  since(turnId: string, after: number): readonly { readonly id: number; readonly event: Told }[] {
    return this.#recent.filter(({ id, event }) => event.turnId === turnId && id > after);
  }

  #say<Name extends keyof Heard>(name: Name, ...args: Parameters<Heard[Name]>): void {
    for (const hear of this.#heard.get(name) ?? []) (hear as (...all: typeof args) => void)(...args);
  }

  /** Hold the stream. Another tab may take it away, and gives it back when it is hidden. */
  #lead({ steal }: { readonly steal: boolean }): void {
    if (this.#release) return;
    if (!('locks' in navigator)) {
      this.#release = () => {};
      this.#connect();
      return;
    }
    this.#wish?.abort();
    const wish = new AbortController();
    this.#wish = wish;
    const hold = () =>
      new Promise<void>((release) => {
        // It was left, or asked for once more, before it was given.
        if (wish.signal.aborted) return release();
        this.#release = release;
        this.#connect();
      });
    // A lock that is stolen cannot be waited for, nor the other way round.
    const options = steal ? { steal } : { signal: wish.signal };
    navigator.locks.request(LOCK, options, hold).catch(() => wish.signal.aborted || this.#lost());
  }

  /** Another tab has taken it away. */
  #lost(): void {
    this.#disconnect();
    this.#release = undefined;
    if (document.visibilityState === 'visible') this.#lead({ steal: false });
  }

  #leave(): void {
    this.#wish?.abort();
    this.#disconnect();
    this.#release?.();
    this.#release = undefined;
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    this.#source?.abort();
    this.#source = undefined;
  }

  #connect(): void {
    this.#disconnect();
    const source = new AbortController();
    this.#source = source;
    this.#watch();
    const path = this.#last > 0 ? `/api/page/events?after=${this.#last}` : '/api/page/events';
    const ended = () => this.#source === source && this.#again();
    void this.#read(path, source.signal).then(ended, ended);
  }

  async #read(path: string, signal: AbortSignal): Promise<void> {
    const response = await ask(path, { signal });
    if (!response.ok) this.#say('refused');
    else
      for await (const { id, data } of sentEvents(response)) {
        if (signal.aborted) return;
        this.#watch();
        this.#came({ id: Number(id), data });
      }
  }

  #came(passed: Passed): void {
    this.#take(passed);
    const { type } = JSON.parse(passed.data) as { type: string };
    if (passed.id > 0 || type === 'changed' || type === 'hello') this.#channel.postMessage(passed);
  }

  /** A connection that died while the machine slept says nothing of it. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#again(), DEAD_MS);
  }

  #again(): void {
    this.#disconnect();
    this.#say('connection', false);
    const wait = Math.min(LAST_TRY_MS, FIRST_TRY_MS * 2 ** this.#tries);
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#release && this.#connect(), wait);
  }

  #take({ id, data }: Passed): void {
    const event = JSON.parse(data) as Told | Aside;
    if ('turnId' in event) this.#takeTold(id, event);
    else if (event.type === 'hello') this.#greeted(event);
    else if (event.type === 'changed') this.#say('changed');
    else if (event.type === 'notices') this.#say('notices', event.notices, event.name);
  }

  /** What the tab that holds the stream passes on. What came before it held it may have been missed. */
  #overhear(passed: Passed): void {
    const event = JSON.parse(passed.data) as Told | Aside;
    if ('turnId' in event || event.type !== 'hello') this.#take(passed);
    else if (this.#last > 0 && this.#last < event.last) {
      this.#last = event.last;
      this.#say('missed');
    }
  }

  #greeted({ last, before }: { readonly last: number; readonly before: number }): void {
    this.#tries = 0;
    const hasMissed = this.#last > 0 && (this.#last < before || this.#last > last);
    if (this.#last === 0 || this.#last > last) this.#last = last;
    else if (hasMissed) this.#last = before;
    this.#ready.resolve();
    this.#say('connection', true);
    if (hasMissed) this.#say('missed');
  }

  #takeTold(id: number, event: Told): void {
    if (id <= this.#last) return;
    const hasMissed = this.#last > 0 && id > this.#last + 1;
    this.#last = id;
    this.#recent.push({ id, event });
    if (this.#recent.length > MOST_RECENT) this.#recent.shift();
    this.#say('told', event, id);
    // Today lists what waits for a decision.
    if (event.type === 'question' || event.type === 'approval') this.#say('changed');
    if (hasMissed) this.#say('missed');
  }
}

export const stream = new Stream();
