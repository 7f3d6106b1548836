import { AssistantError } from '../base/errors.ts';
import { startOfDay, startOfMonth } from '../when/calendar.ts';
import type { UsageTable } from './usage-table.ts';

/** Limits in USD; undefined means no limit. */
export interface Budgets {
  readonly turnUsd: number | undefined;
  readonly dayUsd: number | undefined;
  readonly monthUsd: number | undefined;
  /** What happens at a limit: a notice, only cheaper models, or no more calls. */
  readonly action: 'warn' | 'cheaper' | 'stop';
}

/** A budget and how much of it is used. */
export interface BudgetState {
  readonly what: string;
  readonly limitUsd: number;
  readonly spentUsd: number;
}

/** What a call is charged to. */
export interface BudgetScope {
  readonly turnId?: string | undefined;
  readonly jobId?: string | undefined;
  /** The job's own limit. */
  readonly jobBudgetUsd?: number | undefined;
}

/** What has been spent so far, and the owner's present time. */
export interface Spending {
  readonly usage: UsageTable;
  readonly now: Date;
  /** IANA name. */
  readonly timeZone: string;
}

/** The first budget that is used up, if any. Calls of unknown price count as nothing, as nobody knows their cost. */
export async function usedUpBudget(
  budgets: Budgets,
  scope: BudgetScope,
  spending: Spending,
): Promise<BudgetState | undefined> {
  const { usage } = spending;
  const { turnId, jobId } = scope;
  const ofJob = await budget('this job', scope.jobBudgetUsd, async () =>
    jobId === undefined ? 0 : usage.spentBy('job_id', jobId),
  );
  const ofTurn = await budget('one turn', budgets.turnUsd, async () =>
    turnId === undefined ? 0 : usage.spentBy('turn_id', turnId),
  );
  const states = [...ofJob, ...ofTurn, ...(await budgetStates(budgets, spending))];
  return states.find(({ limitUsd, spentUsd }) => spentUsd >= limitUsd);
}

/** The budgets of the day and the month, for listings. Both begin at the owner's midnight. */
export async function budgetStates(
  { dayUsd, monthUsd }: Budgets,
  { usage, now, timeZone }: Spending,
): Promise<BudgetState[]> {
  return [
    ...(await budget('today', dayUsd, () => usage.spentSince(startOfDay(now, timeZone)))),
    ...(await budget('this month', monthUsd, () => usage.spentSince(startOfMonth(now, timeZone)))),
  ];
}

async function budget(
  what: string,
  limitUsd: number | undefined,
  spent: () => Promise<number>,
): Promise<BudgetState[]> {
  return limitUsd === undefined ? [] : [{ what, limitUsd, spentUsd: await spent() }];
}

export function budgetMessage({ what, limitUsd, spentUsd }: BudgetState): string {
  return `The budget for ${what} is used up: ${spentUsd.toFixed(4)} of ${limitUsd} USD.`;
}

/** @param extra one more sentence, with a space in front. */
export function budgetReached(state: BudgetState, extra = ''): AssistantError {
  return new AssistantError('budget_reached', `${budgetMessage(state)}${extra}`, {
    hint: 'Raise the BUDGET_ setting, wait, or switch to a free model with /model NAME.',
  });
}
