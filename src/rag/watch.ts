import { basename } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { networkVolume } from '../base/network-volume.ts';
import { passedOver, scopeOf } from './ingest/scan.ts';
import { isBusy, type PollOptions, pollPaths } from './poll.ts';

/** A file counts as written once its size has not changed for this long. */
const QUIET_MS = 300;
const POLL_MS = 100;
/** A beat that is this many times late tells of a sleep. */
const SLEPT = 3;
/** How long a change waits while another program writes the index. */
const BUSY_MS = 1000;

export interface WatchingOptions extends Omit<PollOptions, 'signal'> {
  /** Other machines may write to any of the paths. */
  readonly shared: boolean;
  /** Told why the system gives no events any more; the folders are polled from then on. */
  readonly onBlind?: (why: Error) => void;
}

/** The system has stopped to give events: it has no more watches, or the folder is another one now. */
class EventsLost extends Error {}

/**
 * Call `onChange` after anything under the paths has changed, until the signal fires. Relies on the system's events,
 * and on polling where other machines may write, since their changes cause no events.
 */
export async function watchPaths(
  paths: readonly string[],
  signal: AbortSignal,
  onChange: () => Promise<void>,
  { shared, onBlind, ...polling }: WatchingOptions,
): Promise<void> {
  const blind = paths.filter((path) => shared || networkVolume(path) !== undefined);
  const seen = paths.filter((path) => !blind.includes(path));
  // If one of them fails, the other has to end.
  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal]);
  const poll = (which: readonly string[]) => pollPaths(which, { ...polling, signal: until }, onChange);
  const watch = async () => {
    try {
      await watchEvents(seen, onChange, { signal: until, everyMs: polling.everyMs });
    } catch (error) {
      if (!(error instanceof EventsLost)) throw error;
      onBlind?.(error);
      await poll(seen);
    }
  };
  const both = [...(blind.length > 0 ? [poll(blind)] : []), ...(seen.length > 0 ? [watch()] : [])].map((watching) =>
    watching.catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(both);
  failed.signal.throwIfAborted();
}

/**
 * One call of `onChange` at a time. Events are only hints: the callback has to find out what changed. None comes for
 * what changed while the machine slept, so a clock that has jumped is one too.
 *
 * @throws EventsLost when there will be no more events.
 */
async function watchEvents(
  paths: readonly string[],
  onChange: () => Promise<void>,
  { signal, everyMs }: { readonly signal: AbortSignal; readonly everyMs: number },
): Promise<void> {
  const roots = paths
    .flatMap((path) => scopeOf(path) ?? [])
    .map(({ form, spec, root }) => (form === 'glob' ? root : spec));
  const { watch } = await import('chokidar');
  const named = new Set(roots);
  const watcher = watch([...named], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: QUIET_MS, pollInterval: POLL_MS },
    // What it is is not always known; a file is looked at again when it is.
    ignored: (path, found) => !named.has(path) && passedOver(basename(path), !found?.isFile()) !== undefined,
  });
  let beat: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const caller = new OneAtATime(onChange, { signal, fail: reject });
      watcher.on('all', () => caller.ask());
      watcher.on('error', (cause) => reject(new EventsLost(messageOf(cause), { cause })));
      let last = Date.now();
      beat = setInterval(() => {
        const asleep = Date.now() - last > SLEPT * everyMs;
        last = Date.now();
        if (asleep) caller.ask();
      }, everyMs);
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    clearInterval(beat);
    await watcher.close();
  }
}

/** Debounces: many requests become one call after a pause; those that arrive during a call become one more after it. */
class OneAtATime {
  readonly #call: () => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #fail: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #again = false;

  constructor(
    call: () => Promise<void>,
    { signal, fail }: { readonly signal: AbortSignal; readonly fail: (error: unknown) => void },
  ) {
    this.#call = call;
    this.#signal = signal;
    this.#fail = fail;
  }

  ask(pauseMs = POLL_MS): void {
    this.#again = this.#running;
    if (this.#running) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), pauseMs);
  }

  async #run(): Promise<void> {
    if (this.#signal.aborted) return;
    this.#running = true;
    let pauseMs = POLL_MS;
    try {
      await this.#call();
    } catch (error) {
      if (!isBusy(error)) this.#fail(error);
      else [this.#again, pauseMs] = [true, BUSY_MS];
    }
    this.#running = false;
    if (this.#again) this.ask(pauseMs);
  }
}
