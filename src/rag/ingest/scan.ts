import { globSync, type Stats, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors.ts';

/** What is to be looked at: a folder, one file or a glob, and the folder that paths are shown under. */
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

/** Undefined when nothing is there. A path with glob marks that exists as it is written is no glob. */
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

/** A folder that could not be looked into, and why. */
export interface ClosedFolder {
  readonly absolute: string;
  readonly why: string;
}

export interface Scanned {
  /** By path; links are followed to files, not to folders. */
  readonly files: readonly FoundFile[];
  /** What lies in them is not known. */
  readonly closed: readonly ClosedFolder[];
}

/** Every file of a scope. Some only, once the signal fires. */
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
    // Gone since it was listed: its files are gone as well.
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

/** Synchronous: a round through Node's pool for each file takes four times as long, and this is a thread of its own. */
function statFile(absolute: string): Stats | undefined {
  try {
    return statSync(absolute);
  } catch {
    return undefined; // Gone since it was listed, or a link to nothing.
  }
}
