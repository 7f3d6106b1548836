import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from '../base/ids.ts';
import {
  type Answer,
  addUsage,
  type Mode,
  NO_USAGE,
  NOBODY_TO_ASK,
  type TurnContext,
  type TurnEvent,
  type Usage,
} from '../base/turn.ts';
import { failedChecks } from './checks.ts';
import type { Task } from './tasks.ts';

/** A program of its own, on an empty home with the owner's models. */
export interface Trial {
  /** The project that turns belong to, and its folder. */
  readonly project: string;
  readonly folder: string;
  readonly timeZone: string;
  runTurn(
    turn: { id: string; conversationId: string; text: string; mode: Mode },
    context: TurnContext,
  ): Promise<Answer>;
  /** Put the project's folder into the index. */
  ingest(signal: AbortSignal): Promise<void>;
  schedules(): Promise<readonly { readonly text: string; readonly next: Date | undefined }[]>;
  close(): Promise<void>;
}

/** Opens a trial with a budget in USD; undefined: as much as the settings allow. */
export type OpenTrial = (budgetUsd: number | undefined) => Promise<Trial>;

/** What the tries of one model in one mode took. */
export interface Effort {
  readonly mode: Mode;
  readonly model: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined where a price is unknown. */
  readonly costUsd: number | undefined;
  readonly ms: number;
  /** Replies that had to be requested again, and scripts that failed. */
  readonly retries: number;
}

/** How one try of one task went. */
export interface TaskRun extends Effort {
  readonly task: string;
  readonly ok: boolean;
  /** What was wrong. */
  readonly failed: readonly string[];
}

export interface Evaluation {
  readonly tasks: readonly Task[];
  readonly modes: readonly Mode[];
  readonly times: number;
  /** In USD. */
  readonly budgetUsd: number | undefined;
  readonly open: OpenTrial;
  readonly signal: AbortSignal;
  /** Called with each run as it ends. */
  done(run: TaskRun): void;
}

/** Why not everything was run. */
export type Stopped = 'budget' | 'unknown price' | undefined;

/**
 * Try every task in every mode, one after the other. It ends before a task that exceeds the budget.
 *
 * @throws the signal's reason.
 */
export async function evaluate(plan: Evaluation): Promise<Stopped> {
  let spent = 0;
  for (let time = 0; time < plan.times; time++) {
    for (const task of plan.tasks) {
      for (const mode of plan.modes) {
        plan.signal.throwIfAborted();
        const left = plan.budgetUsd === undefined ? undefined : plan.budgetUsd - spent;
        if (left !== undefined && left <= 0) return 'budget';
        const run = await runTask(task, mode, { left, ...plan });
        plan.done(run);
        if (run.costUsd === undefined && plan.budgetUsd !== undefined) return 'unknown price';
        spent += run.costUsd ?? 0;
      }
    }
  }
  return undefined;
}

async function runTask(
  task: Task,
  mode: Mode,
  { open, left, signal }: Pick<Evaluation, 'open' | 'signal'> & { readonly left: number | undefined },
): Promise<TaskRun> {
  const trial = await open(left);
  try {
    for (const [path, text] of Object.entries(task.files)) {
      await mkdir(dirname(join(trial.folder, path)), { recursive: true });
      await writeFile(join(trial.folder, path), text);
    }
    if (Object.keys(task.files).length > 0) await trial.ingest(signal);
    return await ask(task, mode, trial, signal);
  } finally {
    await trial.close();
  }
}

async function ask(task: Task, mode: Mode, trial: Trial, signal: AbortSignal): Promise<TaskRun> {
  const events: TurnEvent[] = [];
  const conversationId = newId('conv');
  const now = new Date();
  const started = performance.now();
  let usage: Usage = NO_USAGE;
  let answer: Answer | undefined;
  for (const text of task.requests) {
    answer = await trial.runTurn(
      { id: newId('turn'), conversationId, text, mode },
      {
        signal,
        now: () => new Date(),
        timeZone: trial.timeZone,
        show: (event) => events.push(event),
        approve: async () => NOBODY_TO_ASK,
      },
    );
    signal.throwIfAborted();
    usage = addUsage(usage, answer.usage);
  }
  const ms = Math.round(performance.now() - started);
  const outcome = {
    ...{
      answer: answer?.text ?? '',
      folder: trial.folder,
      journal: `${trial.project}.md`,
      now,
      timeZone: trial.timeZone,
    },
    schedules: await trial.schedules(),
    calls: events.flatMap((event) => (event.type === 'tool' ? [{ name: event.name, ok: event.ok }] : [])),
  };
  const failed = [...stopped(answer), ...(await failedChecks(task.checks, outcome))];
  return {
    ...{ task: task.id, mode, ok: failed.length === 0, failed, ms },
    model: events.flatMap((event) => (event.type === 'turn' ? [event.model] : [])).at(-1) ?? 'none',
    requests: usage.calls,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    costUsd: usage.costUsd,
    retries: events.filter(({ type }) => type === 'retry').length,
  };
}

function stopped(answer: Answer | undefined): string[] {
  return answer?.stop === 'answered' ? [] : [`the turn ended as ${answer?.stop ?? 'nothing'}`];
}
