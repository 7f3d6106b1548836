import { type RawBuilder, type Selectable, sql } from 'kysely';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Mode } from '../base/turn.ts';
import type { UsageRow } from '../store/schema.ts';
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

type Columns = Omit<Selectable<UsageRow>, 'id'>;

/** What the database groups by; it does not know the owner's zone, so days and months are put together from minutes. */
const GROUPS: Readonly<Record<UsageGroup, RawBuilder<string>>> = {
  model: sql`case provider when model then model else provider || ':' || model end`,
  mode: sql`mode`,
  project: sql`project`,
  job: sql`coalesce(job_id, '(no job)')`,
  day: sql`substr(created_at, 1, 16)`,
  month: sql`substr(created_at, 1, 16)`,
  purpose: sql`purpose`,
};

/** When usage is saved by itself. */
const LATE_MS = 200;

/** Rows in one statement. */
const BATCH = 100;

/** Import all calls from another store. */
export async function copyUsage(from: Store, to: Store): Promise<void> {
  const rows = await from.read.selectFrom('usage').selectAll().orderBy('id').execute();
  // On PostgreSQL a row also names its home, which is replaced by the one it is copied to.
  const values = rows.map(
    ({ id: _id, home: _home, ...row }: (typeof rows)[number] & { readonly home?: string }) => row,
  );
  await to.transaction(async () => {
    for (let at = 0; at < values.length; at += BATCH) {
      await to.db
        .insertInto('usage')
        .values(values.slice(at, at + BATCH))
        .execute();
    }
  });
}

/** Tokens, and money where all prices are known. */
export interface TurnCost {
  readonly tokens: number;
  readonly usd?: number | undefined;
}

/** Sums as the database makes them, which can be added up. */
type Sums = Omit<UsageSum, 'meanLatencyMs'> & { readonly latencyMs: number };

/** The table `usage`: one row per model call, and sums over it. Rows are saved slightly later, in batches. */
export class UsageTable {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #log: Log;
  readonly #timeZone: string;
  #pending: Columns[] = [];
  #saving = false;
  #timer: NodeJS.Timeout | undefined;
  /** How many of the pending rows may be saved already: their commit failed, or only its answer was lost. */
  #doubtful = 0;

  constructor({ store, now, log, timeZone }: UsageTableDeps) {
    this.#store = store;
    this.#now = now;
    this.#log = log;
    this.#timeZone = timeZone;
  }

  /**
   * Saved with what the turn saves next: a commit of its own would delay the end of every answer. Where nothing else is
   * saved for a while, it is by itself.
   */
  add(entry: UsageEntry): void {
    this.#pending.push(columnsOf(entry, this.#now().toISOString()));
    this.#store.alongside(this.#save);
    this.#timer ??= setTimeout(() => void this.#saveLate(), LATE_MS).unref();
  }

  /** Save pending rows; every sum does this first. */
  async flush(): Promise<void> {
    // Rows that another transaction is saving are saved by the time this one's turn comes.
    if (this.#pending.length > 0 || this.#saving) await this.#store.relaxed(this.#save);
  }

  /** Nobody awaits this, so it must not throw: rows that could not be saved are retried by the next save. */
  async #saveLate(): Promise<void> {
    this.#timer = undefined;
    await this.flush().catch((error: unknown) => {
      this.#log.error('usage was not saved', { calls: this.#pending.length, error: messageOf(error) });
    });
  }

