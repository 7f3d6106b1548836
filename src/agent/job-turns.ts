import { newId } from '../base/ids.ts';
import type { Answer, ApprovalRequest, Decision, Mode, Turn, TurnContext, TurnEvent } from '../base/turn.ts';
import { TASK_PROFILES } from '../models/types.ts';
import type { DueRun, Job, OnDue, OnRehearse, Pin, RunOutcome } from '../scheduler/types.ts';
import { allowing, type RehearsedCall, rehearsing } from '../tools/gate/limits.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import type { JobContext } from './agent.ts';

export interface JobTurnsDeps {
  runTurn(turn: Turn, context: TurnContext): Promise<Answer>;
  readonly defaultMode: Mode;
  /** The channel of a job that names none. */
  defaultChannel(): string;
  readonly now: () => Date;
}

/** Due runs as turns: they go through the same door, with nobody there to ask. */
export class JobTurns {
  readonly #deps: JobTurnsDeps;
  readonly #running = new Map<string, JobContext>();

  constructor(deps: JobTurnsDeps) {
    this.#deps = deps;
  }

  /** What the turn of a due run brings along; undefined for every other turn. */
  readonly contextOf = (turn: Turn): JobContext | undefined => this.#running.get(turn.id);

  /** Run one. A call that would have to be asked for is refused, and the run ends as `denied`. */
  readonly onDue: OnDue = async (run) => {
    const turn = this.#turn(run);
    const seen = new Seen();
    const limit = (toolbox: Toolbox) => limited(toolbox, run.job, seen);
    const approve = async (request: ApprovalRequest) => leaveBy(run.job.pin, request);
    const job = { ...this.#jobContext(run.job), runId: run.runId, limit };
    return this.#run(turn, job, { signal: run.signal, seen, approve });
  };

  /** The same turn with everything that would change or send something only noted, in a conversation of its own. */
  readonly onRehearse: OnRehearse = async (job, signal) => {
    const calls: RehearsedCall[] = [];
    const id = newId('turn', this.#deps.now());
    const turn: Turn = { ...this.#turnOf(job), id, conversationId: `rehearsal_${id}`, text: job.prompt };
    const limit = (toolbox: Toolbox) => rehearsing(chosen(toolbox, job), (call) => calls.push(call));
    const outcome = await this.#run(
      turn,
      { ...this.#jobContext(job), limit },
      { signal, seen: new Seen(), approve: async () => NOBODY },
    );
    return { outcome, calls };
  };

  async #run(
    turn: Turn,
    job: JobContext,
    around: Pick<TurnContext, 'signal' | 'approve'> & { readonly seen: Seen },
  ): Promise<RunOutcome> {
    this.#running.set(turn.id, job);
    const { signal, approve, seen } = around;
    try {
      const show = (event: TurnEvent) => seen.note(event);
      const answer = await this.#deps.runTurn(turn, { signal, now: this.#deps.now, show, approve });
      return outcome(turn, answer, seen);
    } finally {
      this.#running.delete(turn.id);
    }
  }

  #jobContext(job: Job): JobContext {
    const { to, budgetUsd, profile } = job.options;
    return {
      channel: to ?? this.#deps.defaultChannel(),
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
    };
  }

  #turnOf(job: Job): Pick<Turn, 'origin' | 'mode' | 'project'> {
    return { origin: 'schedule', mode: job.options.mode ?? this.#deps.defaultMode, project: job.project };
  }
}

const NOBODY: Decision = { verdict: 'denied', by: 'no approver' };

/**
 * What the owner pinned after a rehearsal counts as their leave: the tool and, where a call reaches somebody, exactly
 * that somebody. An address that a page thought up, or a search in its words, is never among it.
 */
function leaveBy(pin: Pin | undefined, { tool, destination }: ApprovalRequest): Decision {
  const isPinned = pin?.tools.includes(tool) && (destination === undefined || pin.destinations.includes(destination));
  return isPinned ? { verdict: 'once', by: 'the pin of the job' } : NOBODY;
}

/** The tools that a job may use: those it was given, and once it is pinned exactly what was allowed. */
function limited(toolbox: Toolbox, job: Job, seen: Seen): Toolbox {
  const tools = chosen(toolbox, job);
  return job.pin === undefined ? tools : allowing(tools, job.pin, (what) => seen.refuse(what));
}

function chosen(toolbox: Toolbox, { options: { tools } }: Job): Toolbox {
  return tools === undefined
    ? toolbox
    : toolbox.only((tool) => tools.includes(tool.name) || tools.includes(tool.functionName));
}

/** What a run showed that decides how it ended. */
class Seen {
  denied: string | undefined;
  error: string | undefined;

  refuse(what: string): void {
    this.denied = what;
  }

  note(event: TurnEvent): void {
    if (event.type === 'approval' && event.decision === 'denied') this.denied = event.tool;
    if (event.type === 'error') this.error = `${event.message} ${event.hint}`;
  }
}

function outcome(turn: Turn, answer: Answer, seen: Seen): RunOutcome {
  const about = {
    output: answer.text,
    conversationId: turn.conversationId,
    turnId: turn.id,
    costUsd: answer.usage.costUsd,
  };
  if (seen.denied) {
    return { ...about, state: 'denied', error: `${seen.denied} needs leave, and nobody could be asked.` };
  }
  if (answer.stop === 'aborted') return { ...about, state: 'cancelled', error: 'It was stopped before it ended.' };
  if (answer.stop === 'answered') return { ...about, state: 'succeeded' };
  return { ...about, state: 'failed', error: seen.error ?? `It ended as ${answer.stop}.` };
}
