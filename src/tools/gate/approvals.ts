import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';

/** An "always" answer. */
export interface StandingRule {
  readonly id: string;
  readonly tool: string;
  readonly destination: string;
  readonly createdAt: string;
}

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
  async allows(tool: string, destination: string): Promise<boolean> {
    if (this.#configured.has(`${tool}=${destination}`)) return true;
    const found = await this.#store.read
      .selectFrom('approval_rules')
      .select('id')
      .where('tool', '=', tool)
      .where('destination', '=', destination)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** Remember an "always". */
  async allow(tool: string, destination: string): Promise<void> {
    const now = this.#now();
    await this.#store.db
      .insertInto('approval_rules')
      .values({ id: newId('rule', now), tool, destination, created_at: now.toISOString() })
      .onConflict((conflict) => conflict.columns(['tool', 'destination']).doNothing())
      .execute();
  }

  /** The remembered answers, oldest first; rules of the settings are not among them. */
  async list(): Promise<readonly StandingRule[]> {
    return this.#store.read
      .selectFrom('approval_rules')
      .select(['id', 'tool', 'destination', 'created_at as createdAt'])
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }

  /** Ask again from now on. @returns false when there was no such answer. */
  async forget(tool: string, destination: string): Promise<boolean> {
    const gone = await this.#store.db
      .deleteFrom('approval_rules')
      .where('tool', '=', tool)
      .where('destination', '=', destination)
      .executeTakeFirst();
    return gone.numDeletedRows > 0n;
  }
}
