import { newId } from '../base/ids.ts';
import {
  type Answer,
  type ApprovalRequest,
  type Decision,
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
  RunOutcome,
  ScheduledJob,
  Suspended,
} from '../scheduler/types.ts';
import { tellsOwner } from '../tools/builtin/notify.ts';
import { allowing, type RehearsedCall, rehearsing } from '../tools/gate/limits.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { AlreadyTold } from './already-told.ts';
import type { Engine, JobContext, TurnWishes } from './types.ts';

/** Runs one program, once. */
export interface ProgramEngine extends Engine {
  /** Set when it has stopped at a call that waits for the owner. */
  readonly suspended?: Suspended | undefined;
}

export interface JobTurnsDeps {
  runTurn(turn: Turn, context: TurnContext, wishes?: TurnWishes): Promise<Answer>;
  /** Runs the program of a job. */
  engineOf?(program: JobProgram, earlier?: { readonly steps: string | undefined }): ProgramEngine;
  /** For jobs that name none. */
  readonly defaultMode: Pick<Turn, 'mode' | 'autoMode'>;
  /** The channel for jobs that name none. */
  defaultChannel(): Promise<string>;
  readonly now: () => Date;
  readonly timeZone: string;
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
    const jobId = this.contextOf(turn)?.jobId;
    if (jobId === undefined) return [];
    return [
      `This request is the scheduled job ${jobId}, due now: carry it out. Your answer is delivered to the user by`,
      'itself, so do not also send it with a notify tool, and do not schedule it again.',
    ];
  }

  /** Run a due job. Calls that need approval are refused unless pinned, and the run then ends as `denied`. */
  readonly onDue: OnDue = async (run) => {
    const turn = this.#turn(run);
    const events = new RunEvents(() => run.heard());
    const limit = (toolbox: Toolbox) => limited(toolbox, run.job, events);
    const approve = async (request: ApprovalRequest) => decideByPin(run.job.pin, request);
    const job = { ...(await this.#jobContext(run.job)), runId: run.runId, limit };
    const { program } = run.job.options;
    // It says nothing before it has something to say.
    if (program !== undefined) run.heard();
    return this.#run(turn, job, { signal: run.signal, events, approve, program, earlier: { steps: run.steps } });
  };

  /** Run the job in its own conversation; calls that would change or send something are recorded, not made. */
  readonly onRehearse: OnRehearse = async (job, signal) => {
    const calls: RehearsedCall[] = [];
    const id = newId('turn', this.#deps.now());
    const turn: Turn = { ...this.#turnOf(job), id, conversationId: `rehearsal_${id}`, text: job.prompt };
    const limit = (toolbox: Toolbox) => rehearsing(chosen(toolbox, job), (call) => calls.push(call));
    const outcome = await this.#run(
      turn,
      { ...(await this.#jobContext(job)), limit },
      { signal, events: new RunEvents(), approve: async () => ONLY_TRIED, program: job.options.program },
    );
    return { outcome, calls };
  };

  async #run(
    turn: Turn,
    job: JobContext,
    around: Pick<TurnContext, 'signal' | 'approve'> & {
      readonly events: RunEvents;
      readonly program: JobProgram | undefined;
      /** Absent: it does not wait, since nothing goes on. */
      readonly earlier?: { readonly steps: string | undefined };
    },
  ): Promise<RunOutcome> {
    this.#running.set(turn.id, job);
    const { signal, approve, events, program, earlier } = around;
    const engine = program && this.#deps.engineOf?.(program, earlier);
    const { now, timeZone } = this.#deps;
    try {
      const show = (event: TurnEvent) => events.note(event);
      const answer = await this.#deps.runTurn(turn, { signal, now, timeZone, show, approve }, { engine });
      return outcome(turn, answer, { events, channel: job.channel, suspended: engine?.suspended });
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

  #turn(run: DueRun): Turn {
    const { job, runId, attempt, changed } = run;
    const documents = changed.length === 0 ? '' : `\n\nChanged documents: ${changed.join(', ')}`;
    return {
      ...this.#turnOf(job),
      id: `turn_${runId}_${attempt}`,
      conversationId: job.options.conversationId ?? `job_${runId}`,
      text: `${job.prompt}${documents}`,
      ...(job.options.material && { material: job.options.material }),
    };
  }

  #turnOf(job: ScheduledJob): Pick<Turn, 'origin' | 'mode' | 'autoMode' | 'project'> {
    const { mode } = job.options;
    return { origin: 'schedule', project: job.project, ...(mode ? { mode } : this.#deps.defaultMode) };
  }
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
    if (!ASKED.has(event.type) || (event.type === 'turn' && OWN.test(event.model))) this.#heard();
    // A call that waits for the owner is no failure: the answer tells them of it.
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
