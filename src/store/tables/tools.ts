import { blob, type Column, integer, nullable, oneOf, table, text, withDefault } from './table.ts';

/** Owned by `tools/`. */
export const toolTables = {
  /** A result that is stored whole while the conversation has only its first lines. */
  artifacts: table({
    columns: {
      id: text,
      project: text,
      conversation_id: nullable(text),
      turn_id: nullable(text),
      type: text,
      description: nullable(text),
      data: text,
      created_at: text,
      /** Whether its conversation had read untrusted content, if known. */
      untrusted: withDefault(1, integer),
    },
    key: ['id'],
    indexes: [{ name: 'artifacts_by_project', on: ['project', 'created_at'] }],
    pageRows: 20,
  }),
  /** The effect ledger: one row per call with effects, written before the call and completed after it. */
  effects: table({
    columns: {
      id: text,
      turn_id: text,
      run_id: nullable(text),
      conversation_id: text,
      tool: text,
      effect: oneOf('local', 'outbound'),
      idempotency_key: text,
      input: text,
      /** `append`, `overwrite`, `delete`, `schedule` or `settings`, for local effects. */
      change: nullable(text),
      destination: nullable(text),
      state: oneOf('intent', 'done', 'failed'),
      result: nullable(text),
      approved_by: nullable(text),
      created_at: text,
      finished_at: nullable(text),
      /** The basis of the decision of the policy, and what had been read; null in rows of older versions. */
      why: nullable(text),
    },
    key: ['id'],
    unique: [['idempotency_key']],
    // Each answer is compared with what its conversation did, and each run that ended early with what it did.
    indexes: [
      { name: 'effects_by_turn', on: ['turn_id', 'created_at'] },
      { name: 'effects_by_conversation', on: ['conversation_id', 'created_at'] },
      { name: 'effects_by_run', on: ['run_id'], where: 'run_id is not null' },
    ],
  }),
  /** A standing approval. */
  approval_rules: table({
    columns: { id: text, tool: text, destination: text, created_at: text },
    key: ['id'],
    unique: [['tool', 'destination']],
  }),
  /** The chain of receipts: append-only, each row hashed together with the one before. */
  receipts: table({
    columns: {
      /** Without gaps, so the writer gives it. */
      seq: { type: 'serial' } as Column<number>,
      at: text,
      turn_id: text,
      conversation_id: text,
      tool: text,
      effect: text,
      destination: nullable(text),
      /** Redacted and shortened for reading; `input_sha` is of the whole input. */
      input: text,
      input_sha: text,
      state: oneOf('intent', 'done', 'failed', 'denied'),
      result: nullable(text),
      approved_by: nullable(text),
      previous: text,
      /** SHA-256 over `previous` and all other fields but `seq`. */
      hash: text,
      /** Absent in receipts of older versions and of denied calls. */
      effect_id: nullable(text),
      /** Of the whole result, of which `result` has the beginning. */
      result_sha: nullable(text),
    },
    key: ['seq'],
    indexes: [{ name: 'receipts_by_turn', on: ['turn_id', 'seq'] }],
    neverReused: true,
  }),
  /** Where the chain of receipts ends, stored apart from it to detect a truncated chain. */
  receipt_heads: table({
    columns: { chain: text, seq: integer, hash: text },
    key: ['chain'],
  }),
  /** Provenance of a file or memory: what had been read when it was written. */
  origins: table({
    columns: { thing: text, untrusted: integer, private: integer, sources: text, updated_at: text },
    key: ['thing'],
  }),
  /** Whose text a version of a file contains. */
  file_origins: table({
    columns: {
      /** The real path, stored as `storedPath` does; a folder's ends in `/`. */
      path: text,
      /** Hash of the content; empty for all content without a row of its own. */
      sha256: text,
      untrusted: integer,
      /** What had been read when it was written, as JSON. */
      sources: text,
      /** Who recorded it: the gate after a call, or the owner. */
      by: oneOf('call', 'owner'),
      at: text,
    },
    key: ['path', 'sha256'],
    indexes: [{ name: 'file_origins_by_content', on: ['sha256'] }],
  }),
  /** A call that waits for the owner's approval, exactly as it will run. */
  proposals: table({
    columns: {
      id: text,
      project: text,
      conversation_id: text,
      turn_id: text,
      mode: text,
      tool: text,
      /** The arguments as the gate validated them, as JSON. */
      input: text,
      /** Who or what is reached, if the tool tells. */
      target: nullable(text),
      diff: nullable(text),
      reason: text,
      provenance: text,
      /** Hash of tool, input and target. */
      hash: text,
      state: oneOf('waiting', 'running', 'done', 'failed', 'unknown', 'denied', 'expired'),
      created_at: text,
      expires_at: text,
      decided_at: nullable(text),
      decided_by: nullable(text),
      /** Who runs it, and until when at the latest. */
      holder: nullable(text),
      held_until: nullable(text),
      result: nullable(text),
      /** 1: only a person in front of the program decides it. */
      owner_only: nullable(integer),
      /** The result as JSON, for a program that waited for it; absent where it is too long. */
      answer: nullable(text),
    },
    key: ['id'],
    indexes: [
      // The same call waits only once, however often it is proposed and by whom.
      { name: 'proposals_waiting', on: ['project', 'hash'], where: "state = 'waiting'", unique: true },
      { name: 'proposals_by_time', on: ['created_at'] },
    ],
  }),
  /** What scheduled runs wrote into a project, so that their jobs do not trigger themselves. */
  job_writes: table({
    columns: { project: text, path: text, sha256: text, turn_id: text, at: text },
    key: ['project', 'sha256', 'path'],
    sortedByKey: true,
  }),
  /**
   * The content of a file of a project before a call changed it.
   *
   * Without `sha256` there was no file; with it and without `content`, a copy is beside the project's files.
   */
  file_versions: table({
    columns: {
      project: text,
      /** Relative to the project's folder. */
      path: text,
      version: integer,
      sha256: nullable(text),
      size: integer,
      turn_id: nullable(text),
      effect_id: nullable(text),
      at: text,
      /** Last, so that SQLite need not read it to get at the other columns. */
      content: nullable(blob),
    },
    key: ['project', 'path', 'version'],
    indexes: [
      { name: 'file_versions_by_time', on: ['project', 'at'] },
      { name: 'file_versions_by_turn', on: ['turn_id'] },
    ],
    pageRows: 4,
  }),
  /** One thing that a local effect changes, before and after. */
  kept_states: table({
    columns: {
      effect_id: text,
      /** From 1; an effect may change several things. */
      nth: integer,
      /** Rising over all effects of the home. */
      seq: integer,
      turn_id: text,
      project: text,
      kind: oneOf('file', 'note', 'artifact', 'job'),
      /** A path, a journal or an id. */
      thing: text,
      /** What it means depends on the kind: a file's is a version of it. Null: there was no such thing. */
      before: nullable(text),
      after: nullable(text),
      /** Characters of `before` and `after`. */
      size: integer,
      at: text,
      /** The effect that undid this one. */
      undone_by: nullable(text),
    },
    key: ['effect_id', 'nth'],
    indexes: [
      { name: 'kept_states_in_order', on: ['seq'] },
      { name: 'kept_states_by_project', on: ['project', 'seq'] },
      { name: 'kept_states_by_turn', on: ['turn_id'] },
    ],
    pageRows: 20,
  }),
};
