import { isAbsolute, join, relative, sep } from 'node:path';
import { IMPORTED_KIND, importedFrom, importRoot } from './ingest/import-root.ts';

/** Where the folders of a home are on this machine, absolute. */
export interface Places {
  readonly home: string;
  /** Usually in the home; with `WOOSTER_PROJECTS_DIR` anywhere. */
  readonly projects: string;
}

/** What stands for the projects' folder, wherever a machine has it. */
const PROJECTS = 'projects';

/**
 * A path as the database has it, `/`-separated: from the home on, with `projects/` for the projects' folder. So a home
 * can be moved, and machines may mount a shared volume at different places. A path outside both stays absolute: it is a
 * folder of this machine.
 */
export function storedPath({ home, projects }: Places, path: string): string {
  if (!isAbsolute(path)) return path;
  const ofProjects = within(projects, path);
  if (ofProjects !== undefined) return ofProjects === '' ? PROJECTS : `${PROJECTS}/${ofProjects}`;
  const ofHome = within(home, path);
  // In the database, this name stands for the projects' folder elsewhere.
  if (ofHome === undefined || ofHome === PROJECTS || ofHome.startsWith(`${PROJECTS}/`)) return path;
  return ofHome === '' ? '.' : ofHome;
}

/** The path on this machine. Older databases have absolute ones only. */
export function absolutePath({ home, projects }: Places, stored: string): string {
  if (isAbsolute(stored)) return stored;
  const [first, ...rest] = stored.split('/');
  return first === PROJECTS ? join(projects, ...rest) : join(home, stored);
}

/** As `storedPath`, for what documents belong to: a folder, or an import from one. */
export function storedRoot(places: Places, root: string): string {
  return isImport(root) ? importRoot(storedPath(places, importedFrom(root))) : storedPath(places, root);
}

/** As `absolutePath`, for what documents belong to. */
export function absoluteRoot(places: Places, root: string): string {
  return isImport(root) ? importRoot(absolutePath(places, importedFrom(root))) : absolutePath(places, root);
}

function isImport(root: string): boolean {
  return root.startsWith(`${IMPORTED_KIND}:`);
}

function within(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  if (isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`)) return undefined;
  return way.split(sep).join('/');
}
