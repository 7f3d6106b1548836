import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { labelOf, launchdPlist, type ServiceFacts, systemdEnvironment, systemdUnit } from './unit.ts';

/** Runs a program of the system. @returns what it printed on both outputs; rejects unless it succeeds. */
export type RunProgram = (program: string, words: readonly string[]) => Promise<string>;

interface SystemFile {
  readonly path: string;
  readonly text: string;
}

/** What a service manager needs for each thing that can be asked of it: files, and programs to run. */
export interface Manager {
  readonly files: readonly SystemFile[];
  /** Succeeds where the manager runs for this user. */
  readonly probe: Words;
  /** By the words of `wooster service`. */
  readonly commands: Readonly<Record<'install' | 'uninstall' | 'start' | 'stop' | 'status' | 'logs', Words[]>>;
}

type Words = readonly [program: string, ...words: string[]];

export type ServiceAction = keyof Manager['commands'];

/** Where the user is, and what they have. */
export interface ServiceUser {
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  readonly name: string;
  readonly homeDir: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The user's own service manager.
 *
 * @throws AssistantError `bad_usage` on a system without one that is known.
 */
export function managerOf(
  user: ServiceUser,
  facts: ServiceFacts,
  variables: Readonly<Record<string, string>>,
): Manager {
  if (user.platform === 'linux') return systemd(user, facts, variables);
  if (user.platform === 'darwin') return launchd(user, facts, variables);
  throw new AssistantError('bad_usage', `Services on ${user.platform} are not known.`, {
    hint: 'Let your system start `wooster serve` at login; `wooster serve --health` tells whether it serves.',
  });
}

function systemd(
  { homeDir, env }: ServiceUser,
  facts: ServiceFacts,
  variables: Readonly<Record<string, string>>,
): Manager {
  const unit = `${facts.name}.service`;
  const folder = join(env.XDG_CONFIG_HOME || join(homeDir, '.config'), 'systemd', 'user');
  const control = (...words: string[]): Words => ['systemctl', '--user', ...words];
  return {
    files: [
      { path: facts.environment, text: systemdEnvironment(variables) },
      { path: join(folder, unit), text: systemdUnit(facts) },
    ],
    probe: control('show-environment'),
    commands: {
      install: [control('daemon-reload'), control('enable', '--now', unit)],
      uninstall: [control('disable', '--now', unit), control('daemon-reload')],
      start: [control('start', unit)],
      stop: [control('stop', unit)],
      status: [control('show', unit, '--property=ActiveState,SubState,StatusText,NRestarts,UnitFileState')],
      logs: [['journalctl', '--user', '--unit', unit, '--lines=100', '--no-pager']],
    },
  };
}

function launchd(
  { homeDir, uid }: ServiceUser,
  facts: ServiceFacts,
  variables: Readonly<Record<string, string>>,
): Manager {
  const label = labelOf(facts.name);
  const path = join(homeDir, 'Library', 'LaunchAgents', `${label}.plist`);
  const domain = `gui/${uid}`;
  return {
    files: [{ path, text: launchdPlist(facts, variables) }],
    probe: ['launchctl', 'print', domain],
    commands: {
      install: [['launchctl', 'bootstrap', domain, path]],
      uninstall: [['launchctl', 'bootout', `${domain}/${label}`]],
      // What is stopped is not loaded any more: it would be started again at once.
      start: [['launchctl', 'bootstrap', domain, path]],
      stop: [['launchctl', 'bootout', `${domain}/${label}`]],
      status: [['launchctl', 'print', `${domain}/${label}`]],
      logs: [['tail', '-n', '100', facts.output]],
    },
  };
}

/** Whether the manager runs for this user. */
export function isThere({ probe: [program, ...words] }: Manager, run: RunProgram): Promise<boolean> {
  return run(program, words).then(
    () => true,
    () => false,
  );
}

/**
 * Write the files of a service, for their owner only, and let the manager start it. Of a new one that cannot be
 * started nothing stays.
 *
 * @returns the files.
 * @throws AssistantError `bad_usage` with what the manager said.
 */
export async function install(manager: Manager, run: RunProgram): Promise<readonly string[]> {
  const isNew = !manager.files.some(({ path }) => existsSync(path));
  for (const { path, text } of manager.files) {
    makeFolder(dirname(path));
    await rm(path, { force: true });
    await replaceFile(path, text);
  }
  try {
    await perform(manager, 'install', run);
  } catch (error) {
    if (isNew) await uninstall(manager, run);
    throw error;
  }
  return manager.files.map(({ path }) => path);
}

/**
 * Stop the service and remove its files. A service that is not there is no error.
 *
 * @returns the files, and what the manager said when it could not stop it, as one that was stopped before.
 */
export async function uninstall(
  manager: Manager,
  run: RunProgram,
): Promise<{ readonly files: readonly string[]; readonly problem: string | undefined }> {
  const there = manager.files.filter(({ path }) => existsSync(path));
  const problem =
    there.length === 0 ? undefined : await perform(manager, 'uninstall', run).then(() => undefined, messageOf);
  for (const { path } of there) await rm(path);
  return { files: there.map(({ path }) => path), problem };
}

/**
 * @returns what the manager printed.
 * @throws AssistantError `bad_usage` with what it said.
 */
export async function perform(manager: Manager, action: ServiceAction, run: RunProgram): Promise<string> {
  const printed: string[] = [];
  for (const [program, ...words] of manager.commands[action]) {
    try {
      printed.push(await run(program, words));
    } catch (error) {
      const said = messageOf(error).trim().replaceAll('\n', ' ').replace(/\.$/u, '');
      throw new AssistantError('bad_usage', `\`${[program, ...words].join(' ')}\` failed: ${said}.`, {
        hint: 'Without a service manager of your own, let the system start `wooster serve`: see docs/service.md.',
        cause: error,
      });
    }
  }
  return printed.join('');
}

/** Run a program of the system for real. */
export const runProgram: RunProgram = async (program, words) => {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...words], { timeout: 60_000 });
    return stdout + stderr;
  } catch (error) {
    const { stderr, stdout } = error as { readonly stderr?: string; readonly stdout?: string };
    throw new Error(stderr || stdout || messageOf(error), { cause: error });
  }
};

/**
 * Whether the user's services go on when nobody is logged in. It is tried once, which works for those who may.
 *
 * @returns undefined when they do; otherwise the line that an administrator has to run.
 */
export async function lingering({ platform, name }: ServiceUser, run: RunProgram): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  const lingers = () => run('loginctl', ['show-user', name, '--property=Linger', '--value']).catch(() => '');
  if ((await lingers()).trim() === 'yes') return undefined;
  await run('loginctl', ['enable-linger', name]).catch(() => undefined);
  return (await lingers()).trim() === 'yes' ? undefined : `sudo loginctl enable-linger ${name}`;
}
