import type { Generated } from 'kysely';

/**
 * The row types of all tables in `migrations/`, in one file since they are one schema with foreign keys.
 *
 * Booleans are 0 or 1, times are ISO 8601 in UTC, lists and objects are JSON text. Columns with a default are
 * `Generated`.
 */
export interface Database {
  conversations: ConversationRow;
  turns: TurnRow;
  messages: MessageRow;
  compaction_events: CompactionRow;
  artifacts: ArtifactRow;
  effects: EffectRow;
  approval_rules: ApprovalRuleRow;
  receipts: ReceiptRow;
  origins: OriginRow;
  usage: UsageRow;
  code_turns: CodeTurnRow;
  turn_memory: TurnMemoryRow;
  schedules: ScheduleRow;
  runs: RunRow;
  job_writes: JobWriteRow;
  earlier_jobs: EarlierJobRow;
  notices: NoticeRow;
  outbox: OutboxRow;
  channel_states: ChannelStateRow;
  corpora: CorpusRow;
  roots: RootRow;
  sources: SourceRow;
  chunks: ChunkRow;
  vectors: VectorRow;
  rag_checks: RagCheckRow;
}

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
  id: string;
  conversation_id: string;
  mode: string;
  origin: string;
  text: string;
  status: 'running' | 'answered' | 'step_limit' | 'aborted' | 'failed' | 'budget' | 'interrupted' | 'undone';
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

/** A result that is kept whole while the conversation only has its first lines. Owned by `tools/`. */
export interface ArtifactRow {
  id: string;
  project: string;
  conversation_id: string | null;
  turn_id: string | null;
  type: string;
  description: string | null;
  data: string;
  created_at: string;
}

/** The effect ledger: one row per call with effects, written before the call and completed after it. */
export interface EffectRow {
  id: string;
  turn_id: string;
  run_id: string | null;
  conversation_id: string;
  tool: string;
  effect: 'local' | 'outbound';
  idempotency_key: string;
  input: string;
  /** `append`, `overwrite`, `delete`, `schedule` or `settings`, for local effects. */
  change: string | null;
  destination: string | null;
  state: 'intent' | 'done' | 'failed';
  result: string | null;
  approved_by: string | null;
  created_at: string;
  finished_at: string | null;
}

/** The chain of receipts: append-only, each row hashed together with the one before. */
export interface ReceiptRow {
  /** Without gaps. */
  seq: number;
  at: string;
  turn_id: string;
  conversation_id: string;
  tool: string;
  effect: string;
  destination: string | null;
  /** Redacted, cut for reading; `input_sha` is of the whole. */
  input: string;
  input_sha: string;
  state: 'intent' | 'done' | 'failed' | 'denied';
  result: string | null;
  approved_by: string | null;
  previous: string;
  /** SHA-256 over `previous` and all other fields but `seq`. */
  hash: string;
}

/** Provenance of a file or memory: what had been read when it was written. */
export interface OriginRow {
  thing: string;
  untrusted: number;
  private: number;
  sources: string;
  updated_at: string;
}

