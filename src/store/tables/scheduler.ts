import { integer, nullable, oneOf, real, table, text, withDefault } from './table.ts';

/** Owned by `scheduler/`. */
export const schedulerTables = {
  /** A scheduled job. */
  schedules: table({
    columns: {
      id: text,
      kind: oneOf('at', 'every', 'cron', 'on'),
      expression: text,
      said: text,
      description: text,
      time_zone: text,
      task: oneOf('AGENT_PROMPT', 'DIRECT_FUNCTION'),
      task_key: nullable(text),
      /** The schedule that the code asked for when the task was seeded. */
      seeded: nullable(text),
      payload: text,
      options: text,
      pin: nullable(text),
      /** What its condition script stored. */
      memory: withDefault('{}', text),
      /** Document changes that it has been told about recently. */
      seen: withDefault('[]', text),
      project: text,
      untrusted: withDefault(0, integer),
      enabled: withDefault(1, integer),
      paused_because: nullable(text),
      /** Null when it will not be due again. */
      next_run_utc: nullable(text),
      anchor_utc: text,
      failures: withDefault(0, integer),
      revision: withDefault(1, integer),
      tz_data: text,
      idempotency_key: nullable(text),
      created_at: text,
    },
    key: ['id'],
    unique: [['task_key'], ['idempotency_key']],
    indexes: [
      { name: 'schedules_due', on: ['next_run_utc'], where: 'enabled = 1' },
      { name: 'schedules_listening', on: ['project'], where: "kind = 'on'" },
    ],
  }),
  /** One execution of a job, unique by job and time. */
  runs: table({
    columns: {
      id: text,
      schedule_id: text,
      scheduled_for: text,
      /** Why the run was entered. */
      reason: oneOf('time', 'catch-up', 'manual', 'event', 'ask'),
      /** Its state; an `unknown` run may have had effects. */
      state: oneOf(
        'due',
        'claimed',
        'running',
        'succeeded',
        'failed',
        'missed',
        'skipped',
        'denied',
        'cancelled',
        'unknown',
      ),
      /** 1 when no other run of its job may be in progress; set from the job's `overlap` when the run is entered. */
      exclusive: withDefault(1, integer),
      owner: nullable(text),
      lease_until: nullable(text),
      not_before: nullable(text),
      attempt: withDefault(0, integer),
      missed: withDefault(0, integer),
      first_missed: nullable(text),
      event: nullable(text),
      conversation_id: nullable(text),
      turn_id: nullable(text),
      output: nullable(text),
      error: nullable(text),
      delivery: withDefault('none', text),
      cost_usd: nullable(real),
      started_at: nullable(text),
      finished_at: nullable(text),
      chain: nullable(text),
    },
    key: ['id'],
    unique: [['schedule_id', 'scheduled_for']],
    partOf: { column: 'schedule_id', table: 'schedules', key: 'id' },
    indexes: [
      { name: 'runs_open', on: ['state', 'scheduled_for'], where: "state in ('due', 'claimed', 'running')" },
      { name: 'runs_by_schedule', on: ['schedule_id', 'state'] },
      // Two workers that claim at the same moment do not see each other's claim, so the database decides.
      {
        name: 'runs_alone',
        on: ['schedule_id'],
        where: "state in ('claimed', 'running') and exclusive = 1",
        unique: true,
      },
    ],
  }),
  /** Runs with a call that waits for the owner; their state is `denied` meanwhile. */
  waiting_runs: table({
    columns: {
      run_id: text,
      proposal: text,
      /** When the call is over if nobody decides; null once the run goes on. */
      until: nullable(text),
      /** Where the run goes on, as JSON. */
      steps: text,
    },
    key: ['run_id'],
    partOf: { column: 'run_id', table: 'runs', key: 'id' },
    indexes: [{ name: 'waiting_runs_by_proposal', on: ['proposal'] }],
  }),
  /** Rows and files of a legacy schedule that have been imported. */
  earlier_jobs: table({
    columns: { key: text, job_id: nullable(text), at: text },
    key: ['key'],
  }),
};
