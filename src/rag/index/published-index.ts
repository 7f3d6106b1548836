import { open } from 'node:fs/promises';
import { AssistantError } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';
import { DOCUMENTS_CHANGED, pruneChanges } from '../ingest/chunk-changes.ts';
import { measureFile } from './array-file-writer.ts';
import { filesOf, type IndexFile, type Manifest, sealManifest, unsealManifest } from './manifest.ts';

const PART_BYTES = 1 << 20;
/** How long files of a former index are kept for machines that are fetching it. */
const KEEP_MS = 10 * 60_000;

/** An index in the database, as the row of `index_manifests` has it. */
export interface Publication {
  /** According to the database's clock. */
  readonly at: string;
  /** See `sealManifest`. File names are unique, so equal texts mean equal files. */
  readonly sealed: string;
}

/** One project's index as published in the database, for all machines to fetch. */
export class PublishedIndex {
  readonly #store: Store;
  readonly #project: string;

  constructor(store: Store, project: string) {
    this.#store = store;
    this.#project = project;
  }

  /** What is published now. */
  async newest(): Promise<Publication | undefined> {
    const query = this.#manifests().orderBy('revision', 'desc').limit(1);
    const row = await query.executeTakeFirst();
    return row && (JSON.parse(row.manifest) as Publication);
  }

  /** Upload a file that is about to be published. */
  async upload(path: string, file: IndexFile): Promise<void> {
    if ((await this.#partsOf([file])).get(file.file) === partsIn(file)) return;
    const { crc } = await measureFile(path);
    const handle = await open(path);
    try {
      for (let part = 0; part < partsIn(file); part++) {
        const buffer = Buffer.alloc(Math.min(PART_BYTES, file.bytes - part * PART_BYTES));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, part * PART_BYTES);
        await this.#store.db
          .insertInto('index_files')
          .values({ project: this.#project, name: file.file, part, crc, bytes: buffer.subarray(0, bytesRead) })
          .onConflict((conflict) =>
            conflict
              .columns(['project', 'name', 'part'])
              .doUpdateSet(({ ref }) => ({ crc: ref('excluded.crc'), bytes: ref('excluded.bytes') })),
          )
          .execute();
      }
    } finally {
      await handle.close();
    }
  }

  /**
   * Publish a manifest whose files are uploaded.
   *
   * @param before  the newest manifest when the work began.
   * @throws AssistantError `index_busy` if there is a newer one by now: another program has taken over.
   */
  async publish(manifest: Manifest, before: Publication | undefined): Promise<void> {
    const at = await this.#store.now();
    await this.#store.transaction(async () => {
      const files = filesOf(manifest);
      const parts = await this.#partsOf(files);
      const whole = files.every((file) => parts.get(file.file) === partsIn(file));
      if (!whole || (await this.newest())?.sealed !== before?.sealed) throw takenOver(this.#project);
      await this.put(manifest, at);
      await pruneChanges(this.#store, this.#project, manifest.revision);
      await this.#store.wake.notify(DOCUMENTS_CHANGED);
    });
    await this.#tidy();
  }

  /** Write the row of a manifest, in the caller's transaction. `at` is the store's time before it. */
  async put(manifest: Manifest, at: string): Promise<void> {
    const publication: Publication = { at, sealed: sealManifest(manifest) };
    await this.#store.db
      .insertInto('index_manifests')
      .values({ project: this.#project, revision: manifest.revision, manifest: JSON.stringify(publication) })
      .onConflict((conflict) =>
        conflict.columns(['project', 'revision']).doUpdateSet(({ ref }) => ({ manifest: ref('excluded.manifest') })),
      )
      .execute();
  }

  /** The parts of a file, in order; incomplete if it was deleted meanwhile. */
  async *parts(file: IndexFile): AsyncGenerator<{ readonly crc: number; readonly bytes: Uint8Array }> {
    for (let part = 0; part < partsIn(file); part++) {
      const query = this.#store.read
        .selectFrom('index_files')
        .select(['crc', 'bytes'])
        .where('project', '=', this.#project)
        .where('name', '=', file.file)
        .where('part', '=', part);
      const row = await query.executeTakeFirst();
      if (!row) return;
      yield row;
    }
  }

  /** The number of parts that each file has in the database. */
  async #partsOf(files: readonly IndexFile[]): Promise<Map<string, number>> {
    const names = files.map(({ file }) => file);
    if (names.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom('index_files')
      .select(({ fn }) => ['name', fn.countAll<number>().as('parts')])
      .where('project', '=', this.#project)
      .where('name', 'in', names)
      .groupBy('name')
      .execute();
    return new Map(rows.map(({ name, parts }) => [name, parts]));
  }

  /** Delete what nobody fetches any more, and uploads of programs that were killed. */
  async #tidy(): Promise<void> {
    const { db } = this.#store;
    const [newest, ...former] = await this.#manifests().orderBy('revision', 'desc').execute();
    if (!newest) return;
    const now = Date.parse(await this.#store.now());
    const read = ({ manifest }: { manifest: string }) => JSON.parse(manifest) as Publication;
    const isOld = (row: { manifest: string }) => now - Date.parse(read(row).at) > KEEP_MS;
    const kept = [newest, ...former.filter((row) => !isOld(row))];
    for (const { revision } of former.filter(isOld))
      await db
        .deleteFrom('index_manifests')
        .where('project', '=', this.#project)
        .where('revision', '=', revision)
        .execute();
    const names = kept.flatMap((row) => filesOf(unsealManifest(read(row).sealed)).map(({ file }) => file));
    const files = db.deleteFrom('index_files').where('project', '=', this.#project);
    await (names.length > 0 ? files.where('name', 'not in', names) : files).execute();
  }

  #manifests() {
    return this.#store.db
      .selectFrom('index_manifests')
      .select(['revision', 'manifest'])
      .where('project', '=', this.#project);
  }
}

function partsIn({ bytes }: IndexFile): number {
  return Math.ceil(bytes / PART_BYTES);
}

function takenOver(project: string): AssistantError {
  const hint = 'Searching works meanwhile. Ingest again when the other process has finished.';
  return new AssistantError('index_busy', `Another process has indexed project ${project} meanwhile.`, { hint });
}
