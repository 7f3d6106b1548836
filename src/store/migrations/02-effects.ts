/** What was done to the world: an intent is committed before a call, its outcome after it. Also remembered approvals. */
export const effects = `
CREATE TABLE effects (
  id TEXT PRIMARY KEY,
  turn_id TEXT NOT NULL,
  run_id TEXT,
  conversation_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  effect TEXT NOT NULL CHECK (effect IN ('local', 'outbound')),
  idempotency_key TEXT NOT NULL UNIQUE,
  input TEXT NOT NULL,
  destination TEXT,
  state TEXT NOT NULL CHECK (state IN ('intent', 'done', 'failed')),
  result TEXT,
  approved_by TEXT,
  created_at TEXT NOT NULL,
  finished_at TEXT
) STRICT;
CREATE INDEX effects_by_turn ON effects (turn_id, created_at);

CREATE TABLE approval_rules (
  id TEXT PRIMARY KEY,
  tool TEXT NOT NULL,
  destination TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (tool, destination)
) STRICT;
`;
