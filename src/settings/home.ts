import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the user's data is. Paths only; nothing is created here. */
export interface Home {
  readonly dir: string;
  readonly envFile: string;
  readonly projects: string;
  /** The owner's files for all projects: memory.md and skills/. Next to the projects if those are elsewhere. */
  readonly owner: string;
  readonly notes: string;
  readonly vectorData: string;
  readonly logs: string;
  readonly userPlugins: string;
  readonly database: string;
  readonly history: string;
  readonly workspaces: string;
  /** Models that run in a process of ours, and the engine for them. */
  readonly models: string;
  readonly engines: string;
  /** The schedule database of the legacy Wooster. */
  readonly legacySchedule: string;
  /** The program itself: prompts/, plugins/, config/. */
  readonly checkout: string;
  /** All of the machine that is its owner's; absent: they have the machine. */
  readonly only?: string;
}

/** The program's own folder: a checkout, or a package installed by npm. */
const CHECKOUT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** @param dir `--home`, else WOOSTER_HOME, else the checkout; a package from npm uses `~/.wooster` instead. */
export function locateHome(dir?: string, env: NodeJS.ProcessEnv = process.env): Home {
  const home = resolve(dir ?? (env.WOOSTER_HOME || usualHome()));
  return {
    dir: home,
    envFile: join(home, '.env'),
    projects: join(home, 'projects'),
    owner: home,
    notes: join(home, 'notes'),
    vectorData: join(home, 'vector_data'),
    logs: join(home, 'logs'),
    userPlugins: join(home, 'user-plugins'),
    database: join(home, 'state', 'wooster.sqlite3'),
    history: join(home, 'state', 'history'),
    workspaces: join(home, 'state', 'workspaces'),
    models: join(home, 'models'),
    engines: join(home, 'engines'),
    legacySchedule: join(home, 'database', 'scheduler.sqlite3'),
    checkout: CHECKOUT,
  };
}

/** The same home with its folders moved to where the settings say; relative paths start at the home. */
export function withFolders(
  home: Home,
  { projectsDir, cacheDir }: { readonly projectsDir?: string | undefined; readonly cacheDir?: string | undefined },
): Home {
  const projects = projectsDir === undefined ? home.projects : resolve(home.dir, projectsDir);
  return {
    ...home,
    projects,
    owner: projects === home.projects ? home.dir : projects,
    vectorData: cacheDir === undefined ? home.vectorData : resolve(home.dir, cacheDir, 'vector_data'),
  };
}

/** A built package has no sources; data written into it would be lost with the next update. */
function usualHome(): string {
  return existsSync(join(CHECKOUT, 'src', 'main.ts')) ? CHECKOUT : join(homedir(), '.wooster');
}
