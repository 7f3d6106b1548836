import type { Provenance } from '../../base/turn.ts';
import type { OriginRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/**
 * Remembers what was written while a conversation held untrusted content, so that it is still untrusted when another
 * conversation reads it: journals, files, artifacts. A mark is never removed.
 */
export class Origins {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** @param thing the name by which it will be read: `journal:home`, `file:home/a.md`. */
  mark(thing: string, { untrusted, private: secret, sources }: Provenance): void {
    if (!untrusted) return;
    this.#store.sql
      .prepare(
        `INSERT INTO origins (thing, untrusted, private, sources, updated_at) VALUES (?, 1, ?, ?, ?)
         ON CONFLICT (thing) DO UPDATE SET private = max(private, excluded.private), updated_at = excluded.updated_at`,
      )
      .run(thing, Number(secret), JSON.stringify(sources), this.#now().toISOString());
  }

  /** The provenance of a marked thing; undefined when it was never marked. */
  of(thing: string): Provenance | undefined {
    const row = this.#store.sql.prepare('SELECT * FROM origins WHERE thing = ?').get(thing) as OriginRow | undefined;
    if (!row) return undefined;
    return { untrusted: row.untrusted === 1, private: row.private === 1, sources: JSON.parse(row.sources) as string[] };
  }
}
