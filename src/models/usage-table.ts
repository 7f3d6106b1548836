import type { StatementSync } from 'node:sqlite';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Mode } from '../base/turn.ts';
import type { Store } from '../store/store.ts';
import { localDate } from '../when/calendar.ts';
import type { Tokens } from './reply.ts';

/** One finished model call. `costUsd` is undefined where the price is unknown. */
export interface UsageEntry extends Tokens {
  readonly turnId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly project: string;
  readonly mode: Mode;
  readonly provider: string;
  readonly model: string;
  readonly purpose: string;
  readonly costUsd: number | undefined;
  readonly latencyMs: number;
  readonly ok: boolean;
}

export const USAGE_GROUPS = ['model', 'mode', 'project', 'job', 'day', 'month', 'purpose'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageTableDeps {
  readonly store: Store;
  readonly now: () => Date;
  readonly log: Log;
  /** IANA name: days and months of sums are those of this zone. */
  readonly timeZone: string;
}

/** Sums over a group. `unpricedCalls` have no known price and are not in `costUsd`. */
export interface UsageSum {
  readonly group: string;
  readonly calls: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly costUsd: number;
  readonly unpricedCalls: number;
  readonly meanLatencyMs: number;
}

/** How one model was used in one mode. */
export interface ModeUsage {
  readonly model: string;
  readonly mode: string;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly meanLatencyMs: number;
}

const COLUMNS: Readonly<Record<UsageGroup, string>> = {
  model: "CASE provider WHEN model THEN model ELSE provider || ':' || model END",
  mode: 'mode',
  project: 'project',
  job: "coalesce(job_id, '(no job)')",
  day: 'owner_date(created_at)',
  month: 'substr(owner_date(created_at), 1, 7)',
  purpose: 'purpose',
};

/** The table `usage`: one row per model call, and sums over it. Rows are saved slightly later, in batches. */
export class UsageTable {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #log: Log;
  readonly #pending: { readonly entry: UsageEntry; readonly at: string }[] = [];
  readonly #insert: StatementSync;
  readonly #spent: StatementSync;
  readonly #spentBy: Readonly<Record<'turn_id' | 'job_id', StatementSync>>;

  constructor({ store, now, log, timeZone }: UsageTableDeps) {
    this.#store = store;
    this.#now = now;
    this.#log = log;
    // SQLite knows the machine's zone alone.
    store.sql.function('owner_date', (at) => localDate(new Date(String(at)), timeZone));
    this.#insert = store.sql.prepare(
      `INSERT INTO usage (turn_id, conversation_id, job_id, project, mode, provider, model, purpose, input_tokens,
       output_tokens, cached_tokens, cost_usd, latency_ms, ok, created_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    );
    this.#spent = store.sql.prepare('SELECT coalesce(sum(cost_usd), 0) AS usd FROM usage WHERE created_at >= ?');
    const by = (column: string) =>
      store.sql.prepare(`SELECT coalesce(sum(cost_usd), 0) AS usd FROM usage WHERE ${column} = ?`);
    this.#spentBy = { turn_id: by('turn_id'), job_id: by('job_id') };
  }

  /** Saved once the current work is done: a synchronous commit here would delay the end of every answer. */
  add(entry: UsageEntry): void {
    if (this.#pending.push({ entry, at: this.#now().toISOString() }) === 1) setImmediate(() => this.#flushQuietly());
  }

  /** Save pending rows; every sum does this first. */
  flush(): void {
    if (this.#pending.length === 0 || !this.#store.sql.isOpen) return;
    const rows = [...this.#pending];
    this.#store.transaction(() => {
      for (const { entry, at } of rows) this.#save(entry, at);
    });
    // Only now: rows of a failed transaction stay pending.
    this.#pending.splice(0, rows.length);
  }

  /** Nobody awaits this one, so it must not throw: rows that could not be saved are retried before the next sum. */
  #flushQuietly(): void {
    try {
      this.flush();
    } catch (error) {
      this.#log.error('usage was not saved', { calls: this.#pending.length, error: messageOf(error) });
    }
  }

  #save(entry: UsageEntry, at: string): void {
    const ids = [entry.turnId ?? null, entry.conversationId ?? null, entry.jobId ?? null];
    const tokens = [entry.inputTokens, entry.outputTokens, entry.cachedTokens, entry.costUsd ?? null];
    const about = [entry.project, entry.mode, entry.provider, entry.model, entry.purpose];
    this.#insert.run(...ids, ...about, ...tokens, Math.round(entry.latencyMs), entry.ok ? 1 : 0, at);
  }

  /** Known cost in USD since a time. */
  spentSince(since: Date): number {
    this.flush();
    return usd(this.#spent.get(since.toISOString()));
  }

  spentBy(column: 'turn_id' | 'job_id', id: string): number {
    this.flush();
    return usd(this.#spentBy[column].get(id));
  }

  /** @param since undefined for all time. Largest cost first; days and months in chronological order. */
  sums(group: UsageGroup, since?: Date): UsageSum[] {
    this.flush();
    const order = group === 'day' || group === 'month' ? '"group"' : 'costUsd DESC, calls DESC';
    const rows = this.#store.sql
      .prepare(
        `SELECT ${COLUMNS[group]} AS "group", count(*) AS calls, sum(ok = 0) AS failed,
         sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens, sum(cached_tokens) AS cachedTokens,
         coalesce(sum(cost_usd), 0) AS costUsd,
         sum(cost_usd IS NULL) AS unpricedCalls, avg(latency_ms) AS meanLatencyMs
         FROM usage WHERE created_at >= ? GROUP BY 1 ORDER BY ${order}`,
      )
      .all(since?.toISOString() ?? '');
    return rows.map((row) => ({ ...row }) as unknown as UsageSum);
  }

  /** @param since undefined for all time. Most turns first. */
  byMode(since?: Date): ModeUsage[] {
    this.flush();
    const rows = this.#store.sql
      .prepare(
        `SELECT model, mode, count(DISTINCT turn_id) AS turns, sum(input_tokens) AS inputTokens,
         sum(output_tokens) AS outputTokens, round(avg(latency_ms)) AS meanLatencyMs
         FROM usage WHERE created_at >= ? GROUP BY model, mode ORDER BY turns DESC, model, mode`,
      )
      .all(since?.toISOString() ?? '');
    return rows.map((row) => ({ ...row }) as unknown as ModeUsage);
  }
}

function usd(row: Record<string, unknown> | undefined): number {
  return Number(row?.usd ?? 0);
}
