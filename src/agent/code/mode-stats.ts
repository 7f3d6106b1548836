import type { ModeUsage } from '../../models/usage-table.ts';
import type { Store } from '../../store/store.ts';

/** How one turn in code mode went. */
export interface CodeTurnStats {
  readonly turnId: string;
  readonly model: string;
  readonly replies: number;
  /** Replies that were one block and nothing else, as asked for. */
  readonly clean: number;
  readonly retries: number;
  readonly fellBack: boolean;
}

/** One line of `wooster usage --modes`. The last four are undefined for modes that write no scripts. */
export interface ModeSum extends ModeUsage {
  readonly cleanReplies?: number;
  readonly replies?: number;
  readonly retries?: number;
  readonly fallbacks?: number;
}

export function saveCodeTurn(store: Store, stats: CodeTurnStats, now: Date): void {
  const { turnId, model, replies, clean, retries, fellBack } = stats;
  store.sql
    .prepare(
      `INSERT OR REPLACE INTO code_turns (turn_id, model, replies, clean, retries, fell_back, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(turnId, model, replies, clean, retries, Number(fellBack), now.toISOString());
}

/**
 * The usage of each model and mode, with how its scripts went.
 *
 * @param usage what the models were used for since then; its order is kept.
 */
export function modeSums(store: Store, usage: readonly ModeUsage[], since?: Date): ModeSum[] {
  const scripts = store.sql
    .prepare(
      `SELECT model, sum(replies) AS replies, sum(clean) AS cleanReplies, sum(retries) AS retries,
         sum(fell_back) AS fallbacks
       FROM code_turns WHERE created_at >= ? GROUP BY model`,
    )
    .all(since?.toISOString() ?? '')
    .map((row) => ({ ...row }) as unknown as Omit<ModeSum, Exclude<keyof ModeUsage, 'model'>>);
  return usage.map((sum) => {
    const found = sum.mode === 'code_agent' ? scripts.find(({ model }) => model === sum.model) : undefined;
    return found ? { ...sum, ...found } : sum;
  });
}
