import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { BareCall, Command } from '../command.ts';
import { unknownForm } from '../own-words.ts';
import {
  install,
  lingering,
  managerOf,
  perform,
  runProgram,
  type ServiceAction,
  type ServiceUser,
  uninstall,
} from '../service/manager.ts';
import { type ServiceFacts, serviceName } from '../service/unit.ts';
import { healthOf } from '../serving/heartbeat.ts';

/**
 * Rows: `{service, files}` of `install` and `uninstall`, with `lingers` and the line that is missing for it;
 * `{service, serving, line}` of `status`. Exit code 1 of `status` when the home is not served.
 */
export const service: Command = {
  name: 'service',
  summary: 'Let the system keep `wooster serve` running',
  group: 'Schedules and messages',
  usage: ['service install | uninstall', 'service start | stop', 'service status | logs'],
  examples: ['service install', 'service status'],
  only: 'argv',
  bare: true,
  async runBare(call) {
    const [action = 'status', ...more] = call.args;
    if (!isAction(action) || more.length > 0) throw unknownForm(service, call.args.join(' '));
    return act(action, call);
  },
  run: async (call) => {
    throw unknownForm(service, call.args.join(' '));
  },
};

const ACTIONS = ['install', 'uninstall', 'start', 'stop', 'status', 'logs'] as const;

function isAction(word: string): word is ServiceAction {
  return (ACTIONS as readonly string[]).includes(word);
}

async function act(action: ServiceAction, call: BareCall): Promise<number> {
  const { home, out } = call;
  const user = thisUser();
  const facts: ServiceFacts = {
    name: serviceName(home.dir, home.usual),
    home: home.dir,
    launcher: join(home.checkout, 'bin', 'wooster'),
    environment: join(home.dir, 'state', 'service.env'),
    output: join(home.logs, 'service.log'),
  };
  const manager = managerOf(user, facts, action === 'install' ? await variables(call) : {});
  switch (action) {
    case 'install': {
      const files = await install(manager, runProgram);
      const missing = await lingering(user, runProgram);
      out.row({ service: facts.name, files, lingers: missing === undefined, ...(missing ? { run: missing } : {}) });
      out.line(`${facts.name} is installed and started: jobs run while no terminal is open.`);
      if (missing !== undefined) out.line(`It ends when you log out. To keep it, run once:\n  ${missing}`);
      return 0;
    }
    case 'uninstall': {
      const { files, problem } = await uninstall(manager, runProgram);
      if (problem !== undefined) out.note(problem);
      const text = files.length > 0 ? `${facts.name} is stopped and removed.` : `${facts.name} is not installed.`;
      out.show({ service: facts.name, files }, text);
      return 0;
    }
    case 'status': {
      const health = healthOf(home.dir);
      const told = await perform(manager, 'status', runProgram).catch((error: Error) => error.message);
      out.row({ service: facts.name, ...health, manager: told });
      out.line(`${health.line}\n${facts.name}: ${told.trim().replaceAll('\n', ', ')}`);
      return health.serving ? 0 : 1;
    }
    case 'logs': {
      const text = await perform(manager, action, runProgram);
      out.show({ service: facts.name, text }, text.trimEnd());
      return 0;
    }
    default:
      await perform(manager, action, runProgram);
      out.show({ service: facts.name, action }, `${facts.name}: ${action === 'start' ? 'started' : 'stopped'}.`);
      return 0;
  }
}

/** What the service has to know of this environment: settings, where programs are. */
async function variables({ home, settingNames }: BareCall): Promise<Readonly<Record<string, string>>> {
  const names = [...(await settingNames()), 'PATH', 'LANG', 'NODE_EXTRA_CA_CERTS', 'XDG_CACHE_HOME'];
  const set = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && value !== '' && (names.includes(name) || name.startsWith('PLUGIN_')),
  );
  return { ...(Object.fromEntries(set) as Record<string, string>), WOOSTER_HOME: home.dir };
}

function thisUser(): ServiceUser {
  const { username, homedir, uid } = userInfo();
  return { platform: process.platform, uid, name: username, homeDir: process.env.HOME || homedir, env: process.env };
}
