import { newId } from '../../base/ids.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import { preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { EffectRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { ControlChange } from '../stakes.ts';
import type { Change, Tool, ToolDurability } from '../tool.ts';
import { effectsOf, inOrder, keysOf } from './effect-rows.ts';
import { type Receipt, storableText, writeReceipt } from './receipts.ts';

export interface LedgerDeps {
  readonly store: Store;
  readonly turn: Pick<Turn, 'id' | 'conversationId'>;
  readonly now: () => Date;
  readonly runId?: string | undefined;
  /** Turns of calls that were made for this one after the owner had approved them. */
  readonly approved?: readonly string[] | undefined;
}

/** What the ledger needs to know about a tool. */
type Called = Pick<Tool, 'name' | 'origin'> & {
  readonly policy: Pick<Tool['policy'], 'effect'>;
  readonly durability?: Pick<ToolDurability, 'writeAhead'>;
};

/** How an earlier, equal call of this turn ended. `unknown`: it was begun, and no outcome was recorded. */
export type Recorded = { readonly state: 'done'; readonly value: unknown } | { readonly state: 'unknown' };

/** What is recorded about a call besides its tool and input. */
export interface CallDetails {
  readonly destination?: string | undefined;
  readonly approvedBy?: string | undefined;
  readonly change?: Change | undefined;
  /** Why the policy decided as it did, as `writeWhy` gives it. */
  readonly why?: string | undefined;
  /** The change to control files. */
  readonly control?: ControlChange | undefined;
  /** The input without secrets, which is what is stored. The key is computed from the real one. */
  readonly shown?: unknown;
}

/** A call at the moment of its first receipt. */
interface CallReceipt {
  readonly tool: Called;
  readonly input: unknown;
  readonly details: CallDetails;
  /** Of the effect; null when it was denied. */
  readonly id: string | null;
  readonly at: Date;
}

const MAX_RECEIPT_CHARS = 2000;

/** A reserved call. */
export interface Begun {
  readonly key: string;
  /** Of the effect, by which it is undone. */
  readonly id: string;
  /** Set when the call must not act again. */
  readonly recorded: Recorded | undefined;
}

/**
 * The record of what one turn does to the world, so that nothing happens twice. Every effectful call has a key made of
 * turn, tool, input and how many equal calls came before it. The intent is committed before the call and its outcome
 * after it, so a retry, the fallback and a resumed turn find the recorded result instead of acting again.
 */
export class EffectLedger {
  readonly #deps: LedgerDeps;
  /** How often each call was made, by scripts that ended well and so far. */
  #settled = new Map<string, number>();
  #counts = new Map<string, number>();
  /** The keys begun here, with the receipt of those that may act. */
  readonly #begun = new Map<string, Receipt | undefined>();
  /** The keys that the turn began before: when it is resumed, or was begun elsewhere. */
  #earlierKeys: Promise<ReadonlySet<string>> | undefined;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /**
   * Count a call, before anything is awaited: so equal calls side by side are different ones, and `rewind` takes back
   * all that were begun.
   */
  count(tool: Called, input: unknown): string {
    const { call, nth, key } = this.#next(tool, input);
    this.#counts.set(call, nth);
    this.#begun.set(key, undefined);
    return key;
  }

