import childProcess, { type SpawnOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { encodeFrame } from '../sandbox/frames.ts';

/** One end of a pipe: what we write is kept, what we read is up to the test. */
class Pipe extends Duplex {
  written = Buffer.alloc(0);
  onFrame: ((frame: unknown) => void) | undefined;

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.written = Buffer.concat([this.written, bytes]);
    done();
    // Each frame is written at once.
    this.onFrame?.(JSON.parse(bytes.toString('utf8', 4)));
  }

  /** Texts of the frames that were written. */
  frames(): string[] {
    const frames: string[] = [];
    for (let rest = this.written; rest.length > 0; ) {
      const end = 4 + rest.readUInt32BE();
      frames.push(rest.toString('utf8', 4, end));
      rest = rest.subarray(end);
    }
    return frames;
  }

  ref(): void {}
  unref(): void {}
}

/** A child process that does what the test lets it do. */
export class ScriptedChild extends EventEmitter {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
  readonly pid: number;
  readonly toChild = new Pipe();
  readonly fromChild = new Pipe();
  readonly stdio = [null, null, null, this.toChild, this.fromChild];
  /** Whether it keeps our process alive. */
  held = true;
  killed: NodeJS.Signals | undefined;

  constructor(pid: number, file: string, args: readonly string[], options: SpawnOptions) {
    super();
    this.pid = pid;
    this.file = file;
    this.args = args;
    this.options = options;
  }

  /** Do something with each frame that it is sent. */
  onFrame(listener: (frame: { readonly type: string; readonly script: number }) => void): void {
    this.toChild.onFrame = listener as (frame: unknown) => void;
  }

  /** Send a message of a script. */
  say(script: number, kind: string, { id = 0, name = '', text = '' } = {}): void {
    this.send(JSON.stringify([script, kind, id, name, text]));
  }

  /** Send a frame. */
  send(text: string): void {
    this.fromChild.push(encodeFrame(text));
  }

  /** Frames that it was sent. */
  heard(): unknown[] {
    return this.toChild.frames().map((text) => JSON.parse(text) as unknown);
  }

  kill(signal: NodeJS.Signals): void {
    if (this.killed) return;
    this.killed = signal;
    this.end(null, signal);
  }

  /** It is gone; what it had sent before still arrives. */
  end(code: number | null, signal: NodeJS.Signals | null): void {
    queueMicrotask(() => {
      this.emit('exit', code, signal);
      this.fromChild.push(null);
    });
  }

  ref(): void {
    this.held = true;
  }

  unref(): void {
    this.held = false;
  }
}

/** Until the test ends, children of the sandbox are those of the test. @returns those started, in order. */
export function scriptChildren(
  start: (child: ScriptedChild) => void = (child) => child.say(1, 'ready'),
): ScriptedChild[] {
  const all: ScriptedChild[] = [];
  const spawning = vi.spyOn(childProcess, 'spawn').mockImplementation(((
    file: string,
    args: readonly string[],
    options: SpawnOptions,
  ) => {
    const child = new ScriptedChild(90_000_001 + all.length, file, args, options);
    all.push(child);
    start(child);
    return child;
  }) as never);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spawning.mockRestore();
    syncBuiltinESMExports();
  });
  return all;
}

/** What is under way in streams arrives. */
export async function arrived(): Promise<void> {
  for (let n = 0; n < 5; n++) await nextTurn();
}
