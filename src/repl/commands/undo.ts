import { preview } from '../../base/text.ts';
import type { Command } from '../command.ts';
import { conversationOf } from '../conversation.ts';

export const undo: Command = {
  name: 'undo',
  summary: 'Take the last exchange out of the conversation',
  usage: ['undo [ID]'],
  async run(call) {
    const { out, app } = call;
    const undone = app.archive.undo(conversationOf(call));
    if (!undone) {
      out.line('There is nothing to undo.');
      return 1;
    }
    out.row(undone);
    out.line(`Undone: "${preview(undone.text, 80)}".`);
    for (const effect of undone.remains) out.line(`  Cannot be undone, it has happened: ${effect}`);
    if (undone.summarised) out.line('  The summary of this conversation may still mention it.');
    return 0;
  },
};
