import type { Failure, FailureKind } from './failure.ts';

/** How a model has done recently. `half_open`: its cooldown is over and the next request decides. */
export interface HealthReport {
  readonly state: 'ready' | 'down' | 'half_open' | 'unknown';
  readonly calls: number;
  readonly failures: number;
  /** Median over the newest calls, in ms; undefined before the first. */
  readonly latencyMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  readonly lastError: string | undefined;
}

interface CallRecord {
  calls: number;
  failures: number;
  failuresInARow: number;
  cooldownUntilMs: number;
  lastError: string | undefined;
  readonly latencies: number[];
  readonly firstTokens: number[];
}

/** Latencies kept per model, for the median. */
const KEPT = 30;
const LONGEST_COOLDOWN_MS = 600_000;
/** Faults of the request or the reply say nothing about the server, so they open no cooldown. */
const NOT_THE_SERVER: ReadonlySet<FailureKind> = new Set([
  'request',
  'too_long',
  'too_large',
  'malformed',
  'empty',
  'unforeseen',
]);

/**
 * A circuit breaker for each model. One that failed is skipped for the interval, then gets one trial request; every
 * further failure in a row doubles the cooldown, up to ten minutes.
 */
export class Health {
  readonly #records = new Map<string, CallRecord>();
  readonly #intervalMs: number;
  readonly #now: () => Date;

  constructor(intervalMs: number, now: () => Date) {
    this.#intervalMs = intervalMs;
    this.#now = now;
  }

  /** Closes the breaker. */
  succeeded(label: string, times: { ms: number; firstTokenMs?: number | undefined }): void {
    const record = this.#of(label);
    record.calls++;
    record.failuresInARow = 0;
    record.cooldownUntilMs = 0;
    keep(record.latencies, times.ms);
    if (times.firstTokenMs !== undefined) keep(record.firstTokens, times.firstTokenMs);
  }

  /** @param reason redacted, for listings. */
  failed(label: string, failure: Failure, reason: string): void {
    const record = this.#of(label);
    record.calls++;
    record.failures++;
    record.lastError = reason;
    if (NOT_THE_SERVER.has(failure.kind)) return;
    // Retries within one call count once: the cooldown is meant for later calls.
    if (this.#state(record) === 'down') return;
    const cooldownMs = Math.min(LONGEST_COOLDOWN_MS, this.#intervalMs * 2 ** record.failuresInARow);
    record.failuresInARow++;
    record.cooldownUntilMs =
      this.#now().getTime() + Math.max(cooldownMs, Math.min(failure.retryAfterMs ?? 0, LONGEST_COOLDOWN_MS));
  }

  /** The report of a model, by its label; `unknown` before its first call. */
  of(label: string): HealthReport {
    const record = this.#records.get(label);
    if (!record)
      return {
        state: 'unknown',
        calls: 0,
        failures: 0,
        latencyMs: undefined,
        firstTokenMs: undefined,
        lastError: undefined,
      };
    const { calls, failures, lastError } = record;
    return {
      state: this.#state(record),
      calls,
      failures,
      lastError,
      latencyMs: median(record.latencies),
      firstTokenMs: median(record.firstTokens),
    };
  }

  #state({ failuresInARow: inARow, cooldownUntilMs: downUntilMs, calls, failures }: CallRecord): HealthReport['state'] {
    if (inARow === 0) return calls > failures ? 'ready' : 'unknown';
    return downUntilMs > this.#now().getTime() ? 'down' : 'half_open';
  }

  #of(label: string): CallRecord {
    const known = this.#records.get(label);
    if (known) return known;
    const record: CallRecord = {
      calls: 0,
      failures: 0,
      failuresInARow: 0,
      cooldownUntilMs: 0,
      lastError: undefined,
      latencies: [],
      firstTokens: [],
    };
    this.#records.set(label, record);
    return record;
  }
}

function keep(list: number[], value: number): void {
  list.push(value);
  if (list.length > KEPT) list.shift();
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
