import type { Command } from '../command.ts';

export const quit: Command = {
  name: 'quit',
  summary: 'Leave the REPL',
  group: 'Maintenance',
  usage: ['quit'],
  examples: ['quit'],
  basic: true,
  only: 'slash',
  async run({ session }) {
    session.ended = true;
    return 0;
  },
};
