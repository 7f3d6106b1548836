CREATE TABLE "approval_rules" (
  "id" text,
  "tool" text not null,
  "destination" text not null,
  "created_at" text not null,
  constraint "approval_rules_key" primary key ("id"),
  constraint "approval_rules_unique_1" unique ("tool", "destination")) strict;
CREATE TABLE "artifacts" (
  "id" text,
  "project" text not null,
  "conversation_id" text,
  "turn_id" text,
  "type" text not null,
  "description" text,
  "data" text not null,
  "created_at" text not null,
  "untrusted" integer default 1 not null,
  constraint "artifacts_key" primary key ("id")) strict;
CREATE INDEX "artifacts_by_project" on "artifacts" ("project", "created_at");
CREATE TABLE "channel_states" (
  "channel" text,
  "address_hash" text,
  "off_because" text,
  "hold_until" text,
  "failures" integer default 0 not null,
  constraint "channel_states_key" primary key ("channel", "address_hash")) strict;
CREATE TABLE "chunk_changes" (
  "project" text,
  "revision" integer,
  "chunk_id" integer,
  "gone" integer default 0 not null,
  constraint "chunk_changes_key" primary key ("project", "revision", "chunk_id")) strict, without rowid;
CREATE TABLE "chunks" (
  "id" integer primary key autoincrement,
  "project" text not null,
  "source_id" integer not null,
  "ordinal" integer not null,
  "text" text not null,
  "text_sha" text not null,
  "heading" text not null,
  "place" text,
  "page_from" integer,
  "page_to" integer,
  "line_from" integer,
  "line_to" integer,
  "metadata" text,
  constraint "chunks_part_of" foreign key ("source_id") references "sources" ("id") on delete cascade) strict;
CREATE INDEX "chunks_by_project" on "chunks" ("project", "id");
CREATE INDEX "chunks_by_source" on "chunks" ("source_id", "ordinal");
CREATE TABLE "code_turns" (
  "turn_id" text,
  "model" text not null,
  "replies" integer not null,
  "clean" integer not null,
  "retries" integer not null,
  "fell_back" integer not null,
  "created_at" text not null,
  constraint "code_turns_key" primary key ("turn_id")) strict;
CREATE TABLE "compaction_events" (
  "id" integer primary key,
  "conversation_id" text not null,
  "round" integer not null,
  "tokens_before" integer not null,
  "tokens_after" integer not null,
  "summary" text not null,
  "created_at" text not null,
  constraint "compaction_events_unique_1" unique ("conversation_id", "round"),
  constraint "compaction_events_part_of" foreign key ("conversation_id") references "conversations" ("id") on delete cascade) strict;
CREATE TABLE "content_pins" (
  "kind" text,
  "id" text,
  "hash" text,
  "imported" integer not null,
  constraint "content_pins_key" primary key ("kind", "id")) strict;
CREATE TABLE "conversations" (
  "id" text,
  "title" text,
  "project" text not null,
  "status" text default 'active' not null check ("status" in ('active', 'completed', 'failed', 'interrupted')),
  "read_untrusted" integer default 0 not null,
  "read_private" integer default 0 not null,
  "label_sources" text default '[]' not null,
  "last_data" text,
  "created_at" text not null,
  "updated_at" text not null,
  constraint "conversations_key" primary key ("id")) strict;
CREATE INDEX "conversations_by_time" on "conversations" ("updated_at", "id");
CREATE TABLE "corpora" (
  "project" text,
  "revision" integer default 0 not null,
  constraint "corpora_key" primary key ("project")) strict;
CREATE TABLE "earlier_jobs" (
  "key" text,
  "job_id" text,
  "at" text not null,
  constraint "earlier_jobs_key" primary key ("key")) strict;
CREATE TABLE "effects" (
  "id" text,
  "turn_id" text not null,
  "run_id" text,
  "conversation_id" text not null,
  "tool" text not null,
  "effect" text not null check ("effect" in ('local', 'outbound')),
  "idempotency_key" text not null,
  "input" text not null,
  "change" text,
  "destination" text,
  "state" text not null check ("state" in ('intent', 'done', 'failed')),
  "result" text,
  "approved_by" text,
  "created_at" text not null,
  "finished_at" text,
  "why" text,
  constraint "effects_key" primary key ("id"),
  constraint "effects_unique_1" unique ("idempotency_key")) strict;
