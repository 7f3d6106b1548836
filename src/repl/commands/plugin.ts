import { AssistantError } from '../../base/errors.ts';
import { manifestLines } from '../../plugins/manifest.ts';
import { newPlugin } from '../../plugins/new-plugin.ts';
import type { Command, CommandCall } from '../command.ts';
import { isYes } from '../flags.ts';
import { unknownForm } from '../own-words.ts';
import { plugins } from './plugins.ts';

/**
 * Whatever a plugin may do is shown before it is switched on; with nobody to ask, that needs `--yes`. Rows: those of
 * `plugins` for the plugin that was switched, `{removed}`.
 */
export const plugin: Command = {
  name: 'plugin',
  summary: 'Write, add, switch on and off, and remove plugins',
  group: 'Tools and approvals',
  usage: [
    'plugin [list]',
    'plugin new NAME           write user-plugins/NAME with a tool and its test, and switch it on',
    'plugin add PACKAGE|FOLDER [--yes]    of somebody else: it runs in a process of its own',
    'plugin enable NAME [--yes]',
    'plugin disable NAME',
    'plugin update NAME [--yes]',
    'plugin remove NAME',
  ],
  examples: ['plugin new tides', 'plugin enable weather', 'plugin add ./my-plugin'],
  async run(call) {
    const [verb = 'list', name, ...rest] = call.args;
    if (verb === 'list' && name === undefined) return plugins.run(call);
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!action || name === undefined || rest.length > 0) throw wrongUse(verb);
    return action(call, name);
  },
};

type Action = (call: CommandCall, name: string) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action>> = {
  new: async (call, name) => {
    if (call.app.tools.plugins.status(name)) {
      const hint = 'Choose another name; "wooster plugin list" shows those that are taken.';
      throw new AssistantError('bad_usage', `There is a plugin "${name}" already.`, { hint });
    }
    const folder = newPlugin(call.app.home.dir, name);
    await call.app.tools.plugins.folders.decide(name, true);
    call.out.line(`Written: ${folder}/index.ts, and its test beside it.`);
    call.out.line(`Run the test in the checkout: npx vitest run --dir ${call.app.home.dir}`);
    return switched(call, name);
  },
  enable,
  add: async (call, spec) => (await import('./plugin-packages.ts')).add(call, spec, enable),
  update: async (call, name) => (await import('./plugin-packages.ts')).update(call, name, enable),
  remove: async (call, name) => (await import('./plugin-packages.ts')).remove(call, name),
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

/** Start or stop it in the running program too, and say what became of it. */
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

/** Show what is agreed to, and ask. */
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
      hint: `Look at what it is; then: wooster plugin enable ${name} --yes`,
    });
  }
  if (!isYes(answer)) out.note('Nothing was changed.');
  return isYes(answer);
}

function wrongUse(verb: string): AssistantError {
  if (!Object.hasOwn(ACTIONS, verb)) return unknownForm(plugin, verb);
  return new AssistantError('bad_usage', `plugin ${verb} takes one name.`, {
    hint: `Usage: wooster ${plugin.usage.join(' | ')}`,
  });
}
