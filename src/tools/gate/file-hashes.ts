import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sha256 } from '../../base/json.ts';

/** Clocks of file systems tick: what was changed twice within a tick looks as if it was changed once. */
const TICK_MS = 2000;
/** More than a turn obeys. */
const MAX_KNOWN = 200;

interface Known {
  readonly state: string;
  readonly hash: string;
}

/**
 * Hashes of the content of files that are asked for in every turn. One is known as long as the file's numbers, sizes
 * and times are the same, of which the last change cannot be set by any program.
 */
export class FileHashes {
  readonly #known = new Map<string, Known>();
  readonly #now: () => number;
  readonly #read: typeof hashOfFile;

  constructor(now: () => number = Date.now, read = hashOfFile) {
    this.#now = now;
    this.#read = read;
  }

  /** Undefined when there is no such file. */
  async of(path: string): Promise<string | undefined> {
    const state = stateOf(path, this.#now());
    const known = this.#known.get(path);
    if (state !== undefined && known?.state === state) return known.hash;
    const hash = await this.#read(path);
    if (hash !== undefined && state !== undefined) this.#keep(path, { state, hash });
    return hash;
  }

  #keep(path: string, known: Known): void {
    this.#known.set(path, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Undefined where it says nothing: no file, or one that has just been changed. */
function stateOf(path: string, now: number): string | undefined {
  const found = look(path);
  if (!found || now - Number(found.ctimeMs) < TICK_MS) return undefined;
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}

/** Undefined when there is no such file. */
export async function hashOfFile(path: string): Promise<string | undefined> {
  // Most of them are not there.
  const content = look(path) && (await readFile(path).catch(() => undefined));
  return content && sha256(content);
}

function look(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
