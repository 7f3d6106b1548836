import type { Clock } from '../base/clock.ts';
import { counted } from '../base/text.ts';
import type { Store } from '../store/store.ts';
import { nextAfter } from '../when/timing.ts';
import { DAY_MS, showWall } from '../when/zone.ts';
import { nameOf } from './due.ts';
import { type JobTable, makerOf, type StoredJob, timingOf } from './job-table.ts';
import type { OwnerNotices } from './types.ts';

interface ClockReturnDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobs: JobTable;
  readonly notices: OwnerNotices;
}

/** A clock that was ahead by less than this is like one that is set back: the next runs stay where they were. */
export const FAR_MS = 2 * DAY_MS;
const NAMED = 20;
const CLOCK_NOTICE = 'clock:';

/** Runs that nobody began: their time comes again. */
const NOT_BEGUN: ReadonlySet<string> = new Set(['due', 'missed', 'skipped']);

/**
 * Undo the plans of a clock that was far ahead and has come back. A run is entered when its time has come, so one for a
 * time to come was entered by such a clock: it would keep its job silent until then.
 *
 * What ran stays in the history, as of now. What was only missed comes at its time.
 */
export async function planAnew({ store, clock, jobs, notices }: ClockReturnDeps): Promise<void> {
  const now = clock.now();
  const far = new Date(now.getTime() + FAR_MS).toISOString();
  if (!(await hasPlansOfTheFuture(store, far))) return;
  await store.transaction(async () => {
    const { db } = store;
    const ahead = await db
      .selectFrom('runs')
      .select(['id', 'schedule_id', 'scheduled_for', 'state'])
      .where('scheduled_for', '>', far)
      .orderBy('scheduled_for')
      .execute();
    const begun = ahead.filter(({ state }) => !NOT_BEGUN.has(state));
    const waiting = ahead.filter(({ state }) => NOT_BEGUN.has(state));
    for (const [index, { id }] of begun.entries()) {
      const at = new Date(now.getTime() - begun.length + index).toISOString();
      await db.updateTable('runs').set({ scheduled_for: at }).where('id', '=', id).execute();
    }
    for (const { id } of waiting) await db.deleteFrom('runs').where('id', '=', id).execute();
    const missed = new Map(waiting.map(({ schedule_id, scheduled_for }) => [schedule_id, scheduled_for]));
    const made = await db.selectFrom('schedules').select('id').where('created_at', '>', far).execute();
    const ids = [...new Set([...ahead.map(({ schedule_id }) => schedule_id), ...made.map(({ id }) => id)])];
    const planned: StoredJob[] = [];
    for (const job of await jobs.named(ids)) {
      const changes = planOf(job, missed.get(job.id), now);
      if (!changes) continue;
      await jobs.update(job.id, changes);
      planned.push({ ...job, ...changes });
    }
    // A first try, or a second one, that waits for that time.
    await db.updateTable('runs').set({ not_before: null }).where('not_before', '>', far).execute();
    await notices.bringForward(new Date(far));
    const until = new Date(ahead.at(-1)?.scheduled_for ?? far);
    await notices.post({
      key: `${CLOCK_NOTICE}${now.toISOString()}`,
      text: told(planned, until),
      voice: makerOf(planned),
    });
  });
}

async function hasPlansOfTheFuture({ read }: Store, far: string): Promise<boolean> {
  const run = await read.selectFrom('runs').select('id').where('scheduled_for', '>', far).executeTakeFirst();
  const job = await read.selectFrom('schedules').select('id').where('created_at', '>', far).executeTakeFirst();
  return run !== undefined || job !== undefined;
}

/** @param missed when a run of the job would have come, had the clock been right. */
function planOf(job: StoredJob, missed: string | undefined, now: Date): Partial<StoredJob> | undefined {
  const created_at = job.created_at > now.toISOString() ? now.toISOString() : job.created_at;
  if (job.kind === 'at') {
    const on = { enabled: 1, paused_because: null, next_run_utc: missed ?? null, created_at };
    return missed === undefined || isPausedByOwner(job) ? undefined : on;
  }
  if (job.kind === 'on' || job.enabled === 0) return undefined;
  return { next_run_utc: nextAfter(timingOf(job), now)?.toISOString() ?? null, created_at };
}

function isPausedByOwner({ enabled, paused_because }: StoredJob): boolean {
  return enabled === 0 && paused_because === 'you';
}

function told(planned: readonly StoredJob[], until: Date): string {
  const lines = planned.slice(0, NAMED).map((job) => {
    const next = job.next_run_utc === null ? 'no more' : showWall(new Date(job.next_run_utc), job.time_zone);
    return `- ${nameOf(job)}: ${next}`;
  });
  const more = planned.length > NAMED ? [`… and ${planned.length - NAMED} more; see \`wooster schedule list\`.`] : [];
  const first = `The clock of this machine was ahead, to ${until.toISOString().slice(0, 10)}, and has come back.`;
  return [`${first} ${counted(planned.length, 'job')} planned anew:`, ...lines, ...more].join('\n');
}

/** When a clock that was far ahead came back, by the notices about it; undefined: it was not. For the doctor. */
export function clockReturn(notices: readonly { readonly key: string }[], since: Date): Date | undefined {
  const times = notices
    .filter(({ key }) => key.startsWith(CLOCK_NOTICE))
    .map(({ key }) => key.slice(CLOCK_NOTICE.length));
  const newest = times.toSorted().at(-1);
  return newest !== undefined && newest > since.toISOString() ? new Date(newest) : undefined;
}
