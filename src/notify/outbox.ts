import type { DatabaseSync } from 'node:sqlite';
import type { Selectable } from 'kysely';
import type { ChannelStateRow, OutboxRow } from '../store/schema.ts';
import { insertIfNew, updateRow } from '../store/statements.ts';
import type { Store } from '../store/store.ts';

export type StoredPart = Selectable<OutboxRow>;
export type NewPart = Omit<
  StoredPart,
  'attempts' | 'repeats' | 'owner' | 'lease_until' | 'remote_id' | 'last_error' | 'recipients'
>;

/**
 * The table of messages on their way out, and the state of each channel. Every method is one statement; the caller
 * brings the transaction. The parts of a message share a dedupe key: `<key>:1`, `<key>:2` and so on.
 */
export class Outbox {
  readonly #sql: DatabaseSync;

  constructor(store: Store) {
    this.#sql = store.sql;
  }

  /** Store a part, unless one with its dedupe key is stored already. */
  enter(part: NewPart): void {
    insertIfNew(this.#sql, 'outbox', part);
  }

  /** The parts of one message, in order. */
  message(dedupeKey: string): StoredPart[] {
    return this.#sql
      .prepare("SELECT * FROM outbox WHERE dedupe_key >= ? || ':' AND dedupe_key < ? || ';' ORDER BY part")
      .all(dedupeKey, dedupeKey) as StoredPart[];
  }

  find(id: string): StoredPart | undefined {
    return this.#sql.prepare('SELECT * FROM outbox WHERE id = ?').get(id) as StoredPart | undefined;
  }

  /** Parts that are due, whose channel is not on hold, and whose earlier parts are sent; oldest first. */
  due(now: string, limit: number): StoredPart[] {
    return this.#sql
      .prepare(
        `SELECT o.* FROM outbox o WHERE o.state = 'pending' AND o.due_at <= :now
           AND NOT EXISTS (SELECT 1 FROM channel_states c WHERE c.channel = o.channel
             AND c.address_hash = o.recipient AND c.hold_until > :now)
           AND (o.part = 1 OR NOT EXISTS (SELECT 1 FROM outbox e WHERE e.part < o.part AND e.state <> 'sent'
             AND e.dedupe_key >= substr(o.dedupe_key, 1, instr(o.dedupe_key, ':'))
             AND e.dedupe_key < substr(o.dedupe_key, 1, instr(o.dedupe_key, ':') - 1) || ';'))
         ORDER BY o.created_at, o.part LIMIT :limit`,
      )
      .all({ now, limit }) as StoredPart[];
  }

  /** Reserve a part for one sender. @returns false when another sender has it already. */
  claim(id: string, owner: string, leaseUntil: string): boolean {
    const { changes } = this.#sql
      .prepare(
        `UPDATE outbox SET state = 'sending', owner = ?, lease_until = ?, attempts = attempts + 1
         WHERE id = ? AND state = 'pending'`,
      )
      .run(owner, leaseUntil, id);
    return changes === 1;
  }

  set(id: string, changes: Partial<StoredPart>): void {
    updateRow(this.#sql, { table: 'outbox', id }, changes);
  }

  /** After a part that failed, the parts after it are not sent either. */
  stopAfter(part: StoredPart): void {
    const message = part.dedupe_key.slice(0, part.dedupe_key.indexOf(':'));
    this.#sql
      .prepare(
        `UPDATE outbox SET state = 'suppressed', last_error = 'an earlier part was not sent'
         WHERE state = 'pending' AND part > ? AND dedupe_key >= ? || ':' AND dedupe_key < ? || ';'`,
      )
      .run(part.part, message, message);
  }

  /** Parts that another process is sending, or was sending when it ended. */
  sendingByOthers(owner: string): StoredPart[] {
    return this.#sql.prepare("SELECT * FROM outbox WHERE state = 'sending' AND owner <> ?").all(owner) as StoredPart[];
  }

  /** Mark what is too old. @returns how many messages have now expired, by channel. */
  expire(now: string): { channel: string; count: number }[] {
    const expired = this.#sql
      .prepare("UPDATE outbox SET state = 'expired' WHERE state = 'pending' AND expires_at <= ? RETURNING channel")
      .all(now) as { channel: string }[];
    const byChannel = Map.groupBy(expired, ({ channel }) => channel);
    return [...byChannel].map(([channel, rows]) => ({ channel, count: rows.length }));
  }

  /** Newest first. */
  recent(limit: number): StoredPart[] {
    return this.#sql.prepare('SELECT * FROM outbox ORDER BY created_at DESC, part LIMIT ?').all(limit) as StoredPart[];
  }

  /** Whether a channel is off or on hold for this recipient; undefined when it never had trouble. */
  channelState(channel: string, address: string): Selectable<ChannelStateRow> | undefined {
    return this.#sql
      .prepare('SELECT * FROM channel_states WHERE channel = ? AND address_hash = ?')
      .get(channel, address) as Selectable<ChannelStateRow> | undefined;
  }

  setChannelState(state: ChannelStateRow): void {
    this.#sql
      .prepare(
        `INSERT INTO channel_states (channel, address_hash, off_because, hold_until, failures)
         VALUES (:channel, :address_hash, :off_because, :hold_until, :failures)
         ON CONFLICT DO UPDATE SET off_because = excluded.off_because, hold_until = excluded.hold_until,
           failures = excluded.failures`,
      )
      .run({ ...state });
  }
}
