/**
 * What several workers on one home need, and an order of turns that does not depend on SQLite's own row numbers.
 * `runs.exclusive` is the job's `overlap`; of runs that were in progress side by side all the same, the newest has it.
 */
export const severalWorkers = `
CREATE TABLE turns_in_order (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  mode TEXT NOT NULL,
  origin TEXT NOT NULL,
  text TEXT NOT NULL,
  status TEXT NOT NULL CHECK (
    status IN ('running', 'answered', 'step_limit', 'aborted', 'failed', 'budget', 'interrupted', 'undone')
  ),
  owner TEXT,
  started_at TEXT NOT NULL,
  finished_at TEXT
) STRICT;
INSERT INTO turns_in_order (id, conversation_id, mode, origin, text, status, owner, started_at, finished_at)
  SELECT id, conversation_id, mode, origin, text, status, owner, started_at, finished_at FROM turns ORDER BY rowid;
DROP TABLE turns;
ALTER TABLE turns_in_order RENAME TO turns;
CREATE INDEX turns_by_conversation ON turns (conversation_id, started_at);

ALTER TABLE runs ADD COLUMN exclusive INTEGER NOT NULL DEFAULT 1;
UPDATE runs SET exclusive = 0 WHERE schedule_id IN
  (SELECT id FROM schedules WHERE json_valid(options) AND options ->> 'overlap' = 'allow');
UPDATE runs SET exclusive = 0 WHERE state IN ('claimed', 'running') AND EXISTS (
  SELECT 1 FROM runs AS other WHERE other.schedule_id = runs.schedule_id AND other.state IN ('claimed', 'running')
    AND other.exclusive = 1 AND other.scheduled_for > runs.scheduled_for);
CREATE UNIQUE INDEX runs_alone ON runs (schedule_id) WHERE state IN ('claimed', 'running') AND exclusive = 1;

CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  started_at TEXT NOT NULL,
  seen_at TEXT NOT NULL
) STRICT;

CREATE TABLE chunk_changes (
  project TEXT NOT NULL,
  revision INTEGER NOT NULL,
  chunk_id INTEGER NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project, revision, chunk_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE index_files (
  project TEXT NOT NULL,
  name TEXT NOT NULL,
  part INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (project, name, part)
) STRICT;

CREATE TABLE index_manifests (
  project TEXT NOT NULL,
  revision INTEGER NOT NULL,
  manifest TEXT NOT NULL,
  PRIMARY KEY (project, revision)
) STRICT;
`;
