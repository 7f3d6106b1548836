import type { ModelControl } from '../../models/types.ts';
import type { TurnCost } from '../../models/usage-table.ts';
import type { RunRecord, ScheduledJob } from '../../scheduler/types.ts';
import type { TurnReader } from '../save/recorded-turn.ts';
import { type RecordedTurn, recordedTurn } from '../save/recorded-turn.ts';

/** So many runs in a row that went the same way make a job a program. */
export const ENOUGH = 5;

/** The last runs of a job that a model did, newest first, or why there are none that count. */
export type Evidence =
  | { readonly turns: readonly RecordedTurn[]; readonly perRun: TurnCost }
  | { readonly not: string };

/** Why a job can never be frozen as it is; undefined: it can. */
export function neverFrozen({ task, kind, restricted, options }: ScheduledJob): string | undefined {
  if (task !== 'AGENT_PROMPT' || options.verbatim || options.program) return 'no model runs it';
  if (restricted) return 'it is restricted';
  if (kind === 'at') return 'it runs once';
  if (kind === 'on') return 'what changed is another thing each time';
  if (options.condition !== undefined) return 'what its condition finds is another thing each time';
  return options.conversationId === undefined ? undefined : 'it goes on with a conversation';
}

/**
 * @param history newest first.
 * @param reader.callable what programs can call.
 * @param reader.since older runs do not count.
 */
export async function readEvidence(
  { prompt }: Pick<ScheduledJob, 'prompt'>,
  history: readonly RunRecord[],
  {
    models,
    callable,
    since,
    ...reader
  }: TurnReader & {
    readonly models: Pick<ModelControl, 'costOf'>;
    readonly callable: ReadonlySet<string>;
    readonly since: Date | undefined;
  },
): Promise<Evidence> {
  const turns: RecordedTurn[] = [];
  const costs: TurnCost[] = [];
  for (const run of history.filter(({ state }) => state !== 'skipped' && state !== 'missed')) {
    const cost = await models.costOf(run.turnId ?? '');
    if (since && run.startedAt && run.startedAt < since) break;
    // What the job was before does not count, nor what no model did.
    const isBegun = run.state === 'due' || run.state === 'claimed' || run.state === 'running';
    if (isBegun || (run.state === 'succeeded' && cost.tokens === 0)) continue;
    if (run.state !== 'succeeded') return { not: `its run of ${run.scheduledFor.toISOString()} did not succeed` };
    const turn = await recordedTurn(reader, run.conversationId ?? '', run.turnId ?? '');
    if (turn.request !== prompt) break;
    const program = turn.others.find((name) => callable.has(name));
    if (program !== undefined) return { not: `it runs the program ${program} already` };
    if (turn.left.length > 0) return { not: `in one of its runs ${turn.left[0]}` };
    turns.push(turn);
    costs.push(cost);
    if (turns.length === ENOUGH) break;
  }
  if (turns.length < ENOUGH) return { not: `it has run ${turns.length} of ${ENOUGH} times the same way` };
  return { turns, perRun: average(costs) };
}

function total(costs: readonly TurnCost[]): TurnCost {
  const known = costs.flatMap(({ usd }) => usd ?? []);
  const tokens = costs.reduce((sum, each) => sum + each.tokens, 0);
  return known.length < costs.length ? { tokens } : { tokens, usd: known.reduce((sum, usd) => sum + usd, 0) };
}

function average(costs: readonly TurnCost[]): TurnCost {
  const { tokens, usd } = total(costs);
  const each = { tokens: Math.round(tokens / costs.length) };
  return usd === undefined ? each : { ...each, usd: usd / costs.length };
}
