import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import type { HeldLock } from '../store/contract.ts';
import { scan, scopeOf } from './ingest/scan.ts';

/** A file counts as written once nothing has changed for this long. */
const QUIET_MS = 300;

export interface PollOptions {
  readonly signal: AbortSignal;
  readonly everyMs: number;
  /** Taken by the one worker, of all that watch the same paths, that polls them; undefined if another has it. */
  readonly lock: () => Promise<HeldLock | undefined>;
}

/**
 * Call `onChange` after anything under the paths has changed, where the system gives no events: on volumes that other
 * machines write to. Size and time of every file are compared; the callback has to find out, by content, what changed.
 *
 * Also called once when polling starts, for what changed while nobody was polling.
 */
export async function pollPaths(
  paths: readonly string[],
  { signal, everyMs, lock }: PollOptions,
  onChange: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const held = await lock();
    if (held) {
      try {
        const until = AbortSignal.any([signal, held.lost]);
        await new Poll(paths, until, onChange).run(everyMs);
      } finally {
        await held[Symbol.asyncDispose]();
      }
    }
    await pause(everyMs, signal);
  }
}

class Poll {
  readonly #paths: readonly string[];
  readonly #signal: AbortSignal;
  readonly #onChange: () => Promise<void>;
  /** What was there when `onChange` was last called. */
  #seen: string | undefined;

  constructor(paths: readonly string[], signal: AbortSignal, onChange: () => Promise<void>) {
    this.#paths = paths;
    this.#signal = signal;
    this.#onChange = onChange;
  }

  /** Poll until the signal fires. */
  async run(everyMs: number): Promise<void> {
    while (!this.#signal.aborted) {
      await this.#look();
      await pause(everyMs, this.#signal);
    }
  }

  async #look(): Promise<void> {
    let now = await this.#listing();
    if (now === undefined || now === this.#seen) return;
    // Somebody may still be copying: incomplete files must not be read.
    for (let before: string | undefined; before !== now && !this.#signal.aborted; now = await this.#listing()) {
      before = now;
      await pause(QUIET_MS, this.#signal);
    }
    if (now === undefined || this.#signal.aborted) return;
    try {
      await this.#onChange();
      this.#seen = now;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  /** Undefined when the volume cannot be reached now. */
  async #listing(): Promise<string | undefined> {
    try {
      return await this.#list();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      return undefined;
    }
  }

  /** A fingerprint of all files with their sizes and times. */
  async #list(): Promise<string> {
    const files: string[] = [];
    for (const scope of this.#paths.flatMap((path) => scopeOf(path) ?? [])) {
      const found = await scan(scope, new Set(), this.#signal);
      files.push(...found.files.map(({ absolute, size, mtimeUs }) => `${absolute} ${size} ${mtimeUs}`));
    }
    return sha256(files.join('\n'));
  }
}

/** Whether another program is writing the index. It may have scanned before the change, so try again later. */
export function isBusy(error: unknown): boolean {
  return error instanceof AssistantError && error.code === 'index_busy';
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
