import type { Command } from '../command.ts';

/** Named with a suffix because `new` is a word of the language. */
export const newCommand: Command = {
  name: 'new',
  summary: 'Begin a new conversation',
  usage: ['new'],
  only: 'slash',
  async run({ session, out }) {
    session.conversationId = undefined;
    out.line('A new conversation begins. /resume goes back to an older one.');
    return 0;
  },
};
