import type { FileOrigins } from './file-origins.ts';

/** A file that is there but not followed. */
export interface RefusedFile {
  readonly path: string;
  /** A clause that fits behind "because". */
  readonly why: string;
}

/**
 * The files that Wooster obeys, less those that somebody else may have written. Asked without waiting, since settings
 * are read that way; so whoever starts a turn has the files judged first.
 */
export class ObeyedFiles {
  readonly #origins: FileOrigins;
  readonly #refused = new Map<string, string>();

  constructor(origins: FileOrigins) {
    this.#origins = origins;
  }

  /** Judge files by what they hold now; those that do not exist are fine. @returns the ones that are not followed. */
  async judge(paths: readonly string[]): Promise<readonly RefusedFile[]> {
    const files = await Promise.all(paths.map((path) => this.#origins.look(path)));
    const there = files.filter(({ sha256 }) => sha256 !== undefined);
    const judged = await this.#origins.judgeAll(there);
    for (const path of paths) this.#refused.delete(path);
    for (const [index, { path }] of there.entries()) {
      const why = judged[index]?.why;
      if (why !== undefined) this.#refused.set(path, why);
    }
    return paths.flatMap((path) => {
      const why = this.#refused.get(path);
      return why === undefined ? [] : [{ path, why }];
    });
  }

  /** Whether a file is followed, as it was judged last. @param path absolute. */
  isObeyed(path: string): boolean {
    return !this.#refused.has(path);
  }
}
