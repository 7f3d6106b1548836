import type { Generated } from 'kysely';

/** A scheduled job. Owned by `scheduler/`, as the next ones up to the notices. */
export interface ScheduleRow {
  id: string;
  kind: 'at' | 'every' | 'cron' | 'on';
  expression: string;
  said: string;
  description: string;
  time_zone: string;
  task: 'AGENT_PROMPT' | 'DIRECT_FUNCTION';
  task_key: string | null;
  /** The schedule that the code asked for when the task was seeded. */
  seeded: string | null;
  payload: string;
  options: string;
  pin: string | null;
  /** What its condition script stored. */
  memory: Generated<string>;
  /** Changes of documents that it has been told about lately. */
  seen: Generated<string>;
  project: string;
  untrusted: Generated<number>;
  enabled: Generated<number>;
  paused_because: string | null;
  next_run_utc: string | null;
  anchor_utc: string;
  failures: Generated<number>;
  revision: Generated<number>;
  tz_data: string;
  idempotency_key: string | null;
  created_at: string;
}

/** Where a run stands; `unknown` may have acted. */
export type RunState =
  | 'due'
  | 'claimed'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'missed'
  | 'skipped'
  | 'denied'
  | 'cancelled'
  | 'unknown';

/** Why a run was entered. */
export type RunReason = 'time' | 'catch-up' | 'manual' | 'event' | 'ask';

/** One execution of a job, from due to done; unique by job and time. */
export interface RunRow {
  id: string;
  schedule_id: string;
  scheduled_for: string;
  reason: RunReason;
  state: RunState;
  /** 1: never in progress beside another run of its job. From the job's `overlap` when the run is entered. */
  exclusive: Generated<number>;
  owner: string | null;
  lease_until: string | null;
  not_before: string | null;
  attempt: Generated<number>;
  missed: Generated<number>;
  first_missed: string | null;
  event: string | null;
  conversation_id: string | null;
  turn_id: string | null;
  output: string | null;
  error: string | null;
  delivery: Generated<string>;
  cost_usd: number | null;
  started_at: string | null;
  finished_at: string | null;
  chain: string | null;
}

/** Rows and files of a legacy schedule that have been imported. */
export interface EarlierJobRow {
  key: string;
  job_id: string | null;
  at: string;
}

/** A message of the scheduler that waits to be handed to `notify/`, or was. */
export interface NoticeRow {
  key: string;
  run_id: string | null;
  channel: string | null;
  text: string;
  state: Generated<'pending' | 'handed'>;
  outcome: string | null;
  attempts: Generated<number>;
  not_before: string;
  created_at: string;
}

/** A program that takes jobs. One that has not been seen for a while is gone, and its leases run out. */
export interface WorkerRow {
  id: string;
  host: string;
  started_at: string;
  seen_at: string;
}
