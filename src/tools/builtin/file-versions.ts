import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type SelectQueryBuilder, sql } from 'kysely';
import { AssistantError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { sha256 } from '../../base/json.ts';
import { draftIn, sweepDrafts } from '../../base/replace-file.ts';
import type { Database, FileVersionRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { mustBeAgreed, type Stake } from '../stakes.ts';
import type { Author, KeepLimits, KeptStates } from '../undo/kept-states.ts';

/** Up to this size a version is in the database; a larger one is a copy beside the project's files. */
const LARGEST_ROW_BYTES = 1024 * 1024;
/** Of a project's folder. Hidden, so its files are no documents. */
const COPIES = '.versions';
const PRUNE_EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MIB = 1024 * 1024;

export interface FileVersionsDeps {
  readonly store: Store;
  /** The project's folder, absolute. */
  readonly folderOf: (project: string) => string;
  readonly now: () => Date;
  readonly limits: KeepLimits;
  /** Records what calls change, for `undo`. */
  readonly states?: Pick<KeptStates, 'keep'> | undefined;
}

/** A file in a project that is about to be changed. */
export interface ChangedFile {
  readonly project: string;
  /** Relative to the project's folder, `/`-separated, without superfluous parts. */
  readonly path: string;
  readonly absolute: string;
}

/** One earlier state of a file: what was there before a call changed it. */
export interface FileVersion {
  readonly path: string;
  /** From 1, rising. */
  readonly version: number;
  /** Undefined: there was no file. */
  readonly sha256: string | undefined;
  readonly size: number;
  readonly turnId: string | undefined;
  readonly effectId: string | undefined;
  readonly at: string;
}

/** Where a version is restored to: `ProjectFiles`. */
export interface VersionedFiles {
  write(project: string, path: string, content: Uint8Array, by?: Author): Promise<void>;
  remove(project: string, path: string, by?: Author): Promise<void>;
}

type Taken = Pick<FileVersionRow, 'content' | 'sha256' | 'size'>;

interface Change {
  readonly file: ChangedFile;
  readonly before: Taken;
  /** SHA-256 of the new content. */
  readonly after: string | undefined;
}

/** What the file tools overwrite or delete, kept so that any worker can restore it later. */
export class FileVersions {
  readonly #deps: FileVersionsDeps;
  readonly #pruned = new Map<string, number>();

  constructor(deps: FileVersionsDeps) {
    this.#deps = deps;
  }

  /**
   * Keep a file as it is now, or that there is none. Call it just before the change, as the only writer of the
   * project; if it fails, the file must not be changed.
   *
   * @param next the content to come, undefined for none; when it is the same, nothing is kept.
   */
  async keep(file: ChangedFile, next?: string | Uint8Array, by?: Author): Promise<void> {
    await this.keepAll([{ file, after: next === undefined ? undefined : sha256(next) }], by);
  }

  /**
   * Like `keep`, for files that change together.
   *
   * @param changes each with the SHA-256 of its new content.
   * @throws ChangedMeanwhile for what the owner was asked about and did not agree to.
   */
  async keepAll(
    changes: readonly { readonly file: ChangedFile; readonly after: string | undefined }[],
    by?: Author,
  ): Promise<void> {
    const taken: Change[] = [];
    for (const { file, after } of changes) {
      const before = await this.#take(file, after);
      if (before) taken.push({ file, before, after });
    }
    if (by?.agreed) mustBeAgreed(taken.map(stakeOf), by.agreed);
    const { store } = this.#deps;
    await store.transaction(async () => {
      for (const change of taken) await this.#keepOne(change, by);
    });
    for (const project of new Set(taken.map(({ file }) => file.project))) await this.#pruneSometimes(project);
  }

  async #keepOne({ file: { project, path }, before, after }: Change, by: Author | undefined): Promise<void> {
    const { store, now, states } = this.#deps;
    const version = (await this.#latest(project, path)) + 1;
    const effect = store.db.selectFrom('effects').select('id');
    await store.db
      .insertInto('file_versions')
      .values({
        ...before,
        ...{ project, path, version },
        turn_id: by?.turnId ?? null,
        effect_id: by?.idempotencyKey ? effect.where('idempotency_key', '=', by.idempotencyKey) : null,
        at: now().toISOString(),
      })
      .execute();
    await states?.keep({ project, kind: 'file', thing: path, before: String(version), after }, by);
  }

  /** The versions of a project, of one file or one turn if given, the newest first. */
  async list(
    project: string,
    of: { readonly path?: string; readonly turnId?: string } = {},
  ): Promise<readonly FileVersion[]> {
    let query = this.#deps.store.db.selectFrom('file_versions').where('project', '=', project);
    if (of.path !== undefined) query = query.where('path', '=', of.path);
    if (of.turnId !== undefined) query = query.where('turn_id', '=', of.turnId);
    const rows = await query
      .select(['path', 'version', 'sha256', 'size', 'turn_id', 'effect_id', 'at'])
      .orderBy('at', 'desc')
      .orderBy('path')
      .orderBy('version', 'desc')
      .execute();
    return rows.map(({ turn_id, effect_id, sha256: sha, ...row }) => ({
      ...row,
      ...{ sha256: sha ?? undefined, turnId: turn_id ?? undefined, effectId: effect_id ?? undefined },
    }));
  }

  /**
   * A version's content; undefined: there was no file.
   *
   * @throws AssistantError `file_not_found` when it was never kept, is not kept any more, or its copy was changed.
   */
  async get(project: string, path: string, version: number): Promise<Uint8Array | undefined> {
    const row = await this.#row(project, path, version);
    if (row.sha256 === null) return undefined;
    const content = row.content ?? (await readFile(this.#copy(project, row.sha256)).catch(() => undefined));
    if (content === undefined || sha256(content) !== row.sha256) throw notKept(path, version);
    return content;
  }

  /** The SHA-256 of a version; undefined: there was no file. @throws AssistantError as `get`. */
  async hash(project: string, path: string, version: number): Promise<string | undefined> {
    return (await this.#row(project, path, version)).sha256 ?? undefined;
  }

  /** Restore a file. Its present content is kept first, so this can be undone as well. */
  async restore(
    files: VersionedFiles,
    { project, path, version }: { readonly project: string; readonly path: string; readonly version: number },
    by?: Author,
  ): Promise<void> {
    const content = await this.get(project, path, version);
    if (content === undefined) await files.remove(project, path, by);
    else await files.write(project, path, content, by);
  }

  async #row(project: string, path: string, version: number): Promise<Pick<FileVersionRow, 'content' | 'sha256'>> {
    const row = await this.#deps.store.db
      .selectFrom('file_versions')
      .select(['content', 'sha256'])
      .where('project', '=', project)
      .where('path', '=', path)
      .where('version', '=', version)
      .executeTakeFirst();
    if (!row) throw notKept(path, version);
    return row;
  }

  /** @returns undefined when the file already has the new content. */
  async #take({ project, absolute }: ChangedFile, next: string | undefined): Promise<Taken | undefined> {
    const size = (await stat(absolute).catch(ifThere))?.size;
    if (size === undefined) return next === undefined ? undefined : { content: null, sha256: null, size: 0 };
    if (size > LARGEST_ROW_BYTES) return this.#copyBeside(project, absolute, next);
    const content = await readFile(absolute);
    const sha = sha256(content);
    return sha === next ? undefined : { content, sha256: sha, size: content.length };
  }

  /** Named by its hash, so that the same content is copied once. */
  async #copyBeside(project: string, absolute: string, next: string | undefined): Promise<Taken | undefined> {
    const folder = join(this.#deps.folderOf(project), COPIES);
    makeFolder(folder);
    const draft = draftIn(folder);
    await sweepDrafts(folder);
    try {
      await copyFile(absolute, draft);
      const [sha, { size }] = [await hashOf(draft), await stat(draft)];
      if (sha === next) return undefined;
      await rename(draft, this.#copy(project, sha));
      return { content: null, sha256: sha, size };
    } finally {
      await rm(draft, { force: true });
    }
  }

  #copy(project: string, sha: string): string {
    return join(this.#deps.folderOf(project), COPIES, sha);
  }

  async #latest(project: string, path: string): Promise<number> {
    const row = await this.#deps.store.db
      .selectFrom('file_versions')
      .select(({ fn }) => fn.max('version').as('latest'))
      .where('project', '=', project)
      .where('path', '=', path)
      .executeTakeFirst();
    return row?.latest ?? 0;
  }

  async #pruneSometimes(project: string): Promise<void> {
    const now = this.#deps.now().getTime();
    if (now - (this.#pruned.get(project) ?? Number.NEGATIVE_INFINITY) < PRUNE_EVERY_MS) return;
    this.#pruned.set(project, now);
    await this.#prune(project, now);
  }

  /** Delete what is too old, and the oldest of what is too much. The newest version stays, however large. */
  async #prune(project: string, nowMs: number): Promise<void> {
    const { store, limits } = this.#deps;
    const oldest = new Date(nowMs - limits.days * DAY_MS).toISOString();
    const doomed = await store.db
      .selectFrom(bySize(store.db.selectFrom('file_versions')).where('project', '=', project).as('v'))
      .select(['v.path', 'v.version', 'v.sha256', 'v.copied'])
      .where(({ eb, or }) => or([eb('v.at', '<', oldest), eb('v.newer', '>=', limits.megabytes * MIB)]))
      .execute();
    for (const { path, version, sha256: sha, copied } of doomed) {
      await store.db
        .deleteFrom('file_versions')
        .where('project', '=', project)
        .where('path', '=', path)
        .where('version', '=', version)
        .execute();
      if (copied && sha !== null && !(await this.#isKept(project, sha)))
        await rm(this.#copy(project, sha), { force: true });
    }
  }

  async #isKept(project: string, sha: string): Promise<boolean> {
    const { db } = this.#deps.store;
    const rows = db.selectFrom('file_versions').select('path').where('project', '=', project).where('sha256', '=', sha);
    return (await rows.limit(1).executeTakeFirst()) !== undefined;
  }
}

/** Forget all versions of a project whose files were deleted for good. */
export async function removeVersions(store: Store, project: string): Promise<void> {
  await store.db.deleteFrom('file_versions').where('project', '=', project).execute();
}

/** Each version, with the bytes of those that are newer. */
function bySize<O>(versions: SelectQueryBuilder<Database, 'file_versions', O>) {
  return versions.select([
    'path',
    'version',
    'sha256',
    'at',
    sql<number>`case when content is null then 1 else 0 end`.as('copied'),
    sql<number>`sum(size) over (order by at desc, path, version desc) - size`.as('newer'),
  ]);
}

function stakeOf({ before, after }: Change): Stake {
  return { before: before.sha256 ?? undefined, after };
}

/** The SHA-256 of a file, whatever its size. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('hex');
}

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function notKept(path: string, version: number): AssistantError {
  const hint = 'FILES_VERSION_DAYS and FILES_VERSIONS_MB say how long versions are kept.';
  return new AssistantError('file_not_found', `Version ${version} of ${path} is not kept.`, { hint });
}
