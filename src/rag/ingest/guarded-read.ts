import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AssistantError } from '../../base/errors.ts';
import { RAG_DEFAULTS } from '../options.ts';
import { kindOf } from '../read/kinds.ts';
import { type Parsed, type SeenPage, Unreadable } from '../read/parsed.ts';
import { PACKED_KINDS, read } from '../read/read.ts';
import { OUT_OF_TIME } from '../threads/out-of-time.ts';
import type { LookRequest, LookResult, ParseResult, ReaderRequest, ShowResult } from '../threads/parse-thread.ts';
import type { FileReader, LookOptions, ReadOptions } from './types.ts';

const MEMORY_MB = 768;
/** Text this short cannot keep a reader busy for long, whatever it contains; most notes are shorter. */
const SHORT_BYTES = 16 * 1024;
/** The same for kinds that are only split into lines. */
const PLAIN_BYTES = 1024 * 1024;
const PROCESS = fileURLToPath(new URL('../threads/parse-process.ts', import.meta.url));

/** Reading that takes so many times longer than its work does not go on. */
const WAITED = 20;

interface Limits {
  /** Of the processor's time, however long the file has to wait for it. */
  readonly timeoutMs: number;
  readonly memoryMb?: number;
  /** Of the text in pictures: `eng+deu`. */
  readonly languages?: string;
  /** Whether to say when and where pictures were taken. */
  readonly exif?: boolean;
}

/**
 * Reads short text here, and everything else in a child process that is killed when it takes too long. A process rather
 * than a thread: a thread that runs out of memory can take the whole process with it. Reads one file at a time.
 */
export class GuardedReader implements FileReader {
  readonly #timeoutMs: number;
  readonly #memoryMb: number;
  readonly #languages: string;
  readonly #exif: boolean;
  #child: ChildProcess | undefined;
  /** The file whose pages the child was asked for last. */
  #held: Uint8Array | undefined;

  constructor({ timeoutMs, memoryMb = MEMORY_MB, languages = RAG_DEFAULTS.pictureLanguages, exif = false }: Limits) {
    this.#languages = languages;
    this.#exif = exif;
    this.#timeoutMs = timeoutMs;
    this.#memoryMb = memoryMb;
  }

  /**
   * @throws Unreadable also if the file exceeds the limits; the signal's reason when it fires, which says nothing
   *   about the file; AssistantError `index_unavailable` when no process can be started.
   */
  read = async (bytes: Uint8Array, path: string, { signal, from }: ReadOptions): Promise<Parsed> => {
    const kind = kindOf(path) ?? 'text';
    if (bytes.length <= (kind === 'text' ? PLAIN_BYTES : SHORT_BYTES) && !PACKED_KINDS.has(kind))
      return read(bytes, path, from);
    const found = await this.#ask<ParseResult>({ method: 'read', bytes, path, from, exif: this.#exif }, signal);
    if ('why' in found) throw new Unreadable(found.why, found.reason);
    return found.parsed;
  };

  /**
   * Read some of the pages that `read` named as pictures. What reads them stays in memory until `rest`.
   *
   * @throws as `read` does.
   */
  look = async (bytes: Uint8Array, path: string, { signal, pages }: LookOptions): Promise<readonly SeenPage[]> => {
    const isHeld = this.#child !== undefined && this.#held === bytes;
    this.#held = bytes;
    const request: LookRequest = { method: 'look', path, pages, languages: this.#languages, ...(!isHeld && { bytes }) };
    const found = await this.#ask<LookResult>(request, signal);
    if ('why' in found) throw new Unreadable(found.why, found.reason);
    return found.pages;
  };

  /**
   * A page of a picture or a scan, from 1, as a JPEG: upright, small enough for a screen and for a model, and without
   * what its camera noted.
   *
   * @throws as `read` does.
   */
  async show(bytes: Uint8Array, path: string, page: number, signal: AbortSignal): Promise<Uint8Array> {
    const found = await this.#ask<ShowResult>({ method: 'show', bytes, path, page }, signal);
    if ('why' in found) throw new Unreadable(found.why, found.reason);
    return found.jpeg;
  }

  /** End what has read pictures: it takes much memory, and seldom does another follow. */
  async rest(): Promise<void> {
    if (this.#held !== undefined) await this.close();
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const gone = once(child, 'exit');
    // Keep the process alive for whoever waits for its end.
    child.ref();
    child.kill('SIGKILL');
    await gone;
  }

  async #ask<T>(request: ReaderRequest, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    this.#child ??= this.#start();
    const child = this.#child;
    const giveUp = () => void child.kill('SIGKILL');
    const timer = setTimeout(() => void child.kill(OUT_OF_TIME), WAITED * this.#timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const found = await ask<T>(child, request);
      signal.throwIfAborted();
      if ('found' in found) return found.found;
      const isLate = found.endedBy === OUT_OF_TIME;
      throw new Unreadable(isLate ? `took longer than ${this.#timeoutMs} ms to read` : 'its reader ran out of memory');
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  #start(): ChildProcess {
    const child = fork(PROCESS, [String(this.#memoryMb), String(this.#timeoutMs)], {
      // Ctrl-C in the terminal is for the parent; the child ends when its channel closes.
      detached: true,
      windowsHide: true,
      // Same flag as bin/wooster: works around a crash of Node that would look like a fault of the file.
      execArgv: ['--no-sparkplug'],
      // The files are untrusted content: keep API keys out of reach.
      // Its threads free as much as they take; a heap of glibc's for each would keep it: 100 MB after a few pages.
      env: { MALLOC_ARENA_MAX: '1' },
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
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#held = undefined;
  }
}

/** What a process answered, or the signal that it ended by before it did. */
type Asked<T> = { readonly found: T } | { readonly endedBy: NodeJS.Signals | null };

async function ask<T>(child: ChildProcess, request: ReaderRequest): Promise<Asked<T>> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const answer = once(child, 'message', { signal }).then(([found]) => ({ found: found as T }));
    const gone = once(child, 'exit', { signal }).then(([, endedBy]) => ({ endedBy: endedBy as NodeJS.Signals | null }));
    // Errors of `send` need no handling: a closed channel is followed by the exit.
    child.send(request, () => undefined);
    return await Promise.race([answer, gone]);
  } catch (error) {
    const hint = 'Check whether this machine limits how many processes a program may start.';
    throw new AssistantError('index_unavailable', 'The process that reads files could not be started.', {
      hint,
      cause: error,
    });
  } finally {
    settled.abort();
  }
}
