import type { Generated } from 'kysely';

/** Whether a channel is on hold or switched off at one address. Owned by `notify/`. */
export interface ChannelStateRow {
  channel: string;
  address_hash: string;
  off_because: string | null;
  hold_until: string | null;
  /** Failures in a row since the last message that was sent. */
  failures: number;
}

/** One part of a message on its way out. */
export interface OutboxRow {
  id: string;
  dedupe_key: string;
  run_id: string | null;
  turn_id: string | null;
  channel: string;
  recipient: string;
  part: number;
  parts: number;
  body: string;
  state: 'pending' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'expired';
  due_at: string;
  expires_at: string;
  attempts: Generated<number>;
  repeats: Generated<number>;
  owner: string | null;
  lease_until: string | null;
  remote_id: string | null;
  last_error: string | null;
  created_at: string;
  recipients: string | null;
}
