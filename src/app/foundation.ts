import { systemClock } from '../base/clock.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { Redactor } from '../base/redact.ts';
import { secretVariables } from '../base/secret-variables.ts';
import { createGateway } from '../net/gateway.ts';
import type { Frontend } from '../repl/app.ts';
import type { Settings } from '../settings/settings.ts';
import { createLog } from '../store/log.ts';
import { openStore, type StoreLocation } from '../store/store.ts';
import { isThere, openUnkept } from '../store/unkept.ts';
import { Artifacts } from '../tools/builtin/artifacts.ts';
import { machineZone, zoneOf } from '../when/zone.ts';

/** What every other module is given: redactor, log, store, gateway, clock, time zone. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/**
 * Open the log and the database of the home.
 *
 * @throws AssistantError `bad_setting`, `home_not_writable`, `store_unavailable`, `store_damaged`.
 */
export async function openFoundation(settings: Settings, frontend: Frontend) {
  const { home, program, secrets } = settings;
  const timeZone = ownerZone(program.timeZone);
  const redactor = new Redactor([...secrets, ...secretVariables(settings.env)]);
  const log = createLog({ dir: home.logs, level: program.logLevel, verbose: frontend.verbose, timeZone }, redactor);
  const location = storeLocation(settings);
  const store = await openStore(location, { log })
    .catch(async (error: unknown) => {
      if (!isUnwritable(error) || location.kind !== 'sqlite' || !isThere(home.dir)) throw error;
      frontend.announce(
        `${error.message} Until that is put right nothing is kept; questions are answered all the same.`,
      );
      return openUnkept(location.path, error, { log });
    })
    .catch((error: unknown) => {
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

function isUnwritable(error: unknown): error is AssistantError {
  return error instanceof AssistantError && error.code === 'home_not_writable';
}

/** A file in the home, unless the settings name a server that several machines share. */
function storeLocation({ home, shared }: Settings): StoreLocation {
  const { storeUrl, homeId, storePool } = shared;
  if (storeUrl === undefined) return { kind: 'sqlite', path: home.database };
  return { kind: 'postgres', url: storeUrl, home: homeId, pool: storePool };
}

/** @throws AssistantError `bad_setting` for a name that no time zone has. */
function ownerZone(setting: string | undefined): string {
  if (setting === undefined) return machineZone();
  try {
    return zoneOf(setting).name;
  } catch (cause) {
    const hint = cause instanceof AssistantError ? cause.hint : '';
    throw new AssistantError('bad_setting', `WOOSTER_TIME_ZONE: ${messageOf(cause)}`, { hint, cause });
  }
}
