import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { scan, scopeOf } from '../../rag/ingest/scan.ts';
import { asOnlyWriter } from '../../rag/project-lock.ts';
import type { Store } from '../../store/store.ts';
import { refusal, told } from '../../when/told.ts';
import type { Author } from '../undo/kept-states.ts';
import { type ChangedFile, type FileVersions, hashOf } from './file-versions.ts';

/** The files that the file tools work on: a project's folder, or the workspace of a container. */
export interface FileSpace {
  read(project: string, path: string): Promise<string>;
  /** As it is, up to so many bytes; absent: only texts can be read. */
  bytes?(project: string, path: string, most: number): Promise<Uint8Array>;
  /** Replace the whole file; readers see either the old or the new content, never a mixture. */
  write(project: string, path: string, content: string, by?: Author): Promise<void>;
  /**
   * Change a text as its only writer, so that no change in between is lost. What `change` throws leaves it as it is.
   *
   * @returns the new text.
   */
  edit(project: string, path: string, change: EditText, by?: Author): Promise<string>;
  /** Give a file another name, which must be free. */
  move(project: string, names: { readonly from: string; readonly to: string }, by?: Author): Promise<void>;
  /** Delete a file. @throws AssistantError `file_not_found`; `path_refused` for a folder. */
  delete(project: string, path: string, by?: Author): Promise<void>;
  /** The entries of a folder, sorted by name. */
  list(project: string, path: string): Promise<readonly Entry[]>;
  /** All files of a folder and its folders, or the one file, sorted by path; without hidden ones. */
  files(project: string, path: string): Promise<readonly { readonly path: string; readonly bytes: number }[]>;
  exists(project: string, path: string): Promise<boolean>;
  /** The absolute path of a file, which need not exist and is not checked; absent: the files may come from anywhere. */
  place?(project: string, path: string): string;
  /** A file that programs may obey, undefined for none; absent: nothing outside obeys these files. */
  look?(project: string, path: string): Promise<SeenFile | undefined>;
}

/** A file at one moment. */
export interface SeenFile {
  readonly text: string;
  /** SHA-256 of its bytes, which the text may not show. */
  readonly hash: string;
}

/** Makes the new text of a file; gets undefined when there is no such file. */
export type EditText = (before: string | undefined) => string | Promise<string>;

/** What a folder holds. */
export interface Entry {
  readonly name: string;
  readonly folder: boolean;
  /** Of a file. */
  readonly bytes?: number | undefined;
}

/** What a reader gets; a journal that is changed may have grown for years. */
const [MAX_READ_BYTES, MAX_EDIT_BYTES] = [5_000_000, 100_000_000];
/** Device names that Windows opens instead of a file, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
const HAS_CONTROL = /[\p{Cc}\p{Cf}]/u;

export interface ProjectFilesDeps {
  /** The project's folder, absolute and trusted. */
  readonly folderOf: (project: string) => string;
  readonly store: Pick<Store, 'lock'>;
  /** Keeps what is overwritten or deleted. */
  readonly versions: Pick<FileVersions, 'keep' | 'keepAll'>;
}

/**
 * The files inside a project's folder and nowhere else. Every part of a path is checked: no `..`, no absolute path, no
 * symbolic or hard link, no name that another system reads differently.
 */
export class ProjectFiles implements FileSpace {
  readonly #deps: ProjectFilesDeps;

  constructor(deps: ProjectFilesDeps) {
    this.#deps = deps;
  }

