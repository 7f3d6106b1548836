import type { Selectable } from 'kysely';
import { chatTables, inboxTables } from './tables/chats.ts';
import { conversationTables } from './tables/conversation.ts';
import { langTables } from './tables/lang.ts';
import { notifyTables } from './tables/notify.ts';
import { ragTables } from './tables/rag.ts';
import { schedulerTables } from './tables/scheduler.ts';
import { serverTables } from './tables/server.ts';
import { type Column, integer, nullable, type RowOf, real, serial, type Table, table, text } from './tables/table.ts';
import { toolTables } from './tables/tools.ts';

/** How a turn in code mode went, to compare the modes. */
const code_turns = table({
  columns: {
    turn_id: text,
    model: text,
    replies: integer,
    clean: integer,
    retries: integer,
    fell_back: integer,
    created_at: text,
  },
  key: ['turn_id'],
});

/** One model call. */
const usage = table({
  columns: {
    id: serial,
    turn_id: nullable(text),
    conversation_id: nullable(text),
    job_id: nullable(text),
    project: text,
    mode: text,
    provider: text,
    model: text,
    purpose: text,
    input_tokens: integer,
    output_tokens: integer,
    cached_tokens: integer,
    cost_usd: nullable(real),
    latency_ms: integer,
    ok: integer,
    created_at: text,
  },
  key: ['id'],
  indexes: [{ name: 'usage_by_time', on: ['created_at'] }],
});

/** How a model at one address keeps to the form of tool calls, and what holds it to that. */
const model_calls = table({
  columns: {
    /** `provider:name`. */
    model: text,
    /** Origin of its server; empty where it has none. */
    address: text,
    /** Replies that call tools, those of them without a slip, and those that were held to a schema. */
    calls: integer,
    clean: integer,
    held: integer,
    /** Which of its provider's ways to hold it is in use, and the slips since it is. */
    level: integer,
    slips: integer,
    /** Whether its server keeps to a schema; null if it was never asked. */
    binds: nullable(integer),
    updated_at: text,
  },
  key: ['model', 'address'],
});

/** What the owner trusts of a skill or program in a folder that several machines share, by content. */
const content_pins = table({
  columns: {
    kind: text as Column<'skill' | 'program'>,
    id: text,
    /** Hash of the files that the owner agreed to; null when they have not. */
    hash: nullable(text),
    /** 1 when somebody else wrote it. */
    imported: integer,
  },
  key: ['kind', 'id'],
});

/** A program that runs jobs. One that has not been seen for a while is gone, and its leases expire. */
const workers = table({
  columns: { id: text, host: text, started_at: text, seen_at: text },
  key: ['id'],
  notCopied: true,
});

/** The homes on a server, for workers that serve several. */
const homes = table({
  columns: { id: text, created_at: text },
  key: ['id'],
  postgresOnly: true,
  ofAllHomes: true,
  notCopied: true,
});

/**
 * All tables by the module that owns them; other modules ask it. Referenced tables come first.
 *
 * Booleans are 0 or 1, times are ISO 8601 in UTC, lists and objects are JSON text.
 */
export const TABLES_OF_ROOMS = {
  conversation: conversationTables,
  agent: { code_turns },
  models: { usage, model_calls },
  tools: toolTables,
  plugins: { content_pins },
  scheduler: schedulerTables,
  lang: langTables,
  notify: { ...notifyTables, ...inboxTables },
  rag: ragTables,
  server: { ...serverTables, ...chatTables },
  store: { workers, homes },
};

export const TABLES = {
  ...conversationTables,
  ...{ code_turns, usage, model_calls },
  ...toolTables,
  content_pins,
  ...schedulerTables,
  ...langTables,
  ...notifyTables,
  ...inboxTables,
  ...ragTables,
  ...serverTables,
  ...chatTables,
  ...{ workers, homes },
};

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Every table with rows of a home, in the order in which to delete. */
export const TABLES_OF_A_HOME: readonly TableName[] = TABLE_NAMES.filter((name) => name !== 'homes').toReversed();

/** A table as `copyStore` goes through it: page by page in the order of its key. */
export interface CopiedTable {
  readonly name: TableName;
  readonly key: readonly string[];
  /** The column that the database numbers. */
  readonly serial?: string | undefined;
  readonly pageRows: number;
}

/** Every table that a copy of a home takes along, in the order in which to insert. */
export const COPIED_TABLES: readonly CopiedTable[] = TABLE_NAMES.flatMap((name) => {
  const { columns, key, pageRows = 250, notCopied }: Table = TABLES[name];
  const serial = Object.keys(columns).find((column) => columns[column]?.type === 'serial');
  return notCopied ? [] : { name, key, serial, pageRows };
});

type Rows = { [Name in TableName]: RowOf<(typeof TABLES)[Name]> };
/** The types of the rows of all tables, for Kysely. Columns with a default are `Generated`. */
export interface Database extends Rows {}

export type ConversationRow = Database['conversations'];
export type TurnRow = Database['turns'];
export type MessageRow = Database['messages'];
export type MessageRole = MessageRow['role'];
export type MessageKind = Selectable<MessageRow>['kind'];
export type UsageRow = Database['usage'];
export type EffectRow = Database['effects'];
export type ReceiptRow = Database['receipts'];
export type ReceiptHeadRow = Database['receipt_heads'];
export type FileOriginRow = Database['file_origins'];
export type ProposalRow = Database['proposals'];
export type FileVersionRow = Database['file_versions'];
export type KeptStateRow = Database['kept_states'];
export type FrozenJobRow = Database['frozen_jobs'];
export type ScheduleRow = Database['schedules'];
export type RunRow = Database['runs'];
export type RunState = RunRow['state'];
export type RunReason = RunRow['reason'];
export type NoticeRow = Database['notices'];
export type OutboxRow = Database['outbox'];
export type PresenceRow = Database['presences'];
export type ChannelStateRow = Database['channel_states'];
export type SourceRow = Database['sources'];
export type ChunkRow = Database['chunks'];
export type VectorRow = Database['vectors'];
