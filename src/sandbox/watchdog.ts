import type { ApprovalPauses } from './approval-pauses.ts';
import type { Limits, ScriptFailureReason } from './contract.ts';
import { type ProcessUsage, readUsage, USAGE_INTERVAL_MS } from './process-usage.ts';

export interface WatchdogDeps {
  readonly pid: number;
  readonly limits: Limits;
  readonly pauses: ApprovalPauses;
  /** Resident memory of the whole child, in MB. */
  readonly maxRssMb: number;
  /** Called once, with the limit that was exceeded. */
  stop(reason: ScriptFailureReason, message: string): void;
}

const TICK_MS = 20;

/** Enforces the time, processor and memory limits of one script from the parent, where no script can interfere. */
export class Watchdog {
  readonly #deps: WatchdogDeps;
  readonly #started = performance.now();
  readonly #pausedBefore: number;
  #outstanding = 0;
  #idleSince = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #cpuBefore: number | undefined;
  #readAt = 0;
  #reading = false;

  constructor(deps: WatchdogDeps) {
    this.#deps = deps;
    this.#pausedBefore = deps.pauses.totalMs();
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    void this.#readUsage();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The idle clock stops while calls are in progress. */
  callBegins(): void {
    this.#outstanding += 1;
  }

  callEnds(): void {
    this.#outstanding -= 1;
    this.#idleSince = performance.now();
  }

  /** Elapsed time without pauses. */
  elapsedMs(): number {
    return performance.now() - this.#started - (this.#deps.pauses.totalMs() - this.#pausedBefore);
  }

  #tick(): void {
    const { limits, pauses } = this.#deps;
    if (!pauses.active && this.elapsedMs() > limits.timeoutMs) {
      this.#hit('timeout', `Execution timed out after ${limits.timeoutMs} ms`);
    } else if (this.#outstanding === 0 && performance.now() - this.#idleSince > limits.idleMs) {
      const why = 'an endless loop, or a promise that never settles';
      this.#hit('timeout', `Execution timed out after ${limits.idleMs} ms without any call: ${why}`);
    } else if (performance.now() - this.#readAt >= USAGE_INTERVAL_MS) {
      void this.#readUsage();
    }
  }

  async #readUsage(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const usage = await readUsage(this.#deps.pid);
    this.#readAt = performance.now();
    this.#reading = false;
    if (usage && this.#timer) this.#judge(usage);
  }

  #judge({ cpuMs, rssMb }: ProcessUsage): void {
    const { limits, maxRssMb } = this.#deps;
    this.#cpuBefore ??= cpuMs;
    if (cpuMs - this.#cpuBefore > limits.cpuMs) {
      this.#hit('cpu', `The script used more than ${limits.cpuMs} ms of processor time`);
    } else if (rssMb > maxRssMb) {
      this.#hit('memory', `The script used more than ${limits.memoryMb} MB of memory`);
    }
  }

  #hit(reason: ScriptFailureReason, message: string): void {
    this.stop();
    this.#deps.stop(reason, message);
  }
}
