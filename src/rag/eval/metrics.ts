/** Relevance per document id; 0 and absent mean not relevant. */
export type Judgements = ReadonlyMap<string, number>;

export interface Scores {
  readonly ndcg10: number;
  readonly recall100: number;
  readonly map: number;
}

const NDCG_DEPTH = 10;
const RECALL_DEPTH = 100;
const MAP_DEPTH = 1000;

/**
 * nDCG of one ranking: gain = score, discount log2(position + 1), ideal over all judgements. A document that occurs
 * twice counts at its first position.
 *
 * @param ranking document ids, best first.
 */
export function scoreRanking(ranking: readonly string[], judged: Judgements): Scores {
  const once = [...new Set(ranking)];
  const relevant = [...judged.values()].filter((score) => score > 0).sort((a, b) => b - a);
  if (relevant.length === 0) return { ndcg10: 0, recall100: 0, map: 0 };
  const gains = once.map((id) => Math.max(0, judged.get(id) ?? 0));
  const found = gains.slice(0, RECALL_DEPTH).filter((gain) => gain > 0).length;
  return {
    ndcg10: discounted(gains) / discounted(relevant),
    recall100: found / relevant.length,
    map: averagePrecision(gains.slice(0, MAP_DEPTH)) / relevant.length,
  };
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, NDCG_DEPTH).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

function averagePrecision(gains: readonly number[]): number {
  let found = 0;
  let sum = 0;
  for (const [index, gain] of gains.entries()) if (gain > 0) sum += ++found / (index + 1);
  return sum;
}

export interface Evaluation extends Scores {
  /** Queries with at least one relevant document. */
  readonly queries: number;
}

/** The mean over all queries with at least one relevant document; a query without results counts as 0. */
export function evaluate(
  run: ReadonlyMap<string, readonly string[]>,
  judgements: ReadonlyMap<string, Judgements>,
): Evaluation {
  const judged = [...judgements].filter(([, scores]) => [...scores.values()].some((score) => score > 0));
  const each = judged.map(([query, scores]) => scoreRanking(run.get(query) ?? [], scores));
  const mean = (name: keyof Scores) => each.reduce((sum, scores) => sum + scores[name], 0) / Math.max(1, each.length);
  return { queries: each.length, ndcg10: mean('ndcg10'), recall100: mean('recall100'), map: mean('map') };
}
