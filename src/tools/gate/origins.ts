import { sql } from 'kysely';
import type { Provenance } from '../../base/turn.ts';
import type { Places } from '../../rag/places.ts';
import type { Store } from '../../store/store.ts';
import { FileOrigins } from './file-origins.ts';

/** Begins the name of a file, before its absolute path. */
const FILE = 'file:';

/**
 * Remembers what was written while a conversation held untrusted content, so that it is still untrusted when another
 * conversation reads it. Files are known by place and content; what has a name of a plugin's own keeps its mark.
 */
export class Origins {
  readonly files: FileOrigins;
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date, places?: Places) {
    this.files = new FileOrigins(store, now, places);
    this.#store = store;
    this.#now = now;
  }

  /**
   * Mark a thing just before untrusted content may get into it.
   *
   * @returns takes the mark back when nothing was written.
   */
  async begin(thing: string, { untrusted, sources }: Provenance): Promise<() => Promise<void>> {
    const path = pathOf(thing);
    return untrusted && path !== undefined ? this.files.begin(path, sources) : async () => {};
  }

  /**
   * Mark a thing that was written.
   *
   * @param thing the name by which it will be read: `file:` and an absolute path, `gtd:inbox`.
   * @param replaces for files: nothing of what it held before is left.
   */
  async mark(thing: string, { untrusted, private: secret, sources }: Provenance, replaces = false): Promise<void> {
    const path = pathOf(thing);
    if (path !== undefined) return this.files.written(path, { untrusted, sources }, replaces);
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

  /** The provenance of an untrusted thing; undefined for any other. */
  async of(thing: string): Promise<Provenance | undefined> {
    const path = pathOf(thing);
    if (path !== undefined) return this.#ofFile(path);
    const row = await this.#store.db.selectFrom('origins').selectAll().where('thing', '=', thing).executeTakeFirst();
    if (!row) return undefined;
    return { untrusted: row.untrusted === 1, private: row.private === 1, sources: JSON.parse(row.sources) as string[] };
  }

  async #ofFile(path: string): Promise<Provenance | undefined> {
    const { untrusted, sources } = await this.files.judge(await this.files.look(path));
    return untrusted ? { untrusted, private: true, sources } : undefined;
  }
}

/** Of a file's name; undefined for the name of anything else. */
export function pathOf(thing: string): string | undefined {
  return thing.startsWith(`${FILE}/`) || /^file:[a-z]:[\\/]/iu.test(thing) ? thing.slice(FILE.length) : undefined;
}

/** The name of a file for `keeps` and `recalls`. @param path absolute. */
export function fileThing(path: string): string {
  return `${FILE}${path}`;
}