/** A standing approval. */
export interface ApprovalRuleRow {
  id: string;
  tool: string;
  destination: string;
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

/** A scheduled job. Owned by `scheduler/`, as the next ones up to the notices. */
export interface ScheduleRow {
  id: string;
  kind: 'at' | 'every' | 'cron' | 'on';
  expression: string;
  said: string;
  description: string;
  time_zone: string;
  task: 'AGENT_PROMPT' | 'DIRECT_FUNCTION';
  task_key: string | null;
  /** The schedule that the code asked for when the task was seeded. */
  seeded: string | null;
  payload: string;
  options: string;
  pin: string | null;
  /** What its condition script stored. */
  memory: Generated<string>;
  /** Changes of documents that it has been told about lately. */
  seen: Generated<string>;
  project: string;
  untrusted: Generated<number>;
  enabled: Generated<number>;
  paused_because: string | null;
  next_run_utc: string | null;
  anchor_utc: string;
  failures: Generated<number>;
  revision: Generated<number>;
  tz_data: string;
  idempotency_key: string | null;
  created_at: string;
}

/** Where a run stands; `unknown` may have acted. */
export type RunState =
  | 'due'
  | 'claimed'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'missed'
  | 'skipped'
  | 'denied'
  | 'cancelled'
  | 'unknown';

/** Why a run was entered. */
export type RunReason = 'time' | 'catch-up' | 'manual' | 'event' | 'ask';

/** One execution of a job, from due to done; unique by job and time. */
export interface RunRow {
  id: string;
  schedule_id: string;
  scheduled_for: string;
  reason: RunReason;
  state: RunState;
  owner: string | null;
  lease_until: string | null;
  not_before: string | null;
  attempt: Generated<number>;
  missed: Generated<number>;
  first_missed: string | null;
  event: string | null;
  conversation_id: string | null;
  turn_id: string | null;
  output: string | null;
  error: string | null;
  delivery: Generated<string>;
  cost_usd: number | null;
  started_at: string | null;
  finished_at: string | null;
  chain: string | null;
}

/** What scheduled runs wrote into a project, so that they do not trigger themselves. Owned by `tools/`. */
export interface JobWriteRow {
  project: string;
  path: string;
  sha256: string;
  turn_id: string;
  at: string;
}

/** Rows and files of a legacy schedule that have been imported. */
export interface EarlierJobRow {
  key: string;
  job_id: string | null;
  at: string;
}

/** A message of the scheduler that waits to be handed to `notify/`, or was. */
export interface NoticeRow {
  key: string;
  run_id: string | null;
  channel: string | null;
  text: string;
  state: Generated<'pending' | 'handed'>;
  outcome: string | null;
  attempts: Generated<number>;
  not_before: string;
  created_at: string;
}

/** Whether a channel is on hold or switched off at one address. Owned by `notify/`. */
export interface ChannelStateRow {
  channel: string;
  address_hash: string;
  off_because: string | null;
  hold_until: string | null;
  /** Failures in a row since the last message that was sent. */
  failures: number;
}

/** One part of a message on its way out. */
export interface OutboxRow {
  id: string;
  dedupe_key: string;
  run_id: string | null;
  turn_id: string | null;
  channel: string;
  recipient: string;
  part: number;
  parts: number;
  body: string;
  state: 'pending' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'expired';
  due_at: string;
  expires_at: string;
  attempts: Generated<number>;
  repeats: Generated<number>;
  owner: string | null;
  lease_until: string | null;
  remote_id: string | null;
  last_error: string | null;
  created_at: string;
  recipients: string | null;
}

/** A project's documents as a whole; `revision` rises with every change. Owned by `rag/`, like the rest. */
export interface CorpusRow {
  project: string;
  revision: Generated<number>;
}

/** A folder or file that was ingested. */
export interface RootRow {
  project: string;
  path: string;
  added_at: string;
}

/** One document and what came of reading it. */
export interface SourceRow {
  id: Generated<number>;
  project: string;
  root: string;
  path: string;
  document_id: string;
  kind: string;
  title: string | null;
  size: number;
  mtime_us: number;
  sha256: string;
  version: string;
  state: 'indexed' | 'empty' | 'failed' | 'skipped';
  error: string | null;
  chunks: Generated<number>;
  indexed_at: string;
}

/** One passage of a document; `ordinal` is its place in it. */
export interface ChunkRow {
  id: Generated<number>;
  project: string;
  source_id: number;
  ordinal: number;
  text: string;
  text_sha: string;
  heading: string;
  place: string | null;
  page_from: number | null;
  page_to: number | null;
  line_from: number | null;
  line_to: number | null;
  metadata: string | null;
}

/** The embedding of a text, by its hash and model; shared by all projects. */
export interface VectorRow {
  text_sha: string;
  model: string;
  dimensions: number;
  vector: Uint8Array;
}

/** A question with the document that should answer it, to watch the quality of the search. */
export interface RagCheckRow {
  project: string;
  question: string;
  document_id: string;
  rank: number | null;
  checked_at: string | null;
}
