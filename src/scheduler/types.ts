import type { Notice } from '../notify/types.ts';
import type { RunReason, RunState } from '../store/schema.ts';
import type { JobKind } from '../when/timing.ts';

export type { RunReason, RunState } from '../store/schema.ts';
export type { JobKind } from '../when/timing.ts';
export type { Understood } from '../when/understand.ts';

export type CatchUp = 'once' | 'skip' | 'all' | 'ask';
export type Overlap = 'skip' | 'queue' | 'allow';

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
  /** The prompt is the message itself: it is delivered as it stands, and no model is woken. */
  readonly verbatim?: boolean | undefined;
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

export type Task = 'AGENT_PROMPT' | 'DIRECT_FUNCTION';

export interface ScheduledJob {
  readonly id: string;
  readonly said: string;
  readonly description: string;
  readonly task: Task;
  /** Of a plugin's function. */
  readonly taskKey: string | undefined;
  /** For a function: its description. */
  readonly prompt: string;
  readonly kind: JobKind;
  readonly timeZone: string;
  readonly project: string;
  readonly untrusted: boolean;
  readonly enabled: boolean;
  /** Why it does not run: `you`, `10 failures in a row`, `done`. */
  readonly pausedBecause: string | undefined;
  /** What the owner allowed after a rehearsal; a run that wants more is denied. */
  readonly pin: PinnedCalls | undefined;
  readonly next: Date | undefined;
  readonly failures: number;
  /** What its condition script stored the last times. */
  readonly memory: Readonly<Record<string, unknown>>;
  readonly options: JobOptions;
}

/** Exactly what a job may do without asking. */
export interface PinnedCalls {
  readonly tools: readonly string[];
  /** Hosts and recipients, as `channel:address` or `scheme://host`. */
  readonly destinations: readonly string[];
}

/** A run that is due now; `signal` fires at the job's deadline and at shutdown. */
export interface DueRun {
  readonly runId: string;
  readonly job: ScheduledJob;
  readonly scheduledFor: Date;
  readonly attempt: number;
  readonly reason: RunReason;
  /** For `on: project-changed`: the documents that changed, as ids. */
  readonly changed: readonly string[];
  readonly signal: AbortSignal;
}

/** What came of one run. `denied`: it wanted something that nobody was there to allow. */
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
/** @returns in a word or a line what happened to it; a rejection is tried again. */
export type OnNotice = (notice: Notice) => Promise<string>;

/** Whether a run changed or sent anything, as far as is known. The effect ledger knows; the app passes this in. */
export type HasEffects = (runId: string) => boolean;

/** What a condition script came to. */
export interface ConditionResult {
  readonly wake: boolean;
  /** Goes to the prompt as what the script found. */
  readonly text: string;
  /** The script read text of strangers: so did the run. */
  readonly untrusted: boolean;
  /** For the next check. */
  readonly memory: Readonly<Record<string, unknown>>;
}

/** Decides whether a run's model is woken. A rejection fails the run. */
export type CheckCondition = (job: ScheduledJob, signal: AbortSignal) => Promise<ConditionResult>;

/** A document that was indexed anew, and when (ISO 8601). */
export interface DocumentChange {
  readonly document: string;
  readonly at: string;
  /** The scheduled run that wrote it. */
  readonly run?: string | null | undefined;
}

/** The changes of a project's documents after an instant (ISO 8601), oldest first. */
export type ReadChanges = (project: string, after: string) => readonly DocumentChange[];

/** A function that runs without a model, by its key. */
export interface TaskCode {
  readonly taskKey: string;
  readonly description: string;
  readonly schedule: string;
  readonly payload?: unknown;
  run(payload: unknown, signal: AbortSignal): Promise<string | undefined>;
}

/** One line of a job's history. */
export interface RunRecord {
  readonly id: string;
  readonly scheduledFor: Date;
  readonly reason: RunReason;
  readonly state: RunState;
  readonly attempt: number;
  /** Times due before this one for which it stands. */
  readonly missed: number;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly output: string | undefined;
  readonly error: string | undefined;
  /** What became of its message; apart from the state of the run. */
  readonly delivery: string;
  readonly costUsd: number | undefined;
  readonly conversationId: string | undefined;
  readonly turnId: string | undefined;
}

/** What one dry run did and would have done. */
export interface Rehearsal {
  readonly outcome: RunOutcome;
  readonly calls: readonly RehearsedCall[];
}

export interface RehearsedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly effect: 'none' | 'local' | 'outbound';
  readonly destination: string | undefined;
  /** Answered without acting. */
  readonly stubbed: boolean;
}

export type OnRehearse = (job: ScheduledJob, signal: AbortSignal) => Promise<Rehearsal>;
