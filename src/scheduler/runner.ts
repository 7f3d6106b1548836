import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { STRANGER } from '../base/turn.ts';
import { SECOND_MS } from '../when/zone.ts';
import { type JobTable, optionsOf, type StoredJob, toJob } from './job-table.ts';
import type { FinalOutcome, RunRecorder } from './run-recorder.ts';
import type { RunTable, StoredRun } from './run-table.ts';
import type { SilentRuns } from './silent-runs.ts';
import type { CheckCondition, ConditionResult, OnDue, RunOutcome, ScheduledJob, TaskCode } from './types.ts';
import { hasWaited, type WaitingRuns } from './waiting-runs.ts';

export interface RunnerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly recorder: RunRecorder;
  readonly waiting: WaitingRuns;
  readonly silent: SilentRuns;
  readonly onDue: OnDue;
  readonly checkCondition?: CheckCondition | undefined;
  /** Functions of plugins, by key. */
  readonly tasks: ReadonlyMap<string, TaskCode>;
}

/** How long a run may ignore its signal before it is abandoned. */
const UNWIND_MS = 5 * SECOND_MS;

/** Executes one claimed run: its condition, its work, and the record of how it ended. */
export class Runner {
  readonly #deps: RunnerDeps;
  readonly #stopping = new AbortController();

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Abort every run. Runs without effects so far become due again. */
  stop(): void {
    this.#stopping.abort(new Error('Wooster was stopped'));
  }

  /** @returns whether the outcome is stored. Never rejects. */
  async run(row: StoredRun, job: StoredJob): Promise<boolean> {
    const { recorder, log } = this.#deps;
    try {
      return await recorder.finish(row, job, await this.#execute(row, job));
    } catch (error) {
      log.error('run not started', { run: row.id, error: messageOf(error) });
      return false;
    }
  }

  /** The timeout covers the condition too. */
  async #execute(row: StoredRun, job: StoredJob): Promise<FinalOutcome> {
    if (this.#stopping.signal.aborted) return this.#cutOff(undefined, '');
    const { deadlineMs, condition } = optionsOf(job);
    const deadline = new AbortController();
    const overrun = new Error(`its deadline of ${deadlineMs} ms passed`);
    const timer = setTimeout(() => deadline.abort(overrun), deadlineMs);
    const signal = AbortSignal.any([deadline.signal, this.#stopping.signal]);
    try {
      // What goes on has met its condition.
      const isNew = condition !== undefined && !hasWaited(row);
      const found = !isNew ? undefined : await orAbort(this.#check(job, signal), signal);
      if (found && !found.wake) return { state: 'skipped', output: found.text, error: 'its condition was not met' };
      const outcome = await orAbort(this.#start(row, job, signal, found), signal);
      return outcome.state === 'cancelled' && signal.aborted ? this.#cutOff(overrun, outcome.output) : outcome;
    } catch (error) {
      if (signal.aborted) return this.#cutOff(error, '');
      // Nobody knows whose text an error quotes.
      return { state: 'failed', output: '', error: messageOf(error), voice: STRANGER };
    } finally {
      clearTimeout(timer);
      this.#deps.silent.end(row.id);
    }
  }

  /** A run that was stopped from outside: by shutdown or by its timeout. */
  #cutOff(error: unknown, output: string): FinalOutcome {
    const stopped = this.#stopping.signal.aborted;
    return { state: stopped ? 'stopped' : 'failed', output, error: stopped ? 'Wooster was stopped' : messageOf(error) };
  }

  /** Run the condition script and keep what it stored for the next check. */
  async #check(job: StoredJob, signal: AbortSignal): Promise<ConditionResult> {
    const { checkCondition } = this.#deps;
    if (!checkCondition) throw new Error('conditions cannot be checked here');
    const result = await checkCondition(toJob(job), signal);
    await this.#deps.jobs.update(job.id, { memory: JSON.stringify(result.memory) });
    return result;
  }

  /** Do the work: a plugin's function, a plain message, or a turn of the agent. */
  async #start(
    row: StoredRun,
    job: StoredJob,
    signal: AbortSignal,
    found: ConditionResult | undefined,
  ): Promise<RunOutcome> {
    const { runs, clock } = this.#deps;
    const began = { state: 'running', started_at: clock.now().toISOString() } as const;
    if (row.state === 'claimed' && !(await runs.change(row, began)))
      throw new Error('another process has taken the run over');
    if (job.task === 'DIRECT_FUNCTION') return this.#call(job, signal);
    if (optionsOf(job).verbatim) return { state: 'succeeded', output: toJob(job).prompt };
    const event = row.event === null ? [] : (JSON.parse(row.event) as string[]);
    const steps = hasWaited(row) ? await this.#deps.waiting.steps(row.id) : undefined;
    this.#deps.silent.begin(row, job);
    return this.#deps.onDue({
      runId: row.id,
      job: found ? withFinding(toJob(job), found) : toJob(job),
      scheduledFor: new Date(row.scheduled_for),
      attempt: row.attempt,
      reason: row.reason,
      changed: event,
      signal,
      steps,
      heard: () => this.#deps.silent.end(row.id),
    });
  }

  async #call(job: StoredJob, signal: AbortSignal): Promise<RunOutcome> {
    const code = this.#deps.tasks.get(job.task_key ?? '');
    if (!code) throw new Error(`no loaded plugin has the task ${job.task_key ?? ''}`);
    const output = (await code.run(JSON.parse(job.payload), signal)) ?? '';
    // It does not say where the text is from.
    return { state: 'succeeded', output, voice: STRANGER };
  }
}

/** What the condition found is added to the prompt, together with the label of what it read. */
function withFinding(job: ScheduledJob, { text, untrusted }: ConditionResult): ScheduledJob {
  const prompt = text === '' ? job.prompt : `${job.prompt}\n\nThe condition script found: ${text}`;
  return { ...job, prompt, untrusted: job.untrusted || untrusted };
}

/** Settle with the work, or shortly after the signal if the work ignores it. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let timer: NodeJS.Timeout | undefined;
  const give = () => {
    timer = setTimeout(() => reject(signal.reason), UNWIND_MS);
  };
  if (signal.aborted) give();
  else signal.addEventListener('abort', give, { once: true });
  work.then(resolve, reject).finally(() => {
    signal.removeEventListener('abort', give);
    clearTimeout(timer);
  });
  return promise;
}
