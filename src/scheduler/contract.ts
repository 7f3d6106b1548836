import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { Most } from '../when/timing.ts';
import type { LegacyReport } from './legacy-import.ts';
import type { SchedulerOptions } from './options.ts';
import type { Slots } from './slots.ts';
import type {
  CheckCondition,
  HasEffects,
  IsDecided,
  JobWriter,
  NewJob,
  OnDue,
  OnRehearse,
  Outlook,
  OwnerNotices,
  ReadChanges,
  Rehearsal,
  RunRecord,
  ScheduledJob,
  TaskCode,
  Understood,
  UndoneJob,
  WhichJobs,
} from './types.ts';

export interface SchedulerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The user's IANA time zone, for jobs that name none. */
  readonly timeZone: string;
  readonly options?: Partial<SchedulerOptions> | undefined;
  /** Path of a legacy Wooster's schedule. */
  readonly legacySchedule?: string | undefined;
  readonly onDue: OnDue;
  readonly notices: OwnerNotices;
  /** How the reports of runs were delivered, which may be long after they ended; absent: unknown. */
  readonly reported?: (runIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** A run that has effects is never repeated. */
  readonly hasEffects: HasEffects;
  /** Absent: nobody decides while a run ends. */
  readonly isDecided?: IsDecided | undefined;
  readonly checkCondition?: CheckCondition | undefined;
  /** How to find changes by other programs, for `on: project-changed`. */
  readonly readChanges?: ReadChanges | undefined;
  /** Absent: jobs cannot be rehearsed. */
  readonly onRehearse?: OnRehearse | undefined;
  /** Slots shared with other schedulers of the process, within its own `concurrency`. */
  readonly slots?: Slots | undefined;
  /** Its owner calls `tick`, as `nextLook` says, and `start` starts no clock. */
  readonly ticked?: boolean | undefined;
}

/** A run that is stored and has not begun. */
export interface ArmedRun {
  readonly id: string;
  /** Begin, and wait for the end. */
  go(): Promise<RunRecord>;
}

/** A job with its past and its future. */
export interface JobDetails {
  readonly job: ScheduledJob;
  /** The next times, three unless more were asked for. */
  readonly next: readonly Date[];
  /** Newest first. */
  readonly history: readonly RunRecord[];
}

/** How to read a time: in which zone, from when, and how many occurrences. */
export interface PreviewOptions {
  readonly timeZone?: string | undefined;
  readonly from?: Date | undefined;
  readonly count?: number | undefined;
}

/**
 * Runs prompts and functions at their times, durably: what is due is stored before it starts, and a run that may have
 * had effects is never repeated automatically.
 *
 * Several programs may share one database; each run is claimed by exactly one of them.
 */
export interface Scheduler {
  /** Understand a time without saving anything. @throws AssistantError `bad_time`. */
  preview(when: string, options?: PreviewOptions): Understood;
  /** @throws AssistantError `bad_time`. */
  add(job: NewJob): Promise<ScheduledJob>;
  /** By next run; jobs without one come last. */
  list(project?: string): Promise<readonly ScheduledJob[]>;
  /** The ids of jobs in the same order, for reading very many a page at a time. */
  ids(which?: WhichJobs): Promise<readonly string[]>;
  /** Jobs by their ids, in that order; those that are gone are left out. */
  named(ids: readonly string[]): Promise<readonly ScheduledJob[]>;
  /** The enabled jobs of the project at the same times as this one; their texts may differ. */
  alike(job: NewJob): Promise<readonly ScheduledJob[]>;
  /** How many jobs there are, how many of them will run again, and when the first of those does. */
  outlook(project?: string): Promise<Outlook>;
  /** @throws AssistantError `unknown_schedule`, as every method that takes an id. */
  show(id: string, historyLimit?: number, times?: number | Most): Promise<JobDetails>;
  /** Runs in progress go on. */
  pause(id: string): Promise<ScheduledJob>;
  /** The next run is computed from now. */
  resume(id: string): Promise<ScheduledJob>;
  /**
   * Change when a job runs; it keeps its id and its history. What `when` leaves open of a one-off stays: "3pm" keeps
   * the day, "friday" the time of day; a time of day alone keeps the days of a repetition.
   *
   * @throws AssistantError `bad_time`, also for a single time where the job comes again and again.
   */
  reschedule(id: string, when: string, by: JobWriter): Promise<ScheduledJob>;
  /** Change its text, whose author is the job's from now on. */
  rename(id: string, text: string, by: JobWriter): Promise<ScheduledJob>;
  /** The owner has read the program of a job as it is now, by its hash. */
  trustProgram(id: string, hash: string): Promise<ScheduledJob>;
  /** Removes its history too. */
  remove(id: string): Promise<void>;
  /** A whole job with its history as text; undefined: there is no such job. */
  state(id: string): Promise<string | undefined>;
  /**
   * Restore a job to `state`: changed back, created again, or removed. A time that has passed is due at once. What the
   * owner decided about it since the change that is undone stays.
   */
  putBack(id: string, state: string | undefined, undone?: UndoneJob): Promise<void>;
  /**
   * Run now, in this process, and wait for the end. A one-off that was missed runs for the time it had.
   *
   * @throws AssistantError `bad_usage` while the job is running, unless it allows overlap.
   */
  runNow(id: string): Promise<RunRecord>;
  /**
   * The same in two steps: the run is stored, in the caller's transaction if there is one, and begins with `go`. One
   * that never begins is taken up as if its program had been killed.
   */
  arm(id: string): Promise<ArmedRun>;
  /**
   * Run once with all effects stubbed. With `pin`, the job may from now on use exactly the tools and destinations that
   * it asked for, without approval, and no others.
   */
  rehearse(
    id: string,
    options: { pin: boolean; signal: AbortSignal },
  ): Promise<Rehearsal & { readonly job: ScheduledJob }>;
  /** The owner has decided about a call that was proposed: the run that waits for it goes on, once, wherever it can. */
  goOn(proposal: string): Promise<void>;
  /** Withdraw what a rehearsal allowed; the usual rules apply again. */
  unpin(id: string): Promise<ScheduledJob>;
  /**
   * The owner has read a restricted job, which now runs as if they had written it.
   *
   * @param code of what they were shown, see `approvalCode`.
   * @returns undefined when the job is another one by now: it stays restricted.
   */
  approve(id: string, code: string): Promise<ScheduledJob | undefined>;
  /** Documents of a project changed: trigger the jobs that wait for that. */
  projectChanged(project: string, documents: readonly string[]): Promise<void>;
  /** Enter what is due, start what may start, hand over notices. Called every second; never rejects. */
  tick(): Promise<void>;
  /** When to call `tick` again after `tickedAt`, unless `RUNS_TOPIC` says so before. */
  nextLook(tickedAt: Date): Promise<Date | undefined>;
  /** Set the functions of the loaded plugins; jobs of other functions are paused. Call it before `start`. */
  seed(tasks: readonly TaskCode[]): Promise<void>;
  /** Import the schedule of a legacy Wooster, each row once. Default: the file from the settings. */
  importLegacy(path?: string): Promise<LegacyReport>;
  /** Begin to tick. */
  start(): Promise<void>;
  /** Stop ticking. Runs in progress get their signal and at most five seconds. */
  stop(): Promise<void>;
}
