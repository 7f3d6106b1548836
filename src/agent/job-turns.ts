import { newId } from '../base/ids.ts';
import {
  type Answer,
  type ApprovalRequest,
  type Decision,
  type Material,
  NOBODY_TO_ASK,
  ONLY_TRIED,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../base/turn.ts';
import { TASK_PROFILES } from '../models/types.ts';
import type {
  DueRun,
  JobProgram,
  OnDue,
  OnRehearse,
  PinnedCalls,
  Rehearsal,
  RunOutcome,
  ScheduledJob,
  Suspended,
} from '../scheduler/types.ts';
import { tellsOwner } from '../tools/builtin/notify.ts';
import { isOpen } from '../tools/gate/decided-calls.ts';
import { allowing, type RehearsedCall, rehearsing } from '../tools/gate/limits.ts';
import type { Proposal } from '../tools/gate/proposals.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { AlreadyTold } from './already-told.ts';
import type { Engine, JobContext, TurnWishes } from './types.ts';
import { suspendedFor, type WaitingTurn, waitingTurnIn } from './waiting-turn.ts';

/** Runs one program, once. */
export interface ProgramEngine extends Engine {
  /** Set when it has stopped at a call that waits for the owner. */
  readonly suspended?: Suspended | undefined;
}

export interface JobTurnsDeps {
  runTurn(turn: Turn, context: TurnContext, wishes?: TurnWishes): Promise<Answer>;
  /** Runs the program of a job. */
  engineOf?(program: JobProgram, earlier?: { readonly steps: string | undefined }): ProgramEngine;
  /** A call that waits, or waited, for the owner; absent: a model's run does not wait for it. */
  proposal?(id: string): Promise<Proposal>;
  /** For jobs that name none. */
  readonly defaultMode: Pick<Turn, 'mode' | 'autoMode'>;
  /** The channel for jobs that name none. */
  defaultChannel(): Promise<string>;
  readonly now: () => Date;
  readonly timeZone: string;
}

/** Who does a run, and what they are told. */
export interface RunBy {
  /** Absent: that of the job's mode. */
  readonly engine?: ProgramEngine | undefined;
  /** For the model. */
  readonly lines?: readonly string[] | undefined;
  /** What it reads besides what came with the job. */
  readonly material?: readonly Material[] | undefined;
  /** Tells apart the turns of one run. */
  readonly part?: string | undefined;
}

/** Runs scheduled jobs as turns: through the same `runTurn`, but with nobody to ask for approval. */
export class JobTurns {
  readonly #deps: JobTurnsDeps;
  readonly #running = new Map<string, JobContext>();

  constructor(deps: JobTurnsDeps) {
    this.#deps = deps;
  }

  /** What the job of a running turn adds to it; undefined for turns that no job started. */
  readonly contextOf = (turn: Turn): JobContext | undefined => this.#running.get(turn.id);

  /** What a model has to know of the job that started its turn, so that its owner is told once. */
  linesFor(turn: Turn): string[] {
    const { jobId, decided } = this.contextOf(turn) ?? {};
    if (jobId === undefined) return [];
    return [
      ...(decided === undefined ? [] : GOES_ON),
      `This request is the scheduled job ${jobId}, due now: carry it out. Your answer is delivered to the user by`,
      'itself, so do not also send it with a notify tool, and do not schedule it again.',
    ];
  }

  /** Run a due job. Calls that need approval wait for the owner, and the run with them, unless the job is pinned. */
  readonly onDue: OnDue = (run) => {
    const { program } = run.job.options;
    return this.runBy(run, { engine: program && this.#deps.engineOf?.(program, { steps: run.steps }) });
  };

  /** The same by another engine than that of its mode, or with more for its model to know. */
  async runBy(run: DueRun, by: RunBy = {}): Promise<RunOutcome> {
    const { part = '', material = [] } = by;
    const before = by.engine ? undefined : waitingTurnIn(run.steps);
    if (before) return this.#goOn(run, before, { ...by, material });
    return this.#runOnce(run, this.#turn(run, { part, material }), by);
  }

  /** A turn that waited for the owner, with all that it had read; while some of its calls are open it waits on. */
  async #goOn(run: DueRun, before: WaitingTurn, by: RunBy & Required<Pick<RunBy, 'material'>>): Promise<RunOutcome> {
    const decided = await this.#proposals(before.proposals);
    const { turnId, conversationId, mode, said, untrusted, costUsd } = before;
    if (decided.some(isOpen)) {
      const waits = suspendedFor(before, decided, { now: this.#deps.now(), tells: 'nothing' });
      return { ...waits, output: said, turnId, conversationId, costUsd };
    }
    const job = { ...run.job, untrusted: run.job.untrusted || untrusted };
    const turn = this.#turn({ ...run, job }, { part: '', material: by.material });
    const same = { ...turn, id: turnId, conversationId, mode, autoMode: false };
    return this.#runOnce({ ...run, job }, same, by, { ...before, decided });
  }

  /** @param before of a turn that goes on. */
  async #runOnce(
    run: DueRun,
    turn: Turn,
    { engine, lines }: RunBy,
    before?: WaitingTurn & { readonly decided: readonly Proposal[] },
  ): Promise<RunOutcome> {
    const events = new RunEvents(() => run.heard());
    const limit = (toolbox: Toolbox) => limited(toolbox, run.job, events);
    const approve = async (request: ApprovalRequest) => decideByPin(run.job.pin, request);
    const job = { ...(await this.#jobContext(run.job)), runId: run.runId, limit, decided: before?.decided };
    // It says nothing before it has something to say.
    if (engine) run.heard();
    const wishes = { engine, lines, ...(before && toldBefore(turn, before)) };
    const startedAt = this.#deps.now().toISOString();
    const outcome = await this.#run(turn, job, { signal: run.signal, events, approve, wishes });
    const costUsd = before ? sum(before.costUsd, outcome.costUsd) : outcome.costUsd;
    const proposed = engine || outcome.state !== 'succeeded' ? [] : await this.#proposals([...events.proposed]);
    // A call that the owner had denied before does not wait again.
    const waits = proposed.filter((each) => isOpen(each) || (each.decidedAt ?? '') >= startedAt);
    if (waits.length === 0) return { ...outcome, costUsd };
    const waiting = {
      ...{ turnId: turn.id, conversationId: turn.conversationId, mode: events.mode ?? turn.mode },
      proposals: [...(before?.proposals ?? []), ...waits.map(({ id }) => id)],
      said: [before?.said ?? '', outcome.output].filter((text) => text !== '').join('\n\n'),
      ...{ untrusted: run.job.untrusted, costUsd },
    };
    return { ...outcome, costUsd, ...suspendedFor(waiting, waits, { now: this.#deps.now(), tells: 'answer' }) };
  }

  #proposals(ids: readonly string[]): Promise<readonly Proposal[]> {
    const { proposal } = this.#deps;
    return Promise.all(proposal ? ids.map((id) => proposal(id)) : []);
  }

  /** Run the job in its own conversation; calls that would change or send something are recorded, not made. */
  readonly onRehearse: OnRehearse = (job, signal) => this.rehearse(job, signal);

  /** @param change what becomes of the tools besides. */
  async rehearse(
    job: ScheduledJob,
    signal: AbortSignal,
    change: (toolbox: Toolbox) => Toolbox = (toolbox) => toolbox,
  ): Promise<Rehearsal> {
    const calls: RehearsedCall[] = [];
    const id = newId('turn', this.#deps.now());
    const turn: Turn = { ...this.#turnOf(job), id, conversationId: `rehearsal_${id}`, text: job.prompt };
    const limit = (toolbox: Toolbox) => rehearsing(change(chosen(toolbox, job)), (call) => calls.push(call));
    const { program } = job.options;
    const outcome = await this.#run(
      turn,
      { ...(await this.#jobContext(job)), limit, tried: true },
      {
        ...{ signal, events: new RunEvents(), approve: async () => ONLY_TRIED },
        wishes: { engine: program && this.#deps.engineOf?.(program) },
      },
    );
    return { outcome, calls };
  }

  async #run(
    turn: Turn,
    job: JobContext,
    around: Pick<TurnContext, 'signal' | 'approve'> & {
      readonly events: RunEvents;
      readonly wishes: Pick<RunBy, 'engine' | 'lines'> & Pick<TurnWishes, 'before' | 'read'>;
    },
  ): Promise<RunOutcome> {
    this.#running.set(turn.id, job);
    const { signal, approve, events, wishes } = around;
    const { now, timeZone } = this.#deps;
    try {
      const show = (event: TurnEvent) => events.note(event);
      const answer = await this.#deps.runTurn(turn, { signal, now, timeZone, show, approve }, wishes);
      return outcome(turn, answer, { events, channel: job.channel, suspended: wishes.engine?.suspended });
    } finally {
      this.#running.delete(turn.id);
    }
  }

  async #jobContext(job: ScheduledJob): Promise<JobContext> {
    const { to, budgetUsd, profile } = job.options;
    return {
      channel: to ?? (await this.#deps.defaultChannel()),
      untrusted: job.untrusted,
      jobId: job.id,
      budgetUsd,
      profile: TASK_PROFILES.find((known) => known === profile),
    };
  }

  #turn(run: DueRun, by: Required<Pick<RunBy, 'part' | 'material'>>): Turn {
    const { job, runId, attempt, changed } = run;
    const material = [...(job.options.material ?? []), ...(by.material ?? [])];
    const documents = changed.length === 0 ? '' : `\n\nChanged documents: ${changed.join(', ')}`;
    return {
      ...this.#turnOf(job),
      id: `turn_${runId}_${attempt}${by.part}`,
      conversationId: job.options.conversationId ?? `job_${runId}`,
      text: `${job.prompt}${documents}`,
      ...(material.length > 0 && { material }),
    };
  }

  #turnOf(job: ScheduledJob): Pick<Turn, 'origin' | 'mode' | 'autoMode' | 'project'> {
    const { mode } = job.options;
    return { origin: 'schedule', project: job.project, ...(mode ? { mode } : this.#deps.defaultMode) };
  }
}

const GOES_ON = [
  'You have answered this request already, as far as you could without the calls that waited for the user, and your',
  'answer was delivered. They are decided now: their results tell how. Do what is left because of that, and nothing',
  'twice. Say only what is new; if that is nothing, answer [SILENT].',
];

/** A turn that goes on does not see its own answer; and what its calls had read counts, if its conversation is gone. */
function toldBefore(
  { text }: Turn,
  { said, decided }: { readonly said: string; readonly decided: readonly Proposal[] },
): Pick<TurnWishes, 'before' | 'read'> {
  const read = decided.map(({ provenance }) => provenance);
  return {
    before: [
      { role: 'user', text },
      { role: 'assistant', text: said },
    ],
    read: {
      untrusted: read.some(({ untrusted }) => untrusted),
      private: read.some((each) => each.private),
      sources: read.flatMap(({ sources }) => sources),
    },
  };
}

/** An unknown price makes the total unknown. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/**
 * What the owner pinned after a rehearsal counts as approved: the tool and, where a call reaches a destination, exactly
 * that destination. Whatever else a pinned job wants is refused; of other jobs it waits for the owner.
 */
function decideByPin(pin: PinnedCalls | undefined, { tool, destination }: ApprovalRequest): Decision {
  if (pin === undefined) return NOBODY_TO_ASK;
  const isPinned = pin.tools.includes(tool) && (destination === undefined || pin.destinations.includes(destination));
  return { verdict: isPinned ? 'once' : 'denied', by: 'the pin of the job' };
}

/**
 * The tools that a job may use: those it was given; once it is pinned, exactly what the pin allows; otherwise, while it
 * is restricted, those that change nothing and those that tell the owner.
 */
function limited(toolbox: Toolbox, job: ScheduledJob, events: RunEvents): Toolbox {
  const tools = chosen(toolbox, job);
  if (job.pin !== undefined) return allowing(tools, job.pin, (what) => events.refuse(what));
  return job.restricted ? tools.only((tool) => tool.policy.effect === 'none' || tellsOwner(tool)) : tools;
}

function chosen(toolbox: Toolbox, { options: { tools } }: ScheduledJob): Toolbox {
  return tools === undefined
    ? toolbox
    : toolbox.only((tool) => tools.includes(tool.name) || tools.includes(tool.functionName));
}

/** Before a model says anything, these may come: it is asked, again or another one. */
const ASKED = new Set<TurnEvent['type']>(['turn', 'notice', 'retry', 'fallback', 'compaction']);
/** One of our own process is there, however long it thinks. */
const OWN = /^local:/u;

/** The events of a run that decide how it ended. */
class RunEvents {
  denied: string | undefined;
  error: string | undefined;
  modelAway = false;
  mode: Turn['mode'] | undefined;
  /** The ids of the calls that the owner is to decide about. */
  readonly proposed = new Set<string>();
  readonly told = new AlreadyTold();
  readonly #heard: () => void;

  /** @param heard  called when a model says something, or need not. */
  constructor(heard: () => void = () => {}) {
    this.#heard = heard;
  }

  refuse(what: string): void {
    this.denied = what;
  }

  note(event: TurnEvent): void {
    this.told.note(event);
    if (event.type === 'turn') this.mode ??= event.mode;
    if (event.type === 'approval' && event.proposal !== undefined) this.proposed.add(event.proposal);
    if (!ASKED.has(event.type) || (event.type === 'turn' && OWN.test(event.model))) this.#heard();
    // A call that waits for the owner is no failure.
    const isDenied = event.type === 'approval' && event.decision === 'denied' && event.proposal === undefined;
    if (isDenied) this.denied = event.tool;
    if (event.type !== 'error') return;
    this.error = `${event.message} ${event.hint}`;
    this.modelAway = event.code === 'model_unreachable';
  }
}

function outcome(
  turn: Turn,
  answer: Answer,
  { events, channel, suspended }: { events: RunEvents; channel: string | undefined; suspended: Suspended | undefined },
): RunOutcome {
  const about = {
    output: answer.text,
    conversationId: turn.conversationId,
    turnId: turn.id,
    costUsd: answer.usage.costUsd,
    voice: answer.voice,
  };
  if (suspended) return { ...about, state: 'denied', suspended, error: `${suspended.proposal} is not decided yet` };
  if (events.denied) {
    return { ...about, state: 'denied', error: `${events.denied} needs approval, and there was nobody to ask.` };
  }
  if (answer.stop === 'aborted') return { ...about, state: 'cancelled', error: 'It was stopped before it finished.' };
  const told = events.told.covers(answer.text, channel);
  if (answer.stop === 'answered' || answer.stop === 'cut_off') {
    return { ...about, state: 'succeeded', ...(told ? { told } : {}) };
  }
  const error = events.error ?? `It ended with ${answer.stop}.`;
  return { ...about, state: 'failed', error, ...(events.modelAway ? { modelAway: true } : {}) };
}
