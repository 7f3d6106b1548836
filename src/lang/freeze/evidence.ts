import type { RunRecord, ScheduledJob } from '../../scheduler/types.ts';
import type { Store } from '../../store/store.ts';
import type { TurnReader } from '../save/recorded-turn.ts';
import { type RecordedTurn, recordedTurn } from '../save/recorded-turn.ts';
import type { Cost } from './frozen-table.ts';

/** So many runs in a row that went the same way make a job a program. */
export const ENOUGH = 5;

/** The last runs of a job that a model did, newest first, or why there are none that count. */
export type Evidence = { readonly turns: readonly RecordedTurn[]; readonly perRun: Cost } | { readonly not: string };

/** Why a job can never be frozen as it is; undefined: it can. */
export function neverFrozen({ task, kind, restricted, options }: ScheduledJob): string | undefined {
  if (task !== 'AGENT_PROMPT' || options.verbatim || options.program) return 'no model runs it';
  if (restricted) return 'it is restricted';
  if (kind === 'at') return 'it runs once';
  if (kind === 'on') return 'what changed is another thing each time';
  if (options.condition !== undefined) return 'what its condition finds is another thing each time';
  return options.conversationId === undefined ? undefined : 'it goes on with a conversation';
}

/** @param history newest first. @param reader.callable what programs can call. */
export async function readEvidence(
  { prompt }: Pick<ScheduledJob, 'prompt'>,
  history: readonly RunRecord[],
  { store, callable, ...reader }: TurnReader & { readonly store: Store; readonly callable: ReadonlySet<string> },
): Promise<Evidence> {
  const turns: RecordedTurn[] = [];
  const costs: Cost[] = [];
  for (const run of history.filter(({ state }) => state !== 'skipped' && state !== 'missed')) {
    const cost = await costOf(store, run.turnId ?? '');
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

/** The jobs that have answered a prompt so many times. */
export async function jobsWithRuns({ read }: Store, least: number): Promise<readonly string[]> {
  const rows = await read
    .selectFrom('runs')
    .select('schedule_id')
    .where('state', '=', 'succeeded')
    .where('turn_id', 'is not', null)
    .groupBy('schedule_id')
    .having(({ fn }) => fn.countAll(), '>=', least)
    .orderBy('schedule_id')
    .execute();
  return rows.map(({ schedule_id }) => schedule_id);
}

/** What a turn has cost; the price is absent where one of its models has none. */
export async function costOf(store: Store, turnId: string): Promise<Cost> {
  const rows = await store.db
    .selectFrom('usage')
    .select(['input_tokens', 'output_tokens', 'cost_usd'])
    .where('turn_id', '=', turnId)
    .execute();
  return total(rows.map((row) => ({ tokens: row.input_tokens + row.output_tokens, usd: row.cost_usd ?? undefined })));
}

function total(costs: readonly Cost[]): Cost {
  const known = costs.flatMap(({ usd }) => usd ?? []);
  const tokens = costs.reduce((sum, each) => sum + each.tokens, 0);
  return known.length < costs.length ? { tokens } : { tokens, usd: known.reduce((sum, usd) => sum + usd, 0) };
}

function average(costs: readonly Cost[]): Cost {
  const { tokens, usd } = total(costs);
  const each = { tokens: Math.round(tokens / costs.length) };
  return usd === undefined ? each : { ...each, usd: usd / costs.length };
}
