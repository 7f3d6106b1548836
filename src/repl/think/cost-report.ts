import type { Purpose } from '../../models/types.ts';
import type { CommandCall } from '../command.ts';

/** The purposes of programs' model calls, as the usage table groups them. */
const OF_PROGRAMS: readonly Purpose[] = [
  ...(['think', 'infer', 'reason', 'agent', 'map_think', 'reduce_think', 'semantic_assert'] as const),
];

/**
 * What all programs of the home have cost so far, by operation. Rows as those of `usage --by purpose`; a total for
 * people. Budgets are those of `usage`.
 */
export async function costReport({ app, out }: CommandCall): Promise<number> {
  const sums = (await app.models.usage('purpose')).filter(({ group }) => OF_PROGRAMS.some((each) => each === group));
  for (const sum of sums) {
    const { group, calls, inputTokens, outputTokens, costUsd, unpricedCalls } = sum;
    out.row(sum);
    const unknown = unpricedCalls > 0 ? ` (${unpricedCalls} of unknown price)` : '';
    const tokens = `${inputTokens} tokens in, ${outputTokens} out`;
    out.line(`${group.padEnd(16)} ${calls} calls${unknown}, ${tokens}, ${costUsd.toFixed(4)} USD`);
  }
  const total = sums.reduce((whole, { costUsd }) => whole + costUsd, 0);
  out.line(sums.length === 0 ? 'No program has asked a model yet.' : `in all: ${total.toFixed(4)} USD`);
  return 0;
}
