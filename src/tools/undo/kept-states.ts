import { type Selectable, sql } from 'kysely';
import { isIn } from '../../store/portable.ts';
import type { KeptStateRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Stake } from '../stakes.ts';
import type { ToolContext } from '../tool.ts';

/** Which call changes something. */
export interface Author {
  readonly turnId: string;
  /** The key of the call in the effect ledger; without it, what it replaces is not kept. */
  readonly idempotencyKey?: string | undefined;
  /** The changes of files that the owner agreed to: no others are made. Absent: nobody was asked. */
  readonly agreed?: readonly Stake[] | undefined;
  /** Text of others was read, which may have led to it. */
  readonly untrusted?: boolean | undefined;
}

/** The call that a tool runs for. */
export function authorOf({ turn, idempotencyKey, agreed }: ToolContext): Author {
  return { turnId: turn.id, idempotencyKey, agreed };
}

/** How much is kept of each project. */
export interface KeepLimits {
  readonly days: number;
  readonly megabytes: number;
}

/** One thing before and after a call; undefined: there is no such thing. */
export interface KeptState {
  readonly project: string;
  readonly kind: KeptStateRow['kind'];
  /** Path, journal or id. */
  readonly thing: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A state as it was kept. */
export interface StoredState extends KeptState {
  readonly effectId: string;
  readonly nth: number;
  readonly turnId: string;
  readonly undoneBy: string | undefined;
}

/** The pseudo tool under which the ledger and the receipts know what the person undoes. */
export const UNDO = 'undo';

/** Stands for the home's own files, which belong to no project; no project can have this name. */
export const HOME_FILES = '@home';

/** As `HOME_FILES`, for the folder of the program where the owner's files are in another one. */
export const PROGRAM_FILES = '@program';

/** Stands for an artifact that a call makes, whose whole row would be kept twice otherwise. */
export const THERE = 'there';

/** What changes are looked up by. */
const OPEN_COLUMNS = ['k.project', 'k.turn_id'] as const;

const PRUNE_EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MIB = 1024 * 1024;

/** What local effects change, written down before they do, so that `undo` can find and reverse it after any crash. */
export class KeptStates {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #limits: KeepLimits;
  readonly #pruned = new Map<string, number>();

  constructor(deps: { readonly store: Store; readonly now: () => Date; readonly limits: KeepLimits }) {
    this.#store = deps.store;
    this.#now = deps.now;
    this.#limits = deps.limits;
  }

  /**
   * Write down what a call is about to change. In the transaction of the change, or committed before it: if this fails,
   * nothing may be changed.
   */
  async keep(state: KeptState, by: Author | undefined): Promise<void> {
    const { idempotencyKey: key, turnId } = by ?? {};
    if (key === undefined || turnId === undefined) return;
    await this.#store.transaction(async () => {
      const effectId = await this.effectOf(key);
      if (effectId === undefined) return;
      const { before, after, ...what } = state;
      await this.#store.db
        .insertInto('kept_states')
        .values({
          ...what,
          effect_id: effectId,
          nth: (await this.#latest('nth', effectId)) + 1,
          seq: (await this.#latest('seq')) + 1,
          turn_id: turnId,
          before: before ?? null,
          after: after ?? null,
          size: (before?.length ?? 0) + (after?.length ?? 0),
          at: this.#now().toISOString(),
        })
        .execute();
    });
    await this.#pruneSometimes(state.project);
  }

  /** What an effect changed, in the order of its changes. */
  async of(effectId: string): Promise<readonly StoredState[]> {
    const rows = this.#store.db.selectFrom('kept_states').selectAll().where('effect_id', '=', effectId);
    return (await rows.orderBy('nth').execute()).map(toKept);
  }

  /**
   * The effects of a project, and on the home's own files, that something is left to undo of, the newest first; what
   * undid others is left out.
   */
  newest(project: string, limit: number): Promise<string[]> {
    return this.#open({ 'k.project': [project, HOME_FILES, PROGRAM_FILES] }, limit);
  }

  /** As `newest`, for a turn. */
  ofTurn(turnId: string): Promise<string[]> {
    return this.#open({ 'k.turn_id': [turnId] });
  }

