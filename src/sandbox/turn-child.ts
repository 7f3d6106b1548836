import type { Pool } from './pool.ts';
import { readUsage } from './process-usage.ts';
import type { Worker } from './worker.ts';

/** A child that has run this many scripts is replaced, so that a leak of some kilobytes each stays small. */
const MOST_SCRIPTS = 50;
/** A child with an empty isolate has about 50 MB. The kernel's limit is on all that it ever held. */
const MOST_RSS_MB = 110;

interface Own {
  readonly worker: Worker;
  readonly memoryMb: number;
  scripts: number;
  /** Whether the next script can use it. */
  renewed: Promise<boolean>;
}

/**
 * The child process of one turn. A script that ended by itself leaves it to the next one, with a new isolate.
 * Otherwise, and once the turn has read untrusted text, each script gets a child of its own, because code that breaks
 * out of its isolate could watch the scripts that follow.
 */
export class TurnChild {
  readonly #pool: Pool;
  readonly #mayShare: () => boolean;
  #own: Own | undefined;
  #closed = false;

  constructor(pool: Pool, mayShare: () => boolean) {
    this.#pool = pool;
    this.#mayShare = mayShare;
  }

  /** Start a child for the next script, unless the turn has one that it can reuse. */
  warm(memoryMb: number): void {
    if (!this.#usable(memoryMb)) this.#pool.fill(memoryMb);
  }

  /** @throws AssistantError `sandbox_unavailable` when no child can be started here. */
  async take(memoryMb: number): Promise<Worker> {
    const own = this.#usable(memoryMb);
    if (own) {
      own.worker.hold(true);
      if (await own.renewed) {
        own.scripts += 1;
        return own.worker;
      }
    }
    const worker = await this.#pool.take(memoryMb);
    if (this.#closed) worker.kill();
    this.#own = { worker, memoryMb, scripts: 1, renewed: Promise.resolve(false) };
    return worker;
  }

  /** The next isolate is made at once, while the model reads the result. */
  giveBack(worker: Worker, clean: boolean): void {
    const own = this.#own;
    if (!clean || this.#closed || !own || own.scripts >= MOST_SCRIPTS || !this.#mayShare()) {
      worker.kill();
      this.#own = undefined;
    } else {
      own.renewed = renew(worker);
      worker.hold(false);
    }
  }

  close(): void {
    this.#closed = true;
    this.#own?.worker.kill();
    this.#own = undefined;
  }

  /** Untrusted text may also have been read since the last script. */
  #usable(memoryMb: number): Own | undefined {
    const own = this.#own;
    if (own && !own.worker.hasEnded && own.memoryMb === memoryMb && this.#mayShare()) return own;
    this.#own?.worker.kill();
    this.#own = undefined;
    return undefined;
  }
}

/**
 * A child that kept the memory of its last script would count it against the limit of the next one.
 *
 * @returns whether it can run another; until then nobody may use it, or it could be killed during a script.
 */
async function renew(worker: Worker): Promise<boolean> {
  worker.renew();
  const isUp = await worker.ready().then(
    () => true,
    () => false,
  );
  if (!isUp) return false;
  const usage = await readUsage(worker.pid ?? 0);
  if (!usage || usage.rssMb <= MOST_RSS_MB) return !worker.hasEnded;
  worker.kill();
  return false;
}
