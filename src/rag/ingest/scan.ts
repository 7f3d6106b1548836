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

const MADE_BY_TOOLS = /^(?:node_modules|__pycache__|\$RECYCLE\.BIN|lost\+found|Thumbs\.db|desktop\.ini)$/iu;
const TEMPORARY = /^~\$|~$|\.(?:tmp|temp|swp|swo|part|crdownload|lock|bak)$/iu;
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

/** A file or folder that was not read, and why. */
export interface Unread {
  readonly absolute: string;
  readonly why: string;
}

export interface Scanned {
  /** Sorted by path. Links to files are followed, links to folders are not. */
  readonly files: readonly FoundFile[];
  /** Folders that could not be opened: their contents are unknown. */
  readonly closed: readonly Unread[];
  /** Of a folder that is passed over, what is in it is not named. */
  readonly passed: readonly Unread[];
}

/**
 * Why a file or folder of this name is no document of the folder that it is in: named by itself, it is one.
 *
 * @returns undefined when it is one.
 */
export function passedOver(name: string, isFolder: boolean): string | undefined {
  if (MADE_BY_TOOLS.test(name)) return 'made by a program';
  if (!isFolder && TEMPORARY.test(name)) return 'temporary';
  return name.startsWith('.') ? 'hidden' : undefined;
}

/** Whether a scan of the folder does not come to what is at the path below it. */
export function isPassedOver(folder: string, path: string, isFolder: boolean): boolean {
  const names = relative(folder, path).split(sep);
  return names.some((name, at) => passedOver(name, isFolder || at < names.length - 1) !== undefined);
}

/** List every file of a scope, without those passed over. Incomplete once the signal fires. */
export async function scan(scope: Scope, ignored: ReadonlySet<string>, signal: AbortSignal): Promise<Scanned> {
  const state: Walk = { ignored, signal, files: [], closed: [], passed: [] };
  if (scope.form === 'folder') await walkIfReadable(scope.spec, scope.root, state);
  else if (scope.form === 'file') addFile(scope.spec, scope.root, state);
  else for (const absolute of globSync(scope.spec)) meet(absolute, scope.root, state);
  const { closed, passed } = state;
  return { files: state.files.sort((a, b) => (a.path < b.path ? -1 : 1)), closed, passed };
}

/** What a scan of folders and globs passes over, but for what is named by itself. */
export async function passedOverIn(specs: readonly string[], signal: AbortSignal): Promise<readonly Unread[]> {
  const scopes = specs.flatMap((spec) => scopeOf(spec) ?? []);
  const named = new Set(scopes.map(({ spec }) => spec));
  const passed = new Map<string, Unread>();
  for (const scope of scopes)
    for (const each of (await scan(scope, new Set(), signal)).passed) passed.set(each.absolute, each);
  return [...passed.values()].filter(({ absolute }) => !named.has(absolute));
}

interface Walk {
  readonly ignored: ReadonlySet<string>;
  readonly files: FoundFile[];
  readonly closed: Unread[];
  readonly passed: Unread[];
  readonly signal: AbortSignal;
}

async function walk(folder: string, root: string, state: Walk): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (state.signal.aborted) return;
    const absolute = join(folder, entry.name);
    if (!entry.isDirectory()) meet(absolute, root, state);
    else if (!passes(absolute, true, state)) await walkIfReadable(absolute, root, state);
  }
}

/** A file that nobody named by itself. */
function meet(absolute: string, root: string, state: Walk): void {
  if (!passes(absolute, false, state)) addFile(absolute, root, state);
}

/** @returns whether it is passed over. */
function passes(absolute: string, isFolder: boolean, { passed, ignored }: Walk): boolean {
  const why = passedOver(basename(absolute), isFolder);
  if (why !== undefined && !ignored.has(absolute)) passed.push({ absolute, why });
  return why !== undefined;
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
  if (ignored.has(absolute)) return;
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
