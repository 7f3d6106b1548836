import { modeSums } from '../../agent/code/mode-stats.ts';
import { counted } from '../../base/text.ts';
import { USAGE_GROUPS, type UsageGroup, type UsageSum } from '../../models/usage-table.ts';
import { startOfDay, startOfMonth } from '../../when/calendar.ts';
import { DAY_MS } from '../../when/zone.ts';
import { barChart } from '../chart.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { badUsage } from '../flags.ts';

/**
 * Rows: one sum per group, and `{budget}` for each budget. Calls of unknown price are counted, but add no cost.
 * `on` and `off` show usage after each answer of this session.
 */
export const usage: Command = {
  name: 'usage',
  summary: 'Show tokens and cost by model, mode, project, job, day or month',
  group: 'Models',
  chats: true,
  usage: [
    `usage [--by ${USAGE_GROUPS.join('|')}] [--since all|today|month|Nd]`,
    'usage --modes [--since ...]',
    'usage on',
    'usage off',
  ],
  examples: ['usage --by model --since month', 'usage --modes'],
  basic: true,
  flags: { by: { type: 'string' }, since: { type: 'string' }, modes: { type: 'boolean' } },
  async run(call) {
    const [form] = call.args;
    if (form === 'on' || form === 'off') return toggle(call, form === 'on');
    if (form !== undefined)
      throw badUsage(`Unknown subcommand "usage ${form}".`, 'Usage: usage, usage on or usage off');
    const group = groupOf(call.flags.by);
    const { since, words } = sinceOf(call.flags.since, call.app.home.timeZone);
    if (call.flags.modes === true) return showModes(call, since, words);
    await show(call, await call.app.models.usage(group, since), words);
    return 0;
  },
};

function toggle({ session, out }: CommandCall, on: boolean): number {
  session.showUsage = on;
  out.row({ showUsage: on });
  out.line(on ? 'Tokens and cost are shown after each answer.' : 'Tokens and cost are no longer shown.');
  return 0;
}

async function show({ app, out }: CommandCall, sums: readonly UsageSum[], words: string): Promise<void> {
  for (const sum of sums) out.row(sum);
  for (const budget of await app.models.budgets()) {
    const { what, limitUsd, spentUsd } = budget;
    out.show({ budget }, `budget for ${what}: ${usd(spentUsd)} of ${limitUsd} USD`);
  }
  if (sums.length === 0) out.line(`No model has been used ${words}.`);
  else chart(sums, words, out);
}

/** Cost, latency and, for code mode, how often scripts had to be repaired: by model and mode. */
async function showModes({ app, out }: CommandCall, since: Date | undefined, words: string): Promise<number> {
  const sums = await modeSums(app.store, await app.models.usageByMode(since), since);
  if (sums.length === 0) out.line(`No model has been used ${words}.`);
  for (const sum of sums) {
    out.row(sum);
    const { model, mode, turns, inputTokens, outputTokens, meanLatencyMs } = sum;
    const { replies, cleanReplies, retries, fallbacks } = sum;
    const repairs = `${counted(retries ?? 0, 'retry', 'retries')}, ${counted(fallbacks ?? 0, 'fallback')}`;
    const clean = `${cleanReplies} of ${counted(replies ?? 0, 'reply', 'replies')} were one clean block`;
    const scripts = replies === undefined ? '' : `; ${clean}, ${repairs}`;
    const cost = `${inputTokens} tokens in, ${outputTokens} out, ${meanLatencyMs} ms`;
    out.line(`${model} ${mode}: ${counted(turns, 'turn')}, ${cost}${scripts}`);
  }
  return 0;
}

/** By cost when anything cost something, by tokens otherwise. */
function chart(sums: readonly UsageSum[], words: string, out: Output): void {
  const bySpending = sums.some(({ costUsd }) => costUsd > 0);
  const bars = sums.map((sum) => ({
    label: sum.group,
    value: bySpending ? sum.costUsd : sum.inputTokens + sum.outputTokens,
    note: noteOf(sum),
  }));
  out.line(`${bySpending ? 'Cost' : 'Tokens'} ${words}:`);
  for (const line of barChart(bars)) out.line(line);
}

function noteOf(sum: UsageSum): string {
  const { costUsd, calls, failed, unpricedCalls, inputTokens, outputTokens, cachedTokens, meanLatencyMs } = sum;
  const unknown = unpricedCalls > 0 ? ` + ${counted(unpricedCalls, 'call')} of unknown price` : '';
  const cached = cachedTokens > 0 ? ` (${cachedTokens} cached)` : '';
  const broken = failed > 0 ? `, ${failed} failed` : '';
  const tokens = `${inputTokens} tokens in${cached}, ${outputTokens} out`;
  const latency = `${Math.round(meanLatencyMs)} ms`;
  return `${usd(costUsd)} USD${unknown}; ${counted(calls, 'call')}${broken}, ${tokens}, ${latency}`;
}

function usd(value: number): string {
  return value === 0 ? '0' : value < 0.01 ? value.toFixed(5) : value.toFixed(2);
}

function groupOf(flag: unknown): UsageGroup {
  if (flag === undefined) return 'model';
  const found = USAGE_GROUPS.find((group) => group === flag);
  if (found) return found;
  throw badUsage(`Unknown group "${flag}".`, `Use one of ${USAGE_GROUPS.join(', ')}.`);
}

/** `today` and `month` begin at midnight in the owner's zone; `Nd` is N times 24 hours ago. */
function sinceOf(flag: unknown, timeZone: string): { since: Date | undefined; words: string } {
  const now = new Date();
  if (flag === undefined || flag === 'month') return { since: startOfMonth(now, timeZone), words: 'this month' };
  if (flag === 'all') return { since: undefined, words: 'so far' };
  if (flag === 'today') return { since: startOfDay(now, timeZone), words: 'today' };
  const days = /^(\d{1,5})d$/u.exec(String(flag))?.[1];
  if (days) return { since: new Date(now.getTime() - Number(days) * DAY_MS), words: `in the last ${days} days` };
  throw badUsage(`"--since ${flag}" is not valid.`, 'Use all, today, month or a number of days like 7d.');
}