  async read(project: string, path: string): Promise<string> {
    return (await this.#bytes(project, path)).toString('utf8');
  }

  bytes(project: string, path: string, most: number): Promise<Uint8Array> {
    return this.#bytes(project, path, most);
  }

  async look(project: string, path: string): Promise<SeenFile | undefined> {
    if (!(await this.exists(project, path))) return undefined;
    const bytes = await this.#bytes(project, path);
    return { text: bytes.toString('utf8'), hash: sha256(bytes) };
  }

  async #bytes(project: string, path: string, most = MAX_READ_BYTES): Promise<Buffer> {
    const file = await this.#locate(project, path);
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
      throw notThere(path, error);
    });
    try {
      return await readBytes(handle, path, most);
    } finally {
      await handle.close();
    }
  }

  /** @throws AssistantError `path_refused`; `project_busy` when other programs write all the time. */
  async write(project: string, path: string, content: string | Uint8Array, by?: Author): Promise<void> {
    await this.#change(project, path, async (file, signal) => {
      await this.#deps.versions.keep(file, content, by);
      await mkdir(dirname(file.absolute), { recursive: true });
      await replaceFile(file.absolute, content, { signal });
    });
  }

  /** Delete a file, if it is there. @throws AssistantError as `write`. */
  async remove(project: string, path: string, by?: Author): Promise<void> {
    await this.#change(project, path, async (file, signal) => {
      if (!(await lstat(file.absolute).catch(() => undefined))) return;
      await this.#deps.versions.keep(file, undefined, by);
      signal.throwIfAborted();
      await rm(file.absolute);
    });
  }

  /** The SHA-256 of a file; undefined: there is none. @throws AssistantError `path_refused`. */
  async hash(project: string, path: string): Promise<string | undefined> {
    const file = await this.#locate(project, path);
    return (await lstat(file).catch(() => undefined))?.isFile() ? hashOf(file) : undefined;
  }

  /** Paths are checked as the only writer: what is checked is what is changed. */
  async #change(
    project: string,
    path: string,
    change: (file: ChangedFile, lost: AbortSignal) => Promise<void>,
  ): Promise<void> {
    partsOf(path);
    await asOnlyWriter(this.#deps.store, project, async (lost) => {
      const absolute = await this.#locate(project, path);
      await change({ project, path: partsOf(path).join('/'), absolute }, lost);
    });
  }

  /** @throws AssistantError as `write`. */
  async edit(project: string, path: string, change: EditText, by?: Author): Promise<string> {
    let after = '';
    await this.#change(project, path, async (file, signal) => {
      const there = (await lstat(file.absolute).catch(() => undefined)) !== undefined;
      const before = there ? (await this.#bytes(project, path, MAX_EDIT_BYTES)).toString('utf8') : undefined;
      after = await change(before);
      if (after === before) return;
      await this.#deps.versions.keep(file, after, by);
      await mkdir(dirname(file.absolute), { recursive: true });
      await replaceFile(file.absolute, after, { signal });
    });
    return after;
  }

  async move(project: string, { from, to }: { from: string; to: string }, by?: Author): Promise<void> {
    await this.#change(project, from, async (file, signal) => {
      const target = { project, path: partsOf(to).join('/'), absolute: await this.#locate(project, to) };
      const after = await hashOf(file.absolute).catch((error: unknown) => {
        throw notThere(from, error);
      });
      if (await lstat(target.absolute).catch(() => undefined)) throw refused(to, 'it exists already');
      await this.#deps.versions.keepAll(
        [
          { file, after: undefined },
          { file: target, after },
        ],
        by,
      );
      await mkdir(dirname(target.absolute), { recursive: true });
      signal.throwIfAborted();
      await rename(file.absolute, target.absolute);
    });
  }

  async delete(project: string, path: string, by?: Author): Promise<void> {
    const found = await lstat(await this.#locate(project, path)).catch((error: unknown) => {
      throw notThere(path, error);
    });
    if (found.isDirectory()) throw refused(path, 'it is a folder; delete its files one by one');
    await this.remove(project, path, by);
  }

  async list(project: string, path: string): Promise<Entry[]> {
    const dir = await this.#locate(project, path === '' ? '.' : path);
    const entries = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
      throw notThere(path, error);
    });
    const shown = entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return Promise.all(
      shown.map(async (entry) => {
        const bytes = entry.isFile() ? (await lstat(join(dir, entry.name)).catch(() => undefined))?.size : undefined;
        return { name: entry.name, folder: entry.isDirectory(), bytes };
      }),
    );
  }

  async files(project: string, path: string): Promise<{ path: string; bytes: number }[]> {
    const place = await this.#locate(project, path);
    const root = this.#deps.folderOf(project);
    const scope = scopeOf(place);
    if (!scope) throw notThere(path, undefined);
    const { files } = await scan(scope, new Set(), new AbortController().signal);
    return files.map(({ absolute, size }) => ({ path: relative(root, absolute).split(sep).join('/'), bytes: size }));
  }

  async exists(project: string, path: string): Promise<boolean> {
    const file = await this.#locate(project, path);
    return (await lstat(file).catch(() => undefined)) !== undefined;
  }

  place(project: string, path: string): string {
    return join(this.#deps.folderOf(project), path);
  }

  /** @throws AssistantError `path_refused`. */
  async #locate(project: string, path: string): Promise<string> {
    let place = this.#deps.folderOf(project);
    for (const part of partsOf(path)) {
      place = join(place, part);
      const found = await lstat(place).catch(() => undefined);
      if (found?.isSymbolicLink()) throw refused(path, `${part} is a symbolic link`);
      if (found?.isFile() && found.nlink > 1) throw refused(path, `${part} is linked to another file`);
      if (found && !found.isFile() && !found.isDirectory()) throw refused(path, `${part} is not a regular file`);
    }
    return place;
  }
}

