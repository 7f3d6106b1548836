import { sql } from 'kysely';
import type { Provenance } from '../../base/turn.ts';
import type { Places } from '../../rag/places.ts';
import { isIn } from '../../store/portable.ts';
import type { Store } from '../../store/store.ts';
import { OUTSIDE, type Source, WEB } from '../tool.ts';
import { FileOrigins, type JudgedFile } from './file-origins.ts';

/** Begins the name of a file's content, before its absolute path. */
export const FILE = 'file:';
/** The same for what a file is called, and for all that is in a folder. */
const NAME = 'name:';
const FOLDER = 'folder:';

/** Whose text something is, and who may read it. */
export interface TextLabels {
  readonly untrusted: boolean;
  readonly private: boolean;
}

/** The labels of a text that consists of both. */
export function worst(a: TextLabels, b: TextLabels): TextLabels {
  return { untrusted: a.untrusted || b.untrusted, private: a.private || b.private };
}

/**
 * Remembers what was written while a conversation held untrusted content, so that it is still untrusted when another
 * conversation reads it. Files are known by place and content; what has a name of a plugin's own keeps its mark.
 */
export class Origins {
  readonly files: FileOrigins;
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #isMixed: (path: string) => Promise<boolean>;

  /**
   * @param isMixed whether somebody else may have written a part of a file of the owner's, which marks it inside.
   */
  constructor(
    store: Store,
    now: () => Date,
    {
      places,
      isMixed = async () => false,
    }: { readonly places?: Places; readonly isMixed?: (path: string) => Promise<boolean> } = {},
  ) {
    this.files = new FileOrigins(store, now, places);
    this.#store = store;
    this.#now = now;
    this.#isMixed = isMixed;
  }

  /**
   * Mark a thing just before untrusted content may get into it.
   *
   * @returns takes the mark back when nothing was written.
   */
  async begin(thing: string, { untrusted, sources }: Provenance): Promise<() => Promise<void>> {
    const path = pathBehind(FILE, thing);
    return untrusted && path !== undefined ? this.files.begin(path, sources) : async () => {};
  }

  /**
   * Mark a thing that was written.
   *
   * @param thing the name by which it will be read: `file:` and an absolute path, `gtd:inbox`.
   * @param replaces for files: nothing of what it held before is left.
   */
  async mark(thing: string, { untrusted, private: secret, sources }: Provenance, replaces = false): Promise<void> {
    const path = pathBehind(FILE, thing);
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

  /** The labels of a text that consists of these: the worst of each wins. What nobody marked is the owner's. */
  async labels(sources: readonly Source[]): Promise<TextLabels> {
    const named = sources.filter((source) => typeof source === 'string');
    const kept = sources.filter((source) => typeof source !== 'string');
    const files = kept.filter((source) => 'sha256' in source);
    const untrusted =
      named.some((name) => name === WEB || name === OUTSIDE) ||
      // Whatever is neither a file nor clearly the owner's, such as a misspelt row of a plugin, is somebody else's.
      kept.some((source) => !('sha256' in source) && source.untrusted !== false) ||
      (await this.#anyUntrusted(named, files));
    return { untrusted, private: sources.some((source) => source !== WEB) };
  }

  async #anyUntrusted(names: readonly string[], files: readonly JudgedFile[]): Promise<boolean> {
    const behind = (start: string) => names.flatMap((name) => pathBehind(start, name) ?? []);
    const contents = await Promise.all(behind(FILE).map((path) => this.files.look(path)));
    const called = behind(NAME);
    const folders = behind(FOLDER);
    const others = names.filter((name) => [FILE, NAME, FOLDER].every((start) => pathBehind(start, name) === undefined));
    return (
      (await this.files.anyUntrusted([...contents, ...files])) ||
      (await this.#anyMixed([...contents, ...files])) ||
      (await this.files.anyBadName(called)) ||
      (await this.files.anyUntrustedIn(folders)) ||
      (await this.#anyMarked(others))
    );
  }

  async #anyMixed(files: readonly JudgedFile[]): Promise<boolean> {
    const paths = files.flatMap(({ path }) => path ?? []);
    return (await Promise.all(paths.map((path) => this.#isMixed(path)))).includes(true);
  }

  async #anyMarked(things: readonly string[]): Promise<boolean> {
    if (things.length === 0) return false;
    const marked = this.#store.db.selectFrom('origins').select('thing').where('untrusted', '=', 1);
    return (
      (await marked
        .where(isIn(this.#store, 'thing', [...things]))
        .limit(1)
        .executeTakeFirst()) !== undefined
    );
  }

  /** The provenance of an untrusted thing; undefined for any other. */
  async of(thing: string): Promise<Provenance | undefined> {
    const path = pathBehind(FILE, thing);
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

/** The absolute path in the name of a file, its name or a folder; undefined for a name that begins otherwise. */
export function pathBehind(start: string, thing: string): string | undefined {
  const path = thing.slice(start.length);
  return thing.startsWith(start) && (path.startsWith('/') || /^[a-z]:[\\/]/iu.test(path)) ? path : undefined;
}

/** The content of a file, as a source. @param path absolute. */
export function fileThing(path: string): string {
  return `${FILE}${path}`;
}

/** What a file is called, as a source. @param path absolute. */
export function nameThing(path: string): string {
  return `${NAME}${path}`;
}

/** All files of a folder, as a source. @param path absolute. */
export function folderThing(path: string): string {
  return `${FOLDER}${path}`;
}
