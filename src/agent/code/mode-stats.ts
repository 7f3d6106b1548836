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

/** One line of `wooster usage --modes`. The last three are undefined for modes that write no scripts. */
export interface ModeSum {
  readonly model: string;
  readonly mode: string;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly meanLatencyMs: number;
  readonly cleanReplies?: number;
  readonly replies?: number;
  readonly retries?: number;
  readonly fallbacks?: number;
}

export function saveCodeTurn(store: Store, stats: CodeTurnStats, now: Date): void {
  const { turnId, model, replies, clean, retries, fellBack } = stats;
  store.sql
    .prepare(
      'INSERT OR REPLACE INTO code_turns (turn_id, model, replies, clean, retries, fell_back, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(turnId, model, replies, clean, retries, Number(fellBack), now.toISOString());
}

/** Sums per model and mode, most turns first; tokens and latency are those of all model calls of these turns. */
export function modeSums(store: Store, since?: Date): ModeSum[] {
  const from = since?.toISOString() ?? '';
  const scripts = store.sql
    .prepare(
      `SELECT model, sum(replies) AS replies, sum(clean) AS cleanReplies, sum(retries) AS retries, sum(fell_back) AS fallbacks
       FROM code_turns WHERE created_at >= ? GROUP BY model`,
    )
    .all(from)
    .map(
      (row) => ({ ...row }) as unknown as Pick<ModeSum, 'model' | 'replies' | 'cleanReplies' | 'retries' | 'fallbacks'>,
    );
  const sums = store.sql
    .prepare(
      `SELECT model, mode, count(DISTINCT turn_id) AS turns, sum(input_tokens) AS inputTokens,
         sum(output_tokens) AS outputTokens, round(avg(latency_ms)) AS meanLatencyMs
       FROM usage WHERE created_at >= ? GROUP BY model, mode ORDER BY turns DESC, model, mode`,
    )
    .all(from)
    .map((row) => ({ ...row }) as unknown as ModeSum);
  return sums.map((sum) => {
    const found = sum.mode === 'code_agent' ? scripts.find(({ model }) => model === sum.model) : undefined;
    return found ? { ...sum, ...found } : sum;
  });
}
