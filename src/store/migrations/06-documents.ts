/** The system of record of every project's documents; search indexes under vector_data/ are rebuilt from it. */
export const documents = `
CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  project TEXT NOT NULL,
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  document_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  parser_version INTEGER NOT NULL,
  chunker_version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('indexed', 'empty', 'failed', 'skipped')),
  error TEXT,
  indexed_at TEXT NOT NULL,
  UNIQUE (project, root, path)
) STRICT;

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  text_sha TEXT NOT NULL,
  heading TEXT NOT NULL,
  page_from INTEGER,
  page_to INTEGER,
  line_from INTEGER,
  line_to INTEGER,
  UNIQUE (source_id, ordinal)
) STRICT;

CREATE TABLE vectors (
  text_sha TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (text_sha, model)
) STRICT, WITHOUT ROWID;
`;
