import type {
  CodeTurnRow,
  CompactionRow,
  ConversationRow,
  MessageRow,
  MessageWordsRow,
  TurnMemoryRow,
  TurnRow,
  UsageRow,
} from './rows/agent.ts';
import type { ChannelStateRow, OutboxRow } from './rows/notify.ts';
import type { ContentPinRow } from './rows/plugins.ts';
import type {
  ChunkChangeRow,
  ChunkRow,
  CorpusRow,
  IndexFileRow,
  IndexManifestRow,
  RagCheckRow,
  RootRow,
  SourceRow,
  VectorRow,
} from './rows/rag.ts';
import type { EarlierJobRow, NoticeRow, RunRow, ScheduleRow, WorkerRow } from './rows/scheduler.ts';
import type { HomeRow } from './rows/store.ts';
import type {
  ApprovalRuleRow,
  ArtifactRow,
  EffectRow,
  FileOriginRow,
  FileVersionRow,
  JobWriteRow,
  KeptStateRow,
  OriginRow,
  ProposalRow,
  ReceiptHeadRow,
  ReceiptRow,
} from './rows/tools.ts';

export type * from './rows/agent.ts';
export type * from './rows/notify.ts';
export type * from './rows/rag.ts';
export type * from './rows/scheduler.ts';
export type * from './rows/store.ts';
export type * from './rows/tools.ts';

/**
 * The row types of all tables in `tables/`, grouped by the module that owns the tables.
 *
 * Booleans are 0 or 1, times are ISO 8601 in UTC, lists and objects are JSON text. Columns with a default are
 * `Generated`.
 */
export interface Database {
  conversations: ConversationRow;
  turns: TurnRow;
  messages: MessageRow;
  message_words: MessageWordsRow;
  compaction_events: CompactionRow;
  artifacts: ArtifactRow;
  effects: EffectRow;
  approval_rules: ApprovalRuleRow;
  receipts: ReceiptRow;
  origins: OriginRow;
  file_origins: FileOriginRow;
  content_pins: ContentPinRow;
  proposals: ProposalRow;
  usage: UsageRow;
  code_turns: CodeTurnRow;
  turn_memory: TurnMemoryRow;
  schedules: ScheduleRow;
  runs: RunRow;
  job_writes: JobWriteRow;
  file_versions: FileVersionRow;
  kept_states: KeptStateRow;
  receipt_heads: ReceiptHeadRow;
  earlier_jobs: EarlierJobRow;
  notices: NoticeRow;
  workers: WorkerRow;
  outbox: OutboxRow;
  channel_states: ChannelStateRow;
  corpora: CorpusRow;
  roots: RootRow;
  sources: SourceRow;
  chunks: ChunkRow;
  vectors: VectorRow;
  rag_checks: RagCheckRow;
  chunk_changes: ChunkChangeRow;
  index_files: IndexFileRow;
  index_manifests: IndexManifestRow;
  homes: HomeRow;
}
