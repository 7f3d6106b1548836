import type { Generated } from 'kysely';

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
  /** Kept by a conversation that had read untrusted content, or it is not known. */
  untrusted: Generated<number>;
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
  /** What the policy decided by, and what had been read; null in rows of older versions. */
  why: string | null;
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
  /** Absent in receipts of older versions, and of calls that were denied. */
  effect_id: string | null;
  /** Of the whole result, of which `result` has the beginning. */
  result_sha: string | null;
}

/** Where the chain of receipts ends, kept apart from them: shows that their end was cut off. */
export interface ReceiptHeadRow {
  chain: string;
  seq: number;
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

/** Whose text a version of a file is. Owned by `tools/`. */
export interface FileOriginRow {
  /** The real path, stored as `storedPath` does; a folder's ends in `/`. */
  path: string;
  /** Of the content; empty for every content that no other row tells about. */
  sha256: string;
  untrusted: number;
  /** What had been read when it was written, as JSON. */
  sources: string;
  /** Who said so: the gate after a call, or the owner. */
  by: 'call' | 'owner';
  at: string;
}

/** A call that waits for the owner's approval, exactly as it will run. Owned by `tools/`. */
export interface ProposalRow {
  id: string;
  project: string;
  conversation_id: string;
  turn_id: string;
  mode: string;
  tool: string;
  /** The arguments as the gate validated them, as JSON. */
  input: string;
  /** Who or what is reached, when the tool says. */
  target: string | null;
  diff: string | null;
  reason: string;
  provenance: string;
  /** Of tool, input and target. */
  hash: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'unknown' | 'denied' | 'expired';
  created_at: string;
  expires_at: string;
  decided_at: string | null;
  decided_by: string | null;
  /** Who runs it, and until when at the latest. */
  holder: string | null;
  held_until: string | null;
  result: string | null;
}

/** A standing approval. */
export interface ApprovalRuleRow {
  id: string;
  tool: string;
  destination: string;
  created_at: string;
}

/**
 * What a file of a project was before a call changed it. Owned by `tools/`.
 *
 * Without `sha256` there was no file; with it and without `content`, a copy is beside the project's files.
 */
export interface FileVersionRow {
  project: string;
  /** Relative to the project's folder. */
  path: string;
  version: number;
  content: Uint8Array | null;
  sha256: string | null;
  size: number;
  turn_id: string | null;
  effect_id: string | null;
  at: string;
}

/**
 * One thing that a local effect changes: what it was before, and what the effect makes of it. Owned by `tools/`.
 *
 * `before` and `after` depend on the kind; null: there is no such thing. A file's `before` is a version of it.
 */
export interface KeptStateRow {
  effect_id: string;
  /** From 1; an effect may change several things. */
  nth: number;
  /** Rising over all effects of the home. */
  seq: number;
  turn_id: string;
  project: string;
  kind: 'file' | 'note' | 'artifact' | 'job';
  /** Path, journal or id. */
  thing: string;
  before: string | null;
  after: string | null;
  /** Characters of `before` and `after`. */
  size: number;
  at: string;
  /** The effect that undid this one. */
  undone_by: string | null;
}

/** What scheduled runs wrote into a project, so that they do not trigger themselves. Owned by `tools/`. */
export interface JobWriteRow {
  project: string;
  path: string;
  sha256: string;
  turn_id: string;
  at: string;
}