  /** Part of the caller's transaction. Rows that it does not save stay pending. */
  readonly #save = async (): Promise<void> => {
    await this.#dropSaved();
    const rows = this.#pending;
    if (rows.length === 0) return;
    this.#pending = [];
    this.#saving = true;
    this.#store.atEnd((committed) => {
      this.#saving = false;
      if (committed) return;
      this.#pending.unshift(...rows);
      this.#doubtful = rows.length;
    });
    for (let from = 0; from < rows.length; from += BATCH) {
      const batch = rows.slice(from, from + BATCH);
      await this.#store.db.insertInto('usage').values(batch).execute();
    }
  };

  /** Rows of one transaction are saved all or none, so the first one tells. */
  async #dropSaved(): Promise<void> {
    const [first] = this.#pending;
    if (this.#doubtful === 0 || !first) return;
    // This transaction has waited for the doubtful one to end.
    const equal = this.#store.db
      .selectFrom('usage')
      .select('id')
      .where((row) => row.and(first));
    const saved = await equal.limit(1).executeTakeFirst();
    if (saved) this.#pending.splice(0, this.#doubtful);
    this.#doubtful = 0;
  }

  /** Known cost in USD since a time. */
  async spentSince(since: Date): Promise<number> {
    await this.flush();
    const { usd } = await this.#spent().where('created_at', '>=', since.toISOString()).executeTakeFirstOrThrow();
    return usd;
  }

  async spentBy(column: 'turn_id' | 'job_id', id: string): Promise<number> {
    await this.flush();
    const { usd } = await this.#spent().where(column, '=', id).executeTakeFirstOrThrow();
    return usd;
  }

  /** What the calls of a turn took; the price is absent where one of them has none. */
  async costOf(turnId: string): Promise<TurnCost> {
    await this.flush();
    const { tokens, usd, unpriced } = await this.#store.read
      .selectFrom('usage')
      .select([
        sql<number>`coalesce(sum(input_tokens + output_tokens), 0)`.as('tokens'),
        sql<number>`coalesce(sum(cost_usd), 0)`.as('usd'),
        sql<number>`coalesce(sum(case when cost_usd is null then 1 else 0 end), 0)`.as('unpriced'),
      ])
      .where('turn_id', '=', turnId)
      .executeTakeFirstOrThrow();
    return unpriced > 0 ? { tokens } : { tokens, usd };
  }

  #spent() {
    return this.#store.read.selectFrom('usage').select(sql<number>`coalesce(sum(cost_usd), 0)`.as('usd'));
  }

  /** @param since undefined for all time. Largest cost first; days and months in chronological order. */
  async sums(group: UsageGroup, since?: Date): Promise<UsageSum[]> {
    await this.flush();
    const rows = await this.#sumsBy(GROUPS[group], since);
    if (group !== 'day' && group !== 'month') return rows.map(withMean);
    const length = group === 'day' ? 'YYYY-MM-DD'.length : 'YYYY-MM'.length;
    const dateOf = (minute: string) => localDate(new Date(`${minute}Z`), this.#timeZone).slice(0, length);
    const byDate = Map.groupBy(rows, (row) => dateOf(row.group));
    const dates = [...byDate].map(([date, parts]) => ({ ...parts.reduce(added), group: date }));
    return dates.sort((a, b) => (a.group < b.group ? -1 : 1)).map(withMean);
  }

  #sumsBy(group: RawBuilder<string>, since: Date | undefined): Promise<Sums[]> {
    return this.#store.read
      .selectFrom('usage')
      .select(({ fn }) => [
        group.as('group'),
        fn.countAll<number>().as('calls'),
        sql<number>`sum(case when ok = 0 then 1 else 0 end)`.as('failed'),
        fn.sum<number>('input_tokens').as('inputTokens'),
        fn.sum<number>('output_tokens').as('outputTokens'),
        fn.sum<number>('cached_tokens').as('cachedTokens'),
        sql<number>`coalesce(sum(cost_usd), 0)`.as('costUsd'),
        sql<number>`sum(case when cost_usd is null then 1 else 0 end)`.as('unpricedCalls'),
        fn.sum<number>('latency_ms').as('latencyMs'),
      ])
      .where('created_at', '>=', since?.toISOString() ?? '')
      .groupBy(group)
      .orderBy('costUsd', 'desc')
      .orderBy('calls', 'desc')
      .orderBy('group')
      .execute();
  }

  /** @param since undefined for all time. Most turns first. */
  async byMode(since?: Date): Promise<ModeUsage[]> {
    await this.flush();
    const rows = await this.#store.read
      .selectFrom('usage')
      .select(({ fn }) => [
        'model',
        'mode',
        fn.count<number>('turn_id').distinct().as('turns'),
        fn.sum<number>('input_tokens').as('inputTokens'),
        fn.sum<number>('output_tokens').as('outputTokens'),
        fn.sum<number>('latency_ms').as('latencyMs'),
        fn.countAll<number>().as('calls'),
      ])
      .where('created_at', '>=', since?.toISOString() ?? '')
      .groupBy(['model', 'mode'])
      .orderBy('turns', 'desc')
      .orderBy('model')
      .orderBy('mode')
      .execute();
    return rows.map(({ latencyMs, calls, ...row }) => ({ ...row, meanLatencyMs: Math.round(latencyMs / calls) }));
  }
}

function columnsOf(entry: UsageEntry, at: string): Columns {
  return {
    turn_id: entry.turnId ?? null,
    conversation_id: entry.conversationId ?? null,
    job_id: entry.jobId ?? null,
    project: entry.project,
    mode: entry.mode,
    provider: entry.provider,
    model: entry.model,
    purpose: entry.purpose,
    input_tokens: entry.inputTokens,
    output_tokens: entry.outputTokens,
    cached_tokens: entry.cachedTokens,
    cost_usd: entry.costUsd ?? null,
    latency_ms: Math.round(entry.latencyMs),
    ok: entry.ok ? 1 : 0,
    created_at: at,
  };
}

function added(a: Sums, b: Sums): Sums {
  return {
    group: a.group,
    calls: a.calls + b.calls,
    failed: a.failed + b.failed,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: a.costUsd + b.costUsd,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
    latencyMs: a.latencyMs + b.latencyMs,
  };
}

function withMean({ latencyMs, ...sums }: Sums): UsageSum {
  return { ...sums, meanLatencyMs: latencyMs / sums.calls };
}
