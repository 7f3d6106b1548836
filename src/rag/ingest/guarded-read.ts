import { AssistantError } from '../../base/errors.ts';
import { kindOf } from '../read/kinds.ts';
import { type Parsed, Unreadable } from '../read/parsed.ts';
import { RISKY_KINDS, read } from '../read/read.ts';
import { Thread } from '../threads/rpc.ts';

const MEMORY_MB = 768;

/** Reads plain text here and foreign formats in a thread that is cut off when it takes too long or too much. */
export class GuardedReader {
  readonly #timeoutMs: number;
  readonly #thread = new Thread(new URL('../threads/parse-thread.ts', import.meta.url), undefined, {
    maxOldGenerationSizeMb: MEMORY_MB,
  });

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @throws Unreadable also for a file that its reader could not take within the limits; the signal's reason when it
   *   fires, which says nothing about the file.
   */
  read = async (bytes: Uint8Array, path: string, signal: AbortSignal): Promise<Parsed> => {
    const kind = kindOf(path);
    if (kind === undefined || !RISKY_KINDS.has(kind)) return read(bytes, path);
    signal.throwIfAborted();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void this.#thread.kill();
    }, this.#timeoutMs);
    const giveUp = () => void this.#thread.kill();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const found = await this.#thread.call<{ parsed: Parsed } | { why: string }>('read', { bytes, path });
      if ('why' in found) throw new Unreadable(found.why);
      return found.parsed;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AssistantError)) throw error;
      throw new Unreadable(late ? `took longer than ${this.#timeoutMs} ms to read` : 'its reader ran out of memory');
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  };

  close(): Promise<void> {
    return this.#thread.stop();
  }
}
