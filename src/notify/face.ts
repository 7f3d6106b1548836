import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { oneAtATime } from '../base/one-at-a-time.ts';
import type { Store } from '../store/store.ts';
import type { NoticeTable, StoredNotice } from './notice-table.ts';
import { type FaceKind, faces, Presence, whoIsThere } from './presence.ts';
import { type AskedIn, NOTICES_TOPIC, type ShownNotice } from './types.ts';

/** A place where the owner sees something. */
export interface FaceOptions {
  readonly kind: FaceKind;
  /** Whether its program also runs the jobs of the home. */
  readonly runsJobs: boolean;
  /**
   * Show notices, oldest first. What it returns from counts as shown; what it throws means that the face can show
   * nothing any more, and is closed.
   */
  show(notices: readonly ShownNotice[]): void | Promise<void>;
}

interface FaceDeps {
  readonly store: Store;
  readonly table: NoticeTable;
  readonly log: Log;
  now(): Date;
  /** What asked for a notice in a chat of the owner's. */
  answers(row: StoredNotice): AskedIn | undefined;
  /** These were shown; `attended`: while the owner was here. */
  confirmed(keys: readonly string[], attended: boolean): Promise<void>;
}

/** Other programs post notices too, and what they say on `NOTICES_TOPIC` may be lost. */
const LOOK_MS = 1000;
const AT_ONCE = 20;
/** A face that takes longer is gone. */
const SHOW_MS = 10_000;

/**
 * Shows what waits for the owner while it is the face where they were last, and says so. A notice is taken before it is
 * shown and confirmed afterwards: if the program dies in between, the next face shows it again, marked.
 */
export class Face {
  readonly kind: FaceKind;
  /** Show what waits. Never rejects. */
  readonly look = oneAtATime(() => this.#look());
  readonly #options: FaceOptions;
  readonly #deps: FaceDeps;
  readonly #presence: Presence;
  #timer: NodeJS.Timeout | undefined;
  #unlisten: (() => void) | undefined;
  #closed: (() => void) | undefined;
  /** Whether it has shown something since the person was last active. */
  #unseen = false;

  constructor(options: FaceOptions, deps: FaceDeps) {
    this.kind = options.kind;
    this.#options = options;
    this.#deps = deps;
    this.#presence = new Presence(deps, options);
  }

  /** A sign of life that has to reach the database. @throws what kept it from that. */
  prove(): Promise<void> {
    return this.#presence.prove();
  }

  get id(): string {
    return this.#presence.id;
  }

  /** @param closed  called when it is closed. */
  async begin(closed: () => void): Promise<void> {
    this.#closed = closed;
    await this.#presence.begin();
    this.#unlisten = this.#deps.store.wake.on(NOTICES_TOPIC, () => void this.look());
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    await this.look();
  }

  /** Show a sign of life: its lease may have ended while this machine slept. */
  async beat(): Promise<void> {
    await this.#presence.beat();
  }

  /** The person did something here just now, so they have seen what was shown before. */
  active(): void {
    this.#presence.active();
    if (!this.#unseen) return;
    this.#unseen = false;
    const { table, log } = this.#deps;
    table.seenAt(this.id).catch((error: unknown) => log.warn('not noted as seen', { error: messageOf(error) }));
  }

  async #look(): Promise<void> {
    const { table, log } = this.#deps;
    try {
      while (this.#closed !== undefined && (await table.anyAtFaces())) {
        const taken = await this.#take();
        if (taken.length === 0) return;
        await this.#show(taken);
      }
    } catch (error) {
      log.error('a face could not show what waits', { face: this.kind, error: messageOf(error) });
    }
  }

  /**
   * Only the face where the person was last takes anything. What another one took and left behind may have been seen.
   */
  async #take(): Promise<readonly ShownNotice[]> {
    const { store, table } = this.#deps;
    await this.beat();
    const present = faces(await whoIsThere(this.#deps));
    if (present[0]?.id !== this.id) return [];
    const there = new Set(present.map(({ id }) => id));
    return store.transaction(async () => {
      const free = (await table.atFaces(AT_ONCE)).filter(({ face }) => face === null || !there.has(face));
      const shown: ShownNotice[] = [];
      for (const row of free) {
        const repeated = row.repeated === 1 || row.face !== null;
        await table.changeAll([row.key], { face: this.id, repeated: repeated ? 1 : 0 });
        const { key, number, text, round, outcome } = row;
        const about = {
          key,
          number,
          text,
          again: round > 0,
          repeated,
          urgent: row.urgent === 1,
          ofJob: row.run_id !== null,
        };
        const answers = this.#deps.answers(row);
        shown.push({ ...about, at: new Date(row.since), why: outcome ?? undefined, answers });
      }
      return shown;
    });
  }

  async #show(taken: readonly ShownNotice[]): Promise<void> {
    const keys = taken.map(({ key }) => key);
    try {
      await withinReason(this.#options.show(taken));
    } catch (error) {
      this.#deps.log.error('a face is gone', { face: this.kind, error: messageOf(error) });
      await this.#deps.table.changeAll(keys, { face: null });
      await this.#end();
      return;
    }
    await this.#deps.confirmed(keys, this.#presence.isAttended);
    this.#unseen = true;
  }

  /** Show nothing more. */
  async close(): Promise<void> {
    const looking = this.#timer === undefined ? undefined : this.look();
    await this.#end();
    await looking;
  }

  async #end(): Promise<void> {
    clearInterval(this.#timer);
    this.#unlisten?.();
    this.#closed?.();
    this.#closed = undefined;
    await this.#presence.close();
  }
}

/** @throws Error when it takes too long. */
async function withinReason(showing: void | Promise<void>): Promise<void> {
  if (showing === undefined) return;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it took too long')), SHOW_MS);
  try {
    await Promise.race([showing, late]);
  } finally {
    clearTimeout(timer);
  }
}
