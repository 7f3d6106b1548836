import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../base/text.ts';
import type { Check } from '../face/app.ts';

/** The parts of a home that only its owner may read. */
export interface PrivatePlaces {
  /** Folders; nobody else gets into them, whatever is inside. */
  readonly folders: readonly string[];
  /** Folders with files of our own at any depth, which are checked one by one as well. */
  readonly ours: readonly string[];
  /** Folders below `ours` that others must enter, such as a container's user. */
  readonly except: readonly string[];
  /** Single files. */
  readonly files: readonly string[];
}

/** Permission bits of group and others. */
const OTHERS = 0o077;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Paths that a line names; the rest are counted. */
const NAMED = 3;

interface Open {
  readonly path: string;
  readonly mode: number;
}

/** Folders 0700, files 0600. On systems without such permissions there is nothing to check. */
export function checkPrivate(places: PrivatePlaces): Check {
  const name = 'privacy';
  const open = process.platform === 'win32' ? [] : openPlaces(places);
  if (open.length === 0) return { name, state: 'ok', detail: 'only you can read what is in the home' };
  const named = open.slice(0, NAMED).map(({ path }) => path);
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
  return {
    name,
    state: 'warn',
    detail: `other users of this machine can read ${named.join(', ')}${more}`,
    hint: `Run: chmod ${open[0]?.mode.toString(8)} ${open[0]?.path}${open.length > 1 ? ' (and so on)' : ''}`,
    fix: async () => close(open),
  };
}

function close(open: readonly Open[]): string {
  for (const { path, mode } of open) chmodSync(path, mode);
  const folders = open.filter(({ mode }) => mode === FOLDER_MODE).length;
  const parts = [
    ...(folders > 0 ? [`${counted(folders, 'folder')} set to 0700`] : []),
    ...(open.length > folders ? [`${counted(open.length - folders, 'file')} set to 0600`] : []),
  ];
  return `${parts.join(', ')}: ${open.map(({ path }) => path).join(', ')}`;
}

function openPlaces({ folders, ours, except, files }: PrivatePlaces): Open[] {
  const inside = ours.flatMap((folder) => filesIn(folder, new Set(except)));
  return [
    ...[...folders, ...ours].flatMap((path) => tooOpen(path, FOLDER_MODE)),
    ...inside,
    ...files.flatMap((path) => tooOpen(path, FILE_MODE)),
  ];
}

function filesIn(folder: string, except: ReadonlySet<string>): Open[] {
  if (!statOf(folder)?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (except.has(path)) return [];
    if (entry.isDirectory()) return [...tooOpen(path, FOLDER_MODE), ...filesIn(path, except)];
    return entry.isFile() ? tooOpen(path, FILE_MODE) : [];
  });
}

/** We cannot change files of other users, and a link has no permissions of its own. */
function tooOpen(path: string, mode: number): Open[] {
  const found = statOf(path);
  const isOurs = found && (process.getuid?.() === 0 || found.uid === process.getuid?.());
  return found && isOurs && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0 ? [{ path, mode }] : [];
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
