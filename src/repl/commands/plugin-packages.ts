import { join } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { type Installed, installPlugin, uninstallPlugin, updatePlugin } from '../../plugins/child/install-plugin.ts';
import { ADDED_PLUGINS } from '../../plugins/plugin-folders.ts';
import type { CommandCall } from '../command.ts';

/** Shows what a plugin may do and asks, then switches it on. @returns the exit code. */
export type Enable = (call: CommandCall, name: string) => Promise<number>;

/** Install somebody else's plugin. It is off until the owner has agreed to what it may do. */
export async function add(call: CommandCall, spec: string, enable: Enable): Promise<number> {
  return installed(call, await installPlugin(dirOf(call), spec), enable);
}

/** Install the newest version; its changes are shown, and need consent. */
export async function update(call: CommandCall, name: string, enable: Enable): Promise<number> {
  requireAdded(call, name, 'update');
  return installed(call, await updatePlugin(dirOf(call), name), enable);
}

export async function remove(call: CommandCall, name: string): Promise<number> {
  const { folders } = call.app.tools.plugins;
  requireAdded(call, name, 'remove');
  uninstallPlugin(dirOf(call), name);
  await folders.forget(name);
  await call.app.tools.plugins.refresh();
  call.out.show({ removed: name }, `${name} is gone, with its files.`);
  return 0;
}

async function installed(call: CommandCall, { name, info }: Installed, enable: Enable): Promise<number> {
  const { version, description, env } = info;
  call.out.line(`${info.name} ${version}: ${description}`);
  if (env.length > 0) call.out.line(`  variables: ${env.join(', ')}`);
  call.out.line('  It runs in its own process and sees no files of your home except the folders named here.');
  await call.app.tools.plugins.refresh();
  return enable(call, name);
}

/** Only the owner deletes what they wrote. */
function requireAdded({ app }: CommandCall, name: string, verb: string): void {
  const { origin, entry } = app.tools.plugins.folders.review(name);
  if (origin === 'added') return;
  const whose = origin === 'bundled' ? 'comes with the program' : `is yours (${entry})`;
  throw new AssistantError('bad_usage', `${name} ${whose}; "plugin ${verb}" is for plugins that were added.`, {
    hint: `"wooster plugins disable ${name}" switches it off.`,
  });
}

function dirOf({ app }: CommandCall): string {
  return join(app.home.dir, ...ADDED_PLUGINS);
}
