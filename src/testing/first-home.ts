import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeVersion } from '../store/sqlite/version.ts';
import { temporaryFolder } from './home.ts';

/**
 * The tables of the first version: conversations, their turns and messages, compaction rounds and artifacts. Times are
 * ISO 8601 UTC text. `messages.compacted`: 0 seen by the model, 1 a summary stands for it, 2 undone. Search covers what
 * was asked and answered; the triggers also run for rows that go with their conversation.
 */
export const FIRST_TABLES = `
CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  title TEXT,
  project TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'failed', 'interrupted')),
  read_untrusted INTEGER NOT NULL DEFAULT 0,
  read_private INTEGER NOT NULL DEFAULT 0,
  label_sources TEXT NOT NULL DEFAULT '[]',
  last_data TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE turns (
  id TEXT PRIMARY KEY,
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
CREATE INDEX turns_by_conversation ON turns (conversation_id, started_at);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  turn_id TEXT,
  sequence INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
  kind TEXT NOT NULL DEFAULT 'text' CHECK (
    kind IN ('text', 'code', 'feedback', 'tool_calls', 'tool_result', 'answer', 'summary')
  ),
  content TEXT NOT NULL,
  token_count INTEGER NOT NULL,
  compacted INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  UNIQUE (conversation_id, sequence)
) STRICT;
CREATE INDEX messages_active ON messages (conversation_id, compacted, sequence);
CREATE INDEX messages_by_turn ON messages (turn_id, sequence);

CREATE VIRTUAL TABLE messages_found USING fts5 (content, tokenize = 'unicode61 remove_diacritics 2');
CREATE TRIGGER messages_are_found AFTER INSERT ON messages WHEN new.kind IN ('text', 'answer') BEGIN
  INSERT INTO messages_found (rowid, content) VALUES (new.id, new.content);
END;
CREATE TRIGGER messages_are_lost AFTER DELETE ON messages WHEN old.kind IN ('text', 'answer') BEGIN
  DELETE FROM messages_found WHERE rowid = old.id;
END;

CREATE TABLE compaction_events (
  id INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after INTEGER NOT NULL,
  summary TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (conversation_id, round)
) STRICT;

CREATE TABLE artifacts (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  conversation_id TEXT,
  turn_id TEXT,
  type TEXT NOT NULL,
  description TEXT,
  data TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX artifacts_by_project ON artifacts (project, created_at);
`;

/** A home as a program of that version left it. @returns its database. */
export function firstHome(): string {
  const path = join(temporaryFolder(), 'first.sqlite3');
  using database = new DatabaseSync(path);
  database.exec(FIRST_TABLES);
  writeVersion(database, 1);
  return path;
}
