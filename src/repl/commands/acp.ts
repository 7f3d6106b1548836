import type { Command, CommandCall } from '../command.ts';
import { doorCommands } from '../door-commands.ts';

/**
 * Standard output carries the Agent Client Protocol, so the program is started by an editor. Rows of `--check`:
 * `{protocol, capabilities}`, then one of `{mode}`, `{option, values}` or `{command, description}` each.
 */
export const acp: Command = {
  name: 'acp',
  summary: 'Serve an editor over the Agent Client Protocol',
  group: 'Ask',
  usage: ['acp            for an editor that starts it', 'acp --check    what an editor will see'],
  examples: ['acp --check'],
  flags: { check: { type: 'boolean' } },
  only: 'argv',
  bare: true,
  async runBare({ flags, signal, serveEditor }) {
    if (flags.check === true) return undefined;
    await serveEditor({ input: process.stdin, output: process.stdout, signal });
    return 0;
  },
  run: check,
};

async function check({ app, session, out }: CommandCall): Promise<number> {
  const { protocol, capabilities, modes, options } = await app.doors.editorOffer(session);
  out.show({ protocol, capabilities }, `Agent Client Protocol ${protocol}: ${capabilities.join(', ')}.`);
  for (const mode of modes) out.show({ mode: mode.id }, `mode ${mode.id}: ${mode.name}`);
  for (const { id, values } of options) out.show({ option: id, values }, `option ${id}: ${values.join(', ')}`);
  for (const { name, description } of doorCommands(app).list)
    out.show({ command: name, description }, `/${name.padEnd(14)} ${description}`);
  return 0;
}
