import { type Column, integer, nullable, oneOf, table, text, withDefault } from './table.ts';

/** Owned by `notify/`. */
export const notifyTables = {
  /** Outgoing messages: one row per channel, recipient and part. */
  outbox: table({
    columns: {
      id: text,
      dedupe_key: text,
      run_id: nullable(text),
      turn_id: nullable(text),
      channel: text,
      recipient: text,
      part: integer,
      parts: integer,
      body: text,
      state: oneOf('pending', 'sending', 'sent', 'failed', 'unknown', 'suppressed', 'expired'),
      due_at: text,
      expires_at: text,
      attempts: withDefault(0, integer),
      repeats: withDefault(0, integer),
      owner: nullable(text),
      lease_until: nullable(text),
      remote_id: nullable(text),
      last_error: nullable(text),
      created_at: text,
      recipients: nullable(text),
    },
    key: ['id'],
    unique: [['dedupe_key']],
    indexes: [
      { name: 'outbox_due', on: ['due_at'], where: "state in ('pending', 'sending')" },
      { name: 'outbox_by_run', on: ['run_id'] },
    ],
  }),
  /** Whether a channel is on hold or switched off at one address. */
  channel_states: table({
    columns: {
      channel: text,
      address_hash: text,
      off_because: nullable(text),
      hold_until: nullable(text),
      /** Failures in a row since the last message that was sent. */
      failures: { ...integer, initially: 0 } as Column<number>,
    },
    key: ['channel', 'address_hash'],
  }),
  /** Programs and faces that are here now, each until its lease ends. */
  presences: table({
    columns: {
      id: text,
      kind: text as Column<PresenceKind>,
      host: text,
      pid: integer,
      /** 1 when it runs due jobs and delivers messages. */
      runs_jobs: integer,
      since: text,
      /** Its last sign of life. */
      seen_at: text,
      /** When the person last did something there; null where nobody can. */
      active_at: nullable(text),
      lease_until: text,
    },
    key: ['id'],
    notCopied: true,
  }),
};

/** `server` is a program without anybody in front of it; the others are faces, where a person can see something. */
export type PresenceKind = 'server' | 'prompt' | 'page' | 'chat' | 'editor';
