import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sha256 as hashOf } from '../../base/json.ts';
import { type Places, storedPath } from '../../rag/places.ts';
import { isFromOutside } from '../../rag/read/kinds.ts';
import { isIn } from '../../store/portable.ts';
import type { FileOriginRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { FileText } from '../tool.ts';
import { FileHashes, hashOfFile } from './file-hashes.ts';

/** A file with the hash of its content, as far as they are known; the path is absolute. */
export type JudgedFile = FileText;

/** Whose text a file is, and why. */
export interface Judgement {
  readonly untrusted: boolean;
  /** For people: a clause that fits behind the file's name; undefined for the owner's own. */
  readonly why: string | undefined;
  readonly sources: readonly string[];
}

const OWNERS: Judgement = { untrusted: false, why: undefined, sources: [] };
/** Stands for every content that no row of its own tells about. */
const ANY = '';
/** The same for many files, so it says nothing. */
const EMPTY = hashOf('');

/**
 * Whose text the files are. A file is known by the real path to which it resolves and by the hash of its content, so
 * neither another name, nor a link, nor a copy changes where a text came from. What nobody marked is the owner's,
 * except for mail, saved pages and imports.
 */
export class FileOrigins {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #places: Places | undefined;
  #realPlaces: Promise<Places> | undefined;
  readonly #hashes = new FileHashes();

  /** @param places paths inside these folders are stored relative to them; all others are stored as they are. */
  constructor(store: Store, now: () => Date, places?: Places) {
    this.#store = store;
    this.#now = now;
    this.#places = places;
  }

  /**
   * Mark a file just before untrusted content may get into it, so that no kill in between leaves it unmarked.
   *
   * @returns takes the mark back; call it when the file was certainly not changed.
   */
  async begin(path: string, sources: readonly string[]): Promise<() => Promise<void>> {
    const stored = await this.#stored(path);
    const { untrusted } = await this.judge({ path, sha256: undefined });
    if (untrusted) return async () => {};
    const before = await this.#row(stored, ANY);
    await this.#put({ path: stored, sha256: ANY, untrusted: 1, sources: JSON.stringify(sources), by: 'call' });
    return async () => {
      await this.#store.db.deleteFrom('file_origins').where('path', '=', stored).where('sha256', '=', ANY).execute();
      if (before) await this.#put(before);
    };
  }

  /**
   * Note whose text a file is after a call has written it.
   *
   * @param replaces nothing of what it held before is left.
   */
  async written(
    path: string,
    { untrusted, sources }: { readonly untrusted: boolean; readonly sources: readonly string[] },
    replaces: boolean,
  ): Promise<void> {
    const sha256 = await hashOfFile(path);
    if (sha256 === undefined) return;
    const was = await this.judge({ path, sha256 });
    if (!untrusted && (!was.untrusted || !replaces)) return;
    const stored = await this.#stored(path);
    if (untrusted && !replaces) await this.#dropVersions(stored);
    await this.#put({
      path: stored,
      sha256,
      untrusted: untrusted ? 1 : 0,
      sources: JSON.stringify(sources),
      by: 'call',
    });
  }

  /**
   * The owner says whose text a file or a folder is: a file as it is now, a folder with everything that is ever in it.
   *
   * @returns the path as it is stored.
   */
  async declare(path: string, { untrusted, folder }: { untrusted: boolean; folder: boolean }): Promise<string> {
    const place = await this.#stored(path);
    const stored = folder ? asFolder(place) : place;
    const sha256 = folder || untrusted ? ANY : ((await hashOfFile(path)) ?? ANY);
    if (folder || untrusted) await this.#dropVersions(stored);
    await this.#put({ path: stored, sha256, untrusted: untrusted ? 1 : 0, sources: '[]', by: 'owner' });
    return stored;
  }

  async judge(file: JudgedFile): Promise<Judgement> {
    const [judgement] = await this.judgeAll([file]);
    return judgement ?? OWNERS;
  }

  /** Whose text each of the files is, in their order. */
  async judgeAll(files: readonly JudgedFile[]): Promise<readonly Judgement[]> {
    const known = await Promise.all(
      files.map(async ({ path, sha256 }) => ({
        sha256,
        place: path === undefined ? undefined : await this.#place(path),
      })),
    );
    const paths = new Set(known.flatMap(({ place }) => (place ? [place.stored, ...place.folders] : [])));
    const hashes = new Set(known.flatMap(({ sha256 }) => (tells(sha256) ? [sha256] : [])));
    const store = this.#store;
    const rows = await store.db
      .selectFrom('file_origins')
      .selectAll()
      .where(({ or }) => or([isIn(store, 'path', [...paths]), isIn(store, 'sha256', [...hashes])]))
      .execute();
    const found = { byPath: Map.groupBy(rows, ({ path }) => path), byHash: Map.groupBy(rows, ({ sha256 }) => sha256) };
    return known.map((file) => judgementOf(file, found));
  }

  /** Whether somebody else may have written one of the files. */
  async anyUntrusted(files: readonly JudgedFile[]): Promise<boolean> {
    return files.length > 0 && (await this.judgeAll(files)).some(({ untrusted }) => untrusted);
  }

  /** Whether somebody else may have chosen one of these names; that of a folder is as foreign as what is in it. */
  async anyBadName(paths: readonly string[]): Promise<boolean> {
    const files = paths.map((path) => ({ path, sha256: undefined }));
    return (await this.anyUntrusted(files)) || (await this.#anyBelow(paths));
  }

  /** Whether somebody else may have written, or named, a file in one of these folders. */
  async anyUntrustedIn(folders: readonly string[]): Promise<boolean> {
    for (const folder of folders) {
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      if (names.some((name) => isFromOutside(name))) return true;
    }
    return (await this.anyUntrusted(folders.map((path) => ({ path, sha256: undefined })))) || this.#anyBelow(folders);
  }

  /** Whether anything below these paths was ever marked. */
  async #anyBelow(paths: readonly string[]): Promise<boolean> {
    if (paths.length === 0) return false;
    const below = await Promise.all(paths.map(async (path) => asFolder(await this.#stored(path))));
    const rows = this.#store.db.selectFrom('file_origins').select('path').where('untrusted', '=', 1);
    const marked = rows.where(({ or, eb }) =>
      or(below.map((folder) => eb.and([eb('path', '>=', folder), eb('path', '<', `${folder.slice(0, -1)}0`)]))),
    );
    return (await marked.limit(1).executeTakeFirst()) !== undefined;
  }

  /** The content of a file, for `judge`. */
  async look(path: string): Promise<JudgedFile & { readonly path: string }> {
    return { path, sha256: await this.#hashes.of(path) };
  }

  async #put(row: Omit<FileOriginRow, 'at'>): Promise<void> {
    const full = { ...row, at: this.#now().toISOString() };
    const { untrusted, sources, by, at } = full;
    await this.#store.db
      .insertInto('file_origins')
      .values(full)
      .onConflict((conflict) => conflict.columns(['path', 'sha256']).doUpdateSet({ untrusted, sources, by, at }))
      .execute();
  }

  /** Earlier versions of a file that is only added to: the newest one tells of them all. */
  async #dropVersions(stored: string): Promise<void> {
    await this.#store.db.deleteFrom('file_origins').where('path', '=', stored).execute();
  }

  #row(stored: string, sha256: string): Promise<FileOriginRow | undefined> {
    const row = this.#store.db.selectFrom('file_origins').selectAll().where('path', '=', stored);
    return row.where('sha256', '=', sha256).executeTakeFirst();
  }

  async #stored(path: string): Promise<string> {
    const store = await this.#storing();
    return store(await realPathOf(path));
  }

  async #place(path: string): Promise<Place> {
    const store = await this.#storing();
    const real = await realPathOf(path);
    return { stored: store(real), folders: foldersAbove(real).map((folder) => asFolder(store(folder))) };
  }

  /** How real paths are stored. */
  async #storing(): Promise<(real: string) => string> {
    if (this.#places === undefined) return (real) => real;
    this.#realPlaces ??= realPlaces(this.#places);
    const places = await this.#realPlaces;
    return (real) => storedPath(places, real);
  }
}

