import type { Generated } from 'kysely';

/** Row types of the tables in `migrations/`. Booleans are 0/1, times ISO 8601 UTC text, JSON is text. */
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

export interface CompactionRow {
  id: Generated<number>;
  conversation_id: string;
  round: number;
  tokens_before: number;
  tokens_after: number;
  summary: string;
  created_at: string;
}

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

export interface OriginRow {
  thing: string;
  untrusted: number;
  private: number;
  sources: string;
  updated_at: string;
}

export interface ApprovalRuleRow {
  id: string;
  tool: string;
  destination: string;
  created_at: string;
}

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

export interface TurnMemoryRow {
  turn_id: string;
  key: string;
  /** JSON. */
  value: string;
}

export interface CodeTurnRow {
  turn_id: string;
  model: string;
  replies: number;
  clean: number;
  retries: number;
  fell_back: number;
  created_at: string;
}

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
  /** Changes of documents that it was told of lately. */
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

export type RunReason = 'time' | 'catch-up' | 'manual' | 'event' | 'ask';

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

export interface JobWriteRow {
  project: string;
  path: string;
  sha256: string;
  turn_id: string;
  at: string;
}

export interface EarlierJobRow {
  key: string;
  job_id: string | null;
  at: string;
}

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

export interface ChannelStateRow {
  channel: string;
  address_hash: string;
  off_because: string | null;
  hold_until: string | null;
  /** In a row, since the last message that went out. */
  failures: number;
}

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

export interface CorpusRow {
  project: string;
  revision: Generated<number>;
}

export interface RootRow {
  project: string;
  path: string;
  added_at: string;
}

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

export interface VectorRow {
  text_sha: string;
  model: string;
  dimensions: number;
  vector: Uint8Array;
}

export interface RagCheckRow {
  project: string;
  question: string;
  document_id: string;
  rank: number | null;
  checked_at: string | null;
}
