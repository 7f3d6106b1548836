import { newId } from '../../base/ids.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import { preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { EffectRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Change, Tool } from '../tool.ts';
import { type Receipt, writeReceipt } from './receipts.ts';

export interface LedgerDeps {
  readonly store: Store;
  readonly turn: Turn;
  readonly now: () => Date;
  readonly runId?: string | undefined;
}

/** How an earlier, equal call of this turn ended. `unknown`: it was begun, and no outcome was recorded. */
type Recorded = { readonly state: 'done'; readonly value: unknown } | { readonly state: 'unknown' };

/** What is written down about a call besides its tool and input. */
export interface CallDetails {
  readonly destination?: string | undefined;
  readonly approvedBy?: string | undefined;
  readonly change?: Change | undefined;
  /** The input without secrets, which is what is stored. The key is computed from the real one. */
  readonly shown?: unknown;
}

const MAX_RECEIPT_CHARS = 2000;

/** Did a scheduled run act on the world, as far as anybody knows? A call whose outcome is unknown counts. */
export function hasEffects(store: Store, runId: string): boolean {
  const acted = "SELECT 1 FROM effects WHERE run_id = ? AND state <> 'failed' LIMIT 1";
  return store.sql.prepare(acted).get(runId) !== undefined;
}

/** A reserved call. */
export interface Begun {
  readonly key: string;
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

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /** Reserve a call. When `recorded` is set the caller must not act. */
  begin(tool: Tool, input: unknown, details: CallDetails): Begun {
    const { call, nth, key } = this.#next(tool, input);
    this.#counts.set(call, nth);
    const { store } = this.#deps;
    return store.transaction(() => {
      const row = this.#row(key);
      if (row?.state === 'done') return { key, recorded: { state: 'done', value: JSON.parse(row.result ?? 'null') } };
      if (row?.state === 'intent') return { key, recorded: { state: 'unknown' } };
      if (row) store.sql.prepare("UPDATE effects SET state = 'intent' WHERE idempotency_key = ?").run(key);
      else this.#insert(key, tool, input, details);
      this.#receipt({ tool, input, details }, 'intent', null);
      return { key, recorded: undefined };
    });
  }

  /** Would `begin` find a recorded call? Then the person is not asked again. */
  isRecorded(tool: Tool, input: unknown): boolean {
    const state = this.#row(this.#next(tool, input).key)?.state;
    return state === 'done' || state === 'intent';
  }

  /** Approval was refused, and nothing was done. */
  denied(tool: Tool, input: unknown, details: CallDetails): void {
    this.#deps.store.transaction(() => this.#receipt({ tool, input, details }, 'denied', null));
  }

  /** The call acted and gave `value`. */
  done(key: string, value: unknown): void {
    this.#finish(key, 'done', JSON.stringify(value) ?? 'null');
  }

  /** The call certainly did not act; it may be tried again. */
  failed(key: string, error: string): void {
    this.#finish(key, 'failed', error);
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
  list(): EffectRow[] {
    return effectsOf(this.#deps.store, this.#deps.turn.id);
  }

  #next(tool: Tool, input: unknown): { readonly call: string; readonly nth: number; readonly key: string } {
    const call = `${tool.name} ${canonicalJson(input)}`;
    const nth = (this.#counts.get(call) ?? 0) + 1;
    return { call, nth, key: sha256(`${this.#deps.turn.id} ${call} ${nth}`) };
  }

  #row(key: string): EffectRow | undefined {
    return this.#deps.store.sql.prepare('SELECT * FROM effects WHERE idempotency_key = ?').get(key) as
      | EffectRow
      | undefined;
  }

  /** What the conversation did before this turn, oldest first. */
  earlier(): EffectRow[] {
    const { store, turn } = this.#deps;
    return store.sql
      .prepare('SELECT * FROM effects WHERE conversation_id = ? AND turn_id <> ? ORDER BY created_at, id')
      .all(turn.conversationId, turn.id) as unknown as EffectRow[];
  }

  #insert(key: string, tool: Tool, input: unknown, details: CallDetails): void {
    const { store, turn, now, runId } = this.#deps;
    store.sql
      .prepare(
        `INSERT INTO effects (id, turn_id, run_id, conversation_id, tool, effect, idempotency_key, input, change,
           destination, state, approved_by, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'intent', ?, ?)`,
      )
      .run(
        newId('eff', now()),
        turn.id,
        runId ?? null,
        turn.conversationId,
        tool.name,
        tool.effect === 'outbound' ? 'outbound' : 'local',
        key,
        canonicalJson(details.shown ?? input),
        details.change ?? null,
        details.destination ?? null,
        details.approvedBy ?? null,
        now().toISOString(),
      );
  }

  #finish(key: string, state: 'done' | 'failed', result: string): void {
    const { store, now } = this.#deps;
    store.transaction(() => {
      store.sql
        .prepare('UPDATE effects SET state = ?, result = ?, finished_at = ? WHERE idempotency_key = ?')
        .run(state, result, now().toISOString(), key);
      const row = this.#row(key);
      if (row) writeReceipt(store, this.#afterwards(row, state, result));
    });
  }

  /** The outcome's receipt repeats what the intent's said. */
  #afterwards(row: EffectRow, state: Receipt['state'], result: string): Receipt {
    const { turn_id, conversation_id, tool, effect, destination, input, approved_by } = row;
    const about = { turn_id, conversation_id, tool, effect, destination, approved_by };
    const text = preview(input, MAX_RECEIPT_CHARS);
    const at = this.#deps.now().toISOString();
    return { ...about, at, input: text, input_sha: sha256(input), state, result: preview(result, MAX_RECEIPT_CHARS) };
  }

  #receipt(
    { tool, input, details }: { readonly tool: Tool; readonly input: unknown; readonly details: CallDetails },
    state: Receipt['state'],
    result: string | null,
  ): void {
    const { store, turn, now } = this.#deps;
    const text = canonicalJson(details.shown ?? input);
    writeReceipt(store, {
      at: now().toISOString(),
      turn_id: turn.id,
      conversation_id: turn.conversationId,
      tool: tool.name,
      effect: tool.effect,
      destination: details.destination ?? null,
      input: preview(text, MAX_RECEIPT_CHARS),
      input_sha: sha256(text),
      state,
      result,
      approved_by: details.approvedBy ?? null,
    });
  }
}

/** The effects of one turn, failed ones included, oldest first. */
export function effectsOf(store: Store, turnId: string): EffectRow[] {
  return store.sql
    .prepare('SELECT * FROM effects WHERE turn_id = ? ORDER BY created_at, id')
    .all(turnId) as unknown as EffectRow[];
}
