import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Notice } from '../notify/types.ts';
import type { Store } from '../store/store.ts';
import { MINUTE_MS } from '../when/zone.ts';
import type { OnNotice } from './types.ts';

/** Notices read at once. */
const BATCH = 20;
/** With a wait that doubles from one minute, the last attempt is 15 minutes after the first. */
const MAX_ATTEMPTS = 5;

interface PendingNotice {
  readonly key: string;
  readonly run_id: string | null;
  readonly channel: string | null;
  readonly text: string;
  readonly attempts: number;
}

/**
 * Messages for the user that have to be handed to `onNotice`.
 *
 * A notice is stored in the transaction that causes it and delivered afterwards, again after a crash, always under
 * the same key. So nothing is lost, and the outbox recognises what it has seen.
 */
export class NoticeQueue {
  readonly #sql: DatabaseSync;
  readonly #clock: Clock;
  readonly #onNotice: OnNotice;
  readonly #log: Log;
  #handing: Promise<void> | undefined;

  constructor(deps: { store: Store; clock: Clock; onNotice: OnNotice; log: Log }) {
    this.#sql = deps.store.sql;
    this.#clock = deps.clock;
    this.#onNotice = deps.onNotice;
    this.#log = deps.log;
  }

  /** Store a notice, within the caller's transaction. A key that exists changes nothing. */
  post(notice: Notice): void {
    const now = this.#clock.now().toISOString();
    this.#sql
      .prepare(
        'INSERT OR IGNORE INTO notices (key, run_id, channel, text, not_before, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(notice.key, notice.runId ?? null, notice.to ?? null, notice.text, now, now);
  }

  /** Hand over whatever is waiting. A call while another is in progress joins it. */
  async hand(): Promise<void> {
    this.#handing ??= this.#handAll().finally(() => {
      this.#handing = undefined;
    });
    return this.#handing;
  }

  async #handAll(): Promise<void> {
    for (let batch = this.#pending(); batch.length > 0; batch = this.#pending()) {
      for (const notice of batch) await this.#handOne(notice);
    }
  }

  #pending(): PendingNotice[] {
    return this.#sql
      .prepare("SELECT * FROM notices WHERE state = 'pending' AND not_before <= ? ORDER BY created_at, key LIMIT ?")
      .all(this.#clock.now().toISOString(), BATCH) as unknown as PendingNotice[];
  }

  async #handOne({ key, run_id, channel, text, attempts }: PendingNotice): Promise<void> {
    try {
      const outcome = await this.#onNotice({ key, text, to: channel ?? undefined, runId: run_id ?? undefined });
      this.#settle(key, run_id, outcome);
    } catch (error) {
      this.#log.warn('notice not delivered', { key, error: messageOf(error) });
      if (attempts + 1 >= MAX_ATTEMPTS) this.#settle(key, run_id, `failed: ${messageOf(error)}`);
      else this.#postpone(key, attempts);
    }
  }

  /** Record the outcome, also in the run's history as its `delivery`. */
  #settle(key: string, runId: string | null, outcome: string): void {
    this.#sql.prepare("UPDATE notices SET state = 'handed', outcome = ? WHERE key = ?").run(outcome, key);
    if (runId !== null) this.#sql.prepare('UPDATE runs SET delivery = ? WHERE id = ?').run(outcome, runId);
  }

  #postpone(key: string, attempts: number): void {
    const later = new Date(this.#clock.now().getTime() + MINUTE_MS * 2 ** attempts).toISOString();
    this.#sql.prepare('UPDATE notices SET attempts = attempts + 1, not_before = ? WHERE key = ?').run(later, key);
  }
}
