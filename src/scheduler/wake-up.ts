import { createTask, type Logger, type ScheduledTask } from 'node-cron';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

export interface WakeUpDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Must not reject. */
  tick(): Promise<void>;
}

const LOOK_MS = 1000;
/** The wall clock drifts a little against the monotonic one; more than this between two looks, and it was set. */
const JUMP_MS = 1500;

/**
 * Ticks at the beginning of every second. node-cron keeps the beat, but waits for a time on the wall: when the clock is
 * set back it would stand still until that time comes again, so it is started anew after a jump.
 */
export class WakeUp {
  readonly #deps: WakeUpDeps;
  #task: ScheduledTask | undefined;
  #look: NodeJS.Timeout | undefined;
  #drift = 0;

  constructor(deps: WakeUpDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (this.#look) return;
    this.#drift = this.#wallAhead();
    this.#look = setInterval(() => this.#restartAfterJump(), LOOK_MS);
    this.#beat();
    void this.#deps.tick();
  }

  async stop(): Promise<void> {
    clearInterval(this.#look);
    this.#look = undefined;
    await this.#task?.destroy();
    this.#task = undefined;
  }

  #wallAhead(): number {
    return this.#deps.clock.now().getTime() - this.#deps.clock.monotonicMs();
  }

  #restartAfterJump(): void {
    const drift = this.#wallAhead();
    const jumpMs = drift - this.#drift;
    this.#drift = drift;
    if (Math.abs(jumpMs) < JUMP_MS) return;
    this.#deps.log.info('the clock was set', { jumpMs: Math.round(jumpMs) });
    this.#beat();
    void this.#deps.tick();
  }

  #beat(): void {
    const { tick, log } = this.#deps;
    void this.#task?.destroy();
    this.#task = createTask('* * * * * *', tick, { name: 'scheduler', logger: quiet(log) });
    void this.#task.start();
  }
}

/** node-cron reports slow ticks and jumps of the clock; the ledger deals with both, so they are only logged. */
function quiet(log: Log): Logger {
  return {
    debug: () => {},
    info: () => {},
    warn: (message) => log.debug(message),
    error: (message) => log.error(messageOf(message)),
  };
}
