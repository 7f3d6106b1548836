/** Messages on their way out, one row per channel, recipient and part; and channels that are off or on hold. */
export const outbox = `
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  dedupe_key TEXT NOT NULL UNIQUE,
  run_id TEXT,
  turn_id TEXT,
  channel TEXT NOT NULL,
  recipient TEXT NOT NULL,
  part INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'sent', 'failed', 'unknown', 'suppressed', 'expired')),
  due_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  repeats INTEGER NOT NULL DEFAULT 0,
  owner TEXT,
  lease_until TEXT,
  remote_id TEXT,
  last_error TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at) WHERE state IN ('pending', 'sending');
CREATE INDEX outbox_by_run ON outbox (run_id);

CREATE TABLE channel_states (
  channel TEXT NOT NULL,
  address_hash TEXT NOT NULL,
  off_because TEXT,
  hold_until TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (channel, address_hash)
) STRICT;
`;
