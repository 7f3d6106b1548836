import type { Answer, Decision, Mode, Turn, TurnContext, TurnEvent } from '../base/turn.ts';
import type { DueRun, OnDue, RunOutcome } from '../scheduler/types.ts';
import type { JobContext } from './agent.ts';

export interface JobTurnsParts {
  runTurn(turn: Turn, context: TurnContext): Promise<Answer>;
  readonly defaultMode: Mode;
  /** The channel of a job that names none. */
  defaultChannel(): string;
  readonly now: () => Date;
}

/** Due runs as turns: they go through the same door, with nobody there to ask. */
export class JobTurns {
  readonly #parts: JobTurnsParts;
  readonly #running = new Map<string, JobContext>();

  constructor(parts: JobTurnsParts) {
    this.#parts = parts;
  }

  /** What the turn of a due run brings along; undefined for every other turn. */
  readonly contextOf = (turn: Turn): JobContext | undefined => this.#running.get(turn.id);

  /** Run one. A call that would have to be asked for is refused, and the run ends as `denied`. */
  readonly onDue: OnDue = async (run) => {
    const turn = this.#turn(run);
    const { job, runId } = run;
    this.#running.set(turn.id, {
      runId,
      channel: job.options.to ?? this.#parts.defaultChannel(),
      untrusted: job.untrusted,
      jobId: job.id,
      budgetUsd: job.options.budgetUsd,
    });
    const seen = new Seen();
    try {
      const answer = await this.#parts.runTurn(turn, this.#context(run, seen));
      return outcome(turn, answer, seen);
    } finally {
      this.#running.delete(turn.id);
    }
  };

  #turn({ runId, job, attempt }: DueRun): Turn {
    return {
      id: `turn_${runId}_${attempt}`,
      conversationId: job.options.conversationId ?? `job_${runId}`,
      text: job.prompt,
      origin: 'schedule',
      mode: job.options.mode ?? this.#parts.defaultMode,
      project: job.project,
    };
  }

  #context(run: DueRun, seen: Seen): TurnContext {
    return {
      signal: run.signal,
      now: this.#parts.now,
      show: (event) => seen.note(event),
      approve: async (): Promise<Decision> => ({ verdict: 'denied', by: 'no approver' }),
    };
  }
}

/** What a run showed that decides how it ended. */
class Seen {
  denied: string | undefined;
  error: string | undefined;

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
