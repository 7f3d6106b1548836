import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Mutex } from '../../store/mutex.ts';
import { ReplyError } from '../failure.ts';
import type { ChatDone, ChatRequest, FromChild, LoadRequest, Needs, ToChild } from './protocol.ts';

const PROCESS = fileURLToPath(new URL('./child/engine-process.ts', import.meta.url));
/** A reply that is being written ends at the next token; what takes longer is not waited for. */
const STOP_MS = 300;

/** What becomes of a request; everything but `text` and `done` only says that it is worked on. */
export type ChatEvent =
  | { readonly type: 'waiting' }
  | { readonly type: 'read'; readonly tokens: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'done'; readonly done: ChatDone };

export interface EngineClientOptions {
  /** Where the engine is installed. */
  readonly engineDir: string;
  readonly load: LoadRequest;
  /** How long an unused model stays in memory. */
  readonly idleMs: number;
  /** Memory that can be had now. */
  readonly freeBytes: () => number;
  /** Frees what can be freed, for a model that does not fit beside it. */
  readonly makeRoom?: () => Promise<void>;
}

/**
 * One model in a process of its own, which is started by the first request. That process is at the mercy of its file:
 * whatever happens to it is a failed request here. Requests are served one after the other.
 */
export class EngineClient {
  readonly #options: EngineClientOptions;
  readonly #turn = new Mutex();
  /** Tells those who wait in line that somebody's request advances. */
  readonly #pulse = new EventEmitter().setMaxListeners(0);
  #child: ChildProcess | undefined;
  #isLoaded = false;
  /** Requests that are served or wait. */
  #requests = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: EngineClientOptions) {
    this.#options = options;
  }

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isBusy(): boolean {
    return this.#requests > 0;
  }

  /** Start the process, without a model. @throws ReplyError `file`, `crashed`. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#turn.run(() => this.#started(signal));
    this.#rest();
  }

  /** What the model asks of the machine. @throws ReplyError `file`, `crashed`. */
  async needs(signal: AbortSignal): Promise<Needs> {
    return await this.#turn.run(async () => {
      try {
        return await this.#inspect(await this.#started(signal), signal);
      } finally {
        this.#rest();
      }
    });
  }

  /**
   * Answer one request.
   *
   * @throws ReplyError `memory`, `file`, `crashed`, `too_long`; the signal's reason.
   */
  async *chat(chat: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const entered = this.#turn.lock().then(() => true as const);
    this.#requests++;
    try {
      while (!(await Promise.race([entered, this.#pulsed(signal)]))) yield { type: 'waiting' };
      clearTimeout(this.#idle);
      yield* this.#served(await this.#loaded(signal), chat, signal);
    } finally {
      this.#requests--;
      this.#rest();
      void entered.then(() => this.#turn.unlock());
    }
  }

  /** End the process now; the next request starts another. */
  async unload(): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#child) await end(this.#child);
  }

  async #pulsed(signal: AbortSignal): Promise<false> {
    await once(this.#pulse, 'advanced', { signal }).catch(() => signal.throwIfAborted());
    return false;
  }

  /** An unused model gives its memory back, and does not keep the program alive. */
  #rest(): void {
    clearTimeout(this.#idle);
    this.#child?.unref();
    this.#child?.channel?.unref();
    this.#idle = setTimeout(() => this.#child?.kill('SIGKILL'), this.#options.idleMs).unref();
  }

  /** The process, which now keeps the program alive. */
  async #started(signal: AbortSignal): Promise<ChildProcess> {
    const child = this.#child ?? (await this.#start(signal));
    child.ref();
    child.channel?.ref();
    return child;
  }

  async #start(signal: AbortSignal): Promise<ChildProcess> {
    const { engineDir, load } = this.#options;
    const child = fork(PROCESS, [engineDir, String(load.threads)], {
      // Ctrl-C in the terminal is for the program; the process ends when its channel closes.
      detached: true,
      windowsHide: true,
      // Native code reads a file from elsewhere: keep keys out of its reach.
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    this.#isLoaded = false;
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.once('error', () => child.emit('exit', null, 'it could not be started'));
    await this.#next(child, 'up', signal);
    return child;
  }

  async #loaded(signal: AbortSignal): Promise<ChildProcess> {
    const child = await this.#started(signal);
    if (this.#isLoaded) return child;
    await this.#fit(child, signal);
    send(child, { type: 'load' });
    await this.#next(child, 'loaded', signal);
    this.#isLoaded = true;
    return child;
  }

  /**
   * Prepare to load with as many slots as there is memory for.
   *
   * @throws ReplyError `memory` when there is none for one.
   */
  async #fit(child: ChildProcess, signal: AbortSignal): Promise<void> {
    const { load, freeBytes, makeRoom } = this.#options;
    for (const slots of new Set([load.slots, 1])) {
      const { bytes } = await this.#inspect(child, signal, slots);
      if (bytes > freeBytes()) await makeRoom?.();
      const free = freeBytes();
      if (bytes <= free) return;
      if (slots === 1)
        throw new ReplyError('memory', `needs ${gigabytes(bytes)} of memory, and ${gigabytes(free)} are free`);
    }
  }

  async #inspect(child: ChildProcess, signal: AbortSignal, slots = 1): Promise<Needs> {
    send(child, { type: 'inspect', load: { ...this.#options.load, slots } });
    return (await this.#next(child, 'needs', signal)).needs;
  }

  /** Wait for one kind of message. Whoever is no longer wanted while it starts or loads is killed. */
  async #next<Type extends FromChild['type']>(child: ChildProcess, type: Type, signal: AbortSignal) {
    for await (const message of messages(child, signal, () => child.kill('SIGKILL'))) {
      if (message.type === 'failed') throw new ReplyError('file', `cannot be used: ${message.message}`);
      if (message.type === type) return message as Extract<FromChild, { type: Type }>;
    }
    throw new ReplyError('crashed', 'its process ended');
  }

  async *#served(child: ChildProcess, chat: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    let isWriting = false;
    let isDone = false;
    let patience: NodeJS.Timeout | undefined;
    const stop = () => {
      // Reading goes on to its end whatever is said, and may take minutes.
      if (!isWriting) return void child.kill('SIGKILL');
      send(child, { type: 'stop' });
      patience = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    };
    const replies = messages(child, signal, stop);
    send(child, { type: 'chat', chat });
    try {
      for await (const message of replies) {
        this.#pulse.emit('advanced');
        isDone = message.type === 'done' || message.type === 'failed';
        if (message.type === 'failed')
          throw new ReplyError(message.fault === 'window' ? 'too_long' : 'crashed', message.message);
        isWriting ||= message.type === 'text';
        if (isDone) signal.throwIfAborted();
        const isNews = message.type === 'text' || message.type === 'read' || message.type === 'done';
        if (isNews && !signal.aborted) yield message;
        if (isDone) return;
      }
    } finally {
      clearTimeout(patience);
      // Whoever asked is gone in the middle of a reply.
      if (!isDone) await end(child);
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await gone;
}

/**
 * The messages of a process until somebody has the one that he waits for.
 *
 * @throws ReplyError `crashed` when it ends before that; the signal's reason if it was ended for that.
 */
async function* messages(child: ChildProcess, signal: AbortSignal, stop: () => void): AsyncGenerator<FromChild> {
  let end = 'ended';
  const onExit = (code: number | null, name: string | null) => {
    end = name === null ? `ended with code ${code}` : `ended (${name})`;
  };
  child.once('exit', onExit);
  const all = on(child, 'message', { close: ['exit'] });
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    for await (const [message] of all) yield message as FromChild;
    signal.throwIfAborted();
    throw new ReplyError('crashed', `had its process broken off: it ${end}`);
  } finally {
    signal.removeEventListener('abort', stop);
    child.off('exit', onExit);
  }
}

/** Whether it arrives shows in the answer: a closed channel is followed by the exit. */
function send(child: ChildProcess, message: ToChild): void {
  child.send(message, () => undefined);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
