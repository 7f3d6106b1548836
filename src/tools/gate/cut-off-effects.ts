import type { EffectRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { EffectLedger } from './effect-ledger.ts';

/** What became of a call that was cut off. `done` comes with what its tool would have said. */
export type CutOffOutcome =
  | { readonly state: 'done'; readonly text: string }
  | { readonly state: 'undone' }
  | { readonly state: 'unknown' };

interface CutOffDeps {
  readonly store: Store;
  readonly now: () => Date;
  /** Look at what a call would have changed. */
  lookUp(effect: EffectRow): Promise<CutOffOutcome>;
}

const UNDONE = 'it was cut off before it acted';

/**
 * The calls that were begun and whose outcome nobody recorded, since the program was killed. Where what they would have
 * changed tells the outcome, it is recorded; the rest is for the owner to settle.
 */
export class CutOffEffects {
  readonly #deps: CutOffDeps;

  constructor(deps: CutOffDeps) {
    this.#deps = deps;
  }

  /** Calls without an outcome, oldest first: also those that are being made now. */
  async begun(of: { readonly turnId?: string; readonly runId?: string } = {}): Promise<EffectRow[]> {
    const { turnId, runId } = of;
    let rows = this.#deps.store.read.selectFrom('effects').selectAll().where('state', '=', 'intent');
    if (turnId !== undefined) rows = rows.where('turn_id', '=', turnId);
    if (runId !== undefined) rows = rows.where('run_id', '=', runId);
    return rows.orderBy('created_at').orderBy('id').execute();
  }

  /** Record the outcomes that can be found out; nobody may still be making these calls. @returns those left unknown. */
  async settle(effects: readonly EffectRow[]): Promise<EffectRow[]> {
    const unknown: EffectRow[] = [];
    for (const effect of effects) {
      const outcome = await this.#deps.lookUp(effect);
      if (outcome.state === 'unknown') unknown.push(effect);
      else await this.record(effect, outcome);
    }
    return unknown;
  }

  /** Record an outcome, as it was looked up or as the owner says. */
  async record(effect: EffectRow, outcome: Exclude<CutOffOutcome, { state: 'unknown' }>): Promise<void> {
    const { store, now } = this.#deps;
    const turn = { id: effect.turn_id, conversationId: effect.conversation_id };
    const ledger = new EffectLedger({ store, turn, now });
    ledger.adopt(effect);
    if (outcome.state === 'done') await ledger.done(effect.idempotency_key, outcome.text);
    else await ledger.failed(effect.idempotency_key, UNDONE);
  }
}
