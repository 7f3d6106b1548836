import type { JobTurns } from '../../agent/job-turns.ts';
import { waitingTurnIn } from '../../agent/waiting-turn.ts';
import type { Log } from '../../base/log.ts';
import { preview } from '../../base/text.ts';
import { STRANGER, type Voice } from '../../base/turn.ts';
import type { TurnCost } from '../../models/usage-table.ts';
import type { DueRun, OnDue, OwnerNotices, RunOutcome, ScheduledJob } from '../../scheduler/types.ts';
import type { Store } from '../../store/store.ts';
import type { Proposal as WaitingCall } from '../../tools/gate/proposals.ts';
import { ENOUGH } from './evidence.ts';
import { Freezing, type FreezingParts, type Proposal } from './freezing.ts';
import { type FrozenJob, FrozenTable } from './frozen-table.ts';
import { type Deviation, RunsFrozen } from './runs-frozen.ts';

export interface FreezerParts extends FreezingParts {
  readonly jobs: Pick<JobTurns, 'onDue' | 'runBy' | 'rehearse'>;
  readonly store: Store;
  readonly notices: Pick<OwnerNotices, 'post'>;
  readonly log: Log;
  readonly now: () => Date;
  /** A call that waits, or waited, for the owner. */
  proposal(id: string): Promise<WaitingCall>;
}

/** After so many runs that did not fit, a model does them again. */
const MOST_DEVIATIONS = 2;
/** So often a model does one run, to see whether it would still do the same. */
const AUDIT_MS = 30 * 24 * 3_600_000;

/** Where a job is between a model and a program. */
export type JobState =
  | { readonly state: 'offered'; readonly runs: number }
  | { readonly state: 'not'; readonly why: string }
  | { readonly state: 'frozen' | 'thawed'; readonly job: FrozenJob; readonly saved: TurnCost };

/** Runs jobs that always went the same way by a program, for as long as nothing is different. */
export class Freezer {
  readonly #parts: FreezerParts;
  readonly #freezing: Freezing;
  readonly #table: FrozenTable;

  constructor(parts: FreezerParts) {
    this.#parts = parts;
    this.#freezing = new Freezing(parts);
    this.#table = new FrozenTable(parts.store);
  }

  /** What is to be said of a job. A thawed one is offered again after new runs. */
  async stateOf(id: string, signal: AbortSignal): Promise<JobState> {
    const job = await this.#table.get(id);
    if (job?.state === 'frozen') return { state: 'frozen', job, saved: savedBy(job) };
    const offer = await this.#freezing.offer(id, { signal, since: thawedFrom(job) });
    if (!('not' in offer)) return { state: 'offered', runs: ENOUGH };
    return job ? { state: 'thawed', job, saved: savedBy(job) } : { state: 'not', why: offer.not };
  }

  /** The jobs that could be frozen, by their ids. */
  async offered(signal: AbortSignal): Promise<readonly string[]> {
    const offered: string[] = [];
    for (const id of await this.#parts.scheduler().ids({ answered: ENOUGH }))
      if ((await this.stateOf(id, signal)).state === 'offered') offered.push(id);
    return offered;
  }

  /** @throws AssistantError `bad_usage` with why the job cannot be frozen. */
  async propose(id: string, signal: AbortSignal): Promise<Proposal> {
    return this.#freezing.propose(id, { signal, since: thawedFrom(await this.#table.get(id)) });
  }

  /** The owner has agreed to it. */
  freeze(id: string, { frozen }: Proposal): Promise<void> {
    return this.#table.freeze(id, frozen, this.#parts.now());
  }

  /** @returns whether it was frozen. */
  thaw(id: string): Promise<boolean> {
    return this.#table.thaw(id, BY_OWNER);
  }

  /** Runs a job that is due: by its program where it is frozen, else by a model. */
  readonly onDue: OnDue = async (run) => {
    const frozen = await this.#table.get(run.job.id);
    if (!frozen) return this.#parts.jobs.onDue(run);
    // A run that has waited belongs to who did it, whatever has become of the job since.
    if (waitingTurnIn(run.steps)) return this.#byModel(run, frozen);
    if (run.steps !== undefined) return this.#byProgram(run, frozen);
    if (frozen.state === 'thawed') return this.#byModel(run, frozen);
    const changed = this.#freezing.changed(run.job, frozen);
    if (changed !== undefined) {
      await this.#thaw(run, changed);
      return this.#byModel(run, frozen);
    }
    if (frozen.stopped !== undefined) return this.#byModel(run, frozen);
    const isDue = this.#parts.now().getTime() - frozen.auditedAt.getTime() >= AUDIT_MS;
    return isDue ? this.#audit(run, frozen) : this.#byProgram(run, frozen);
  };

  async #byProgram(run: DueRun, frozen: FrozenJob): Promise<RunOutcome> {
    const program = await this.#freezing.load(run.job, frozen.source);
    if ('why' in program) {
      await this.#thaw(run, `its program cannot be used any more: ${program.why}`);
      return this.#byModel(run, frozen);
    }
    const deps = { ...this.#parts.programs.deps, proposal: (id: string) => this.#parts.proposal(id) };
    const engine = new RunsFrozen(deps, frozen, { program, earlier: run.steps });
    const outcome = await this.#parts.jobs.runBy(run, { engine });
    const { deviation } = engine;
    if (deviation) return this.#deviated(run, frozen, { deviation, outcome });
    if (outcome.state === 'succeeded')
      await this.#table.ran(run.job.id, await this.#parts.models.costOf(outcome.turnId ?? ''));
    return outcome;
  }

  /** Before it has acted, a model does the run; afterwards nobody goes on by themselves. */
  async #deviated(
    run: DueRun,
    frozen: FrozenJob,
    { deviation, outcome }: { readonly deviation: Deviation; readonly outcome: RunOutcome },
  ): Promise<RunOutcome> {
    const { why, done, modelAway } = deviation;
    if (modelAway && done === undefined) return { ...outcome, error: why, modelAway };
    const count = await this.#table.deviated(run.job.id, done === undefined ? undefined : outcome.output);
    if (count >= MOST_DEVIATIONS) await this.#thaw(run, `${count} of its runs did not fit`);
    if (done !== undefined) return { ...outcome, state: 'failed', error: outcome.output, insists: true };
    const what = `was done by a model this time, since something was not as it used to be: ${why}`;
    await this.#tell(run, 'model', what, outcome.voice ?? STRANGER);
    return this.#byModel(run, frozen, '_model');
  }

