import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { GONE_MS, knownWorkers } from '../store/workers.ts';

/** How far behind the jobs are, and who runs them. */
export interface RunLag {
  readonly due: number;
  readonly inProgress: number;
  /** Age of the oldest run that could start, in ms; null without such a run. */
  readonly oldestDueMs: number | null;
  /** When the last run ended, and when the next one is due; null: never. ISO 8601 in UTC. */
  readonly lastRun: string | null;
  readonly nextRun: string | null;
  /** Programs that work on this home, latest heartbeat first; not those that were killed a while ago. */
  readonly workers: readonly { readonly id: string; readonly host: string; readonly seenMsAgo: number }[];
}

/** Runs that wait for a retry do not count as late. */
export async function runLag(store: Store): Promise<RunLag> {
  const now = await store.now();
  const age = (time: string) => Date.parse(now) - Date.parse(time);
  const { rows } = await sql<{ due: number | null; held: number | null; oldest: string | null }>`
    select sum(case when state = 'due' then 1 else 0 end) as due,
      sum(case when state = 'due' then 0 else 1 end) as held,
      min(case when state = 'due' and scheduled_for <= ${now} and coalesce(not_before, '') <= ${now}
        then coalesce(not_before, scheduled_for) end) as oldest
    from runs where state in ('due', 'claimed', 'running')`.execute(store.read);
  const { due, held, oldest } = rows[0] ?? { due: 0, held: 0, oldest: null };
  const { rows: times } = await sql<{ last: string | null; next: string | null }>`select
    (select max(finished_at) from runs) as last,
    (select min(next_run_utc) from schedules where enabled = 1) as next`.execute(store.read);
  const workers = await knownWorkers(store);
  return {
    due: due ?? 0,
    inProgress: held ?? 0,
    oldestDueMs: oldest === null ? null : age(oldest),
    ...{ lastRun: times[0]?.last ?? null, nextRun: times[0]?.next ?? null },
    workers: workers
      .map(({ id, host, seen_at }) => ({ id, host, seenMsAgo: age(seen_at) }))
      .filter(({ seenMsAgo }) => seenMsAgo < GONE_MS),
  };
}
