/**
 * What was done to the world: an intent is committed before a call, its outcome after it; `receipts` is the same as an
 * append-only chain of hashes. Also remembered approvals, and what was written while untrusted content was in
 * the conversation.
 */
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
  change TEXT,
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

CREATE TABLE receipts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  effect TEXT NOT NULL,
  destination TEXT,
  input TEXT NOT NULL,
  input_sha TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('intent', 'done', 'failed', 'denied')),
  result TEXT,
  approved_by TEXT,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_by_turn ON receipts (turn_id, seq);
CREATE TRIGGER receipts_are_kept BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are never deleted'); END;
CREATE TRIGGER receipts_stay BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are never changed'); END;

CREATE TABLE origins (
  thing TEXT PRIMARY KEY,
  untrusted INTEGER NOT NULL,
  private INTEGER NOT NULL,
  sources TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
`;
