import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { asOnlyWriter } from '../../rag/project-lock.ts';
import type { Store } from '../../store/store.ts';
import type { Author, ChangedFile, FileVersions } from './file-versions.ts';

/** The files that the file tools work on: a project's folder, or the workspace of a container. */
export interface FileSpace {
  read(project: string, path: string): Promise<string>;
  /** Replace the whole file; readers see either the old or the new content, never a mixture. */
  write(project: string, path: string, content: string, by?: Author): Promise<void>;
  /** The entries of a folder, sorted by name. */
  list(project: string, path: string): Promise<readonly { readonly name: string; readonly folder: boolean }[]>;
  exists(project: string, path: string): Promise<boolean>;
}

const MAX_READ_BYTES = 5_000_000;
/** Device names that Windows opens instead of a file, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
const HAS_CONTROL = /[\p{Cc}\p{Cf}]/u;

export interface ProjectFilesDeps {
  /** The project's folder, absolute and trusted. */
  readonly folderOf: (project: string) => string;
  readonly store: Pick<Store, 'lock'>;
  /** Keeps what is overwritten or deleted. */
  readonly versions: Pick<FileVersions, 'keep'>;
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
    const file = await this.#locate(project, path);
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
      throw notThere(path, error);
    });
    try {
      return await readText(handle, path);
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

  /**
   * Change a text file as its only writer, so that no change in between is lost.
   *
   * @param change gets the text, undefined when there is no such file. @throws AssistantError as `write`.
   */
  async edit(
    project: string,
    path: string,
    change: (before: string | undefined) => string,
    by?: Author,
  ): Promise<void> {
    await this.#change(project, path, async (file, signal) => {
      const there = (await lstat(file.absolute).catch(() => undefined)) !== undefined;
      const before = there ? await this.read(project, path) : undefined;
      const content = change(before);
      if (content === before) return;
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

  async list(project: string, path: string): Promise<{ name: string; folder: boolean }[]> {
    const dir = await this.#locate(project, path === '' ? '.' : path);
    const entries = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
      throw notThere(path, error);
    });
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, folder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async exists(project: string, path: string): Promise<boolean> {
    const file = await this.#locate(project, path);
    return (await lstat(file).catch(() => undefined)) !== undefined;
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

async function readText(handle: FileHandle, path: string): Promise<string> {
  const { size, nlink } = await handle.stat();
  if (nlink > 1) throw refused(path, 'it is linked to another file');
  if (size > MAX_READ_BYTES) {
    const hint = `Files up to ${MAX_READ_BYTES} bytes can be read; ingest larger ones and ask query_rag.`;
    throw new AssistantError('path_refused', `${path} is too large (${size} bytes). ${hint}`, { hint });
  }
  return await handle.readFile('utf8');
}

function refused(path: string, why: string): AssistantError {
  const hint = "Give a path inside the project's folder, like ideas/garden.md.";
  return new AssistantError('path_refused', `${JSON.stringify(path)} is refused: ${why}. ${hint}`, { hint });
}

function notThere(path: string, cause: unknown): AssistantError {
  const hint = 'list_directory shows the files.';
  return new AssistantError('file_not_found', `${path} cannot be opened. ${hint}`, { hint, cause });
}
