import type { RunReason } from '../store/schema.ts';
import type { Elapsed } from '../when/timing.ts';
import { MINUTE_MS } from '../when/zone.ts';
import type { CatchUp, JobKind, JobOptions } from './types.ts';

/**
 * A run that starts at most this late is on time. After that its time was missed, and the catch-up policy decides.
 */
export const GRACE_MS = MINUTE_MS;

/** A run to enter; `run: false` only records missed times. */
export interface PlannedRow {
  readonly scheduledFor: Date;
  readonly reason: RunReason;
  readonly run: boolean;
  /** How many further times before `scheduledFor` this row stands for. */
  readonly missed: number;
  /** The oldest of those. */
  readonly firstMissed: Date | undefined;
}

/** A job that is due: its policy, and the times since its last run. */
export interface PlanQuestion {
  readonly kind: JobKind;
  readonly options: Pick<JobOptions, 'catchUp' | 'catchUpMax' | 'windowMs'>;
  readonly due: Elapsed;
  readonly now: Date;
}

/** How many of the newest times `plan` needs: those within the grace period, and those that `all` may run. */
export function timesToKeep(options: Pick<JobOptions, 'catchUp' | 'catchUpMax'>): number {
  return GRACE_MS / 1000 + 2 + (options.catchUp === 'all' ? options.catchUpMax : 0);
}

/**
 * Decide which of the due times of a job run, and which are recorded as missed.
 *
 * Pure. The table in docs/scheduling.md is checked against it.
 *
 * @returns rows from the oldest to the newest time.
 */
export function plan(question: PlanQuestion): PlannedRow[] {
  const { due, now } = question;
  const latest = due.latest.at(-1) ?? due.first;
  const onTime = now.getTime() - latest.getTime() <= GRACE_MS;
  const late = due.latest.filter((time) => now.getTime() - time.getTime() > GRACE_MS);
  const lateCount = due.count - (due.latest.length - late.length);
  if (!onTime) return planLate(question, late, lateCount);
  const [before, stands] = lateCount === 0 ? [[], 0] : planBefore(question, late, lateCount);
  return [...before, row(latest, 'time', { run: true, missed: stands, first: stands > 0 ? due.first : undefined })];
}

/** Some times were missed and one is due right now, which covers the others where one run is enough. */
function planBefore(question: PlanQuestion, late: readonly Date[], lateCount: number): [PlannedRow[], number] {
  const policy = policyOf(question);
  if (policy === 'once') return [[], lateCount];
  if (policy === 'all') return [planLate(question, late, lateCount), 0];
  return [[missedRow(question, late, lateCount, 'time')], 0];
}

/** All times were missed: choose those that still run, by window and policy. */
function planLate(question: PlanQuestion, late: readonly Date[], lateCount: number): PlannedRow[] {
  const { options, now, due } = question;
  const policy = policyOf(question);
  const open = late.filter((time) => now.getTime() - time.getTime() <= options.windowMs);
  const chosen = policy === 'all' ? open.slice(-options.catchUpMax) : policy === 'once' ? open.slice(-1) : [];
  if (chosen.length === 0) return [missedRow(question, late, lateCount, policy === 'ask' ? 'ask' : 'time')];
  const over = lateCount - chosen.length;
  if (policy === 'once') {
    return chosen.map((time) =>
      row(time, 'catch-up', { run: true, missed: over, first: over > 0 ? due.first : undefined }),
    );
  }
  const earlier = late.slice(0, late.length - chosen.length);
  const missed = over > 0 && earlier.length > 0 ? [missedRow(question, earlier, over, 'time')] : [];
  return [...missed, ...chosen.map((time) => row(time, 'catch-up', { run: true, missed: 0, first: undefined }))];
}

/** An elapsed interval has no times of its own, so replaying them one by one would make no sense. */
function policyOf({ kind, options }: PlanQuestion): CatchUp {
  return kind === 'every' && options.catchUp === 'all' ? 'once' : options.catchUp;
}

function missedRow(question: PlanQuestion, late: readonly Date[], count: number, reason: RunReason): PlannedRow {
  const latest = late.at(-1) ?? question.due.first;
  return row(latest, reason, { run: false, missed: count - 1, first: count > 1 ? question.due.first : undefined });
}

function row(
  scheduledFor: Date,
  reason: RunReason,
  rest: { run: boolean; missed: number; first: Date | undefined },
): PlannedRow {
  return { scheduledFor, reason, run: rest.run, missed: rest.missed, firstMissed: rest.first };
}
