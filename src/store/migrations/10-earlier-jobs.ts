/** Rows of an earlier Wooster's schedule that were looked at, by their id, and whole files by their hash: each once. */
export const earlierJobs = `
CREATE TABLE earlier_jobs (
  key TEXT PRIMARY KEY,
  job_id TEXT,
  at TEXT NOT NULL
) STRICT;
`;