  async #byModel(run: DueRun, { stopped }: FrozenJob, part?: string): Promise<RunOutcome> {
    const last = { name: 'what the last run did', text: stopped ?? '', untrusted: true };
    const told = stopped === undefined ? {} : { lines: [STOPPED], material: [last] };
    const outcome = await this.#parts.jobs.runBy(run, { ...told, part });
    if (stopped !== undefined && outcome.state === 'succeeded') await this.#table.told(run.job.id);
    return outcome;
  }

  /** A model does one run, and the program has to have done the same. */
  async #audit(run: DueRun, frozen: FrozenJob): Promise<RunOutcome> {
    const outcome = await this.#byModel(run, frozen);
    if (outcome.state !== 'succeeded') return outcome;
    const program = await this.#freezing.load(run.job, frozen.source);
    const { conversationId = '', turnId = '' } = outcome;
    const differs =
      'why' in program ? program.why : await this.#freezing.differs(program, { conversationId, turnId }, run.signal);
    if (differs === undefined) await this.#table.audited(run.job.id, this.#parts.now());
    else await this.#thaw(run, `a model does it otherwise now: ${differs}`);
    return outcome;
  }

  async #thaw(run: DueRun, why: string): Promise<void> {
    if (!(await this.#table.thaw(run.job.id, why))) return;
    // It may quote what was read.
    await this.#tell(run, 'thawed', `is run by a model again: ${why}`, STRANGER);
  }

  async #tell({ runId, job }: DueRun, kind: string, what: string, voice?: Voice): Promise<void> {
    const { store, notices, log } = this.#parts;
    const text = `Scheduled job ${nameOf(job)} ${what.replace(/\.$/u, '')}. See \`wooster schedule show ${job.id}\`.`;
    log.info('frozen job', { job: job.id, run: runId, kind });
    await store.transaction(() =>
      notices.post({ key: `frozen-${kind}:${runId}`, runId, to: job.options.to, text, voice }),
    );
  }
}

const BY_OWNER = 'you';

/** What did not fit any more has to show itself again; of its owner's own thaw nothing follows. */
function thawedFrom(job: FrozenJob | undefined): Date | undefined {
  return job?.state === 'thawed' && job.why !== BY_OWNER ? job.frozenAt : undefined;
}

const STOPPED = [
  'The last run of this job stopped before its end. What it had done comes with the request:',
  'do not do that again, and say what is missing.',
].join(' ');

function nameOf({ id, prompt }: ScheduledJob): string {
  return `${id} "${preview(prompt, 40)}"`;
}

/** What its runs would have taken of a model, less what they took. */
function savedBy({ runs, perRun, spent }: FrozenJob): TurnCost {
  const tokens = Math.max(0, runs * perRun.tokens - spent.tokens);
  if (perRun.usd === undefined || spent.usd === undefined) return { tokens };
  return { tokens, usd: Math.max(0, runs * perRun.usd - spent.usd) };
}
