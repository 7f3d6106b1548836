import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { nameOf } from './due.ts';
import { type JobTable, optionsOf, type StoredJob, toJob } from './job-table.ts';
import type { NoticeBoard } from './notice-board.ts';
import type { RunTable, StoredRun } from './run-table.ts';
import type { CheckCondition, ConditionResult, Job, OnDue, RunOutcome, TaskCode } from './types.ts';
import { MINUTE_MS, SECOND_MS } from './zone.ts';

export interface RunnerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobTable;
  readonly runs: RunTable;
  readonly board: NoticeBoard;
  readonly owner: string;
  readonly onDue: OnDue;
  readonly checkCondition?: CheckCondition | undefined;
  /** Functions of plugins, by key. */
  readonly tasks: ReadonlyMap<string, TaskCode>;
}

/** A run that ignores its signal is given up this long after it. */
const UNWIND_MS = 5 * SECOND_MS;
const FIRST_RETRY_MS = 30 * SECOND_MS;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;
/** An answer that begins with this has nothing to say. */
const SILENT = /^\s*\[SILENT\]/iu;

/** What came of a run beside the outcomes that its caller knows. */
type Ending = RunOutcome | { readonly state: 'skipped'; readonly output: string; readonly error: string };

/** Takes one claimed run from its condition to its final row. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #stopping = new AbortController();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** The signal of every run fires; runs that did nothing yet go back to the ledger as due. */
  stop(): void {
    this.#stopping.abort(new Error('Wooster was stopped'));
  }

  /** Never rejects. */
  async run(row: StoredRun): Promise<void> {
    try {
      const job = this.#parts.jobs.find(row.schedule_id);
      if (job) this.#finish(row, job, await this.#execute(row, job));
    } catch (error) {
      // The row keeps its lease; it is taken up again when that is over.
      this.#parts.log.error('run not recorded', { run: row.id, error: messageOf(error) });
    }
  }

  async #execute(row: StoredRun, job: StoredJob): Promise<Ending> {
    const { deadlineMs, condition } = optionsOf(job);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error(`its deadline of ${deadlineMs} ms passed`)), deadlineMs);
    const signal = AbortSignal.any([deadline.signal, this.#stopping.signal]);
    try {
      const found = condition === undefined ? undefined : await orAbort(this.#check(job, signal), signal);
      if (found && !found.wake) return { state: 'skipped', output: found.text, error: 'its condition was not met' };
      return await orAbort(this.#start(row, job, signal, found), signal);
    } catch (error) {
      return { state: this.#stopping.signal.aborted ? 'cancelled' : 'failed', output: '', error: messageOf(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  async #check(job: StoredJob, signal: AbortSignal): Promise<ConditionResult> {
    const { checkCondition } = this.#parts;
    if (!checkCondition) throw new Error('conditions cannot be checked here');
    const result = await checkCondition(toJob(job), signal);
    this.#parts.jobs.update(job.id, { memory: JSON.stringify(result.memory) });
    return result;
  }

  async #start(
    row: StoredRun,
    job: StoredJob,
    signal: AbortSignal,
    found: ConditionResult | undefined,
  ): Promise<RunOutcome> {
    const { runs, owner, clock } = this.#parts;
    const mine = runs.change(row.id, owner, { state: 'running', started_at: clock.now().toISOString() });
    if (!mine) throw new Error('another process has taken the run over');
    if (job.task === 'DIRECT_FUNCTION') return this.#call(job, signal);
    const event = row.event === null ? [] : (JSON.parse(row.event) as string[]);
    return this.#parts.onDue({
      runId: row.id,
      job: found ? withFinding(toJob(job), found) : toJob(job),
      scheduledFor: new Date(row.scheduled_for),
      attempt: row.attempt,
      reason: row.reason,
      changed: event,
      signal,
    });
  }

  async #call(job: StoredJob, signal: AbortSignal): Promise<RunOutcome> {
    const code = this.#parts.tasks.get(job.task_key ?? '');
    if (!code) throw new Error(`no loaded plugin has the task ${job.task_key ?? ''}`);
    return { state: 'succeeded', output: (await code.run(JSON.parse(job.payload), signal)) ?? '' };
  }

  /** Final row, notice and the job's count of failures: one transaction. */
  #finish(row: StoredRun, job: StoredJob, ending: Ending): void {
    const { store } = this.#parts;
    store.transaction(() => {
      if (this.#retries(row, job, ending)) return;
      if (!this.#record(row, ending)) return;
      this.#tell(row, job, ending);
      this.#count(row, job, ending);
    });
  }

  /** Back to the ledger as due: after a failure that touched nothing, or when the program stops. */
  #retries(row: StoredRun, job: StoredJob, ending: Ending): boolean {
    const { runs, owner, clock } = this.#parts;
    const stopped = ending.state === 'cancelled' && this.#stopping.signal.aborted;
    const again = stopped || (ending.state === 'failed' && row.attempt <= optionsOf(job).retries);
    if (!again || runs.hasEffects(row.id) || job.task === 'DIRECT_FUNCTION') return false;
    const waitMs = stopped ? 0 : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (row.attempt - 1));
    const notBefore = new Date(clock.now().getTime() + waitMs).toISOString();
    const attempt = stopped ? row.attempt - 1 : row.attempt;
    return runs.change(row.id, owner, {
      state: 'due',
      not_before: notBefore,
      attempt,
      error: ending.error ?? null,
      owner: null,
      lease_until: null,
    });
  }

  #record(row: StoredRun, ending: Ending): boolean {
    const { runs, owner, clock } = this.#parts;
    const outcome = ending.state === 'skipped' ? undefined : ending;
    return runs.change(row.id, owner, {
      state: ending.state,
      output: ending.output,
      error: ending.error ?? null,
      delivery: delivers(ending) ? 'pending' : SILENT.test(ending.output) ? 'silent' : 'none',
      conversation_id: outcome?.conversationId ?? null,
      turn_id: outcome?.turnId ?? null,
      cost_usd: outcome?.costUsd ?? null,
      finished_at: clock.now().toISOString(),
      lease_until: null,
    });
  }

  #tell(row: StoredRun, job: StoredJob, ending: Ending): void {
    if (delivers(ending)) {
      this.#parts.board.post({ key: `run:${row.id}`, runId: row.id, to: optionsOf(job).to, text: ending.output });
      return;
    }
    const text = trouble(job, ending);
    if (text && (ending.state === 'denied' || job.failures === 0)) {
      this.#parts.board.post({ key: `trouble:${row.id}`, runId: row.id, to: optionsOf(job).to, text });
    }
  }

  #count(row: StoredRun, job: StoredJob, ending: Ending): void {
    const { jobs, board } = this.#parts;
    const current = jobs.get(job.id);
    if (ending.state === 'succeeded' && current.failures > 0) jobs.update(job.id, { failures: 0 });
    if (ending.state === 'failed' || ending.state === 'denied') {
      const failures = current.failures + 1;
      const { pauseAfter, to } = optionsOf(job);
      const pause = pausedBecause(job, ending, failures, pauseAfter);
      jobs.update(job.id, { failures, ...(pause ? { enabled: 0, paused_because: pause } : {}) });
      if (pause && failures >= pauseAfter) {
        const text = `${nameOf(job)} failed ${failures} times in a row and is paused now. Resume it with \`wooster schedule resume ${job.id}\`.`;
        board.post({ key: `paused:${row.id}`, to, text });
      }
    }
    if (job.kind === 'at' && current.next_run_utc === null) jobs.update(job.id, { enabled: 0, paused_because: 'done' });
  }
}

