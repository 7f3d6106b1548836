/**
 * The system of record of every project's documents; search indexes under vector_data/ are rebuilt from it.
 * `corpora.revision` grows with every change of a project's chunks: an index that carries another one is behind.
 */
export const documents = `
CREATE TABLE corpora (
  project TEXT PRIMARY KEY,
  revision INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE roots (
  project TEXT NOT NULL,
  path TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (project, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  document_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT,
  size INTEGER NOT NULL,
  mtime_us INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('indexed', 'empty', 'failed', 'skipped')),
  error TEXT,
  chunks INTEGER NOT NULL DEFAULT 0,
  indexed_at TEXT NOT NULL,
  UNIQUE (project, root, path)
) STRICT;

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  text_sha TEXT NOT NULL,
  heading TEXT NOT NULL,
  place TEXT,
  page_from INTEGER,
  page_to INTEGER,
  line_from INTEGER,
  line_to INTEGER
) STRICT;
CREATE INDEX chunks_by_source ON chunks (source_id, ordinal);
CREATE INDEX chunks_by_project ON chunks (project, id);

CREATE TABLE vectors (
  text_sha TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (text_sha, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE rag_checks (
  project TEXT NOT NULL,
  question TEXT NOT NULL,
  document_id TEXT NOT NULL,
  rank INTEGER,
  checked_at TEXT,
  PRIMARY KEY (project, question, document_id)
) STRICT, WITHOUT ROWID;
`;
