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

/** How often the clock is checked for jumps. */
const LOOK_MS = 1000;
/** The system clock drifts slightly from the monotonic one; a larger change between two checks means it was set. */
const JUMP_MS = 1500;

/**
 * Ticks at the beginning of every second.
 *
 * node-cron provides the beat, but waits for a time of day: after the clock is set back it would wait until that time
 * comes again, so it is restarted after every jump.
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
    this.#drift = this.#clockOffset();
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

  #clockOffset(): number {
    return this.#deps.clock.now().getTime() - this.#deps.clock.monotonicMs();
  }

  #restartAfterJump(): void {
    const drift = this.#clockOffset();
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

/** node-cron warns about slow ticks and clock jumps; the scheduler copes with both, so they only go to the log. */
function quiet(log: Log): Logger {
  return {
    debug: () => {},
    info: () => {},
    warn: (message) => log.debug(message),
    error: (message) => log.error(messageOf(message)),
  };
}
