/** Legacy jobs that have been imported or skipped: rows by their id, whole files by their hash, each once. */
export const earlierJobs = `
CREATE TABLE earlier_jobs (
  key TEXT PRIMARY KEY,
  job_id TEXT,
  at TEXT NOT NULL
) STRICT;
`;
