import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the user's things are. Paths only; nothing is created here. */
export interface Home {
  readonly dir: string;
  readonly envFile: string;
  readonly projects: string;
  readonly notes: string;
  readonly vectorData: string;
  readonly logs: string;
  readonly userPlugins: string;
  readonly database: string;
  readonly history: string;
  readonly workspaces: string;
  /** The schedule of an earlier Wooster. */
  readonly earlierSchedule: string;
  /** Where the program itself lies: prompts/, plugins/, config/. */
  readonly checkout: string;
}

const CHECKOUT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** @param dir `--home`, else WOOSTER_HOME, else the checkout. */
export function locateHome(dir?: string): Home {
  const home = resolve(dir ?? (process.env.WOOSTER_HOME || CHECKOUT));
  return {
    dir: home,
    envFile: join(home, '.env'),
    projects: join(home, 'projects'),
    notes: join(home, 'notes'),
    vectorData: join(home, 'vector_data'),
    logs: join(home, 'logs'),
    userPlugins: join(home, 'user-plugins'),
    database: join(home, 'state', 'wooster.sqlite3'),
    history: join(home, 'state', 'history'),
    workspaces: join(home, 'state', 'workspaces'),
    earlierSchedule: join(home, 'database', 'scheduler.sqlite3'),
    checkout: CHECKOUT,
  };
}
