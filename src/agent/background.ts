import { preview } from '../base/text.ts';
import { type Answer, NOBODY_TO_ASK, type Turn, type TurnContext, type TurnEvent } from '../base/turn.ts';
import type { TurnWishes } from './types.ts';

export interface BackgroundDeps {
  runTurn(turn: Turn, context: TurnContext, wishes: TurnWishes): Promise<Answer>;
  readonly now: () => Date;
  readonly timeZone: string;
}

/** A turn that runs in the background, as `/jobs` shows it. */
export interface BackgroundTurn {
  /** Counts from 1; what a person types to stop it. */
  readonly number: number;
  readonly turn: Turn;
  readonly startedAt: Date;
  readonly state: 'running' | Answer['stop'];
  /** Tool calls and scripts so far. */
  readonly steps: number;
  /** What it did last, in one line. */
  readonly last: string;
}

interface Running {
  job: BackgroundTurn;
  readonly stop: AbortController;
  readonly done: Promise<Answer>;
}

/** Runs turns in the background. There is nobody to ask, so calls that need approval are refused. */
export class Background {
  readonly #deps: BackgroundDeps;
  readonly #running: Running[] = [];

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  /** Start a turn. `onDone` is called when it has ended, however it ended. */
  start(turn: Turn, onDone: (job: BackgroundTurn, answer: Answer) => void): BackgroundTurn {
    const stop = new AbortController();
    const number = this.#running.length + 1;
    const entry: Running = {
      job: { number, turn, startedAt: this.#deps.now(), state: 'running', steps: 0, last: 'started' },
      stop,
      done: this.#run(turn, stop.signal, (event) => {
        entry.job = afterEvent(entry.job, event);
      }).then((answer) => {
        entry.job = { ...entry.job, state: answer.stop };
        onDone(entry.job, answer);
        return answer;
      }),
    };
    this.#running.push(entry);
    return entry.job;
  }

  /** All turns started so far, oldest first, ended ones included. */
  list(): readonly BackgroundTurn[] {
    return this.#running.map((entry) => entry.job);
  }

  /** Stop one running turn, or all. @returns those that were told to stop. */
  stop(number?: number): readonly BackgroundTurn[] {
    const wanted = this.#running.filter(({ job }) => {
      return job.state === 'running' && (number === undefined || job.number === number);
    });
    for (const { stop } of wanted) stop.abort(new Error('stopped'));
    return wanted.map((entry) => entry.job);
  }

  /** Stop everything, and wait until it has ended and is saved. */
  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.#running.map((entry) => entry.done));
  }

  async #run(turn: Turn, signal: AbortSignal, show: (event: TurnEvent) => void): Promise<Answer> {
    const { now, timeZone } = this.#deps;
    const context = { signal, show, now, timeZone, approve: async () => NOBODY_TO_ASK };
    return this.#deps.runTurn(turn, context, { standIn: false });
  }
}

function afterEvent(job: BackgroundTurn, event: TurnEvent): BackgroundTurn {
  if (event.type === 'tool') {
    return { ...job, steps: job.steps + 1, last: `${event.name}: ${preview(event.preview, 80)}` };
  }
  if (event.type === 'code') return { ...job, steps: job.steps + 1, last: `script ${event.attempt}` };
  if (event.type === 'error') return { ...job, last: preview(event.message, 80) };
  return event.type === 'answer' ? { ...job, last: preview(event.text, 80) } : job;
}
