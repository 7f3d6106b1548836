import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError, type ErrorCode } from '../../base/errors.ts';
import { writeFailure } from '../../store/write-failure.ts';
import { Heartbeat } from './heartbeat.ts';
import { Supervisor } from './supervisor.ts';

/** The exit code of a command that lasts and could not go on, but may later: EX_TEMPFAIL of sysexits.h. */
export const TRY_AGAIN = 75;

const SHORTEST_MS = 1000;
const LONGEST_MS = 15_000;

/** What may pass by itself, or is put right while the program waits. */
const MAY_PASS: ReadonlySet<ErrorCode> = new Set(['store_unavailable', 'home_not_writable', 'home_moved']);

/** What keeps the home from being served, in words; undefined for what only a person can put right. */
export function passingTrouble(thrown: unknown): string | undefined {
  const error = writeFailure(thrown) ?? thrown;
  return error instanceof AssistantError && MAY_PASS.has(error.code) ? error.message : undefined;
}

interface Keeping<Opened> {
  readonly homeDir: string;
  /** Open the program; it closes what `run` was given. */
  open(): Promise<Opened>;
  /** @returns the exit code; `TRY_AGAIN` when the program has to be opened anew. */
  run(opened: Opened): Promise<number>;
  close(opened: Opened): Promise<void>;
  /** Tell whoever looks at the program. */
  say(text: string): void;
  readonly signal: AbortSignal;
}

/**
 * Keep a command running that has to last: what keeps the program from being opened is said, and tried again at least
 * every 15 seconds.
 *
 * @throws whatever only a person can put right, such as a damaged database; `home_moved` when another home has taken
 * the
 *   place of the one that was served.
 */
export async function keepServing<Opened>(keeping: Keeping<Opened>): Promise<number> {
  const { homeDir, say, signal } = keeping;
  const [place, heart, supervisor] = [new Place(homeDir), new Heartbeat(homeDir), new Supervisor(process.env)];
  let said = '';
  try {
    for (let waitMs = SHORTEST_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_MS)) {
      const tried = await attempt(keeping, place);
      if (typeof tried === 'number') return tried;
      if (tried.began) waitMs = SHORTEST_MS;
      if (tried.why !== undefined && tried.why !== said) say(`Not serving: ${tried.why} It is tried again every 15 s.`);
      said = tried.why ?? said;
      if (place.isThere) heart.beat(said);
      supervisor.alive(`not serving: ${said}`);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
    return 0;
  } finally {
    heart.end();
  }
}

interface Passing {
  /** Undefined when the command has said it. */
  readonly why: string | undefined;
  /** Whether the program could be opened. */
  readonly began: boolean;
}

async function attempt<Opened>({ open, run, close }: Keeping<Opened>, place: Place): Promise<number | Passing> {
  place.mustBeOurs();
  // Opening would make a new home in its place.
  if (!place.isThere) return { why: 'the folder of the home is gone.', began: false };
  try {
    const opened = await open();
    try {
      place.remember();
      const code = await run(opened);
      return code === TRY_AGAIN ? { why: undefined, began: true } : code;
    } finally {
      await close(opened);
    }
  } catch (error) {
    const why = passingTrouble(error);
    if (why === undefined) throw error;
    return { why, began: false };
  }
}

/** Where the served home is. Another folder at the same path is another home. */
class Place {
  readonly #dir: string;
  #ours: string | undefined;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Before the first home was opened it need not exist. */
  get isThere(): boolean {
    return this.#ours === undefined || this.#identity() !== undefined;
  }

  remember(): void {
    this.#ours ??= this.#identity();
  }

  /** @throws AssistantError `home_moved`. */
  mustBeOurs(): void {
    const found = this.#identity();
    if (this.#ours === undefined || found === undefined || found === this.#ours) return;
    throw new AssistantError('home_moved', `Another folder is at ${this.#dir} now: its home is not served.`, {
      hint: 'Start `wooster serve` again to serve it, or put the other one back.',
    });
  }

  #identity(): string | undefined {
    const found = statSync(this.#dir, { throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  }
}
