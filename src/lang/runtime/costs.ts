import type { Purpose } from '../../models/types.ts';

/** One model call. `costUsd` is undefined where the price is unknown. */
export interface CostRecord {
  readonly operation: Purpose;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number | undefined;
}

export interface CostSum {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the calls whose price is known. */
  readonly costUsd: number;
  /** How many calls have no known price. */
  readonly unpricedCalls: number;
}

export interface CostSummary extends CostSum {
  readonly byOperation: Readonly<Record<string, CostSum>>;
  readonly byModel: Readonly<Record<string, CostSum>>;
}

const NOTHING: CostSum = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };

/** The cost of this process's calls; the database has those of all processes, see `wooster usage`. */
export class Costs {
  readonly #records: CostRecord[] = [];

  record(record: CostRecord): void {
    this.#records.push(record);
  }

  get records(): readonly CostRecord[] {
    return this.#records;
  }

  getSummary(): CostSummary {
    const by = (key: 'operation' | 'model') => {
      const names = [...new Set(this.#records.map((each) => each[key]))];
      return Object.fromEntries(names.map((name) => [name, sum(this.#records.filter((each) => each[key] === name))]));
    };
    return { ...sum(this.#records), byOperation: by('operation'), byModel: by('model') };
  }

  reset(): void {
    this.#records.length = 0;
  }
}

function sum(records: readonly CostRecord[]): CostSum {
  return records.reduce<CostSum>(
    (total, { inputTokens, outputTokens, costUsd }) => ({
      calls: total.calls + 1,
      inputTokens: total.inputTokens + inputTokens,
      outputTokens: total.outputTokens + outputTokens,
      costUsd: total.costUsd + (costUsd ?? 0),
      unpricedCalls: total.unpricedCalls + (costUsd === undefined ? 1 : 0),
    }),
    NOTHING,
  );
}
