export type CatchUp = 'once' | 'skip' | 'all' | 'ask';
export type Overlap = 'skip' | 'queue' | 'allow';
/** Once, elapsed interval, wall-clock pattern, or on an event. */
export type JobKind = 'at' | 'every' | 'cron' | 'on';

/** How a job behaves; every field has a default, see docs/scheduling.md. */
export interface JobOptions {
  readonly catchUp: CatchUp;
  readonly catchUpMax: number;
  readonly windowMs: number;
  readonly overlap: Overlap;
  readonly deadlineMs: number;
  readonly retries: number;
  readonly pauseAfter: number;
  /** Channel that results go to; absent: the default channel. */
  readonly to?: string | undefined;
  readonly mode?: 'classic_tools' | 'code_agent' | undefined;
  /** Continue this conversation instead of one of the job's own. */
  readonly conversationId?: string | undefined;
  /** A script that decides whether the model is woken. */
  readonly condition?: string | undefined;
  readonly profile?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly budgetUsd?: number | undefined;
}

export interface NewJob {
  /** `tomorrow 8am`, ISO 8601, `in 20 minutes`, `every 2 hours`, a cron expression, `every weekday at 9`. */
  readonly when: string;
  readonly prompt: string;
  readonly timeZone?: string | undefined;
  readonly project: string;
  /** Born in a conversation that had read text of strangers. */
  readonly untrusted: boolean;
  readonly options?: Partial<JobOptions> | undefined;
  /** The same for a repeated call: the job is made once. */
  readonly idempotencyKey?: string | undefined;
}

/** When something runs, understood: three next times are shown before it is saved. */
export interface Understood {
  readonly kind: JobKind;
  readonly expression: string;
  readonly timeZone: string;
  readonly next: readonly Date[];
  /** In words, for example `every weekday at 09:00 (Europe/Oslo)`. */
  readonly description: string;
  readonly warnings: readonly string[];
}

export interface Job {
  readonly id: string;
  readonly said: string;
  readonly description: string;
  readonly prompt: string;
  readonly kind: JobKind;
  readonly timeZone: string;
  readonly project: string;
  readonly untrusted: boolean;
  readonly enabled: boolean;
  readonly next: Date | undefined;
  readonly failures: number;
  readonly options: JobOptions;
}

/** A run that is due now; `signal` fires at the job's deadline and at shutdown. */
export interface DueRun {
  readonly runId: string;
  readonly job: Job;
  readonly scheduledFor: Date;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

export interface RunOutcome {
  readonly state: 'succeeded' | 'failed' | 'denied' | 'cancelled';
  readonly output: string;
  readonly error?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly costUsd?: number | undefined;
}

/** The scheduler knows no agent: the app hands it this. Must not reject. */
export type OnDue = (run: DueRun) => Promise<RunOutcome>;
/** Tell the owner: the result of a run, a failure, the digest of what was missed. */
export type OnNotice = (notice: {
  text: string;
  to?: string | undefined;
  key: string;
  runId?: string | undefined;
}) => Promise<string>;
