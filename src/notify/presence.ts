import { hostname } from 'node:os';
import type { Selectable } from 'kysely';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { leaseHolder } from '../base/process-identity.ts';
import { leaseTime } from '../store/lease-time.ts';
import type { PresenceRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { PresenceKind } from '../store/tables/notify.ts';
import { goneOwners } from '../store/workers.ts';

/** A face is where a person can see something; `server` is a program with nobody in front of it. */
export type FaceKind = Exclude<PresenceKind, 'server'>;
export type { PresenceKind };

/** Somebody who is there now: a program that serves the home, or a face. */
export interface Present {
  readonly id: string;
  readonly kind: PresenceKind;
  readonly host: string;
  readonly pid: number;
  /** Whether it runs due jobs and delivers messages. */
  readonly runsJobs: boolean;
  readonly since: Date;
  /** Its last sign of life. */
  readonly seenAt: Date;
  /** When the person last did something there; undefined for a server. */
  readonly activeAt: Date | undefined;
}

/** How often a presence shows a sign of life, and how long it counts as there without one. */
const BEAT_MS = 10_000;
const LEASE_MS = 30_000;
const ATTENTION_MS = 15 * 60_000;
/** Others need not know more exactly when the person was last active. */
const ACTIVITY_MS = 60_000;

interface PresenceDeps {
  readonly store: Store;
  readonly log: Pick<Log, 'warn'>;
  now(): Date;
}

/**
 * Everybody who is there now, oldest first: see `servers` and `faces` for parts of them.
 *
 * A program of this machine that was killed is gone at once; one that hangs, or is on another machine, when its lease
 * ends.
 */
export async function whoIsThere({ store, now }: Pick<PresenceDeps, 'store' | 'now'>): Promise<Present[]> {
  const time = (await leaseTime(store, now)).toISOString();
  const rows = await store.read
    .selectFrom('presences')
    .selectAll()
    .where('lease_until', '>', time)
    .orderBy('since')
    .orderBy('id')
    .execute();
  const gone = await goneOwners(
    store,
    rows.map(({ id }) => id),
    { leased: true },
  );
  return rows.filter(({ id }) => !gone.has(id)).map(toPresent);
}

/** Those that run the jobs of the home: servers, and prompts while they are open. None: nothing comes by itself. */
export function thatRunJobs(present: readonly Present[]): readonly Present[] {
  return present.filter(({ runsJobs }) => runsJobs);
}

/**
 * What brings reminders by itself: a server at any time, a prompt while it is open, or nothing.
 */
export type ServedBy = 'server' | 'prompt' | 'nothing';

export function servedBy(present: readonly Present[]): ServedBy {
  const running = thatRunJobs(present);
  if (running.some(({ kind }) => kind === 'server')) return 'server';
  return running.length > 0 ? 'prompt' : 'nothing';
}

/** Later than this, a prompt may be closed. */
const SOON_MS = 3_600_000;

/** What a confirmation adds where nothing would bring a reminder at its time; undefined where something would. */
export function whatIsMissing(by: ServedBy, next: Date | undefined, now: Date): Missing | undefined {
  if (by === 'server' || next === undefined) return undefined;
  if (by === 'prompt') return next.getTime() - now.getTime() > SOON_MS ? 'after_this_prompt' : undefined;
  return 'nobody';
}

/** `nobody` serves the home; or only a prompt does, which may be closed by then. */
export type Missing = 'nobody' | 'after_this_prompt';

/** With the one command that mends it. */
export const MISSING_TEXT: Readonly<Record<Missing, string>> = {
  nobody: 'Nothing is running that would bring it: `wooster service install` mends that.',
  after_this_prompt: 'It comes while this prompt is open; `wooster service install` brings it at any time.',
};

/** Where a person can see something, the one where they did something last first. */
export function faces(present: readonly Present[]): readonly Present[] {
  const at = ({ activeAt, since }: Present) => (activeAt ?? since).getTime();
  return present.filter(({ kind }) => kind !== 'server').toSorted((one, other) => at(other) - at(one));
}

/** Whether somebody did something at this face lately; whoever did not may be somewhere else. */
export function isAttended({ activeAt, since }: Pick<Present, 'activeAt' | 'since'>, now: Date): boolean {
  return now.getTime() - (activeAt ?? since).getTime() < ATTENTION_MS;
}

/** A program or face that has said that it is there, until it is closed. */
export class Presence {
  readonly id = leaseHolder();
  readonly #deps: PresenceDeps;
  readonly #is: { readonly kind: PresenceKind; readonly runsJobs: boolean };
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #activeAt: Date | undefined;
  #since: string | undefined;

  constructor(deps: PresenceDeps, is: { readonly kind: PresenceKind; readonly runsJobs: boolean }) {
    this.#deps = deps;
    this.#is = is;
  }

  /** Say that it is there, and show signs of life until `close`. */
  async begin(): Promise<void> {
    const { store, now } = this.#deps;
    if (this.#is.kind !== 'server') this.#activeAt = now();
    await this.#beat();
    const time = (await leaseTime(store, now)).toISOString();
    await store.relaxed(
      async () => void (await store.db.deleteFrom('presences').where('lease_until', '<', time).execute()),
    );
    this.#timer ??= setInterval(() => void this.beat(), BEAT_MS).unref();
  }

  /** The person did something at this face just now. After a while without, others learn of it at once. */
  active(): void {
    const before = this.#activeAt;
    this.#activeAt = this.#deps.now();
    if (before && this.#activeAt.getTime() - before.getTime() > ACTIVITY_MS) void this.beat();
  }

  get isAttended(): boolean {
    const now = this.#deps.now();
    return isAttended({ activeAt: this.#activeAt, since: now }, now);
  }

  /** Show a sign of life. Never rejects: the next one makes up for one that failed. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error: unknown) => this.#deps.log.warn('no sign of life could be given', { error: messageOf(error) }))
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  /** One that slept for long may have been forgotten, so it may have to come anew. */
  async #beat(): Promise<void> {
    const { store } = this.#deps;
    const { kind, runsJobs } = this.#is;
    const time = await leaseTime(store, () => this.#deps.now());
    this.#since ??= time.toISOString();
    const active_at = this.#activeAt?.toISOString() ?? null;
    const lease_until = new Date(time.getTime() + LEASE_MS).toISOString();
    const alive = { seen_at: time.toISOString(), active_at, lease_until };
    const about = { id: this.id, kind, host: hostname(), pid: process.pid, runs_jobs: runsJobs ? 1 : 0 };
    await store.relaxed(async () => {
      await store.db
        .insertInto('presences')
        .values({ ...about, ...alive, since: this.#since ?? alive.seen_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(alive))
        .execute();
    });
  }

  /** Say that it has gone. Never rejects: otherwise its lease tells. */
  async close(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#beating;
    const { store, log } = this.#deps;
    await store
      .relaxed(async () => void (await store.db.deleteFrom('presences').where('id', '=', this.id).execute()))
      .catch((error: unknown) => log.warn('nobody could be told that it has gone', { error: messageOf(error) }));
  }
}

function toPresent(row: Selectable<PresenceRow>): Present {
  return {
    ...{ id: row.id, kind: row.kind, host: row.host, pid: row.pid, runsJobs: row.runs_jobs === 1 },
    ...{ since: new Date(row.since), seenAt: new Date(row.seen_at) },
    activeAt: row.active_at === null ? undefined : new Date(row.active_at),
  };
}
