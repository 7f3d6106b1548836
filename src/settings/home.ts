import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the user's data is. Paths only; nothing is created here. */
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
  /** The schedule database of the legacy Wooster. */
  readonly legacySchedule: string;
  /** The program itself: prompts/, plugins/, config/. */
  readonly checkout: string;
}

const CHECKOUT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** @param dir  the value of `--home`; else WOOSTER_HOME counts, else the checkout itself. */
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
    legacySchedule: join(home, 'database', 'scheduler.sqlite3'),
    checkout: CHECKOUT,
  };
}
