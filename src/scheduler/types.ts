import type { Material, Voice } from '../base/turn.ts';
import type { AskedIn, Notice } from '../notify/types.ts';
import type { RunReason, RunState } from '../store/schema.ts';
import type { JobKind } from '../when/timing.ts';

export type { RunReason, RunState } from '../store/schema.ts';
export type { JobKind } from '../when/timing.ts';
export type { Understood } from '../when/understand.ts';

/** What happens to runs that were missed; see docs/scheduling.md. */
export type CatchUp = 'once' | 'skip' | 'all' | 'ask';
/** What happens when a run is due while the last one is in progress. */
export type Overlap = 'skip' | 'queue' | 'allow';

/** How a job behaves. Every required field has a default, see docs/scheduling.md. */
export interface JobOptions {
  readonly catchUp: CatchUp;
  /** How many missed runs `all` catches up on. */
  readonly catchUpMax: number;
  /** Times missed longer ago than this are not caught up on. */
  readonly windowMs: number;
  readonly overlap: Overlap;
  /** A run is stopped after this long. */
  readonly deadlineMs: number;
  /** How often a run that failed without effects is tried again. */
  readonly retries: number;
  /** How many failures in a row pause the job. */
  readonly pauseAfter: number;
  /** Route of its results, mostly a channel; absent: that of the settings. */
  readonly to?: string | undefined;
  /** What asked for it, if that was in a chat. */
  readonly answers?: AskedIn | undefined;
  /** Its results come again until the owner says that they are done. */
  readonly urgent?: boolean | undefined;
  readonly mode?: 'classic_tools' | 'code_agent' | undefined;
  /** Continue this conversation instead of one of the job's own. */
  readonly conversationId?: string | undefined;
  /** A script that decides whether the model runs at all. */
  readonly condition?: string | undefined;
  /** What kind of model to use, as a task profile. */
  readonly profile?: string | undefined;
  /** The only tools that the job may use; absent: all. */
  readonly tools?: readonly string[] | undefined;
  /** What one run may cost. */
  readonly budgetUsd?: number | undefined;
  /** A program that runs instead of a turn of the agent. */
  readonly program?: JobProgram | undefined;
  /** Texts that came with it, which its turns read. */
  readonly material?: readonly Material[] | undefined;
  /** The prompt is the message itself, delivered verbatim without a model. */
  readonly verbatim?: boolean | undefined;
}

/** A ThinkLang program as its owner scheduled it. */
export interface JobProgram {
  /** Absolute. */
  readonly path: string;
  /** Hash of the program and all its imports; a changed program does not run. */
  readonly hash: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A request for a scheduled job. */
export interface NewJob {
  /** `tomorrow 8am`, ISO 8601, `in 20 minutes`, `every 2 hours`, a cron expression, `every weekday at 9`. */
  readonly when: string;
  readonly prompt: string;
  readonly timeZone?: string | undefined;
  readonly project: string;
  /** Created in a conversation that had read untrusted content. */
  readonly untrusted: boolean;
  readonly options?: Partial<JobOptions> | undefined;
  /** The same for a repeated call, so that the job is created only once. */
  readonly idempotencyKey?: string | undefined;
}

/** Who changes a job. */
export interface JobWriter {
  /** They have read untrusted content, which may have led to the change: the job becomes restricted. */
  readonly untrusted: boolean;
}

/** The change that is undone by putting a job back. */
export interface UndoneJob {
  /** The job as that change left it. */
  readonly after?: string | undefined;
  /** Who undoes it: whoever brings a job back answers for it as whoever writes one does. */
  readonly by?: JobWriter;
}

/** A filter for jobs; what is left out does not matter. */
export interface WhichJobs {
  readonly project?: string | undefined;
  /** Include those that have run for the last time. */
  readonly finished?: boolean | undefined;
  /** Only those with calls allowed by a rehearsal. */
  readonly pinned?: boolean | undefined;
  /** Only those of which at least so many runs answered a prompt. */
  readonly answered?: number | undefined;
  /** Only those that come before this. */
  readonly before?: Date | undefined;
}

/** A prompt for the agent, or a function of a plugin. Stored, so never renamed. */
export type Task = 'AGENT_PROMPT' | 'DIRECT_FUNCTION';

/** Something that runs at certain times or after changes. Each execution is a run. */
export interface ScheduledJob {
  readonly id: string;
  /** The words that the user gave as the time. */
  readonly said: string;
  /** The same time as Wooster understood it, for people. */
  readonly description: string;
  readonly task: Task;
  /** Which function of a plugin. */
  readonly taskKey: string | undefined;
  /** For a function: its description. */
  readonly prompt: string;
  readonly kind: JobKind;
  readonly timeZone: string;
  readonly project: string;
  /** Its prompt may contain text by others. */
  readonly untrusted: boolean;
  /** Made after reading untrusted content, and not approved by the owner: it may only read and report to them. */
  readonly restricted: boolean;
  readonly enabled: boolean;
  /** Why it is paused: `you`, `10 failures in a row`, `done`. */
  readonly pausedBecause: string | undefined;
  /** What the user allowed after a rehearsal; a run that wants more is denied. */
  readonly pin: PinnedCalls | undefined;
  readonly next: Date | undefined;
  readonly failures: number;
  /** What its condition script stored. */
  readonly memory: Readonly<Record<string, unknown>>;
  readonly options: JobOptions;
}

/** Exactly what a job may do without asking, as seen in a rehearsal. */
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
  /** What a run that waited for the owner was answered before, as it was given with `Suspended`. */
  readonly steps?: string | undefined;
  /** To be called when the model is heard of. Until then it may hang, and the owner is told so after a while. */
  heard(): void;
}

