import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { SECOND_MS } from '../when/zone.ts';

/** How often to check on the runs of other programs and on changed documents. */
const WATCH_MS = 5 * SECOND_MS;

/**
 * When there is something to do next, as far as the tables tell now: a job or run is due, a notice is to be handed
 * over, or something has to be watched since `lookedAt`. One statement, so that asking is much cheaper than a tick.
 */
export async function nextLook(store: Store, lookedAt: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ job: string | null; run: string | null; notice: string | null; watch: 0 | 1 }>`select
    (select min(next_run_utc) from schedules where enabled = 1) as job,
    (select min(coalesce(not_before, scheduled_for)) from runs where state = 'due') as run,
    (select min(not_before) from notices where state = 'pending') as notice,
    case when exists (select 1 from runs where state in ('claimed', 'running'))
      or exists (select 1 from schedules where kind = 'on' and enabled = 1) then 1 else 0 end as watch`.execute(
    store.read,
  );
  const { job, run, notice, watch } = rows[0] ?? { job: null, run: null, notice: null, watch: 0 };
  const times = [job, run, notice].flatMap((time) => (time === null ? [] : Date.parse(time)));
  if (watch === 1) times.push(lookedAt.getTime() + WATCH_MS);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
