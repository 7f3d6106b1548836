import { AssistantError } from '../base/errors.ts';
import type { UsageBook } from './usage-book.ts';

export interface Budgets {
  readonly turnUsd: number | undefined;
  readonly dayUsd: number | undefined;
  readonly monthUsd: number | undefined;
  readonly action: 'warn' | 'cheaper' | 'stop';
}

/** A budget that is used up. */
export interface Spent {
  readonly what: string;
  readonly limitUsd: number;
  readonly spentUsd: number;
}

export interface Payer {
  readonly turnId?: string | undefined;
  readonly jobId?: string | undefined;
  /** The job's own limit. */
  readonly jobBudgetUsd?: number | undefined;
}

/** The first budget that is used up, if any; calls with unknown prices cannot be counted. */
export function spentBudget(
  budgets: Budgets,
  payer: Payer,
  { book, now }: { book: UsageBook; now: Date },
): Spent | undefined {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const month = new Date(now.getFullYear(), now.getMonth(), 1);
  const { turnId, jobId } = payer;
  const checks: readonly (readonly [string, number | undefined, () => number])[] = [
    ['this job', payer.jobBudgetUsd, () => (jobId === undefined ? 0 : book.spentBy('job_id', jobId))],
    ['one turn', budgets.turnUsd, () => (turnId === undefined ? 0 : book.spentBy('turn_id', turnId))],
    ['today', budgets.dayUsd, () => book.spentSince(day)],
    ['this month', budgets.monthUsd, () => book.spentSince(month)],
  ];
  for (const [what, limitUsd, spent] of checks) {
    if (limitUsd === undefined) continue;
    const spentUsd = spent();
    if (spentUsd >= limitUsd) return { what, limitUsd, spentUsd };
  }
  return undefined;
}

export function saySpent({ what, limitUsd, spentUsd }: Spent): string {
  return `The budget for ${what} is used up: ${spentUsd.toFixed(4)} of ${limitUsd} USD.`;
}

export function budgetReached(spent: Spent, extra = ''): AssistantError {
  return new AssistantError('budget_reached', `${saySpent(spent)}${extra}`, {
    hint: 'Raise the BUDGET_ setting, wait, or switch to a free model with /model NAME.',
  });
}

/** A budget and how much of it is used. */
export interface BudgetState extends Spent {}

/** The budgets of the day and the month, for the lists. */
export function budgetStates(
  { dayUsd, monthUsd }: Budgets,
  { book, now }: { book: UsageBook; now: Date },
): BudgetState[] {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const month = new Date(now.getFullYear(), now.getMonth(), 1);
  return [
    ...(dayUsd === undefined ? [] : [{ what: 'today', limitUsd: dayUsd, spentUsd: book.spentSince(day) }]),
    ...(monthUsd === undefined ? [] : [{ what: 'this month', limitUsd: monthUsd, spentUsd: book.spentSince(month) }]),
  ];
}