/** A run with a call that waits for the owner. */
export interface Suspended {
  /** The id of the proposal. */
  readonly proposal: string;
  /** When it expires, in ISO 8601. */
  readonly until: string;
  /** What the run was answered so far: it goes on from there. */
  readonly steps: string;
  /** `answer`: the output is an answer, and says what waits; `nothing`: the owner knows. Absent: that it waits. */
  readonly tells?: 'answer' | 'nothing' | undefined;
}

/**
 * How one run ended. `denied`: it needed an approval and there was nobody to ask; with `suspended` it goes on once the
 * owner has decided.
 */
export interface RunOutcome {
  readonly state: 'succeeded' | 'failed' | 'denied' | 'cancelled';
  readonly suspended?: Suspended | undefined;
  readonly output: string;
  /** What the run itself has sent to the owner. */
  readonly told?: boolean | undefined;
  readonly error?: string | undefined;
  /** It failed because no model could be reached: it may succeed once one can. */
  readonly modelAway?: boolean | undefined;
  /** The owner is told of it even if it is not the first failure in a row. */
  readonly insists?: boolean | undefined;
  readonly conversationId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly costUsd?: number | undefined;
  /** Who speaks in the output; absent: nothing of others was read. */
  readonly voice?: Voice | undefined;
}

/** Runs the agent for a due job; the app passes it in. Must not reject. */
export type OnDue = (run: DueRun) => Promise<RunOutcome>;

/** Takes what the owner is to be told, and delivers it. */
export interface OwnerNotices {
  /** Store a notice, within the caller's transaction. A key that exists changes nothing. */
  post(notice: Notice): Promise<void>;
  /** What waits for a time after this one goes on now: the clock that planned it was ahead. */
  bringForward(after: Date): Promise<void>;
  /** Deliver what can be delivered now. Never rejects. */
  advance(): Promise<void>;
}

/**
 * Whether a run changed or sent anything, according to the effect ledger; the app passes this in. Called within a
 * transaction.
 */
export type HasEffects = (runId: string) => Promise<boolean>;

/** Whether a proposal waits no longer; the app passes this in. Called within a transaction. */
export type IsDecided = (proposal: string) => Promise<boolean>;

/** What a condition script decided. */
export interface ConditionResult {
  readonly wake: boolean;
  /** Added to the prompt as what the script found. */
  readonly text: string;
  /** The script read untrusted content, so the run counts as having read it. */
  readonly untrusted: boolean;
  /** Passed to the next check. */
  readonly memory: Readonly<Record<string, unknown>>;
}

/** Runs a job's condition script. After a rejection the run has failed. */
export type CheckCondition = (job: ScheduledJob, signal: AbortSignal) => Promise<ConditionResult>;

/** A document that was indexed again, and when (ISO 8601). */
export interface DocumentChange {
  readonly document: string;
  readonly at: string;
  /** The scheduled run that wrote it, if one did. */
  readonly run?: string | null | undefined;
}

/** The changes of a project's documents after an instant (ISO 8601), oldest first. Called within a transaction. */
export type ReadChanges = (project: string, after: string) => Promise<readonly DocumentChange[]>;

/** A plugin's function that runs without a model; the key identifies it from one start to the next. */
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
  /** `waiting`: for the owner's decision about a call, after which it goes on. */
  readonly state: RunState | 'waiting';
  readonly attempt: number;
  /** How many earlier missed times it stands for. */
  readonly missed: number;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  readonly output: string | undefined;
  readonly error: string | undefined;
  /** The delivery of its message, independent of the state of the run. */
  readonly delivery: string;
  readonly costUsd: number | undefined;
  readonly conversationId: string | undefined;
  readonly turnId: string | undefined;
}

/** What a rehearsal did, and what a real run would have done. */
export interface Rehearsal {
  readonly outcome: RunOutcome;
  readonly calls: readonly RehearsedCall[];
}

/** One tool call of a rehearsal. */
export interface RehearsedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly effect: 'none' | 'local' | 'outbound';
  readonly destination: string | undefined;
  /** It was answered without being executed. */
  readonly stubbed: boolean;
}

/** Runs the agent once with all effects stubbed. */
export type OnRehearse = (job: ScheduledJob, signal: AbortSignal) => Promise<Rehearsal>;

/** Totals for the jobs of a project, or for all. */
export interface Outlook {
  readonly jobs: number;
  readonly coming: number;
  readonly next: Date | undefined;
}