CREATE INDEX "effects_by_conversation" on "effects" ("conversation_id", "created_at");
CREATE INDEX "effects_by_run" on "effects" ("run_id") where run_id is not null;
CREATE INDEX "effects_by_turn" on "effects" ("turn_id", "created_at");
CREATE TABLE "file_origins" (
  "path" text,
  "sha256" text,
  "untrusted" integer not null,
  "sources" text not null,
  "by" text not null check ("by" in ('call', 'owner')),
  "at" text not null,
  constraint "file_origins_key" primary key ("path", "sha256")) strict;
CREATE INDEX "file_origins_by_content" on "file_origins" ("sha256");
CREATE TABLE "file_versions" (
  "project" text,
  "path" text,
  "version" integer,
  "sha256" text,
  "size" integer not null,
  "turn_id" text,
  "effect_id" text,
  "at" text not null,
  "content" blob,
  constraint "file_versions_key" primary key ("project", "path", "version")) strict;
CREATE INDEX "file_versions_by_time" on "file_versions" ("project", "at");
CREATE INDEX "file_versions_by_turn" on "file_versions" ("turn_id");
CREATE TABLE "index_files" (
  "project" text,
  "name" text,
  "part" integer,
  "crc" integer not null,
  "bytes" blob not null,
  constraint "index_files_key" primary key ("project", "name", "part")) strict;
CREATE TABLE "index_manifests" (
  "project" text,
  "revision" integer,
  "manifest" text not null,
  constraint "index_manifests_key" primary key ("project", "revision")) strict;
CREATE TABLE "job_writes" (
  "project" text,
  "path" text,
  "sha256" text,
  "turn_id" text not null,
  "at" text not null,
  constraint "job_writes_key" primary key ("project", "sha256", "path")) strict, without rowid;
CREATE TABLE "kept_states" (
  "effect_id" text,
  "nth" integer,
  "seq" integer not null,
  "turn_id" text not null,
  "project" text not null,
  "kind" text not null check ("kind" in ('file', 'note', 'artifact', 'job')),
  "thing" text not null,
  "before" text,
  "after" text,
  "size" integer not null,
  "at" text not null,
  "undone_by" text,
  constraint "kept_states_key" primary key ("effect_id", "nth")) strict;
CREATE INDEX "kept_states_by_project" on "kept_states" ("project", "seq");
CREATE INDEX "kept_states_by_turn" on "kept_states" ("turn_id");
CREATE INDEX "kept_states_in_order" on "kept_states" ("seq");
CREATE TABLE "messages" (
  "id" integer primary key,
  "conversation_id" text not null,
  "turn_id" text,
  "sequence" integer not null,
  "role" text not null check ("role" in ('system', 'user', 'assistant', 'tool')),
  "kind" text default 'text' not null check ("kind" in ('text', 'code', 'feedback', 'tool_calls', 'tool_result', 'answer', 'summary')),
  "content" text not null,
  "token_count" integer not null,
  "compacted" integer default 0 not null,
  "created_at" text not null,
  constraint "messages_unique_1" unique ("conversation_id", "sequence"),
  constraint "messages_part_of" foreign key ("conversation_id") references "conversations" ("id") on delete cascade) strict;
CREATE INDEX "messages_active" on "messages" ("conversation_id", "compacted", "sequence");
CREATE INDEX "messages_by_turn" on "messages" ("turn_id", "sequence");
CREATE TRIGGER messages_are_found after insert on messages when new.kind in ('text', 'answer') begin
    insert into messages_found (rowid, content) values (new.id, new.content);
  end;
CREATE TRIGGER messages_are_lost after delete on messages when old.kind in ('text', 'answer') begin
    delete from messages_found where rowid = old.id;
  end;
