/**
 * What scheduled runs wrote into the folder of a project, so that a job that waits for changes is not triggered by its
 * own. `runs.chain` holds the jobs whose changes led to a run, as JSON.
 */
export const jobWrites = `
CREATE TABLE job_writes (
  project TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (project, sha256, path)
) STRICT, WITHOUT ROWID;

ALTER TABLE runs ADD COLUMN chain TEXT;
`;
