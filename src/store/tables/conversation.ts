import { integer, nullable, oneOf, serial, table, text, withDefault, words } from './table.ts';

/** Owned by `conversation/`. */
export const conversationTables = {
  /** The labels say which kinds of text the conversation has read so far. */
  conversations: table({
    columns: {
      id: text,
      title: nullable(text),
      project: text,
      status: withDefault('active', oneOf('active', 'completed', 'failed', 'interrupted')),
      read_untrusted: withDefault(0, integer),
      read_private: withDefault(0, integer),
      label_sources: withDefault('[]', text),
      last_data: nullable(text),
      created_at: text,
      updated_at: text,
      /** 1: in no list, since a program keeps the conversation itself. */
      unlisted: withDefault(0, integer),
    },
    key: ['id'],
    indexes: [{ name: 'conversations_by_time', on: ['updated_at', 'id'] }],
  }),
  /** One request and its outcome. */
  turns: table({
    columns: {
      /** The order in which turns were begun. */
      seq: serial,
      id: text,
      conversation_id: text,
      mode: text,
      origin: text,
      text,
      /** `StopReason`, or the state of a turn that has not ended by itself. */
      status: oneOf(
        'running',
        'answered',
        'cut_off',
        'step_limit',
        'aborted',
        'failed',
        'budget',
        'interrupted',
        'undone',
      ),
      /** The process that runs it: see `base/process-identity.ts`. */
      owner: nullable(text),
      started_at: text,
      finished_at: nullable(text),
    },
    key: ['seq'],
    unique: [['id']],
    partOf: { column: 'conversation_id', table: 'conversations', key: 'id' },
    indexes: [
      { name: 'turns_by_conversation', on: ['conversation_id', 'started_at'] },
      { name: 'turns_by_status', on: ['status', 'started_at'] },
    ],
    neverReused: true,
  }),
  /** One step of a conversation; `sequence` orders them. Compacted steps stay stored, but models no longer see them. */
  messages: table({
    columns: {
      id: serial,
      conversation_id: text,
      turn_id: nullable(text),
      sequence: integer,
      role: oneOf('system', 'user', 'assistant', 'tool'),
      kind: withDefault('text', oneOf('text', 'code', 'feedback', 'tool_calls', 'tool_result', 'answer', 'summary')),
      content: text,
      token_count: integer,
      /** 0: models see it; 1: a summary stands for it; 2: it was undone. */
      compacted: withDefault(0, integer),
      created_at: text,
    },
    key: ['id'],
    unique: [['conversation_id', 'sequence']],
    partOf: { column: 'conversation_id', table: 'conversations', key: 'id' },
    indexes: [
      { name: 'messages_active', on: ['conversation_id', 'compacted', 'sequence'] },
      { name: 'messages_by_turn', on: ['turn_id', 'sequence'] },
    ],
  }),
  /**
   * Search index of messages on PostgreSQL: `array_to_tsvector` of words that we split ourselves. Written together with
   * the message; on SQLite, triggers maintain `messages_found`.
   *
   * There is no index on the words: under row level security PostgreSQL uses one only for operators that cannot leak,
   * and `@@` may. A scan of 100,000 messages of a home takes a tenth of a second.
   */
  message_words: table({
    columns: { message_id: integer, words },
    key: ['message_id'],
    partOf: { column: 'message_id', table: 'messages', key: 'id' },
    postgresOnly: true,
    notCopied: true,
  }),
  /** One compaction: what it summarized, and the tokens before and after. */
  compaction_events: table({
    columns: {
      id: serial,
      conversation_id: text,
      round: integer,
      tokens_before: integer,
      tokens_after: integer,
      summary: text,
      created_at: text,
    },
    key: ['id'],
    unique: [['conversation_id', 'round']],
    partOf: { column: 'conversation_id', table: 'conversations', key: 'id' },
  }),
  /** What scripts stored with `store()`, as JSON, so that an interrupted turn can continue. */
  turn_memory: table({
    columns: { turn_id: text, key: text, value: text },
    key: ['turn_id', 'key'],
    partOf: { column: 'turn_id', table: 'turns', key: 'id' },
    sortedByKey: true,
    pageRows: 20,
  }),
};
