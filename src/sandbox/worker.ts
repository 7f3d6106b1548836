import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildFiles } from './child-files.ts';
import { encodeFrame, FrameReader } from './frames.ts';

export interface WorkerOptions {
  readonly files: ChildFiles;
  readonly memoryMb: number;
  readonly timeZone: string;
}

/** A message as the child sends it: `[kind, id, name, text]`. */
export type ChildMessage = readonly [kind: string, id: number, name: string, text: string];

/** How a child ended; `detail` is its signal, its exit code or what was wrong with a frame. */
export type WorkerEnd = { readonly reason: 'exit' | 'broken frame'; readonly detail: string };

const MAX_FRAME_BYTES = 1024 * 1024;
const START_TIMEOUT_MS = 15_000;
/** Data segment of a child besides the isolate's heap, in KB. V8 alone takes about 200 MB of it at start. */
const BASE_DATA_KB = 272_000;
/** No file access and no JIT, so less to attack; isolated-vm needs `--no-node-snapshot`. */
const FLAGS = [
  '--no-node-snapshot',
  '--permission',
  '--allow-addons',
  '--jitless',
  '--no-warnings',
  '--disable-proto=delete',
  '--max-old-space-size=64',
  '--no-experimental-strip-types',
  '--input-type=module',
];

/** One child process, started ahead of time, used for one script and then killed. */
export class Worker {
  readonly #child: ChildProcess;
  readonly #toChild: Duplex;
  readonly #fromChild: Duplex;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  #onMessage: (message: ChildMessage) => void = () => {};
  #hasEnded = false;

  constructor(options: WorkerOptions) {
    this.#child = start(options);
    this.#toChild = this.#child.stdio[3] as Duplex;
    this.#fromChild = this.#child.stdio[4] as Duplex;
    this.#ready.promise.catch(() => {});
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when the process is gone, for whatever reason. */
  get ended(): Promise<WorkerEnd> {
    return this.#ended.promise;
  }

  /** @throws Error when the child died or did not report in time. */
  async ready(): Promise<void> {
    const stop = new AbortController();
    const late = delay(START_TIMEOUT_MS, 'late' as const, { signal: stop.signal, ref: false }).catch(() => 'stopped');
    const first = await Promise.race([this.#ready.promise, late]).finally(() => stop.abort());
    if (first === 'late') {
      this.kill();
      throw new Error(`the child did not get ready within ${START_TIMEOUT_MS} ms`);
    }
  }

  onMessage(listener: (message: ChildMessage) => void): void {
    this.#onMessage = listener;
  }

  send(frame: unknown): void {
    if (!this.#hasEnded) this.#toChild.write(encodeFrame(JSON.stringify(frame)));
  }

  /** Answer a blocking call. */
  answer(text: string): void {
    if (!this.#hasEnded) this.#fromChild.write(encodeFrame(text));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Whether this child keeps our process alive: an idle one must not, a working one must. */
  hold(hold: boolean): void {
    const handles = [this.#child, this.#toChild, this.#fromChild] as unknown as { ref(): void; unref(): void }[];
    for (const handle of handles) hold ? handle.ref() : handle.unref();
  }

  #listen(): void {
    const reader = new FrameReader(MAX_FRAME_BYTES);
    this.#fromChild.on('data', (bytes: Buffer) => {
      try {
        for (const message of reader.read(bytes)) this.#receive(message);
      } catch (error) {
        this.#end({ reason: 'broken frame', detail: String(error) });
        this.kill();
      }
    });
    for (const stream of [this.#toChild, this.#fromChild]) stream.on('error', () => this.kill());
    this.#child.on('error', (error) => this.#end({ reason: 'exit', detail: error.message }));
    this.#child.on('exit', (code, signal) => {
      // Frames that were sent before the end are still in the pipe.
      const end = () => this.#end({ reason: 'exit', detail: signal ?? `code ${code}` });
      this.#fromChild.readableEnded || this.#fromChild.destroyed ? end() : this.#fromChild.once('close', end);
      this.#fromChild.once('end', end);
    });
  }

  #receive(message: unknown): void {
    if (!isChildMessage(message)) throw new SyntaxError('not a message');
    if (this.#hasEnded) return;
    if (message[0] === 'ready') this.#ready.resolve();
    else this.#onMessage(message);
  }

  #end(end: WorkerEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#ready.reject(new Error(`the child ended: ${end.detail}`));
    this.#ended.resolve(end);
    this.#toChild.destroy();
    this.#fromChild.destroy();
  }
}

function isChildMessage(value: unknown): value is ChildMessage {
  return (
    Array.isArray(value) &&
    value.length === 4 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'number' &&
    typeof value[2] === 'string' &&
    typeof value[3] === 'string'
  );
}

/** The limits of `ulimit` hold even if a script breaks out of the isolate. */
function start({ files, memoryMb, timeZone }: WorkerOptions): ChildProcess {
  const config = JSON.stringify({ addon: files.addon, prelude: files.prelude, memoryMb });
  const node = [...FLAGS, '--eval', files.program, config];
  const options = {
    cwd: '/',
    env: { TZ: timeZone },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as ('ignore' | 'pipe')[],
  };
  if (process.platform === 'win32') return spawn(process.execPath, node, options);
  const limits = `ulimit -c 0; ulimit -d ${BASE_DATA_KB + memoryMb * 1000}; exec "$@"`;
  const command = process.platform === 'linux' ? limits : 'ulimit -c 0; exec "$@"';
  return spawn('/bin/sh', ['-c', command, 'sh', process.execPath, ...node], options);
}
