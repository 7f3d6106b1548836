import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { ChildFiles } from './child-files.ts';
import { encodeFrame, FrameReader } from './frames.ts';

export interface WorkerOptions {
  readonly files: ChildFiles;
  readonly memoryMb: number;
  readonly timeZone: string;
  /** Start from Node's own snapshot, in half the time, where isolated-vm supports it. */
  readonly snapshot?: boolean;
}

/** A message of a script: `[kind, id, name, text]`, sent by the child after the script's number. */
export type ChildMessage = readonly [kind: string, id: number, name: string, text: string];

/** How a child ended; `detail` is its signal, its exit code or what was wrong with a frame. */
export type WorkerEnd = { readonly reason: 'exit' | 'broken frame'; readonly detail: string };

const MAX_FRAME_BYTES = 1024 * 1024;
const START_TIMEOUT_MS = 15_000;
/** A new isolate takes 5 ms; disposal that takes longer than this never ends. */
const RENEW_TIMEOUT_MS = 1000;
/** Data segment of a child besides the isolate's heap, in KB. V8 alone takes about 200 MB of it at start. */
const BASE_DATA_KB = 272_000;
/** Stack of a script, and of the child that it calls when its own is exhausted, in KB. A main thread has 8 MB. */
const STACK_KB = { script: 2000, program: 2400 };
/** A main thread on Windows has 1 MB. */
const WINDOWS_STACK_KB = { script: 700, program: 984 };
/** No file access and no JIT, so less to attack. */
const FLAGS = [
  '--permission',
  '--allow-addons',
  '--jitless',
  '--no-warnings',
  '--disable-proto=delete',
  '--max-old-space-size=64',
  '--no-experimental-strip-types',
  '--input-type=commonjs',
];

/**
 * One child process, started ahead of time and killed after its last script. Scripts are numbered from 1, and so is
 * every message: nothing that an earlier script left behind can speak for a later one.
 */
export class Worker {
  readonly #child: ChildProcess;
  readonly #toChild: Duplex;
  readonly #fromChild: Duplex;
  #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  /** Undefined while no script runs, when there is nothing to report. */
  #onMessage: ((message: ChildMessage) => void) | undefined;
  #hasEnded = false;
  /** The number of the current script, or of the next one. */
  #script = 1;
  #isReady = false;

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
    const timeoutMs = this.#script === 1 ? START_TIMEOUT_MS : RENEW_TIMEOUT_MS;
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(late.resolve, timeoutMs, 'late').unref();
    const first = await Promise.race([this.#ready.promise, late.promise]).finally(() => clearTimeout(timer));
    if (first === 'late') {
      this.kill();
      throw new Error(`the child did not get ready within ${timeoutMs} ms`);
    }
  }

  onMessage(listener: (message: ChildMessage) => void): void {
    this.#onMessage = listener;
  }

  /** Prepare for another script: dispose of the isolate, then make a new one. A child that takes too long is killed. */
  renew(): void {
    this.#onMessage = undefined;
    this.#isReady = false;
    this.#script += 1;
    this.#ready = Promise.withResolvers<void>();
    this.send({ type: 'renew' });
    this.ready().catch(() => {});
  }

  /** Send a frame that concerns the current script. */
  send(frame: object): void {
    if (!this.#hasEnded) this.#toChild.write(encodeFrame(JSON.stringify({ ...frame, script: this.#script })));
  }

  /** Answer a blocking call of the current script. */
  answer(text: string): void {
    if (!this.#hasEnded) this.#fromChild.write(encodeFrame(`${this.#script} ${text}`));
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

  /**
   * What the last script sent before its isolate was gone is dropped. Any other unexpected message can only come from a
   * script that broke out of its isolate.
   */
  #receive(message: unknown): void {
    if (!isNumbered(message)) throw new SyntaxError('not a message');
    const [script, ...rest] = message;
    if (this.#hasEnded || (script === this.#script - 1 && !this.#isReady)) return;
    if (script !== this.#script) throw new SyntaxError('a message of another script');
    if (rest[0] !== 'ready') {
      if (!this.#onMessage) throw new SyntaxError('a message without a script');
      this.#onMessage(rest);
    } else if (this.#isReady) throw new SyntaxError('ready twice');
    else {
      this.#isReady = true;
      this.#ready.resolve();
    }
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

function isNumbered(value: unknown): value is readonly [script: number, ...ChildMessage] {
  if (!Array.isArray(value)) return false;
  const kinds = value.map((each) => typeof each).join(' ');
  return kinds === 'number string number string string';
}

/** The limits of `ulimit` apply even if a script breaks out of the isolate. */
function start({ files, memoryMb, timeZone, snapshot = false }: WorkerOptions): ChildProcess {
  const stackKb = process.platform === 'win32' ? WINDOWS_STACK_KB : STACK_KB;
  const config = JSON.stringify({ addon: files.addon, prelude: files.prelude, memoryMb, stackKb: stackKb.script });
  const flags = [...(snapshot ? [] : ['--no-node-snapshot']), `--stack-size=${stackKb.program}`, ...FLAGS];
  const node = [...flags, '--eval', files.program, config];
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
