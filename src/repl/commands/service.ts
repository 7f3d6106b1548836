import type { BareCall, Command } from '../command.ts';
import { unknownForm } from '../own-words.ts';
import { perform, runProgram, type ServiceAction, uninstall } from '../service/manager.ts';
import { installService, serviceOf } from '../service/this-service.ts';
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

async function act(action: ServiceAction, { home, settingNames, out }: BareCall): Promise<number> {
  if (action === 'install') return installService(serviceOf(home, await settingNames()), out);
  const { name, manager } = serviceOf(home);
  switch (action) {
    case 'uninstall': {
      const { files, problem } = await uninstall(manager, runProgram);
      if (problem !== undefined) out.note(problem);
      const text = files.length > 0 ? `${name} is stopped and removed.` : `${name} is not installed.`;
      out.show({ service: name, files }, text);
      return 0;
    }
    case 'status': {
      const health = healthOf(home.dir);
      const told = await perform(manager, 'status', runProgram).catch((error: Error) => error.message);
      out.row({ service: name, ...health, manager: told });
      out.line(`${health.line}\n${name}: ${told.trim().replaceAll('\n', ', ')}`);
      return health.serving ? 0 : 1;
    }
    case 'logs': {
      const text = await perform(manager, action, runProgram);
      out.show({ service: name, text }, text.trimEnd());
      return 0;
    }
    default:
      await perform(manager, action, runProgram);
      out.show({ service: name, action }, `${name}: ${action === 'start' ? 'started' : 'stopped'}.`);
      return 0;
  }
}
