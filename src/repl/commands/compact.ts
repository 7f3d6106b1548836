import type { Command } from '../command.ts';
import { conversationOf, lookingContext, lookingTurn } from '../conversation.ts';

export const compact: Command = {
  name: 'compact',
  summary: 'Summarise all but the last exchange of the conversation',
  usage: ['compact [ID]'],
  async run(call) {
    const { app, out } = call;
    const { id } = app.archive.get(conversationOf(call));
    const report = await app.agent.compact(lookingTurn(call, id), lookingContext(call));
    out.row(report);
    if (report.messages === 0) out.line('There is nothing to summarise yet.');
    else
      out.line(
        `Summarised: ${report.before} tokens became ${report.after}. Nothing was deleted; "export" shows all of it.`,
      );
    return 0;
  },
};
