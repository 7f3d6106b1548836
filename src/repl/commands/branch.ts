import type { Command } from '../command.ts';
import { conversationOf } from '../conversation.ts';

export const branch: Command = {
  name: 'branch',
  summary: 'Go on in a copy of the conversation',
  usage: ['branch [ID]'],
  async run(call) {
    const from = conversationOf(call);
    const id = call.app.archive.branch(from);
    call.session.conversationId = id;
    call.out.row({ id, from });
    call.out.line(`Now in ${id}, a copy of ${from}; the original stays as it is.`);
    return 0;
  },
};