/** The folders and the name of a relative path, each of them checked. */
function partsOf(path: string): string[] {
  if (path === '.') return [];
  if (path.startsWith('/') || /^[a-z]:/iu.test(path)) throw refused(path, 'it is absolute');
  if (path.includes('\\')) throw refused(path, 'it has a backslash; use /');
  if (HAS_CONTROL.test(path)) throw refused(path, 'it has invisible characters');
  if (path.normalize('NFC') !== path) throw refused(path, 'its characters are not in composed form (NFC)');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  for (const part of parts) {
    if (part === '..' || /^\.\.+$/u.test(part.normalize('NFKC'))) throw refused(path, 'it leaves the folder');
    if (part.normalize('NFKC').includes('/')) throw refused(path, `${part} has a character that stands for /`);
    if (WINDOWS_DEVICE.test(part) || /[. ]$/u.test(part) || part.includes(':'))
      throw refused(path, `${part} is a reserved name`);
  }
  if (parts.length === 0) throw refused(path, 'it names no file');
  return parts;
}

async function readBytes(handle: FileHandle, path: string, most: number): Promise<Buffer> {
  const stats = await handle.stat();
  const { size, nlink } = stats;
  if (stats.isDirectory()) throw refused(path, 'it is a folder');
  if (nlink > 1) throw refused(path, 'it is linked to another file');
  if (size > most) {
    const hint = `Files up to ${most} bytes can be read; ingest larger ones and ask query_rag.`;
    throw new AssistantError('path_refused', `${path} is too large (${size} bytes). ${hint}`, { hint });
  }
  return await handle.readFile();
}

function refused(path: string, why: string): AssistantError {
  const hint = "Give a path inside the project's folder, like ideas/garden.md.";
  return new AssistantError('path_refused', `${JSON.stringify(path)} is refused: ${why}. ${hint}`, { hint });
}

/** The system's errors about what is there, but not for this program. */
const NOT_ALLOWED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM']);

/** What a tool says of a file that is not there, or cannot be opened, with what to do. */
export function notThere(path: string, cause?: unknown): AssistantError {
  if (cause instanceof Error && 'code' in cause && NOT_ALLOWED.has(cause.code)) {
    const allow = 'The user can allow it: its permissions are set for another account.';
    return refusal('path_refused', told('file_closed', { path }), { hint: allow, cause });
  }
  const hint = 'list_directory shows the files.';
  return refusal('file_not_found', told('no_file', { path }), { hint, cause, advises: true });
}