function pausedBecause(job: StoredJob, ending: Ending, failures: number, pauseAfter: number): string | undefined {
  if (ending.state === 'denied' && job.pin !== null) return 'it wanted more than was allowed';
  return failures >= pauseAfter ? `${failures} failures in a row` : undefined;
}

function delivers(ending: Ending): boolean {
  return ending.state === 'succeeded' && ending.output.trim() !== '' && !SILENT.test(ending.output);
}

function trouble(job: StoredJob, ending: Ending): string | undefined {
  if (ending.state === 'succeeded' || ending.state === 'skipped') return undefined;
  const why = ending.error ? `: ${ending.error.replace(/\.$/u, '')}` : '';
  if (ending.state === 'denied' && job.pin !== null) {
    return `Scheduled job ${nameOf(job)} is paused: it wanted more than you allowed${why}. To allow it: \`wooster schedule rehearse ${job.id} --pin\`, then \`wooster schedule resume ${job.id}\`.`;
  }
  const verb =
    ending.state === 'denied'
      ? 'was not allowed something it needs'
      : ending.state === 'cancelled'
        ? 'was stopped'
        : 'failed';
  return `Scheduled job ${nameOf(job)} ${verb}${why}. See \`wooster schedule show ${job.id}\`.`;
}

function withFinding(job: Job, { text, untrusted }: ConditionResult): Job {
  const prompt = text === '' ? job.prompt : `${job.prompt}\n\nThe condition script found: ${text}`;
  return { ...job, prompt, untrusted: job.untrusted || untrusted };
}

/** Settle when the work does, or shortly after the signal when the work does not listen to it. */
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
