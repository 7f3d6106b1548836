/** One row per model call. `cost_usd` is NULL where the price is unknown. */
export const usage = `
CREATE TABLE usage (
  id INTEGER PRIMARY KEY,
  turn_id TEXT,
  conversation_id TEXT,
  job_id TEXT,
  project TEXT NOT NULL,
  mode TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  purpose TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  cost_usd REAL,
  latency_ms INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX usage_by_time ON usage (created_at);
`;
