import { join, resolve } from 'node:path';
import { loadSettings, type Settings } from './settings.ts';

/** Variables that any program needs. The rest of the environment belongs to the owner of the machine. */
const OF_THE_MACHINE = /^(?:PATH|HOME|USER|SHELL|LANG|LC_\w+|TMPDIR|NODE_ENV|NODE_EXTRA_CA_CERTS|DOCKER_HOST)$/u;

/**
 * The settings of one of the homes that a program serves, from `.env` and config/ of its own folder
 * `WOOSTER_HOMES_DIR/<id>`.
 *
 * Neither settings nor secrets of the serving program reach it, and nothing in its folder can lead to the rows or
 * files of another home: database, id and folders are given.
 *
 * @param id a valid name of a home; folders are named after it.
 * @throws AssistantError `bad_setting`.
 */
export function servedHomeSettings(serving: Settings, id: string): Settings {
  const { home, shared } = serving;
  // The serving program's own home has its settings already.
  if (shared.homeId === id) return serving;
  const dir = join(homesDir(serving), id);
  const cache = shared.cacheDir === undefined ? dir : join(resolve(home.dir, shared.cacheDir), id);
  const given = {
    WOOSTER_STORE_URL: shared.storeUrl,
    WOOSTER_STORE_POOL: String(shared.storePool),
    WOOSTER_HOME_ID: id,
    WOOSTER_PROJECTS_DIR: join(dir, 'projects'),
    WOOSTER_CACHE_DIR: cache,
  };
  const own = loadSettings(dir, { ...machineVariables(serving.env), ...given }, { alone: true });
  return Object.freeze({ ...own, home: { ...own.home, only: dir } });
}

/** Where the folders of the homes are. */
function homesDir({ home, shared }: Settings): string {
  return resolve(home.dir, shared.homesDir ?? 'homes');
}

function machineVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => OF_THE_MACHINE.test(name)));
}
