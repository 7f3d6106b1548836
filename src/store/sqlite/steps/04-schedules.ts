/**
 * Jobs, the ledger of their runs, and what is to be told about them. `next_run_utc` NULL means nothing is due any more.
 * A run row may stand for `missed` more times that were due before it, the first at `first_missed`.
 */
export const schedules = `
CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('at', 'every', 'cron', 'on')),
  expression TEXT NOT NULL,
  said TEXT NOT NULL,
  description TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  task TEXT NOT NULL CHECK (task IN ('AGENT_PROMPT', 'DIRECT_FUNCTION')),
  task_key TEXT UNIQUE,
  seeded TEXT,
  payload TEXT NOT NULL,
  options TEXT NOT NULL,
  pin TEXT,
  memory TEXT NOT NULL DEFAULT '{}',
  seen TEXT NOT NULL DEFAULT '[]',
  project TEXT NOT NULL,
  untrusted INTEGER NOT NULL DEFAULT 0,
  enabled INTEGER NOT NULL DEFAULT 1,
  paused_because TEXT,
  next_run_utc TEXT,
  anchor_utc TEXT NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1,
  tz_data TEXT NOT NULL,
  idempotency_key TEXT UNIQUE,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX schedules_due ON schedules (next_run_utc) WHERE enabled = 1;
CREATE INDEX schedules_listening ON schedules (project) WHERE kind = 'on';

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  scheduled_for TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('time', 'catch-up', 'manual', 'event', 'ask')),
  state TEXT NOT NULL CHECK (state IN
    ('due', 'claimed', 'running', 'succeeded', 'failed', 'missed', 'skipped', 'denied', 'cancelled', 'unknown')),
  owner TEXT,
  lease_until TEXT,
  not_before TEXT,
  attempt INTEGER NOT NULL DEFAULT 0,
  missed INTEGER NOT NULL DEFAULT 0,
  first_missed TEXT,
  event TEXT,
  conversation_id TEXT,
  turn_id TEXT,
  output TEXT,
  error TEXT,
  delivery TEXT NOT NULL DEFAULT 'none',
  cost_usd REAL,
  started_at TEXT,
  finished_at TEXT,
  UNIQUE (schedule_id, scheduled_for)
) STRICT;
CREATE INDEX runs_open ON runs (state, scheduled_for) WHERE state IN ('due', 'claimed', 'running');
CREATE INDEX runs_by_schedule ON runs (schedule_id, state);

CREATE TABLE notices (
  key TEXT PRIMARY KEY,
  run_id TEXT,
  channel TEXT,
  text TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'handed')),
  outcome TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  not_before TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX notices_pending ON notices (not_before) WHERE state = 'pending';
`;
