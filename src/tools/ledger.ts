import { newId } from '../base/ids.ts';
import { canonicalJson, sha256 } from '../base/json.ts';
import type { Turn } from '../base/turn.ts';
import type { EffectRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { Tool } from './tool.ts';

export interface LedgerParts {
  readonly store: Store;
  readonly turn: Turn;
  readonly now: () => Date;
  readonly runId?: string | undefined;
}

/** How an earlier, equal call of this turn ended. `unknown`: it was begun and never heard of again. */
export type Recorded = { readonly state: 'done'; readonly value: unknown } | { readonly state: 'unknown' };

/** An effectful call that may now act. */
export interface Begun {
  readonly key: string;
  readonly recorded: Recorded | undefined;
}

/**
 * Nothing happens twice within a turn: every effectful call has a key made of turn, tool, input and how often that
 * call came before. The intent is committed before the call and its outcome after it, so a retry, the fallback and
 * a resumed turn meet what was recorded instead of acting again.
 */
export class EffectLedger {
  readonly #parts: LedgerParts;
  #settled = new Map<string, number>();
  #counts = new Map<string, number>();

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /** Reserve a call. When `recorded` is set the caller must not act. */
  begin(
    tool: Tool,
    input: unknown,
    details: { destination?: string | undefined; approvedBy?: string | undefined },
  ): Begun {
    const call = `${tool.name} ${canonicalJson(input)}`;
    const nth = (this.#counts.get(call) ?? 0) + 1;
    this.#counts.set(call, nth);
    const { turn, store } = this.#parts;
    const key = sha256(`${turn.id} ${call} ${nth}`);
    return store.transaction(() => {
      const row = store.sql.prepare('SELECT state, result FROM effects WHERE idempotency_key = ?').get(key) as
        | Pick<EffectRow, 'state' | 'result'>
        | undefined;
      if (row?.state === 'done') return { key, recorded: { state: 'done', value: JSON.parse(row.result ?? 'null') } };
      if (row?.state === 'intent') return { key, recorded: { state: 'unknown' } };
      if (row) store.sql.prepare("UPDATE effects SET state = 'intent' WHERE idempotency_key = ?").run(key);
      else this.#insert(key, tool, input, details);
      return { key, recorded: undefined };
    });
  }

  /** The call acted and gave `value`. */
  done(key: string, value: unknown): void {
    this.#finish(key, 'done', JSON.stringify(value) ?? 'null');
  }

  /** The call certainly did not act; it may be tried again. */
  failed(key: string, error: string): void {
    this.#finish(key, 'failed', error);
  }

  /** A script ended well: what it did is over, an equal call later in the turn is a new one. */
  settle(): void {
    this.#settled = new Map(this.#counts);
  }

  /** A script failed and is written anew: calls equal to those it made give what they gave. */
  rewind(): void {
    this.#counts = new Map(this.#settled);
  }

  /** The whole turn starts over in another mode. */
  rewindAll(): void {
    this.#settled.clear();
    this.#counts.clear();
  }

  /** What this turn has done so far, oldest first. */
  list(): EffectRow[] {
    const { store, turn } = this.#parts;
    return store.sql
      .prepare('SELECT * FROM effects WHERE turn_id = ? ORDER BY created_at, id')
      .all(turn.id) as unknown as EffectRow[];
  }

  #insert(
    key: string,
    tool: Tool,
    input: unknown,
    details: { destination?: string | undefined; approvedBy?: string | undefined },
  ): void {
    const { store, turn, now, runId } = this.#parts;
    store.sql
      .prepare(
        `INSERT INTO effects (id, turn_id, run_id, conversation_id, tool, effect, idempotency_key, input, destination, state, approved_by, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'intent', ?, ?)`,
      )
      .run(
        newId('eff', now()),
        turn.id,
        runId ?? null,
        turn.conversationId,
        tool.name,
        tool.effect === 'outbound' ? 'outbound' : 'local',
        key,
        canonicalJson(input),
        details.destination ?? null,
        details.approvedBy ?? null,
        now().toISOString(),
      );
  }

  #finish(key: string, state: 'done' | 'failed', result: string): void {
    const { store, now } = this.#parts;
    store.sql
      .prepare('UPDATE effects SET state = ?, result = ?, finished_at = ? WHERE idempotency_key = ?')
      .run(state, result, now().toISOString(), key);
  }
}
