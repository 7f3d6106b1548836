import type { ModeUsage } from '../../models/usage-table.ts';
import type { Store } from '../../store/store.ts';

/** How one turn in code mode went. */
interface CodeTurnStats {
  readonly turnId: string;
  readonly model: string;
  readonly replies: number;
  /** Replies that consisted of exactly one code block, as the prompt asks. */
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

/** Counts what `wooster usage --modes` compares models by, for one turn. */
export class TurnCounts {
  replies = 0;
  clean = 0;
  retries = 0;

  save(store: Store, turn: Pick<CodeTurnStats, 'turnId' | 'model' | 'fellBack'>, now: Date): Promise<void> {
    const { replies, clean, retries } = this;
    return saveCodeTurn(store, { ...turn, replies, clean, retries }, now);
  }
}

async function saveCodeTurn(store: Store, stats: CodeTurnStats, now: Date): Promise<void> {
  const { turnId, fellBack, ...counts } = stats;
  const row = { ...counts, fell_back: Number(fellBack), created_at: now.toISOString() };
  await store.db
    .insertInto('code_turns')
    .values({ turn_id: turnId, ...row })
    .onConflict((conflict) => conflict.column('turn_id').doUpdateSet(row))
    .execute();
}

/**
 * The usage of each model and mode, with how its scripts went.
 *
 * @param usage what the models were used for since then; its order is kept.
 */
export async function modeSums(store: Store, usage: readonly ModeUsage[], since?: Date): Promise<ModeSum[]> {
  const scripts = await store.read
    .selectFrom('code_turns')
    .where('created_at', '>=', since?.toISOString() ?? '')
    .groupBy('model')
    .select(({ fn }) => [
      'model',
      fn.sum<number>('replies').as('replies'),
      fn.sum<number>('clean').as('cleanReplies'),
      fn.sum<number>('retries').as('retries'),
      fn.sum<number>('fell_back').as('fallbacks'),
    ])
    .execute();
  return usage.map((sum) => {
    const found = sum.mode === 'code_agent' ? scripts.find(({ model }) => model === sum.model) : undefined;
    return found ? { ...sum, ...found } : sum;
  });
}