  /** The effects that kept something, each with the effect that undid it, if one did. */
  async among(effectIds: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
    const rows = await this.#store.read
      .selectFrom('kept_states')
      .select(['effect_id', 'undone_by'])
      .where(isIn(this.#store, 'effect_id', effectIds))
      .execute();
    const open = new Set(rows.filter((row) => row.undone_by === null).map((row) => row.effect_id));
    return new Map(rows.map((row) => [row.effect_id, open.has(row.effect_id) ? undefined : (row.undone_by ?? '')]));
  }

  /** This change was undone by an effect. */
  async mark({ effectId, nth }: Pick<StoredState, 'effectId' | 'nth'>, by: string): Promise<void> {
    await this.#store.db
      .updateTable('kept_states')
      .set({ undone_by: by })
      .where('effect_id', '=', effectId)
      .where('nth', '=', nth)
      .execute();
  }

  /** What an effect undid is done again, and can be undone again. */
  async unmark(by: string): Promise<void> {
    await this.#store.db.updateTable('kept_states').set({ undone_by: null }).where('undone_by', '=', by).execute();
  }

  /** The effect of a call. */
  async effectOf(key: string): Promise<string | undefined> {
    const rows = this.#store.db.selectFrom('effects').select('id').where('idempotency_key', '=', key);
    return (await rows.executeTakeFirst())?.id;
  }

  async #open(
    of: Readonly<Partial<Record<'k.project' | 'k.turn_id', readonly string[]>>>,
    limit = 1000,
  ): Promise<string[]> {
    const rows = await this.#store.db
      .selectFrom('kept_states as k')
      .innerJoin('effects as e', 'e.id', 'k.effect_id')
      .where('k.undone_by', 'is', null)
      .where('e.tool', '<>', UNDO)
      .where(({ and, eb }) => and(OPEN_COLUMNS.flatMap((column) => (of[column] ? [eb(column, 'in', of[column])] : []))))
      .groupBy('e.id')
      .select(['e.id', ({ fn }) => fn.max('k.seq').as('seq')])
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  async #latest(column: 'nth' | 'seq', effectId?: string): Promise<number> {
    const all = this.#store.db.selectFrom('kept_states').select(({ fn }) => fn.max(column).as('latest'));
    const row = await (effectId === undefined ? all : all.where('effect_id', '=', effectId)).executeTakeFirst();
    return row?.latest ?? 0;
  }

  async #pruneSometimes(project: string): Promise<void> {
    const now = this.#now().getTime();
    if (now - (this.#pruned.get(project) ?? Number.NEGATIVE_INFINITY) < PRUNE_EVERY_MS) return;
    this.#pruned.set(project, now);
    const oldest = new Date(now - this.#limits.days * DAY_MS).toISOString();
    const { db } = this.#store;
    const newer = sql<number>`sum(size) over (order by seq desc) - size`.as('newer');
    const sized = db.selectFrom('kept_states').select(['effect_id', 'nth', 'at', newer]).where('project', '=', project);
    const doomed = await db
      .selectFrom(sized.as('v'))
      .select(['v.effect_id', 'v.nth'])
      .where(({ eb, or }) => or([eb('v.at', '<', oldest), eb('v.newer', '>=', this.#limits.megabytes * MIB)]))
      .execute();
    for (const { effect_id, nth } of doomed)
      await db.deleteFrom('kept_states').where('effect_id', '=', effect_id).where('nth', '=', nth).execute();
  }
}

/** Forget what was kept of the files of a project that were deleted for good. */
export async function removeKeptStates(store: Store, project: string): Promise<void> {
  const kept = store.db.deleteFrom('kept_states').where('project', '=', project);
  await kept.where('kind', 'in', ['file', 'note']).execute();
}

function toKept(row: Selectable<KeptStateRow>): StoredState {
  const { effect_id, turn_id, before, after, undone_by, project, kind, thing, nth } = row;
  return {
    ...{ effectId: effect_id, turnId: turn_id, project, kind, thing, nth },
    ...{ before: before ?? undefined, after: after ?? undefined, undoneBy: undone_by ?? undefined },
  };
}
