import type { Database } from './schema.ts';

/** A table as `copyStore` goes through it: page by page in the order of its key. */
export interface CopiedTable {
  readonly name: keyof Database;
  readonly key: readonly string[];
  /** The column that the database numbers. */
  readonly serial?: string;
  readonly pageRows: number;
}

type Keys = { readonly [T in keyof Database]: readonly (keyof Database[T] & string)[] };

/** The key of every table, in an order in which rows come before those that refer to them. */
const KEYS: Keys = {
  conversations: ['id'],
  turns: ['seq'],
  messages: ['id'],
  message_words: ['message_id'],
  compaction_events: ['id'],
  turn_memory: ['turn_id', 'key'],
  code_turns: ['turn_id'],
  usage: ['id'],
  artifacts: ['id'],
  effects: ['id'],
  approval_rules: ['id'],
  receipts: ['seq'],
  receipt_heads: ['chain'],
  origins: ['thing'],
  file_origins: ['path', 'sha256'],
  content_pins: ['kind', 'id'],
  proposals: ['id'],
  job_writes: ['project', 'sha256', 'path'],
  file_versions: ['project', 'path', 'version'],
  kept_states: ['effect_id', 'nth'],
  schedules: ['id'],
  runs: ['id'],
  notices: ['key'],
  earlier_jobs: ['key'],
  workers: ['id'],
  outbox: ['id'],
  channel_states: ['channel', 'address_hash'],
  corpora: ['project'],
  roots: ['project', 'path'],
  sources: ['id'],
  chunks: ['id'],
  vectors: ['text_sha', 'model'],
  rag_checks: ['project', 'question', 'document_id'],
  chunk_changes: ['project', 'revision', 'chunk_id'],
  index_files: ['project', 'name', 'part'],
  index_manifests: ['project', 'revision'],
  homes: ['id'],
};

/** What belongs to a server or to programs that run now, and the words, which are made anew with the messages. */
const LEFT_OUT: ReadonlySet<string> = new Set(['message_words', 'workers', 'homes']);

const SERIALS: Readonly<Partial<Record<keyof Database, string>>> = {
  turns: 'seq',
  messages: 'id',
  compaction_events: 'id',
  usage: 'id',
  receipts: 'seq',
  sources: 'id',
  chunks: 'id',
};

const PAGE_ROWS = 250;
/** Rows of these can have a megabyte each. */
const FEWER_ROWS: Readonly<Partial<Record<keyof Database, number>>> = {
  index_files: 4,
  file_versions: 4,
  artifacts: 20,
  kept_states: 20,
  turn_memory: 20,
};

const NAMES = Object.keys(KEYS) as (keyof Database)[];

/** Every table that a copy of a home takes along, in the order in which to insert. */
export const COPIED_TABLES: readonly CopiedTable[] = NAMES.filter((name) => !LEFT_OUT.has(name)).map((name) => {
  const serial = SERIALS[name];
  return { name, key: KEYS[name], pageRows: FEWER_ROWS[name] ?? PAGE_ROWS, ...(serial ? { serial } : {}) };
});

/** Every table with rows of a home, in the order in which to delete. */
export const TABLES_OF_A_HOME: readonly (keyof Database)[] = NAMES.filter((name) => name !== 'homes').toReversed();
