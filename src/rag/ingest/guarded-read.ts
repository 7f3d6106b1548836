import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AssistantError } from '../../base/errors.ts';
import { kindOf } from '../read/kinds.ts';
import { type Parsed, Unreadable } from '../read/parsed.ts';
import { PACKED_KINDS, read } from '../read/read.ts';
import type { Found, ParseRequest } from '../threads/parse-thread.ts';

const MEMORY_MB = 768;
/** Text as short as this keeps no reader busy for long, however it is made; most notes are shorter. */
const SHORT_BYTES = 16 * 1024;
const PROCESS = fileURLToPath(new URL('../threads/parse-process.ts', import.meta.url));

interface Limits {
  readonly timeoutMs: number;
  readonly memoryMb?: number;
}

/**
 * Reads short text here and all else in a process that is cut off when it takes too long. A process and not a thread:
 * memory that runs out at the wrong moment takes the whole process with it. Reads one file after the other.
 */
export class GuardedReader {
  readonly #timeoutMs: number;
  readonly #memoryMb: number;
  #child: ChildProcess | undefined;

  constructor({ timeoutMs, memoryMb = MEMORY_MB }: Limits) {
    this.#timeoutMs = timeoutMs;
    this.#memoryMb = memoryMb;
  }

  /**
   * @throws Unreadable also for a file that its reader could not take within the limits; the signal's reason when it
   *   fires, which says nothing about the file; AssistantError `index_unavailable` when no process can be started.
   */
  read = async (bytes: Uint8Array, path: string, signal: AbortSignal): Promise<Parsed> => {
    if (bytes.length <= SHORT_BYTES && !PACKED_KINDS.has(kindOf(path) ?? 'text')) return read(bytes, path);
    signal.throwIfAborted();
    this.#child ??= this.#start();
    const child = this.#child;
    let late = false;
    const giveUp = () => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      late = true;
      giveUp();
    }, this.#timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const found = await ask(child, { bytes, path });
      signal.throwIfAborted();
      if (found === 'gone')
        throw new Unreadable(late ? `took longer than ${this.#timeoutMs} ms to read` : 'its reader ran out of memory');
      if ('why' in found) throw new Unreadable(found.why);
      return found.parsed;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  };

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  #start(): ChildProcess {
    const child = fork(PROCESS, [String(this.#memoryMb)], {
      // A Ctrl-C at the terminal is for the program: this one is told by its line being cut.
      detached: true,
      windowsHide: true,
      // As bin/wooster starts the program: a crash of Node would look like a fault of the file.
      execArgv: ['--no-sparkplug'],
      // What is read comes from strangers and has no business with keys.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('exit', () => this.#forget(child));
    child.once('error', () => this.#forget(child));
    child.unref();
    child.channel?.unref();
    return child;
  }

  #forget(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined;
  }
}

/** @returns `gone` when the process ended over it. */
async function ask(child: ChildProcess, request: ParseRequest): Promise<Found | 'gone'> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const answer = once(child, 'message', { signal }).then(([found]) => found as Found);
    const gone = once(child, 'exit', { signal }).then(() => 'gone' as const);
    // A line that is cut is followed by the exit.
    child.send(request, () => undefined);
    return await Promise.race([answer, gone]);
  } catch (error) {
    const hint = 'See whether this machine lets programs start others, and how many.';
    throw new AssistantError('index_unavailable', 'No process for reading files could be started.', {
      hint,
      cause: error,
    });
  } finally {
    settled.abort();
  }
}
