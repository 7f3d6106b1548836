import { DEFAULT_LIMITS, type Limits, type ScriptOptions } from '../sandbox/contract.ts';
import { ScriptRun } from '../sandbox/script-run.ts';
import type { ChildMessage, Worker, WorkerEnd } from '../sandbox/worker.ts';

/** The child of a script, which says what the test lets it say. */
class ScriptedWorker {
  /** Frames that it was sent. */
  readonly sent: object[] = [];
  /** Answers to its blocking calls. */
  readonly answers: string[] = [];
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  #listener: ((message: ChildMessage) => void) | undefined;
  killed = false;

  readonly pid = 7;
  readonly ended = this.#ended.promise;

  onMessage(listener: (message: ChildMessage) => void): void {
    this.#listener = listener;
  }

  send(frame: object): void {
    this.sent.push(frame);
  }

  answer(text: string): void {
    this.answers.push(text);
  }

  kill(): void {
    this.killed = true;
  }

  say(kind: string, { id = 0, name = '', text = '' } = {}): void {
    this.#listener?.([kind, id, name, text]);
  }

  die(end: WorkerEnd): void {
    this.#ended.resolve(end);
  }
}

/** The script as its author wrote it: its places are found one line below. */
const SOURCE = 'first\n  second\nthird';

/** A script that has begun in such a child. It needs fake timers: whether it ends is up to the test. */
export function beginScript(options: Partial<ScriptOptions> = {}, limits: Partial<Limits> = {}) {
  const worker = new ScriptedWorker();
  const run = new ScriptRun({
    worker: worker as unknown as Worker,
    source: SOURCE,
    compiled: {
      ok: true,
      code: 'compiled',
      imports: ['double'],
      original: ({ line, column }) => ({ line: line + 1, column }),
    },
    options: {
      functions: [],
      bridge: { log: () => {}, call: async () => ({ ok: true, value: null }) },
      signal: new AbortController().signal,
      ...options,
    },
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
  return { worker, run, result: run.run() };
}
