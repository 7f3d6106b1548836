import { type MessagePort, parentPort, Worker } from 'node:worker_threads';
import { AssistantError, type ErrorCode, messageOf } from '../../base/errors.ts';

/** What a thread can be asked for. */
export type Handlers = Readonly<Record<string, (argument: never, context: HandlerContext) => unknown>>;

export interface HandlerContext {
  readonly signal: AbortSignal;
  readonly progress: (value: unknown) => void;
}

type Request =
  | { readonly id: number; readonly method: string; readonly argument: unknown }
  | { readonly cancel: number };

type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly error: { code?: ErrorCode; message: string; hint: string; stack?: string } };

/** Answer requests of the thread that started this one, each as soon as it comes. */
export function serve(handlers: Handlers): void {
  if (!parentPort) throw new Error('this file is the start of a thread');
  const port = parentPort;
  const running = new Map<number, AbortController>();
  port.on('message', (request: Request) => {
    if ('cancel' in request) running.get(request.cancel)?.abort();
    else void handle(port, handlers, { request, running });
  });
}

async function handle(
  port: MessagePort,
  handlers: Handlers,
  { request, running }: { request: Exclude<Request, { cancel: number }>; running: Map<number, AbortController> },
): Promise<void> {
  const { id, method, argument } = request;
  const controller = new AbortController();
  running.set(id, controller);
  const progress = (value: unknown) => port.postMessage({ id, progress: value } satisfies Reply);
  try {
    const handler = handlers[method];
    if (!handler) throw new Error(`no handler ${method}`);
    const result = await handler(argument as never, { signal: controller.signal, progress });
    port.postMessage({ id, result } satisfies Reply);
  } catch (error) {
    port.postMessage({ id, error: describe(error) } satisfies Reply);
  } finally {
    running.delete(id);
  }
}

function describe(error: unknown): { code?: ErrorCode; message: string; hint: string; stack?: string } {
  if (error instanceof AssistantError) return { code: error.code, message: error.message, hint: error.hint };
  const stack = error instanceof Error ? error.stack : undefined;
  return { message: messageOf(error), hint: '', ...(stack !== undefined && { stack }) };
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((value: never) => void) | undefined;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress?: ((value: never) => void) | undefined;
}

/** A thread with a request-reply line. It starts at the first call and keeps the process alive only while it works. */
export class Thread {
  readonly #file: URL;
  readonly #data: unknown;
  readonly #limits: { maxOldGenerationSizeMb?: number };
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #next = 1;

  constructor(file: URL, data: unknown, limits: { maxOldGenerationSizeMb?: number } = {}) {
    this.#file = file;
    this.#data = data;
    this.#limits = limits;
  }

  /** @throws whatever the handler threw; AssistantError `index_unavailable` when the thread itself died. */
  async call<T>(method: string, argument: unknown, options: CallOptions = {}): Promise<T> {
    const worker = this.#start();
    const id = this.#next++;
    const abort = () => worker.postMessage({ cancel: id } satisfies Request);
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress: options.onProgress });
        worker.ref();
        worker.postMessage({ id, method, argument } satisfies Request);
        if (options.signal?.aborted) abort();
      });
    } finally {
      options.signal?.removeEventListener('abort', abort);
      this.#pending.delete(id);
      if (this.#pending.size === 0) worker.unref();
    }
  }

  get busy(): boolean {
    return this.#pending.size > 0;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    // Flags of the program's own start, such as --eval, are not for its threads.
    const worker = new Worker(this.#file, { workerData: this.#data, resourceLimits: this.#limits, execArgv: [] });
    worker.on('message', (reply: Reply) => this.#receive(reply));
    worker.on('error', (error) => this.#died(worker, messageOf(error)));
    worker.on('exit', () => this.#died(worker, 'it ended'));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #receive(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if ('progress' in reply) pending.onProgress?.(reply.progress as never);
    else if ('error' in reply) pending.reject(revive(reply.error));
    else pending.resolve(reply.result);
  }

  #died(worker: Worker, why: string): void {
    if (this.#worker === worker) this.#worker = undefined;
    const hint = 'Try again; when it happens again, see the newest file in logs/.';
    const error = new AssistantError('index_unavailable', `A thread of the document store stopped: ${why}.`, { hint });
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
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
