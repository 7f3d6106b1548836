import type { Generated } from 'kysely';
import type { StopReason } from '../../base/turn.ts';

export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';
export type MessageKind = 'text' | 'code' | 'feedback' | 'tool_calls' | 'tool_result' | 'answer' | 'summary';

/** Owned by `conversation/`. The labels say what the conversation has read so far. */
export interface ConversationRow {
  id: string;
  title: string | null;
  project: string;
  status: Generated<'active' | 'completed' | 'failed' | 'interrupted'>;
  read_untrusted: Generated<number>;
  read_private: Generated<number>;
  label_sources: Generated<string>;
  last_data: string | null;
  created_at: string;
  updated_at: string;
}

/** One request and how it ended. `owner` is the process that runs it, see `base/process-identity.ts`. */
export interface TurnRow {
  /** The order in which turns were begun. */
  seq: Generated<number>;
  id: string;
  conversation_id: string;
  mode: string;
  origin: string;
  text: string;
  status: StopReason | 'running' | 'interrupted' | 'undone';
  owner: string | null;
  started_at: string;
  finished_at: string | null;
}

/** One step of a conversation; `sequence` orders them. Compacted ones stay, but no model sees them any more. */
export interface MessageRow {
  id: Generated<number>;
  conversation_id: string;
  turn_id: string | null;
  sequence: number;
  role: MessageRole;
  kind: Generated<MessageKind>;
  content: string;
  token_count: number;
  compacted: Generated<number>;
  created_at: string;
}

/** One compaction: what it summarized, and the tokens before and after. */
export interface CompactionRow {
  id: Generated<number>;
  conversation_id: string;
  round: number;
  tokens_before: number;
  tokens_after: number;
  summary: string;
  created_at: string;
}

/** What scripts stored with `store()`, so that an interrupted turn can go on. */
export interface TurnMemoryRow {
  turn_id: string;
  key: string;
  /** JSON. */
  value: string;
}

/** How one turn in code mode went, to compare the modes. */
export interface CodeTurnRow {
  turn_id: string;
  model: string;
  replies: number;
  clean: number;
  retries: number;
  fell_back: number;
  created_at: string;
}

/** One model call. Owned by `models/`. */
export interface UsageRow {
  id: Generated<number>;
  turn_id: string | null;
  conversation_id: string | null;
  job_id: string | null;
  project: string;
  mode: string;
  provider: string;
  model: string;
  purpose: string;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
  latency_ms: number;
  ok: number;
  created_at: string;
}

/**
 * On PostgreSQL only: what a message is found by, as `array_to_tsvector` of our own words makes it. The writer of the
 * message writes it; on SQLite triggers keep `messages_found`. Owned by `conversation/`.
 */
export interface MessageWordsRow {
  message_id: number;
  words: string;
}
