import { existsSync, statSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { makeFolder } from '../base/folders.ts';
import { Redactor } from '../base/redact.ts';
import { secretVariables } from '../base/secret-variables.ts';
import type { Frontend } from '../face/app.ts';
import { createGateway } from '../net/gateway.ts';
import type { Settings } from '../settings/settings.ts';
import { createLog, type LogFiles } from '../store/log.ts';
import { backupsOf } from '../store/sqlite/copy.ts';
import { openStore, type Store, type StoreLocation } from '../store/store.ts';
import { isThere, openUnkept } from '../store/unkept.ts';
import { Artifacts } from '../tools/builtin/artifacts.ts';
import { machineZone, zoneOf } from '../when/zone.ts';

/** What every other module is given: redactor, log, store, gateway, clock, time zone. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/**
 * Open the log and the database of the home.
 *
 * @param mends  continue without a damaged database, for the commands that repair it.
 * @throws AssistantError `bad_setting`, `home_not_writable`, `store_unavailable`, `store_damaged`.
 */
export async function openFoundation(settings: Settings, frontend: Frontend, mends = false) {
  const { home, program, secrets } = settings;
  const timeZone = ownerZone(program.timeZone);
  const redactor = new Redactor([...secrets, ...secretVariables(settings.env)]);
  const log = createLog({ dir: home.logs, level: program.logLevel, verbose: frontend.verbose, timeZone }, redactor);
  const location = storeLocation(settings);
  const store = await openOrStandIn(location, { home, log, frontend, mends }).catch((error: unknown) => {
    log.close();
    throw error;
  });
  return {
    redactor,
    log,
    store,
    artifacts: new Artifacts(store, systemClock.now),
    gateway: createGateway({ ...settings.net, log }),
    now: systemClock.now,
    timeZone,
  };
}

interface Opening {
  readonly home: Settings['home'];
  readonly log: LogFiles;
  readonly frontend: Frontend;
  readonly mends: boolean;
}

/** The store, or a substitute when the home is read-only or its database is damaged. */
async function openOrStandIn(location: StoreLocation, { home, log, frontend, mends }: Opening): Promise<Store> {
  try {
    if (location.kind === 'sqlite') refuseEmptied(location.path, home);
    else makeHome(home.dir);
    return await openStore(location, { log });
  } catch (error) {
    if (!(error instanceof AssistantError) || location.kind !== 'sqlite') throw error;
    if (error.code === 'store_damaged' && mends) return openUnkept(location.path, error, { log });
    if (error.code !== 'home_not_writable' || !isThere(home.dir, location.path)) throw error;
    frontend.announce(`${error.message} Until that is put right nothing is kept; questions are answered all the same.`);
    return openUnkept(location.path, error, { log });
  }
}

/** The rows are on a server, but notes, documents and plugins lie in the folder. One that is there may be read-only. */
function makeHome(dir: string): void {
  try {
    makeFolder(dir);
    // Fails when it is a file.
    statSync(`${dir}/.`);
  } catch (error) {
    throw new AssistantError('home_not_writable', `The folder ${dir} cannot be used: ${messageOf(error)}.`, {
      ...{ hint: 'Start with --home DIR (or WOOSTER_HOME) pointing to a folder of your own.', cause: error },
    });
  }
}

/** A file of 0 bytes would pass for a new database, and the home for a new one. */
function refuseEmptied(path: string, { projects }: Settings['home']): void {
  if (!existsSync(path) || statSync(path).size > 0 || existsSync(`${path}-wal`)) return;
  if (!existsSync(projects) && !existsSync(backupsOf(path))) return;
  throw new AssistantError('store_damaged', `The database ${path} is empty, but the home has been used before.`, {
    hint: '`wooster restore FILE` brings a backup in (see state/backups/); to begin anew, delete the file.',
  });
}

/** A file in the home, unless the settings name a server that several machines share. */
function storeLocation({ home, shared }: Settings): StoreLocation {
  const { storeUrl, homeId, storePool } = shared;
  if (storeUrl === undefined) return { kind: 'sqlite', path: home.database };
  return { kind: 'postgres', url: storeUrl, home: homeId, pool: storePool };
}

/** @throws AssistantError `bad_setting` for an unknown time zone. */
function ownerZone(setting: string | undefined): string {
  if (setting === undefined) return machineZone();
  try {
    return zoneOf(setting).name;
  } catch (cause) {
    const hint = cause instanceof AssistantError ? cause.hint : '';
    throw new AssistantError('bad_setting', `WOOSTER_TIME_ZONE: ${messageOf(cause)}`, { hint, cause });
  }
}
