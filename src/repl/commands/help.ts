import type { Command } from '../command.ts';
import { findCommand } from '../command-list.ts';
import { HELP_FLAGS, textFlag } from '../flags.ts';
import { explain, overview } from '../help-text.ts';

export const help: Command = {
  name: 'help',
  summary: 'List the commands, or explain one',
  group: 'Maintenance',
  chats: true,
  usage: [
    'help',
    'help all',
    'help COMMAND',
    'help --web [--output FOLDER]    the docs as a site with a search, in the browser',
  ],
  examples: ['help schedule', 'help --web'],
  flags: HELP_FLAGS,
  async run({ args, flags, commands, session, place, out }) {
    const [name] = args;
    if (flags.web === true) {
      const { openSite } = await import('../docs-site/open-site.ts');
      return await openSite({ folder: textFlag(flags, 'output'), opens: session.interactive }, out);
    }
    if (name === undefined || name === 'all') overview(commands, { place, all: name === 'all' }, out);
    else explain(findCommand(commands, name.replace(/^\//u, ''), place).command, place, out);
    return 0;
  },
};
