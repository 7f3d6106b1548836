import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { replaceFile } from '../base/replace-file.ts';
import { MODES, type Mode } from '../base/turn.ts';
import type { Effort, TaskRun } from './evaluate.ts';

/** The runs of one evaluation. */
export interface Results {
  readonly at: string;
  readonly runs: readonly TaskRun[];
}

/** How a model did in one mode. */
export interface ModeResult extends Effort {
  readonly runs: number;
  readonly ok: number;
  /** The share of replies that were usable as they came, from 0 to 1. */
  readonly formatObedience: number;
}

/** A task whose outcome differs from the last time. */
export interface Change {
  readonly task: string;
  readonly mode: Mode;
  readonly model: string;
  /** Shares of the runs that were right, from 0 to 1. */
  readonly before: number;
  readonly now: number;
}

const saved = z.object({
  at: z.string(),
  runs: z.array(
    z.object({
      ...{ task: z.string(), mode: z.enum(MODES), model: z.string(), ok: z.boolean(), failed: z.array(z.string()) },
      ...{ requests: z.number(), inputTokens: z.number(), outputTokens: z.number(), ms: z.number() },
      ...{ retries: z.number(), costUsd: z.number().optional() },
    }),
  ),
});

/** Where the results of a home are kept. */
export function evalsDir(homeDir: string): string {
  return join(homeDir, 'state', 'evals');
}

/** Store the results with those of earlier evaluations. */
export async function saveResults(dir: string, results: Results): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await replaceFile(join(dir, `${results.at.replaceAll(':', '-')}.json`), `${JSON.stringify(results, undefined, 2)}\n`);
}

/** The results of all evaluations, oldest first; unreadable files are skipped. */
export async function earlierResults(dir: string): Promise<readonly Results[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const read = await Promise.all(
    names.map(async (name) => saved.safeParse(parseJson(await readFile(join(dir, name), 'utf8')))),
  );
  return read.flatMap((each) => (each.success ? [{ at: each.data.at, runs: each.data.runs.map(asRun) }] : []));
}

function asRun(run: z.infer<typeof saved>['runs'][number]): TaskRun {
  return { ...run, costUsd: run.costUsd };
}

/** One line for each model and mode. */
export function sumUp(runs: readonly TaskRun[]): readonly ModeResult[] {
  return [...Map.groupBy(runs, ({ model, mode }) => `${mode} ${model}`).values()].map(sumOf);
}

function sumOf(runs: readonly TaskRun[]): ModeResult {
  const total = (of: (run: TaskRun) => number) => runs.reduce((sum, run) => sum + of(run), 0);
  const [first] = runs as [TaskRun];
  const requests = total((run) => run.requests);
  const retries = total((run) => run.retries);
  const isPriced = runs.every(({ costUsd }) => costUsd !== undefined);
  return {
    ...{
      model: first.model,
      mode: first.mode,
      runs: runs.length,
      ok: total(({ ok }) => Number(ok)),
      requests,
      retries,
    },
    inputTokens: total((run) => run.inputTokens),
    outputTokens: total((run) => run.outputTokens),
    costUsd: isPriced ? total((run) => run.costUsd ?? 0) : undefined,
    ms: total((run) => run.ms),
    formatObedience: requests === 0 ? 1 : Math.max(0, (requests - retries) / requests),
  };
}

/** Tasks whose outcome differs from the last time that the same model tried them in the same mode. */
export function changesSince(earlier: readonly Results[], runs: readonly TaskRun[]): readonly Change[] {
  const keyOf = ({ task, mode, model }: TaskRun) => `${task} ${mode} ${model}`;
  return [...Map.groupBy(runs, keyOf)].flatMap(([key, now]) => {
    const last = earlier.findLast((results) => results.runs.some((run) => keyOf(run) === key));
    const before = last?.runs.filter((run) => keyOf(run) === key) ?? [];
    const { task, mode, model } = now[0] as TaskRun;
    const change = { task, mode, model, before: shareOf(before), now: shareOf(now) };
    return before.length === 0 || change.before === change.now ? [] : [change];
  });
}

function shareOf(runs: readonly TaskRun[]): number {
  return runs.filter(({ ok }) => ok).length / Math.max(1, runs.length);
}
