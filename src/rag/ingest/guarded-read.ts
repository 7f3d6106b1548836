import { AssistantError } from '../../base/errors.ts';
import { kindOf } from '../read/kinds.ts';
import { type Parsed, Unreadable } from '../read/parsed.ts';
import { RISKY_KINDS, read } from '../read/read.ts';
import { Thread } from '../threads/rpc.ts';

const MEMORY_MB = 768;

/** Reads plain text here and foreign formats in a thread that is stopped when it takes too long or too much. */
export class GuardedReader {
  readonly #timeoutMs: number;
  readonly #thread = new Thread(new URL('../threads/parse-thread.ts', import.meta.url), undefined, {
    maxOldGenerationSizeMb: MEMORY_MB,
  });

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws Unreadable also for a file that its reader could not take within the limits. */
  read = async (bytes: Uint8Array, path: string): Promise<Parsed> => {
    const kind = kindOf(path);
    if (kind === undefined || !RISKY_KINDS.has(kind)) return read(bytes, path);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void this.#thread.stop();
    }, this.#timeoutMs);
    try {
      const found = await this.#thread.call<{ parsed: Parsed } | { why: string }>('read', { bytes, path });
      if ('why' in found) throw new Unreadable(found.why);
      return found.parsed;
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      throw new Unreadable(late ? `took longer than ${this.#timeoutMs} ms to read` : 'its reader ran out of memory');
    } finally {
      clearTimeout(timer);
    }
  };
}
