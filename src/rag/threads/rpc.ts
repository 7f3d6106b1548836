import { type MessagePort, parentPort, Worker } from 'node:worker_threads';
import { AssistantError, type ErrorCode, messageOf } from '../../base/errors.ts';

/** The methods of a thread, by name. */
export type Handlers = Readonly<Record<string, (argument: never, context: HandlerContext) => unknown>>;

export interface HandlerContext {
  /** Fires when the caller gives up, and when the thread has to end. */
  readonly signal: AbortSignal;
  /** Fires when the thread has to end. Its reason is an AssistantError for the caller. */
  readonly ending: AbortSignal;
  readonly progress: (value: unknown) => void;
}

type Request =
  | { readonly id: number; readonly method: string; readonly argument: unknown }
  | { readonly cancel: number }
  | { readonly end: true };

type Call = Extract<Request, { id: number }>;

type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly error: { code?: ErrorCode; message: string; hint: string; stack?: string } };

/** A thread that has not ended by itself within this time is terminated. */
const END_WITHIN_MS = 30_000;

/**
 * Serve requests of the parent thread, concurrently. When asked to end, the thread waits for running requests, calls
 * `close` and exits by itself: terminating it during a native call would take the process down.
 */
export function serve(handlers: Handlers, close: () => void | Promise<void> = () => undefined): void {
  if (!parentPort) throw new Error('this file is the start of a thread');
  const port = parentPort;
  const running = new Map<number, { readonly controller: AbortController; readonly answered: Promise<void> }>();
  const ending = new AbortController();
  const start = (call: Call) => {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, ending.signal]);
    const progress = (value: unknown) => port.postMessage({ id: call.id, progress: value } satisfies Reply);
    const answered = answer(port, call, () => run(handlers, call, { signal, ending: ending.signal, progress }));
    running.set(call.id, { controller, answered });
    void answered.finally(() => running.delete(call.id));
  };
  const end = async () => {
    ending.abort(closed());
    await Promise.all([...running.values()].map(({ answered }) => answered));
    await close();
    port.close();
  };
  port.on('message', (request: Request) => {
    if ('end' in request) void end();
    else if ('cancel' in request) running.get(request.cancel)?.controller.abort();
    else start(request);
  });
}

function run(handlers: Handlers, { method, argument }: Call, context: HandlerContext): unknown {
  const handler = handlers[method];
  if (!handler) throw new Error(`no handler ${method}`);
  return handler(argument as never, context);
}

async function answer(port: MessagePort, { id }: Call, work: () => unknown): Promise<void> {
  try {
    port.postMessage({ id, result: await work() } satisfies Reply);
  } catch (error) {
    port.postMessage({ id, error: describe(error) } satisfies Reply);
  }
}

function describe(error: unknown): { code?: ErrorCode; message: string; hint: string; stack?: string } {
  if (error instanceof AssistantError) return { code: error.code, message: error.message, hint: error.hint };
  const stack = error instanceof Error ? error.stack : undefined;
  return { message: messageOf(error), hint: '', ...(stack !== undefined && { stack }) };
}

/** The error of a request that came too late, or was given up because the store was closing. */
export function closed(): AssistantError {
  const hint = 'What was done is kept. Start again to continue.';
  return new AssistantError('index_unavailable', 'The document store was closed.', { hint });
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((value: never) => void) | undefined;
}

/** For objects that die young. With V8's 48 MB, building an index kept four times as much memory as it used. */
const YOUNG_MB = 12;

export interface ThreadLimits {
  readonly maxOldGenerationSizeMb?: number;
  /** How long a thread may take to end before it is terminated. */
  readonly endWithinMs?: number;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress?: ((value: never) => void) | undefined;
}

interface Started {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  readonly gone: Promise<void>;
}

/**
 * A worker thread that answers requests. It is started by the first call, and again after it died, and keeps the
 * process alive only while it works.
 */
export class Thread {
  readonly #file: URL;
  readonly #data: unknown;
  readonly #limits: ThreadLimits;
  #started: Started | undefined;
  #stopped: Promise<void> | undefined;
  #next = 1;

  constructor(file: URL, data: unknown, limits: ThreadLimits = {}) {
    this.#file = file;
    this.#data = data;
    this.#limits = limits;
  }

  /**
   * @throws whatever the handler threw; AssistantError `index_unavailable` when the thread itself died or is stopped.
   */
  async call<T>(method: string, argument: unknown, options: CallOptions = {}): Promise<T> {
    if (this.#stopped) throw closed();
    this.#started ??= this.#start();
    const { worker, pending } = this.#started;
    const id = this.#next++;
    const abort = () => worker.postMessage({ cancel: id } satisfies Request);
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        pending.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress: options.onProgress });
        worker.ref();
        worker.postMessage({ id, method, argument } satisfies Request);
        if (options.signal?.aborted) abort();
      });
    } finally {
      options.signal?.removeEventListener('abort', abort);
      pending.delete(id);
      if (pending.size === 0) worker.unref();
    }
  }

  get busy(): boolean {
    return (this.#started?.pending.size ?? 0) > 0;
  }

  /** End for good. Pending requests are completed or given up at a safe point, and settled either way. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    if (!this.#started) return;
    const { worker, gone } = this.#started;
    worker.postMessage({ end: true } satisfies Request);
    const timer = setTimeout(() => void worker.terminate(), this.#limits.endWithinMs ?? END_WITHIN_MS);
    await gone;
    clearTimeout(timer);
  }

  #start(): Started {
    const { maxOldGenerationSizeMb } = this.#limits;
    const old = maxOldGenerationSizeMb === undefined ? {} : { maxOldGenerationSizeMb };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB, ...old };
    // Node flags of the main program, such as --eval, are not for its threads.
    const worker = new Worker(this.#file, { workerData: this.#data, resourceLimits, execArgv: [] });
    const pending = new Map<number, Pending>();
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const started = { worker, pending, gone };
    worker.on('message', (reply: Reply) => receive(pending, reply));
    worker.on('error', (error) => this.#died(started, messageOf(error)));
    worker.on('exit', () => this.#died(started, 'it ended'));
    worker.unref();
    return started;
  }

  #died(started: Started, why: string): void {
    if (this.#started === started) this.#started = undefined;
    const hint = 'Try again. If it happens again, look at the newest file in logs/.';
    const error = new AssistantError('index_unavailable', `A thread of the document store stopped: ${why}.`, { hint });
    for (const { reject } of started.pending.values()) reject(error);
    started.pending.clear();
  }
}

function receive(waiting: ReadonlyMap<number, Pending>, reply: Reply): void {
  const pending = waiting.get(reply.id);
  if (!pending) return;
  if ('progress' in reply) pending.onProgress?.(reply.progress as never);
  else if ('error' in reply) pending.reject(revive(reply.error));
  else pending.resolve(reply.result);
}

function revive({
  code,
  message,
  hint,
  stack,
}: {
  code?: ErrorCode;
  message: string;
  hint: string;
  stack?: string;
}): Error {
  if (code) return new AssistantError(code, message, { hint });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
