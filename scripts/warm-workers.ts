/**
 * Processes for test files that stay: the modules of a file are loaded once for all mutants that it is tried on, which
 * takes a few milliseconds instead of a start. What a mutant leaves in them is for whoever runs the tests to notice.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';

/** Each has some 100 MB. */
const MOST_KEPT = 10;

export class WarmWorkers {
  readonly name = 'warm';
  /** By test file, the least recently used first. */
  readonly #kept = new Map<string, ChildProcess>();

  createPoolWorker = (options: PoolOptions): PoolWorker => new WarmWorker(options, this);

  take(file: string): ChildProcess | undefined {
    const child = this.#kept.get(file);
    this.#kept.delete(file);
    return child?.connected ? child : undefined;
  }

  keep(file: string, child: ChildProcess): void {
    this.#kept.get(file)?.kill('SIGKILL');
    this.#kept.set(file, child);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#end(oldest);
  }

  /** From here on every file gets a new process. */
  forget(): void {
    for (const file of [...this.#kept.keys()]) this.#end(file);
  }

  #end(file: string): void {
    this.#kept.get(file)?.kill('SIGKILL');
    this.#kept.delete(file);
  }
}

/** What Vitest sees of it: a process that is started and stopped for each run. Which file it is for, the run tells. */
class WarmWorker implements PoolWorker {
  readonly name = 'warm';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  readonly #all: WarmWorkers;
  readonly #events = new EventEmitter();
  #child: ChildProcess | undefined;
  #start: WorkerRequest | undefined;
  #file = '';
  #isDone = false;

  constructor(options: PoolOptions, all: WarmWorkers) {
    this.#options = options;
    this.#all = all;
  }

  on(event: string, callback: (...words: unknown[]) => void): void {
    this.#events.on(event, callback);
  }

  off(event: string, callback: (...words: unknown[]) => void): void {
    this.#events.off(event, callback);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  async start(): Promise<void> {}

  send(message: WorkerRequest): void {
    const { type } = message as { type?: string };
    if (type === 'start') {
      this.#start = message;
      this.#answer('started');
    } else if (type === 'stop') this.#answer('stopped');
    else if (type === 'run' || type === 'collect') this.#run(message);
    else this.#child?.send(message);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.removeAllListeners();
    child.on('error', () => {});
    if (this.#isDone && child.connected) this.#all.keep(this.#file, child);
    else child.kill('SIGKILL');
  }

  #run(run: WorkerRequest): void {
    // A process that stays has the configuration of its first run, and with it the names of the tests of that one.
    const { config } = (this.#start as { context: { config: unknown } }).context;
    const message = { ...run, context: { ...(run as { context: object }).context, config } } as WorkerRequest;
    this.#file = (message as { context: { files: { filepath: string }[] } }).context.files[0]?.filepath ?? '';
    const warm = this.#all.take(this.#file);
    const child = warm ?? this.#fork();
    this.#child = child;
    child.on('error', (error) => this.#events.emit('error', error));
    child.on('exit', (...ended) => this.#events.emit('exit', ...ended));
    child.on('message', (answer: { readonly type?: string }) => {
      if (answer.type === 'testfileFinished') this.#isDone = true;
      if (answer.type === 'started') child.send(message);
      else this.#events.emit('message', answer);
    });
    child.send(warm === undefined ? (this.#start as WorkerRequest) : message);
  }

  #fork(): ChildProcess {
    const { distPath, env, execArgv } = this.#options;
    return fork(join(distPath, 'workers/forks.js'), [], {
      ...{ env: env as NodeJS.ProcessEnv, execArgv },
      ...{ stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' },
    });
  }

  #answer(type: string): void {
    setImmediate(() => this.#events.emit('message', { type, __vitest_worker_response__: true }));
  }
}
