import type { Failure, FailureKind } from './failure.ts';

export interface HealthReport {
  readonly state: 'ready' | 'down' | 'half_open' | 'unknown';
  readonly calls: number;
  readonly failures: number;
  /** Median over the newest calls, in ms; undefined before the first. */
  readonly latencyMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  readonly lastError: string | undefined;
}

interface Record {
  calls: number;
  failures: number;
  inARow: number;
  downUntilMs: number;
  lastError: string | undefined;
  readonly latencies: number[];
  readonly firstTokens: number[];
}

const KEPT = 30;
const LONGEST_PAUSE_MS = 600_000;
/** Failures of the request or the reply say nothing about the server. */
const HARMLESS: ReadonlySet<FailureKind> = new Set([
  'request',
  'too_long',
  'too_large',
  'malformed',
  'empty',
  'unforeseen',
]);

/**
 * How the models did lately. One that failed is passed over for the interval, then tried with one request; each
 * failure in a row doubles the pause, to ten minutes at most.
 */
export class Health {
  readonly #records = new Map<string, Record>();
  readonly #intervalMs: number;
  readonly #now: () => Date;

  constructor(intervalMs: number, now: () => Date) {
    this.#intervalMs = intervalMs;
    this.#now = now;
  }

  succeeded(label: string, times: { ms: number; firstTokenMs?: number | undefined }): void {
    const record = this.#of(label);
    record.calls++;
    record.inARow = 0;
    record.downUntilMs = 0;
    keep(record.latencies, times.ms);
    if (times.firstTokenMs !== undefined) keep(record.firstTokens, times.firstTokenMs);
  }

  failed(label: string, failure: Failure, reason: string): void {
    const record = this.#of(label);
    record.calls++;
    record.failures++;
    record.lastError = reason;
    if (HARMLESS.has(failure.kind)) return;
    // The tries of one call count once: the pause is for those that come after it.
    if (this.#state(record) === 'down') return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, this.#intervalMs * 2 ** record.inARow);
    record.inARow++;
    record.downUntilMs =
      this.#now().getTime() + Math.max(pauseMs, Math.min(failure.retryAfterMs ?? 0, LONGEST_PAUSE_MS));
  }

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

  #state({ inARow, downUntilMs, calls, failures }: Record): HealthReport['state'] {
    if (inARow === 0) return calls > failures ? 'ready' : 'unknown';
    return downUntilMs > this.#now().getTime() ? 'down' : 'half_open';
  }

  #of(label: string): Record {
    const known = this.#records.get(label);
    if (known) return known;
    const record: Record = {
      calls: 0,
      failures: 0,
      inARow: 0,
      downUntilMs: 0,
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
