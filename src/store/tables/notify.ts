import { initially, integer, maybe, oneOf, type Table, table, text } from './define.ts';

/** Owned by `notify/`: messages on their way out, one row per channel, recipient and part; and channels on hold. */
export const notifyTables: readonly Table[] = [
  table({
    name: 'outbox',
    columns: {
      id: text,
      dedupe_key: text,
      run_id: maybe(text),
      turn_id: maybe(text),
      channel: text,
      recipient: text,
      part: integer,
      parts: integer,
      body: text,
      state: oneOf('pending', 'sending', 'sent', 'failed', 'unknown', 'suppressed', 'expired'),
      due_at: text,
      expires_at: text,
      attempts: initially(0, integer),
      repeats: initially(0, integer),
      owner: maybe(text),
      lease_until: maybe(text),
      remote_id: maybe(text),
      last_error: maybe(text),
      created_at: text,
      recipients: maybe(text),
    },
    key: ['id'],
    unique: [['dedupe_key']],
    indexes: [
      { name: 'outbox_due', on: ['due_at'], where: "state in ('pending', 'sending')" },
      { name: 'outbox_by_run', on: ['run_id'] },
    ],
  }),
  table({
    name: 'channel_states',
    columns: {
      channel: text,
      address_hash: text,
      off_because: maybe(text),
      hold_until: maybe(text),
      failures: initially(0, integer),
    },
    key: ['channel', 'address_hash'],
  }),
];
