import type { Command } from '../command.ts';
import { badUsage } from '../flags.ts';
import { SHELLS, shellCompletion } from '../shell-completion.ts';

/** Prints the script; the shell decides where it is kept. Row: `{shell, script}`. */
export const completion: Command = {
  name: 'completion',
  summary: 'Print a script with which a shell completes commands and flags',
  group: 'Maintenance',
  usage: ['completion bash|zsh|fish'],
  examples: ['completion bash >> ~/.bashrc'],
  only: 'argv',
  mends: true,
  async run({ args, commands, out }) {
    const shell = SHELLS.find((name) => name === args[0]);
    if (shell === undefined || args.length > 1) {
      throw badUsage('It is not clear which shell you mean.', `Usage: wooster completion ${SHELLS.join('|')}`);
    }
    const script = shellCompletion(shell, commands);
    out.show({ shell, script }, script.trimEnd());
    return 0;
  },
};