interface Place {
  readonly stored: string;
  /** Those above it as they are stored, the nearest first. */
  readonly folders: readonly string[];
}

interface Known {
  readonly place: Place | undefined;
  readonly sha256: string | undefined;
}

interface Found {
  readonly byPath: ReadonlyMap<string, readonly FileOriginRow[]>;
  readonly byHash: ReadonlyMap<string, readonly FileOriginRow[]>;
}

/** The nearest that is known decides: this content here, this content elsewhere, this file, a folder, its kind. */
function judgementOf({ place, sha256 }: Known, { byPath, byHash }: Found): Judgement {
  if (!place) return outside('it was imported from another program');
  const own = byPath.get(place.stored) ?? [];
  const exact = own.find((row) => row.sha256 === sha256);
  if (exact) return judgementBy(exact);
  const elsewhere = tells(sha256) ? byHash.get(sha256)?.find(({ untrusted }) => untrusted === 1) : undefined;
  if (elsewhere) return { ...judgementBy(elsewhere), why: `it is the same text as ${elsewhere.path}` };
  const [latest] = own.toSorted((a, b) => b.at.localeCompare(a.at) || b.untrusted - a.untrusted);
  if (latest?.untrusted === 1) return judgementBy(latest);
  for (const folder of place.folders) {
    const rule = byPath.get(folder)?.[0];
    if (rule) return judgementBy(rule);
  }
  return isFromOutside(place.stored) ? outside('mail and saved pages are written by others') : OWNERS;
}

function judgementBy({ untrusted, sources, by }: FileOriginRow): Judgement {
  if (untrusted === 0) return OWNERS;
  const read = JSON.parse(sources) as string[];
  const why = by === 'owner' ? 'you said so' : 'it was written while untrusted content was being read';
  return { untrusted: true, why, sources: read };
}

function outside(why: string): Judgement {
  return { untrusted: true, why, sources: [] };
}

/** Whether a hash identifies a text. */
function tells(sha256: string | undefined): sha256 is string {
  return sha256 !== undefined && sha256 !== ANY && sha256 !== EMPTY;
}

/** A folder's path as it is stored, which ends in a slash. */
function asFolder(stored: string): string {
  return stored.endsWith('/') ? stored : `${stored}/`;
}

/** The folders above a path up to the root, the nearest first. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

async function realPlaces({ home, projects }: Places): Promise<Places> {
  return { home: await realPathOf(home), projects: await realPathOf(projects) };
}

/** Where a path really leads; its last parts need not exist. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPathOf(above), basename(path));
  }
}
