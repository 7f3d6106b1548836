import { join } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { preview } from '../../base/text.ts';
import { type Installed, installPlugin, uninstallPlugin, updatePlugin } from '../../plugins/child/install-plugin.ts';
import { manifestLines } from '../../plugins/manifest.ts';
import { newPlugin } from '../../plugins/new-plugin.ts';
import { ADDED_PLUGINS } from '../../plugins/plugin-folders.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, isYes } from '../flags.ts';
import { unknownForm } from '../own-words.ts';

/**
 * Whatever a plugin may do is shown before it is switched on; with nobody to ask, that needs `--yes`. Rows:
 * `{name, version, description, state, detail, tools}`, state `on`, `off` or `failed`; `{removed}`.
 */
export const plugins: Command = {
  name: 'plugins',
  summary: 'List, write, add, switch on and off, and remove plugins',
  group: 'Tools and approvals',
  usage: [
    'plugins [list]               and why any are off',
    'plugins new NAME             write user-plugins/NAME with a tool and its test, and switch it on',
    'plugins add PACKAGE|FOLDER [--yes]    written by somebody else: it runs in its own process',
    'plugins enable NAME [--yes]',
    'plugins disable NAME',
    'plugins update NAME [--yes]',
    'plugins remove NAME',
  ],
  examples: ['plugins new tides', 'plugins enable weather', 'plugins add ./my-plugin'],
  aliases: { plugin: [] },
  async run(call) {
    const [verb = 'list', name, ...rest] = call.args;
    if (verb === 'list' && name === undefined) return list(call);
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!action || name === undefined || rest.length > 0) throw wrongUse(verb);
    return action(call, name);
  },
};

function list({ app, out }: CommandCall): number {
  const found = app.tools.plugins.list();
  for (const plugin of found) {
    const { name, version, state, description, detail, tools } = plugin;
    out.show(plugin, `${state.padEnd(6)}  ${`${name} ${version}`.padEnd(20)}  ${preview(description, 80)}`);
    if (tools.length > 0) out.line(`        tools: ${tools.join(', ')}`);
    if (detail !== '') out.line(`        ${detail}`);
  }
  if (found.length === 0)
    out.line('There are no plugins. Put yours in user-plugins/NAME/index.ts, in the data folder.');
  return 0;
}

type Action = (call: CommandCall, name: string) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action>> = {
  new: async (call, name) => {
    if (call.app.tools.plugins.status(name)) {
      const hint = 'Choose another name; "wooster plugins list" shows those that are taken.';
      throw badUsage(`There is a plugin "${name}" already.`, hint);
    }
    const folder = newPlugin(call.app.home.dir, name);
    await call.app.tools.plugins.folders.decide(name, true);
    call.out.line(`Written: ${folder}/index.ts, and its test beside it.`);
    call.out.line(`Run the test in the checkout: npx vitest run --dir ${call.app.home.dir}`);
    return switched(call, name);
  },
  ...{ enable, add, update, remove },
  disable: async (call, name) => {
    await call.app.tools.plugins.folders.decide(name, false);
    return switched(call, name);
  },
};

async function enable(call: CommandCall, name: string): Promise<number> {
  if (!(await agreed(call, name))) return 1;
  await call.app.tools.plugins.folders.decide(name, true);
  return switched(call, name);
}

/** Start or stop it in the running program too, and report its state. */
async function switched({ app, out }: CommandCall, name: string): Promise<number> {
  await app.tools.plugins.refresh();
  const status = app.tools.plugins.status(name);
  out.row(status);
  if (!status) return 1;
  if (status.state === 'failed') {
    out.note(`${name} did not start: ${status.detail}`);
    return 1;
  }
  out.line(`${name} is ${status.state}.`);
  if (status.tools.length > 0) out.line(`  tools:   ${status.tools.join(', ')}`);
  for (const line of status.manifest ? manifestLines(status.manifest) : []) out.line(`  ${line}`);
  return 0;
}

/** Show what the plugin may do, and ask for consent. */
async function agreed({ app, out, session }: CommandCall, name: string): Promise<boolean> {
  const { entry, origin, lines, changed, manifest, fault } = app.tools.plugins.folders.review(name);
  out.line(`${name}: ${entry}`);
  if (fault !== undefined) out.line(`  was switched off: ${fault}`);
  if (manifest) for (const line of manifestLines(manifest)) out.line(`  ${line}`);
  const heading = origin === 'own' ? '  its files, which run with your rights:' : '  its files:';
  if (lines.length > 0) out.line(changed ? '  changed since you agreed to it:' : heading);
  for (const line of lines) out.line(`    ${line.replaceAll('\n', '\n    ')}`);
  if (session.yes) return true;
  const answer = await out.ask(`Switch ${name} on? [y/N] `);
  if (answer === undefined) {
    throw new AssistantError('bad_usage', `Nobody can be asked whether ${name} may run.`, {
      hint: `Look at what it is; then: wooster plugins enable ${name} --yes`,
    });
  }
  if (!isYes(answer)) out.note('Nothing was changed.');
  return isYes(answer);
}

function wrongUse(verb: string): AssistantError {
  if (!Object.hasOwn(ACTIONS, verb)) return unknownForm(plugins, verb);
  return badUsage(`plugins ${verb} takes one name.`, `Usage: wooster ${plugins.usage.join(' | ')}`);
}

/** Install somebody else's plugin. It is off until the owner has agreed to what it may do. */
async function add(call: CommandCall, spec: string): Promise<number> {
  return installed(call, await installPlugin(dirOf(call), spec));
}

/** Install the newest version; its changes are shown, and need consent. */
async function update(call: CommandCall, name: string): Promise<number> {
  requireAdded(call, name, 'update');
  return installed(call, await updatePlugin(dirOf(call), name));
}

async function remove(call: CommandCall, name: string): Promise<number> {
  const { folders } = call.app.tools.plugins;
  requireAdded(call, name, 'remove');
  uninstallPlugin(dirOf(call), name);
  await folders.forget(name);
  await call.app.tools.plugins.refresh();
  call.out.show({ removed: name }, `${name} is gone, with its files.`);
  return 0;
}

async function installed(call: CommandCall, { name, info }: Installed): Promise<number> {
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
