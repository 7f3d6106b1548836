import { globSync, type Stats, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors.ts';

/** What to scan: a folder, a file or a glob, and the folder that paths are shown relative to. */
export interface Scope {
  readonly root: string;
  readonly spec: string;
  readonly form: 'folder' | 'file' | 'glob';
}

export interface FoundFile {
  readonly root: string;
  /** Under `root`, `/`-separated. */
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
  /** Modification time, microseconds. */
  readonly mtimeUs: number;
}

export const IGNORED_FOLDERS = new Set(['node_modules', '__pycache__', '$RECYCLE.BIN', 'lost+found']);
export const IGNORED_FILES =
  /^(?:\.|~\$)|~$|\.(?:tmp|temp|swp|swo|part|crdownload|lock|bak)$|^(?:Thumbs\.db|desktop\.ini)$/iu;
const GLOB_MARKS = /[*?[\]{}]/u;

/** @returns undefined when nothing exists there. A path with glob characters that exists literally is not a glob. */
export function scopeOf(spec: string): Scope | undefined {
  const absolute = resolve(spec);
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found?.isDirectory()) return { root: absolute, spec: absolute, form: 'folder' };
  if (found?.isFile()) return { root: dirname(absolute), spec: absolute, form: 'file' };
  if (!found && GLOB_MARKS.test(spec)) return globScope(absolute);
  return undefined;
}

function globScope(absolute: string): Scope {
  const parts = absolute.split(sep);
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => GLOB_MARKS.test(part)),
  );
  return { root: fixed.join(sep) || sep, spec: absolute, form: 'glob' };
}

/** A folder that could not be opened, and why. */
interface ClosedFolder {
  readonly absolute: string;
  readonly why: string;
}

export interface Scanned {
  /** Sorted by path. Links to files are followed, links to folders are not. */
  readonly files: readonly FoundFile[];
  /** Their contents are unknown. */
  readonly closed: readonly ClosedFolder[];
}

/** List every file of a scope, without hidden files and folders. Incomplete once the signal fires. */
export async function scan(scope: Scope, ignored: ReadonlySet<string>, signal: AbortSignal): Promise<Scanned> {
  const state: Walk = { ignored, signal, files: [], closed: [] };
  if (scope.form === 'folder') await walkIfReadable(scope.spec, scope.root, state);
  else for (const absolute of pathsOf(scope)) addFile(absolute, scope.root, state);
  return { files: state.files.sort((a, b) => (a.path < b.path ? -1 : 1)), closed: state.closed };
}

function pathsOf(scope: Scope): string[] {
  return scope.form === 'file' ? [scope.spec] : globSync(scope.spec);
}

interface Walk {
  readonly ignored: ReadonlySet<string>;
  readonly files: FoundFile[];
  readonly closed: ClosedFolder[];
  readonly signal: AbortSignal;
}

async function walk(folder: string, root: string, state: Walk): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (state.signal.aborted) return;
    const absolute = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !IGNORED_FOLDERS.has(entry.name)) await walkIfReadable(absolute, root, state);
    } else addFile(absolute, root, state);
  }
}

async function walkIfReadable(folder: string, root: string, state: Walk): Promise<void> {
  try {
    await walk(folder, root, state);
  } catch (error) {
    // A folder deleted since it was listed has no files any more.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      state.closed.push({ absolute: folder, why: messageOf(error) });
  }
}

function addFile(absolute: string, root: string, { ignored, files }: Walk): void {
  if (IGNORED_FILES.test(basename(absolute)) || ignored.has(absolute)) return;
  const found = statFile(absolute);
  if (!found?.isFile()) return;
  const path = relative(root, absolute).split(sep).join('/');
  files.push({ root, path, absolute, size: found.size, mtimeUs: Math.round(found.mtimeMs * 1000) });
}

/** Synchronous: Node's thread pool takes four times as long per file, and this thread has nothing else to do. */
function statFile(absolute: string): Stats | undefined {
  try {
    return statSync(absolute);
  } catch {
    return undefined; // Deleted since it was listed, or a broken link.
  }
}