  /** Reserve a call. When `recorded` is set the caller must not act. @param key unless it is counted now. */
  async begin(tool: Called, input: unknown, details: CallDetails, key = this.count(tool, input)): Promise<Begun> {
    // A plugin's word does not do; an approval is never lost.
    const relaxed =
      tool.durability?.writeAhead === true && tool.origin === undefined && details.approvedBy === undefined;
    const begin = async () => {
      // The effect and its first receipt have the same time.
      const at = this.#deps.now();
      const effect = await this.#reserve({ key, at }, tool, input, details);
      if (effect.recorded) return { key, id: effect.id, recorded: effect.recorded };
      const receipt = this.#receipt({ tool, input, details, id: effect.id, at }, 'intent');
      await writeReceipt(this.#deps.store, receipt);
      this.#begun.set(key, receipt);
      return { key, id: effect.id, recorded: undefined };
    };
    return this.#deps.store.transaction(begin, { relaxed });
  }

  /** Make `work`, which begins and ends a call, one transaction. It may be repeated. */
  together<T>(work: () => Promise<T>): Promise<T> {
    return this.#deps.store.transaction(work);
  }

  /**
   * What `begin` would find recorded: then the call counts as begun, and the person is not asked again. Undefined: the
   * call is new, and has not been counted.
   *
   * @param signal fires when the calls of this script no longer count.
   */
  async recall(tool: Called, input: unknown, signal: AbortSignal): Promise<Recorded | undefined> {
    for (;;) {
      const { call, nth, key } = this.#next(tool, input);
      const row = (await this.#isUsed(key)) ? await this.#row(key) : undefined;
      if (signal.aborted) return undefined;
      // An equal call side by side may have been counted in the meantime; then this one is the next after it.
      if ((this.#counts.get(call) ?? 0) + 1 !== nth) continue;
      const recorded = row && recordedIn(row);
      if (recorded) this.#counts.set(call, nth);
      return recorded;
    }
  }

  /** Approval was refused, and nothing was done. */
  async denied(tool: Called, input: unknown, details: CallDetails): Promise<void> {
    const receipt = this.#receipt({ tool, input, details, id: null, at: this.#deps.now() }, 'denied');
    await writeReceipt(this.#deps.store, receipt);
  }

  /** The call acted and gave `value`. */
  async done(key: string, value: unknown): Promise<void> {
    await this.#finish(key, 'done', JSON.stringify(value) ?? 'null');
  }

  /** The call certainly did not act; it may be tried again. */
  async failed(key: string, error: string): Promise<void> {
    await this.#finish(key, 'failed', storableText(error));
  }

  /** Make a call again that a kill left without an outcome; only for one that may be made twice. */
  async takeBack(tool: Tool, input: unknown): Promise<void> {
    const { key } = this.#next(tool, input);
    const row = await this.#row(key);
    if (row?.state !== 'intent') return;
    this.adopt(row);
    await this.failed(key, 'it was cut off, and is made again');
  }

  /** Let a call be ended here that was begun elsewhere, or before the program was killed. */
  adopt(row: EffectRow): void {
    const { id, idempotency_key: key, tool: name, effect, input } = row;
    const call = { tool: { name, policy: { effect } }, input, details: detailsOf(row), id, at: this.#deps.now() };
    this.#begun.set(key, this.#receipt(call, 'intent'));
  }

  /** A script ended well, so an equal call later in the turn is a new one. */
  settle(): void {
    this.#settled = new Map(this.#counts);
  }

  /** A script failed and is written again: calls equal to its own return what those returned. */
  rewind(): void {
    this.#counts = new Map(this.#settled);
  }

  /** The whole turn starts over in the other mode. */
  rewindAll(): void {
    this.#settled.clear();
    this.#counts.clear();
  }

  /** What this turn has done so far, oldest first. */
  async list(): Promise<EffectRow[]> {
    const { store, turn, approved = [] } = this.#deps;
    return (await Promise.all([...approved, turn.id].map((id) => effectsOf(store, id)))).flat();
  }

  #next(tool: Called, input: unknown): { readonly call: string; readonly nth: number; readonly key: string } {
    const call = `${tool.name} ${canonicalJson(input)}`;
    const nth = (this.#counts.get(call) ?? 0) + 1;
    return { call, nth, key: sha256(`${this.#deps.turn.id} ${call} ${nth}`) };
  }

  /** Whether the turn has a row for it, as far as is known here; `begin` sees one that came from elsewhere since. */
  async #isUsed(key: string): Promise<boolean> {
    this.#earlierKeys ??= keysOf(this.#deps.store, this.#deps.turn.id);
    return this.#begun.has(key) || (await this.#earlierKeys).has(key);
  }

  #row(key: string): Promise<EffectRow | undefined> {
    const { db } = this.#deps.store;
    return db.selectFrom('effects').selectAll().where('idempotency_key', '=', key).executeTakeFirst();
  }

  #set(key: string, changes: Pick<EffectRow, 'state'> & Partial<EffectRow>) {
    const { db } = this.#deps.store;
    return db.updateTable('effects').set(changes).where('idempotency_key', '=', key);
  }

  /** What the conversation did before this turn, oldest first. */
  async earlier(): Promise<EffectRow[]> {
    const { store, turn } = this.#deps;
    return inOrder(store).where('conversation_id', '=', turn.conversationId).where('turn_id', '<>', turn.id).execute();
  }

  /** @returns the effect's id, and what is recorded of it if it must not act again. */
  async #reserve(
    { key, at }: { readonly key: string; readonly at: Date },
    tool: Called,
    input: unknown,
    details: CallDetails,
  ): Promise<{ readonly id: string; readonly recorded?: Recorded | undefined }> {
    const { store, turn, runId } = this.#deps;
    const id = newId('eff', at);
    const { numInsertedOrUpdatedRows } = await store.db
      .insertInto('effects')
      .values({
        id,
        turn_id: turn.id,
        run_id: runId ?? null,
        conversation_id: turn.conversationId,
        tool: tool.name,
        effect: tool.policy.effect === 'outbound' ? 'outbound' : 'local',
        idempotency_key: key,
        input: canonicalJson(details.shown ?? input),
        change: details.change ?? null,
        destination: details.destination === undefined ? null : storableText(details.destination),
        state: 'intent',
        approved_by: details.approvedBy ?? null,
        why: details.why ?? null,
        created_at: at.toISOString(),
      })
      .onConflict((same) => same.doNothing())
      .executeTakeFirstOrThrow();
    const row = numInsertedOrUpdatedRows === 0n ? await this.#row(key) : undefined;
    if (!row) return { id };
    const recorded = recordedIn(row);
    if (!recorded) await this.#set(key, { state: 'intent' }).execute();
    return { id: row.id, recorded };
  }

  /** Does not wait for the disk: an outcome that a power cut takes reads as unknown, and is not repeated. */
  async #finish(key: string, state: 'done' | 'failed', result: string): Promise<void> {
    const { store, now } = this.#deps;
    const intent = this.#begun.get(key);
    if (!intent) throw new Error('An effect was to be finished that was never begun.');
    const at = now().toISOString();
    await store.relaxed(async () => {
      const changed = this.#set(key, { state, result, finished_at: at });
      const { numUpdatedRows } = await changed.executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      // It repeats what the intent's said.
      const outcome = { state, result: preview(result, MAX_RECEIPT_CHARS), result_sha: sha256(result) };
      await writeReceipt(store, { ...intent, ...outcome, at });
    });
  }

  #receipt({ tool, input, details, id, at }: CallReceipt, state: 'intent' | 'denied'): Receipt {
    const { turn } = this.#deps;
    const text = canonicalJson(details.shown ?? input);
    return {
      at: at.toISOString(),
      turn_id: turn.id,
      conversation_id: turn.conversationId,
      tool: tool.name,
      effect: tool.policy.effect,
      destination: details.destination ?? null,
      input: preview(text, MAX_RECEIPT_CHARS),
      input_sha: sha256(text),
      state,
      result: null,
      approved_by: details.approvedBy ?? null,
      effect_id: id,
      result_sha: null,
    };
  }
}

/** What was written down about a call. */
function detailsOf({ input, destination, approved_by }: EffectRow): CallDetails {
  return { shown: JSON.parse(input), destination: destination ?? undefined, approvedBy: approved_by ?? undefined };
}

/** What a row says about a call that must not act again; undefined for one that failed. */
function recordedIn({ state, result }: EffectRow): Recorded | undefined {
  if (state === 'failed') return undefined;
  return state === 'done' ? { state, value: JSON.parse(result ?? 'null') } : { state: 'unknown' };
}
