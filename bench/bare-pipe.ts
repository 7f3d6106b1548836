import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';

/** What a child of the sandbox cannot do without: read a frame from fd 3, and write one to fd 4. */
const ECHO = `
  const { writeSync } = process.getBuiltinModule('node:fs');
  const { Socket } = process.getBuiltinModule('node:net');
  new Socket({ fd: 3, readable: true, writable: false }).on('data', (frame) => writeSync(4, frame));
  writeSync(4, 'ready');`;

/** A call's frame is about so long. */
const FRAME = Buffer.alloc(48, 'x');

/**
 * Two pipes to another Node without a JIT, and nothing behind them: the least that a call out of a child of its own can
 * cost on this machine at this moment.
 */
export class BarePipe {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;

  constructor() {
    this.#child = spawn(process.execPath, ['--jitless', '--input-type=commonjs', '--eval', ECHO], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    });
    this.#ready = this.#frame();
  }

  /** @returns milliseconds for one frame there and back, as a mean of `rounds`. */
  async roundTrip(rounds: number): Promise<number> {
    await this.#ready;
    const started = performance.now();
    for (let i = 0; i < rounds; i++) {
      const back = this.#frame();
      (this.#child.stdio[3] as Duplex).write(FRAME);
      await back;
    }
    return (performance.now() - started) / rounds;
  }

  close(): void {
    this.#child.kill();
  }

  #frame(): Promise<unknown> {
    return new Promise((resolve) => (this.#child.stdio[4] as Duplex).once('data', resolve));
  }
}
