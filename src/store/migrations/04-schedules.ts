/** Jobs and the ledger of their runs. `next_run_utc` NULL means nothing is due any more. */
export const schedules = `
CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('at', 'every', 'cron')),
  expression TEXT NOT NULL,
  said TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  task TEXT NOT NULL CHECK (task IN ('AGENT_PROMPT', 'DIRECT_FUNCTION')),
  task_key TEXT UNIQUE,
  payload TEXT NOT NULL,
  options TEXT NOT NULL,
  project TEXT NOT NULL,
  untrusted INTEGER NOT NULL DEFAULT 0,
  enabled INTEGER NOT NULL DEFAULT 1,
  next_run_utc TEXT,
  anchor_utc TEXT NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1,
  tz_data TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX schedules_due ON schedules (enabled, next_run_utc);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  scheduled_for TEXT NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('due', 'claimed', 'running', 'succeeded', 'failed', 'missed', 'skipped', 'denied', 'cancelled', 'unknown')),
  owner TEXT,
  lease_until TEXT,
  attempt INTEGER NOT NULL DEFAULT 0,
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
CREATE INDEX runs_by_state ON runs (state, lease_until);
`;
