import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { ServicePlaces } from '../../face/setup-desk.ts';
import type { Output } from '../command.ts';
import { install, isThere, lingering, type Manager, managerOf, runProgram, type ServiceUser } from './manager.ts';
import { type ServiceFacts, serviceName } from './unit.ts';

/** The service of a home, as the manager of this system keeps it. */
export interface HomeService {
  readonly name: string;
  readonly manager: Manager;
}

/**
 * The service of this home for the user who runs the program.
 *
 * @param settings  the variables that are settings; what is set of them in this environment goes into the service.
 * @throws AssistantError `bad_usage` on a system without a manager that is known.
 */
export function serviceOf(home: ServicePlaces, settings: readonly string[] = []): HomeService {
  const facts: ServiceFacts = {
    name: serviceName(home.dir, home.usual),
    home: home.dir,
    launcher: join(home.checkout, 'bin', 'wooster'),
    environment: join(home.dir, 'state', 'service.env'),
    output: join(home.logs, 'service.log'),
  };
  return { name: facts.name, manager: managerOf(thisUser(), facts, variables(home, settings)) };
}

/** Whether a service could be installed here, and is not yet. */
export async function isServiceMissing(home: ServicePlaces): Promise<boolean> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return false;
  const { manager } = serviceOf(home);
  return !manager.files.some(({ path }) => existsSync(path)) && isThere(manager, runProgram);
}

/**
 * Install and start the service of a home, and say so.
 *
 * @throws AssistantError `bad_usage` with what the manager said.
 */
export async function installService({ name, manager }: HomeService, out: Output): Promise<number> {
  const files = await install(manager, runProgram);
  const missing = await lingering(thisUser(), runProgram);
  out.row({ service: name, files, lingers: missing === undefined, ...(missing ? { run: missing } : {}) });
  out.line(`${name} is installed and started: jobs run while no terminal is open.`);
  if (missing !== undefined) out.line(`It ends when you log out. To keep it, run once:\n  ${missing}`);
  return 0;
}

/** What the service has to know of this environment: settings, where programs are. */
function variables(home: ServicePlaces, settings: readonly string[]): Readonly<Record<string, string>> {
  const names = new Set([...settings, 'PATH', 'LANG', 'NODE_EXTRA_CA_CERTS', 'XDG_CACHE_HOME']);
  const set = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && value !== '' && (names.has(name) || name.startsWith('PLUGIN_')),
  );
  return { ...(Object.fromEntries(set) as Record<string, string>), WOOSTER_HOME: home.dir };
}

function thisUser(): ServiceUser {
  const { username, homedir, uid } = userInfo();
  return { platform: process.platform, uid, name: username, homeDir: process.env.HOME || homedir, env: process.env };
}
