import type { Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { inert } from '../notify/inert.ts';
import type { Notice } from '../notify/types.ts';
import type { NoticeRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { MINUTE_MS } from '../when/zone.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { OnNotice } from './types.ts';

/** The lease of a program that is handing over a notice. */
const HANDING_MS = MINUTE_MS;
/** Notices read at once. */
const BATCH = 20;
/** With a backoff that doubles from one minute, the last attempt is 15 minutes after the first. */
const MAX_ATTEMPTS = 5;

type PendingNotice = Selectable<NoticeRow>;

/**
 * Messages for the user that have to be handed to `onNotice`.
 *
 * A notice is stored in the transaction that causes it and delivered afterwards, again after a crash, always under
 * the same key. So nothing is lost, and the outbox recognises repetitions.
 */
export class NoticeQueue {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #onNotice: OnNotice;
  readonly #log: Log;
  /** Hand over whatever is waiting. */
  readonly hand = oneAtATime(() => this.#handAll());

  constructor(deps: { store: Store; clock: Clock; onNotice: OnNotice; log: Log }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#onNotice = deps.onNotice;
    this.#log = deps.log;
  }

  /** Store a notice, within the caller's transaction. A key that exists changes nothing. */
  async post({ key, runId, to, text: said, voice }: Notice): Promise<void> {
    const text = inert(said, voice);
    const now = this.#clock.now().toISOString();
    await this.#store.db
      .insertInto('notices')
      .values({ key, run_id: runId ?? null, channel: to ?? null, text, not_before: now, created_at: now })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  }

  async #handAll(): Promise<void> {
    for (let batch = await this.#pending(); batch.length > 0; batch = await this.#pending()) {
      for (const notice of batch) await this.#handOne(notice);
    }
  }

  async #pending(): Promise<PendingNotice[]> {
    return this.#store.db
      .selectFrom('notices')
      .selectAll()
      .where('state', '=', 'pending')
      .where('not_before', '<=', this.#clock.now().toISOString())
      .orderBy('created_at')
      .orderBy('key')
      .limit(BATCH)
      .execute();
  }

  async #handOne(notice: PendingNotice): Promise<void> {
    const { key, run_id, channel, text, attempts } = notice;
    if (!(await this.#take(notice))) return;
    try {
      const outcome = await this.#onNotice({ key, text, to: channel ?? undefined, runId: run_id ?? undefined });
      await this.#settle(key, run_id, outcome);
    } catch (error) {
      this.#log.warn('notice not delivered', { key, error: messageOf(error) });
      if (attempts + 1 >= MAX_ATTEMPTS) await this.#settle(key, run_id, `failed: ${messageOf(error)}`);
      else await this.#postpone(key, attempts);
    }
  }

  /** @returns false when another program is handing it over. */
  async #take({ key, not_before }: PendingNotice): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('notices')
      .set({ not_before: new Date(this.#clock.now().getTime() + HANDING_MS).toISOString() })
      .where('key', '=', key)
      .where('state', '=', 'pending')
      .where('not_before', '=', not_before)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Record the outcome, also in the run's history as its `delivery`. The outcome of another program stays. */
  async #settle(key: string, runId: string | null, outcome: string): Promise<void> {
    await this.#store.transaction(async () => {
      const { db } = this.#store;
      const { numUpdatedRows } = await db
        .updateTable('notices')
        .set({ state: 'handed', outcome })
        .where('key', '=', key)
        .where('state', '=', 'pending')
        .executeTakeFirst();
      if (runId !== null && numUpdatedRows === 1n)
        await db.updateTable('runs').set({ delivery: outcome }).where('id', '=', runId).execute();
    });
  }

  async #postpone(key: string, attempts: number): Promise<void> {
    const later = new Date(this.#clock.now().getTime() + MINUTE_MS * 2 ** attempts).toISOString();
    await this.#store.db
      .updateTable('notices')
      .set((notice) => ({ attempts: notice('attempts', '+', 1), not_before: later }))
      .where('key', '=', key)
      .where('state', '=', 'pending')
      .execute();
  }
}
