import { newId } from '../base/ids.ts';
import type { Store } from '../store/store.ts';

/** "Always" answers, remembered per tool and destination; never a prefix or a pattern. */
export class ApprovalRules {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  allows(tool: string, destination: string): boolean {
    const found = this.#store.sql
      .prepare('SELECT 1 FROM approval_rules WHERE tool = ? AND destination = ?')
      .get(tool, destination);
    return found !== undefined;
  }

  allow(tool: string, destination: string): void {
    this.#store.sql
      .prepare('INSERT OR IGNORE INTO approval_rules (id, tool, destination, created_at) VALUES (?, ?, ?, ?)')
      .run(newId('rule', this.#now()), tool, destination, this.#now().toISOString());
  }
}
