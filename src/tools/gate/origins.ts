import { sql } from 'kysely';
import type { Provenance } from '../../base/turn.ts';
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
  async mark(thing: string, { untrusted, private: secret, sources }: Provenance): Promise<void> {
    if (!untrusted) return;
    const updated_at = this.#now().toISOString();
    await this.#store.db
      .insertInto('origins')
      .values({ thing, untrusted: 1, private: Number(secret), sources: JSON.stringify(sources), updated_at })
      .onConflict((conflict) =>
        conflict.column('thing').doUpdateSet({
          private: sql<number>`case when ${sql.ref('origins.private')} = 1 then 1 else excluded.private end`,
          updated_at,
        }),
      )
      .execute();
  }

  /** The provenance of a marked thing; undefined when it was never marked. */
  async of(thing: string): Promise<Provenance | undefined> {
    const row = await this.#store.db.selectFrom('origins').selectAll().where('thing', '=', thing).executeTakeFirst();
    if (!row) return undefined;
    return { untrusted: row.untrusted === 1, private: row.private === 1, sources: JSON.parse(row.sources) as string[] };
  }
}
