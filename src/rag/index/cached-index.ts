import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { makeFolder } from '../../base/folders.ts';
import { fileLocks } from '../../store/sqlite/lock.ts';
import type { Store } from '../../store/store.ts';
import { fileStamp } from '../file-stamp.ts';
import {
  EMPTY_MANIFEST,
  filesOf,
  type IndexFile,
  type Manifest,
  readManifest,
  sealManifest,
  unsealManifest,
  writeManifest,
} from './manifest.ts';
import { type Publication, PublishedIndex } from './published-index.ts';
import type { SharedIndex } from './writer.ts';

/** Grace period of files not in the manifest, for programs that read them or are about to list them. */
const KEEP_MS = 10 * 60_000;
const ASK_AGAIN_MS = 20;

/** What `sync` did, in files. */
export interface Synced {
  readonly fetched: number;
  /** Files that could not be fetched completely. */
  readonly missing: number;
}

const NOTHING: Synced = { fetched: 0, missing: 0 };

/**
 * One project's index folder on this machine, as a cache of the index published in the database. Programs on the same
 * machine may share the folder.
 *
 * The folder's content is valid only if it matches the published index: it may come from another home, or from a
 * program that was killed before publishing. On SQLite there is no such cache; the folder is the index.
 */
export class CachedIndex implements SharedIndex {
  readonly tag = randomBytes(4).toString('hex');
  readonly #dir: string;
  readonly #published: PublishedIndex;
  #seen: { readonly publication: Publication | undefined; readonly stamp: string } | undefined;

  constructor(store: Store, project: string, dir: string) {
    this.#dir = dir;
    this.#published = new PublishedIndex(store, project);
  }

  /** The cache of a project; undefined on SQLite. */
  static of(store: Store, project: string, dir: string): CachedIndex | undefined {
    return store.kind === 'postgres' ? new CachedIndex(store, project, dir) : undefined;
  }

  /** Fetch whatever is published but missing here. Cheap if nothing has changed. */
  async sync(): Promise<Synced> {
    const newest = await this.#published.newest();
    const seen = this.#seen;
    if (seen && seen.publication?.sealed === newest?.sealed && seen.stamp === this.#stamp()) return NOTHING;
    if (!newest && readManifest(this.#dir) === EMPTY_MANIFEST) return NOTHING;
    return this.#alone(() => this.#fetchAll());
  }

  /** The revision of the rows in the published index; -1 if there is none. */
  async revision(): Promise<number> {
    const newest = await this.#published.newest();
    return newest ? unsealManifest(newest.sealed).revision : -1;
  }

  /** Publish files that are in the folder already. They must extend what the last `sync` saw. */
  async publish(manifest: Manifest, signal: AbortSignal): Promise<void> {
    for (const file of filesOf(manifest)) {
      await this.#published.upload(join(this.#dir, file.file), file);
      signal.throwIfAborted();
    }
    await this.#published.publish(manifest, this.#seen?.publication);
    await this.#alone(() => this.#fetchAll());
  }

  async #fetchAll(): Promise<Synced> {
    for (;;) {
      const publication = await this.#published.newest();
      const manifest = publication ? unsealManifest(publication.sealed) : EMPTY_MANIFEST;
      const synced = await this.#fetchFiles(filesOf(manifest));
      // Deleted meanwhile because there is a newer one.
      if (synced.missing > 0 && (await this.#published.newest())?.sealed !== publication?.sealed) continue;
      const isNew = sealManifest(readManifest(this.#dir)) !== sealManifest(manifest);
      if (isNew || synced.fetched > 0) writeManifest(this.#dir, manifest, KEEP_MS);
      this.#seen = { publication, stamp: this.#stamp() };
      return synced;
    }
  }

  async #fetchFiles(files: readonly IndexFile[]): Promise<Synced> {
    let [fetched, missing] = [0, 0];
    for (const file of files) {
      const size = statSync(join(this.#dir, file.file), { throwIfNoEntry: false })?.size;
      if (size === file.bytes) continue;
      if (await this.#fetch(file)) fetched++;
      else missing++;
    }
    return { fetched, missing };
  }

  /** Fetch one file under another name, check it and rename it. @returns whether it is there now. */
  async #fetch(file: IndexFile): Promise<boolean> {
    const path = join(this.#dir, file.file);
    const temporary = `${path}.${process.pid}-${threadId}.writing`;
    const handle = await open(temporary, 'w');
    try {
      let [crc, bytes, expected] = [0, 0, 0];
      for await (const part of this.#published.parts(file)) {
        await handle.write(part.bytes);
        crc = crc32(part.bytes, crc);
        bytes += part.bytes.length;
        expected = part.crc;
      }
      if (crc !== expected || bytes !== file.bytes) return false;
      await handle.sync();
      await rename(temporary, path);
      return true;
    } finally {
      await handle.close();
      await rm(temporary, { force: true });
    }
  }

  /** Changes whenever the manifest is replaced. */
  #stamp(): string {
    return fileStamp(join(this.#dir, 'manifest.json'));
  }

  /** Only one program per machine fetches a project's files at a time; afterwards the others have them, too. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (!existsSync(this.#dir)) makeFolder(this.#dir);
    const locks = fileLocks(join(dirname(this.#dir), '.cache', 'index'));
    for (;;) {
      const lock = locks(basename(this.#dir));
      if (!lock) {
        await sleep(ASK_AGAIN_MS);
        continue;
      }
      try {
        return await work();
      } finally {
        await lock[Symbol.asyncDispose]();
      }
    }
  }
}
