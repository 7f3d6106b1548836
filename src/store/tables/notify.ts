import { blob, type Column, integer, nullable, oneOf, table, text, withDefault } from './table.ts';

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
      /** The chat that it goes to; null: the channel's own. */
      chat: nullable(text),
      /** What its reader may answer, as JSON. */
      choices: nullable(text),
      /** The file that it is, in `outgoing_files`. */
      file: nullable(text),
      /** The message in its chat that it answers. */
      reply_to: nullable(text),
    },
    key: ['id'],
    unique: [['dedupe_key']],
    indexes: [
      { name: 'outbox_due', on: ['due_at'], where: "state in ('pending', 'sending')" },
      { name: 'outbox_by_run', on: ['run_id'] },
    ],
  }),
  /** Files that wait to be sent. */
  outgoing_files: table({
    columns: { id: text, name: text, bytes: blob },
    key: ['id'],
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
  /** What the owner is to be told, with how far it has come on its way. */
  notices: table({
    columns: {
      /** The same for a repetition after a crash. */
      key: text,
      run_id: nullable(text),
      /** The steps that it takes; null: those of the settings. */
      route: nullable(text),
      text,
      state: withDefault('waiting', oneOf('waiting', 'delivered', 'done')),
      /** What became of the last attempt to deliver it. */
      outcome: nullable(text),
      /** How often it has begun its route anew. */
      round: withDefault(0, integer),
      /** When it goes on; null: it does not. */
      next_at: nullable(text),
      created_at: text,
      /** What its owner calls it by; 0 until it sets out. */
      number: withDefault(0, integer),
      urgent: withDefault(0, integer),
      /** The next step of its route. */
      step: withDefault(0, integer),
      /** When this round began. */
      since: text,
      /** 1 when a face may show it. */
      at_faces: withDefault(0, integer),
      /** The face that shows it, or was about to. */
      face: nullable(text),
      /** 1 when another face may have shown it before. */
      repeated: withDefault(0, integer),
      /** 1 when it waited for the end of the quiet hours. */
      held: withDefault(0, integer),
      /** 1 when it was delivered by a service, or at a face where the owner was just then. */
      reached: withDefault(0, integer),
      /** The messages in the outbox that carry it, by the beginning of their keys. */
      message: nullable(text),
      delivered_at: nullable(text),
      delivered_by: nullable(text),
      done_at: nullable(text),
      done_by: nullable(text),
      /** 1 when somebody else may have written it; 1 also for notices that are older than this column. */
      untrusted: withDefault(1, integer),
      /** The message in a chat of the owner's that it answers, as JSON. */
      answers: nullable(text),
    },
    key: ['key'],
    indexes: [
      { name: 'notices_on_their_way', on: ['next_at'], where: 'next_at is not null' },
      { name: 'notices_at_faces', on: ['created_at'], where: "state = 'waiting' and at_faces = 1" },
      { name: 'notices_by_message', on: ['message'], where: 'message is not null' },
      { name: 'notices_by_run', on: ['run_id'] },
      { name: 'notices_by_number', on: ['number'] },
    ],
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
