import type { Command } from '../command.ts';
import { findCommand } from '../command-list.ts';
import { explain, overview } from '../help-text.ts';

export const help: Command = {
  name: 'help',
  summary: 'List the commands, or explain one',
  group: 'Maintenance',
  chats: true,
  usage: ['help', 'help all', 'help COMMAND'],
  examples: ['help schedule'],
  async run({ args, commands, place, out }) {
    const [name] = args;
    if (name === undefined || name === 'all') overview(commands, { place, all: name === 'all' }, out);
    else explain(findCommand(commands, name.replace(/^\//u, ''), place).command, place, out);
    return 0;
  },
};
