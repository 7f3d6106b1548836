import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';

/** Standing approvals: "always" answers and rules of the settings. One tool and destination each, never a pattern. */
export class ApprovalRules {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #configured: ReadonlySet<string>;

  /** @param configured `tool=destination` entries of the settings. */
  constructor(store: Store, now: () => Date, configured: readonly string[] = []) {
    this.#store = store;
    this.#now = now;
    this.#configured = new Set(configured);
  }

  /** Is there a rule for exactly this tool and destination? */
  allows(tool: string, destination: string): boolean {
    if (this.#configured.has(`${tool}=${destination}`)) return true;
    const found = this.#store.sql
      .prepare('SELECT 1 FROM approval_rules WHERE tool = ? AND destination = ?')
      .get(tool, destination);
    return found !== undefined;
  }

  /** Remember an "always". */
  allow(tool: string, destination: string): void {
    this.#store.sql
      .prepare('INSERT OR IGNORE INTO approval_rules (id, tool, destination, created_at) VALUES (?, ?, ?, ?)')
      .run(newId('rule', this.#now()), tool, destination, this.#now().toISOString());
  }

  /** The remembered answers, oldest first; rules of the settings are not among them. */
  list(): readonly { readonly tool: string; readonly destination: string }[] {
    return this.#store.sql
      .prepare('SELECT tool, destination FROM approval_rules ORDER BY created_at, id')
      .all() as unknown as { tool: string; destination: string }[];
  }

  /** Ask again from now on. @returns false when there was no such answer. */
  forget(tool: string, destination: string): boolean {
    const gone = this.#store.sql
      .prepare('DELETE FROM approval_rules WHERE tool = ? AND destination = ?')
      .run(tool, destination);
    return gone.changes > 0;
  }
}
