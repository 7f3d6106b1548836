import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AssistantError } from '../../base/errors.ts';
import { copyNow } from './copy.ts';

/** Device and inode of a file, to notice a replacement: the inode of an open file is not reused. */
type Identity = string | undefined;

/**
 * Whether an open database is still the one at its path. A folder that was removed, moved away, unmounted or replaced
 * by a synchronising client leaves SQLite writing to a file that nobody will ever find.
 */
export class LinkedFile {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #file: Identity;
  /** Commits go to the log first, and SQLite leaves it in place while a connection is open. */
  readonly #log: Identity;
  #gone: AssistantError | undefined;

  /** @param database  open, already written to, in WAL mode. */
  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
    this.#file = identityOf(path);
    this.#log = identityOf(`${path}-wal`);
  }

  /**
   * Called before every commit. When the file is gone, rolls back and keeps one copy of the database.
   *
   * @throws AssistantError `home_moved`.
   */
  check(): void {
    if (!this.#gone && identityOf(this.#path) === this.#file && identityOf(`${this.#path}-wal`) === this.#log) return;
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#gone ??= this.#explain();
    throw this.#gone;
  }

  #explain(): AssistantError {
    const kept = this.#keep();
    const found = kept === undefined ? '' : ` Its content is kept in ${kept}; \`wooster restore FILE\` brings it back.`;
    const hint = `End Wooster, put the folder back where it was, and start again.${found}`;
    const message = `The home was moved or removed while Wooster was running: ${this.#path} is no longer its database.`;
    return new AssistantError('home_moved', `${message} Nothing is saved any more.`, { hint });
  }

  /** A removed file stays readable while it is open. @returns the path of the copy; undefined if none could be made. */
  #keep(): string | undefined {
    try {
      const path = join(mkdtempSync(join(tmpdir(), 'wooster-kept-')), 'wooster.sqlite3');
      copyNow(this.#database, path);
      return path;
    } catch {
      return undefined;
    }
  }
}

function identityOf(path: string): Identity {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
