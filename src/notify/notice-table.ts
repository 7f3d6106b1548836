import { type Selectable, sql } from 'kysely';
import { isIn } from '../store/portable.ts';
import type { NoticeRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

export type StoredNotice = Selectable<NoticeRow>;
type Changes = Partial<StoredNotice>;

/** What comes in; the rest of the columns begin empty. */
export type NewNotice = Pick<
  StoredNotice,
  'key' | 'run_id' | 'route' | 'text' | 'untrusted' | 'urgent' | 'created_at'
> &
  Partial<Pick<StoredNotice, 'answers'>> & {
    readonly since: string;
    readonly next_at: string;
  };

/** The table of notices. Every method is one statement; the caller opens the transaction. */
export class NoticeTable {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Store a notice. A key that exists changes nothing. */
  async enter(notice: NewNotice): Promise<void> {
    await this.#store.db
      .insertInto('notices')
      .values(notice)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  }

  async find(key: string): Promise<StoredNotice | undefined> {
    return this.#select().where('key', '=', key).executeTakeFirst();
  }

  #select() {
    return this.#store.db.selectFrom('notices').selectAll();
  }

  /** Those that go on now, oldest first. */
  due(now: string, limit: number): Promise<StoredNotice[]> {
    const due = this.#select().where('next_at', 'is not', null).where('next_at', '<=', now);
    return due.orderBy('created_at').orderBy('key').limit(limit).execute();
  }

  /** When the next one goes on. */
  async nextAt(): Promise<string | undefined> {
    const next = this.#store.read.selectFrom('notices').select('next_at').where('next_at', 'is not', null);
    return (await next.orderBy('next_at').limit(1).executeTakeFirst())?.next_at ?? undefined;
  }

  /** Change a notice unless somebody else has since. @returns it as it is now; undefined when somebody has. */
  async change({ key, next_at, state }: StoredNotice, changes: Changes): Promise<StoredNotice | undefined> {
    const unchanged = this.#store.db.updateTable('notices').set(changes).where('key', '=', key);
    return unchanged
      .where('state', '=', state)
      .where('next_at', next_at === null ? 'is' : '=', next_at)
      .returningAll()
      .executeTakeFirst();
  }

  /** What waits for a time after this one goes on now: the clock that planned it was ahead. */
  async bringForward(after: string, now: string): Promise<void> {
    await this.#store.db
      .updateTable('notices')
      .set({ next_at: now, since: now })
      .where('next_at', '>', after)
      .execute();
  }

  /** Give a notice the number by which its owner calls it. In an exclusive transaction. */
  async number(key: string): Promise<void> {
    const next = sql<number>`(select coalesce(max(number), 0) + 1 from notices)`;
    const unnumbered = this.#store.db.updateTable('notices').set({ number: next });
    await unnumbered.where('key', '=', key).where('number', '=', 0).execute();
  }

  /** Whether a face has anything to show. */
  async anyAtFaces(): Promise<boolean> {
    const waiting = this.#store.read.selectFrom('notices').select('key');
    return (
      (await waiting.where('state', '=', 'waiting').where('at_faces', '=', 1).limit(1).executeTakeFirst()) !== undefined
    );
  }

  /** What faces have to show, oldest first. */
  atFaces(limit: number): Promise<StoredNotice[]> {
    const waiting = this.#select().where('state', '=', 'waiting').where('at_faces', '=', 1);
    return waiting.orderBy('created_at').orderBy('key').limit(limit).execute();
  }

  async changeAll(keys: readonly string[], changes: Changes): Promise<void> {
    await this.#store.db
      .updateTable('notices')
      .set(changes)
      .where(isIn(this.#store, 'key', keys))
      .execute();
  }

  /** Those that this face was going to show and that nobody has dealt with. */
  heldBy(face: string, keys: readonly string[]): Promise<StoredNotice[]> {
    const held = this.#select().where('face', '=', face).where('state', '=', 'waiting');
    return held.where(isIn(this.#store, 'key', keys)).execute();
  }

  /** The person has been at this face since it showed them: what is not urgent need not go anywhere else. */
  async seenAt(face: string): Promise<void> {
    const seen = { next_at: null, reached: 1 };
    const shown = this.#store.db.updateTable('notices').set(seen).where('face', '=', face);
    await shown.where('state', '=', 'delivered').where('urgent', '=', 0).execute();
  }

  /** What a message of the outbox carries. */
  carriedBy(message: string): Promise<StoredNotice[]> {
    return this.#select().where('message', 'like', `%${message}%`).where('state', '<>', 'done').execute();
  }

  /** These have taken a step of their route. */
  async passed(keys: readonly string[], step: number): Promise<void> {
    const there = this.#store.db
      .updateTable('notices')
      .set({ step: step + 1 })
      .where('step', '=', step);
    await there.where(isIn(this.#store, 'key', keys)).execute();
  }

  /** Newest first. */
  async since(time: string, limit: number): Promise<StoredNotice[]> {
    const recent = this.#store.read.selectFrom('notices').selectAll().where('created_at', '>=', time);
    return recent.orderBy('created_at', 'desc').orderBy('key', 'desc').limit(limit).execute();
  }

  ofRuns(runIds: readonly string[]): Promise<StoredNotice[]> {
    const rows = this.#store.read.selectFrom('notices').selectAll();
    return rows
      .where(isIn(this.#store, 'run_id', runIds))
      .orderBy('created_at')
      .execute();
  }

  /** Those that are not done: one, or all. */
  open(number?: number): Promise<StoredNotice[]> {
    const open = this.#select().where('state', '<>', 'done').where('number', '>', 0);
    return (number === undefined ? open : open.where('number', '=', number)).orderBy('number').execute();
  }
}
