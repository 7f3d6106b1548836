import { fileURLToPath } from 'node:url';
import { counted } from '../../base/text.ts';
import { MODES } from '../../base/turn.ts';
import { evaluate, type Stopped, type TaskRun } from '../../evals/evaluate.ts';
import {
  type Change,
  changesSince,
  earlierResults,
  evalsDir,
  type ModeResult,
  saveResults,
  sumUp,
} from '../../evals/results.ts';
import { readTasks, type Task } from '../../evals/tasks.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, countFlag, parseMode, textFlag } from '../flags.ts';

/** The tasks that come with the program. */
const SHIPPED = fileURLToPath(new URL('../../../evals/everyday.yaml', import.meta.url));
/** USD. */
const USUAL_BUDGET = 1;
const STOPPED: Readonly<Record<Exclude<Stopped, undefined>, string>> = {
  budget: 'The budget is used up, so the rest was not tried: give more with --budget USD.',
  'unknown price':
    'What the model costs is not known, so no budget can be kept: set its price, or allow any cost with --budget none.',
};

/**
 * Try tasks with the configured model, each on an empty home of its own.
 * Rows: one per run, then `{sum}` per model and mode, `{change}` per task whose result differs from the last time.
 * Exit code: 0 when everything was tried, 1 when the budget ran out first.
 */
export const evalCommand: Command = {
  name: 'eval',
  summary: 'Try the configured model with tasks, in both modes',
  group: 'Models',
  usage: [
    'eval [FILE ...]          the tasks of YAML files; those of the program unless given (docs/eval.md)',
    'eval [--mode MODE] [--task ID] [--times N] [--budget USD|none]',
  ],
  examples: ['eval --mode classic_tools --times 3', 'eval my-tasks.yaml --budget 0.50'],
  flags: {
    task: { type: 'string', multiple: true },
    times: { type: 'string' },
    budget: { type: 'string' },
  },
  only: 'argv',
  async run(call) {
    const { app, out, flags, signal } = call;
    const tasks = await wanted(call);
    const modes = typeof flags.mode === 'string' ? [parseMode(flags.mode)] : MODES;
    const times = countFlag(flags, 'times', { fallback: 1, max: 100 });
    const budgetUsd = budgetOf(textFlag(flags, 'budget'));
    const runs: TaskRun[] = [];
    const all = tasks.length * modes.length * times;
    const at = new Date().toISOString();
    const done = (run: TaskRun) => {
      runs.push(run);
      show(run, call);
      out.progress(`${runs.length} of ${all}`);
    };
    const dir = evalsDir(app.home.dir);
    const earlier = await earlierResults(dir);
    let stopped: Stopped;
    try {
      const open = (left: number | undefined) => app.home.openTrial(left);
      stopped = await evaluate({ tasks, modes, times, budgetUsd, signal, done, open });
    } finally {
      // Results that were paid for are kept even when the rest was stopped.
      if (runs.length > 0) await saveResults(dir, { at, runs });
    }
    report(call, sumUp(runs), changesSince(earlier, runs));
    if (stopped === undefined) return 0;
    out.note(STOPPED[stopped]);
    return 1;
  },
};

async function wanted({ args, flags }: CommandCall): Promise<readonly Task[]> {
  const files = await Promise.all((args.length === 0 ? [SHIPPED] : args).map(readTasks));
  const tasks = files.flat();
  const ids = [flags.task ?? []].flat().map(String);
  const unknown = ids.find((id) => !tasks.some((task) => task.id === id));
  if (unknown === undefined) return ids.length === 0 ? tasks : tasks.filter(({ id }) => ids.includes(id));
  throw badUsage(`There is no task ${unknown}.`, `There are: ${tasks.map(({ id }) => id).join(', ')}.`);
}

/** @returns undefined for no limit. */
function budgetOf(flag: string | undefined): number | undefined {
  if (flag === 'none') return undefined;
  const usd = flag === undefined ? USUAL_BUDGET : Number(flag);
  if (Number.isFinite(usd) && usd > 0) return usd;
  throw badUsage(`"--budget ${flag}" is not valid.`, 'Give an amount in USD, such as 0.50, or none.');
}

function show(run: TaskRun, { out }: CommandCall): void {
  out.row(run);
  const { task, mode, ok, failed, requests, ms } = run;
  out.line(`${ok ? 'ok  ' : 'FAIL'}  ${task}  ${mode}  ${counted(requests, 'request')}, ${(ms / 1000).toFixed(1)} s`);
  for (const why of failed) out.line(`        ${why}`);
}

function report({ out }: CommandCall, sums: readonly ModeResult[], changes: readonly Change[]): void {
  for (const sum of sums) out.row({ sum });
  for (const change of changes) out.row({ change });
  out.line('');
  for (const line of table(sums)) out.line(line);
  for (const { task, mode, before, now } of changes) {
    out.line(`${now > before ? 'better' : 'worse '}  ${task}  ${mode}: ${percent(before)} before, ${percent(now)} now`);
  }
}

const HEAD = ['model', 'mode', 'done', 'requests', 'tokens in', 'out', 'USD', 'seconds', 'retries', 'in form'];

/** Means are per task, so that evaluations of different sizes can be compared. */
function table(sums: readonly ModeResult[]): string[] {
  const rows = sums.map((sum) => {
    const mean = (total: number, digits = 1) => (total / sum.runs).toFixed(digits);
    const { model, mode, ok, runs, requests, inputTokens, outputTokens, costUsd, ms, retries, formatObedience } = sum;
    const cost = costUsd === undefined ? 'unknown' : mean(costUsd, 4);
    return [
      ...[model, mode as string, `${ok} of ${runs}`, mean(requests), mean(inputTokens, 0), mean(outputTokens, 0)],
      ...[cost, mean(ms / 1000), mean(retries), percent(formatObedience)],
    ];
  });
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [HEAD, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
