import type { Provenance } from '../../base/turn.ts';
import type { OriginRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/**
 * Remembers what was written while a conversation held text of strangers, so that it is still a stranger's text when
 * another conversation reads it: journals, files, artifacts. Once marked, a thing stays marked.
 */
export class Origins {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** @param thing a name that its reader will ask for: `journal:home`, `artifact:art_1`. */
  mark(thing: string, { untrusted, private: secret, sources }: Provenance): void {
    if (!untrusted) return;
    this.#store.sql
      .prepare(
        `INSERT INTO origins (thing, untrusted, private, sources, updated_at) VALUES (?, 1, ?, ?, ?)
         ON CONFLICT (thing) DO UPDATE SET private = max(private, excluded.private), updated_at = excluded.updated_at`,
      )
      .run(thing, Number(secret), JSON.stringify(sources), this.#now().toISOString());
  }

  /** Where a thing's text came from, when strangers had a hand in it. */
  of(thing: string): Provenance | undefined {
    const row = this.#store.sql.prepare('SELECT * FROM origins WHERE thing = ?').get(thing) as OriginRow | undefined;
    if (!row) return undefined;
    return { untrusted: row.untrusted === 1, private: row.private === 1, sources: JSON.parse(row.sources) as string[] };
  }
}
