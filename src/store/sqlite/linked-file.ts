import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AssistantError } from '../../base/errors.ts';
import { copyNow } from './copy.ts';

/** Where a file is, so that another one in its place is told apart: an open file's number is not given out again. */
type Identity = string | undefined;

/**
 * Whether an open database is still the one at its path. A folder that was removed, moved away, unmounted or replaced
 * by a synchronising client leaves SQLite writing to a file that nobody will ever find.
 */
export class LinkedFile {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #file: Identity;
  /** Commits go there first, and SQLite leaves it where it is as long as a connection is open. */
  readonly #log: Identity;
  #gone: AssistantError | undefined;

  /** @param database  open, and written to before, in write-ahead mode. */
  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
    this.#file = identityOf(path);
    this.#log = identityOf(`${path}-wal`);
  }

  /**
   * Asked before whatever makes a change last. Ends the transaction when the file is gone, and keeps a copy, once.
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
    const found =
      kept === undefined ? '' : ` What was in it is kept in ${kept}; \`wooster restore FILE\` brings it in.`;
    const hint = `End Wooster, put the folder back where it was, and start again.${found}`;
    const message = `The home was moved or removed while Wooster was running: ${this.#path} is no longer its database.`;
    return new AssistantError('home_moved', `${message} Nothing is saved any more.`, { hint });
  }

  /** Removed files stay readable for who has them open. @returns where the copy is, unless there can be none. */
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