CREATE VIRTUAL TABLE messages_found using fts5 (content, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE "notices" (
  "key" text,
  "run_id" text,
  "channel" text,
  "text" text not null,
  "state" text default 'pending' not null check ("state" in ('pending', 'handed')),
  "outcome" text,
  "attempts" integer default 0 not null,
  "not_before" text not null,
  "created_at" text not null,
  constraint "notices_key" primary key ("key")) strict;
CREATE INDEX "notices_pending" on "notices" ("not_before") where state = 'pending';
CREATE TABLE "origins" (
  "thing" text,
  "untrusted" integer not null,
  "private" integer not null,
  "sources" text not null,
  "updated_at" text not null,
  constraint "origins_key" primary key ("thing")) strict;
CREATE TABLE "outbox" (
  "id" text,
  "dedupe_key" text not null,
  "run_id" text,
  "turn_id" text,
  "channel" text not null,
  "recipient" text not null,
  "part" integer not null,
  "parts" integer not null,
  "body" text not null,
  "state" text not null check ("state" in ('pending', 'sending', 'sent', 'failed', 'unknown', 'suppressed', 'expired')),
  "due_at" text not null,
  "expires_at" text not null,
  "attempts" integer default 0 not null,
  "repeats" integer default 0 not null,
  "owner" text,
  "lease_until" text,
  "remote_id" text,
  "last_error" text,
  "created_at" text not null,
  "recipients" text,
  constraint "outbox_key" primary key ("id"),
  constraint "outbox_unique_1" unique ("dedupe_key")) strict;
CREATE INDEX "outbox_by_run" on "outbox" ("run_id");
CREATE INDEX "outbox_due" on "outbox" ("due_at") where state in ('pending', 'sending');
CREATE TABLE "proposals" (
  "id" text,
  "project" text not null,
  "conversation_id" text not null,
  "turn_id" text not null,
  "mode" text not null,
  "tool" text not null,
  "input" text not null,
  "target" text,
  "diff" text,
  "reason" text not null,
  "provenance" text not null,
  "hash" text not null,
  "state" text not null check ("state" in ('waiting', 'running', 'done', 'failed', 'unknown', 'denied', 'expired')),
  "created_at" text not null,
  "expires_at" text not null,
  "decided_at" text,
  "decided_by" text,
  "holder" text,
  "held_until" text,
  "result" text,
  constraint "proposals_key" primary key ("id")) strict;
CREATE INDEX "proposals_by_time" on "proposals" ("created_at");
CREATE UNIQUE INDEX "proposals_waiting" on "proposals" ("project", "hash") where state = 'waiting';
CREATE TABLE "rag_checks" (
  "project" text,
  "question" text,
  "document_id" text,
  "rank" integer,
  "checked_at" text,
  constraint "rag_checks_key" primary key ("project", "question", "document_id")) strict, without rowid;
CREATE TABLE "receipt_heads" (
  "chain" text,
  "seq" integer not null,
  "hash" text not null,
  constraint "receipt_heads_key" primary key ("chain")) strict;
CREATE TABLE "receipts" (
  "seq" integer primary key autoincrement,
  "at" text not null,
  "turn_id" text not null,
  "conversation_id" text not null,
  "tool" text not null,
  "effect" text not null,
  "destination" text,
  "input" text not null,
  "input_sha" text not null,
  "state" text not null check ("state" in ('intent', 'done', 'failed', 'denied')),
  "result" text,
  "approved_by" text,
  "previous" text not null,
  "hash" text not null,
  "effect_id" text,
  "result_sha" text) strict;
CREATE INDEX "receipts_by_turn" on "receipts" ("turn_id", "seq");
CREATE TRIGGER receipts_are_kept before delete on receipts begin
      select raise(abort, 'receipts are never deleted');
    end;
CREATE TRIGGER receipts_stay before update on receipts begin
      select raise(abort, 'receipts are never changed');
    end;
CREATE TABLE "roots" (
  "project" text,
  "path" text,
  "added_at" text not null,
  constraint "roots_key" primary key ("project", "path")) strict, without rowid;
CREATE TABLE "runs" (
  "id" text,
  "schedule_id" text not null,
  "scheduled_for" text not null,
  "reason" text not null check ("reason" in ('time', 'catch-up', 'manual', 'event', 'ask')),
  "state" text not null check ("state" in ('due', 'claimed', 'running', 'succeeded', 'failed', 'missed', 'skipped', 'denied', 'cancelled', 'unknown')),
  "exclusive" integer default 1 not null,
  "owner" text,
  "lease_until" text,
  "not_before" text,
  "attempt" integer default 0 not null,
  "missed" integer default 0 not null,
  "first_missed" text,
  "event" text,
  "conversation_id" text,
  "turn_id" text,
  "output" text,
  "error" text,
  "delivery" text default 'none' not null,
  "cost_usd" real,
  "started_at" text,
  "finished_at" text,
  "chain" text,
  constraint "runs_key" primary key ("id"),
  constraint "runs_unique_1" unique ("schedule_id", "scheduled_for"),
  constraint "runs_part_of" foreign key ("schedule_id") references "schedules" ("id") on delete cascade) strict;
CREATE UNIQUE INDEX "runs_alone" on "runs" ("schedule_id") where state in ('claimed', 'running') and exclusive = 1;
CREATE INDEX "runs_by_schedule" on "runs" ("schedule_id", "state");
CREATE INDEX "runs_open" on "runs" ("state", "scheduled_for") where state in ('due', 'claimed', 'running');
CREATE TABLE "schedules" (
  "id" text,
  "kind" text not null check ("kind" in ('at', 'every', 'cron', 'on')),
  "expression" text not null,
  "said" text not null,
  "description" text not null,
  "time_zone" text not null,
  "task" text not null check ("task" in ('AGENT_PROMPT', 'DIRECT_FUNCTION')),
  "task_key" text,
  "seeded" text,
  "payload" text not null,
  "options" text not null,
  "pin" text,
  "memory" text default '{}' not null,
  "seen" text default '[]' not null,
  "project" text not null,
  "untrusted" integer default 0 not null,
  "enabled" integer default 1 not null,
  "paused_because" text,
  "next_run_utc" text,
  "anchor_utc" text not null,
  "failures" integer default 0 not null,
  "revision" integer default 1 not null,
  "tz_data" text not null,
  "idempotency_key" text,
  "created_at" text not null,
  constraint "schedules_key" primary key ("id"),
  constraint "schedules_unique_1" unique ("task_key"),
  constraint "schedules_unique_2" unique ("idempotency_key")) strict;
CREATE INDEX "schedules_due" on "schedules" ("next_run_utc") where enabled = 1;
CREATE INDEX "schedules_listening" on "schedules" ("project") where kind = 'on';
CREATE TABLE "sources" (
  "id" integer primary key autoincrement,
  "project" text not null,
  "root" text not null,
  "path" text not null,
  "document_id" text not null,
  "kind" text not null,
  "title" text,
  "size" integer not null,
  "mtime_us" integer not null,
  "sha256" text not null,
  "version" text not null,
  "state" text not null check ("state" in ('indexed', 'empty', 'failed', 'skipped')),
  "error" text,
  "chunks" integer default 0 not null,
  "indexed_at" text not null,
  constraint "sources_unique_1" unique ("project", "root", "path")) strict;
CREATE TABLE "turn_memory" (
  "turn_id" text,
  "key" text,
  "value" text not null,
  constraint "turn_memory_key" primary key ("turn_id", "key"),
  constraint "turn_memory_part_of" foreign key ("turn_id") references "turns" ("id") on delete cascade) strict, without rowid;
CREATE TABLE "turns" (
    seq integer primary key autoincrement,
    id text not null unique,
    conversation_id text not null references conversations (id) on delete cascade,
    mode text not null,
    origin text not null,
    text text not null,
    status text not null check (status in ('running', 'answered', 'cut_off', 'step_limit', 'aborted', 'failed', 'budget', 'interrupted', 'undone')),
    owner text,
    started_at text not null,
    finished_at text
  ) strict;
CREATE INDEX turns_by_conversation on turns (conversation_id, started_at);
CREATE INDEX "turns_by_status" on "turns" ("status", "started_at");
CREATE TABLE "usage" (
  "id" integer primary key,
  "turn_id" text,
  "conversation_id" text,
  "job_id" text,
  "project" text not null,
  "mode" text not null,
  "provider" text not null,
  "model" text not null,
  "purpose" text not null,
  "input_tokens" integer not null,
  "output_tokens" integer not null,
  "cached_tokens" integer not null,
  "cost_usd" real,
  "latency_ms" integer not null,
  "ok" integer not null,
  "created_at" text not null) strict;
CREATE INDEX "usage_by_time" on "usage" ("created_at");
CREATE TABLE "vectors" (
  "text_sha" text,
  "model" text,
  "dimensions" integer not null,
  "vector" blob not null,
  constraint "vectors_key" primary key ("text_sha", "model")) strict, without rowid;
CREATE TABLE "workers" (
  "id" text,
  "host" text not null,
  "started_at" text not null,
  "seen_at" text not null,
  constraint "workers_key" primary key ("id")) strict;
