import { preview } from '../base/text.ts';
import type { CommandCall } from './command.ts';

/**
 * Remove the last request and its answer from a conversation, and undo what that turn changed. Row: what was undone;
 * exit code 1 when the conversation is empty.
 */
export async function undoExchange({ app, out }: CommandCall, conversationId: string): Promise<number> {
  const undone = await app.turns.archive.undo(conversationId, (turnId) => app.tools.undo.turn(turnId));
  if (!undone) {
    out.line('There is nothing to undo.');
    return 1;
  }
  out.show(undone, `Undone: "${preview(undone.text, 80)}".`);
  for (const { effect, outcome, things } of undone.undone) {
    if (outcome === 'undone') for (const thing of things) out.line(`  ${thing}`);
    if (outcome === 'changed')
      out.line(`  Left as it is, it was changed since: ${things.join(', ')} (undo ${effect} --force)`);
  }
  for (const { effect, things } of undone.undone.filter(({ outcome }) => outcome === 'lost'))
    out.line(`  Cannot be undone any more: ${effect}: ${things.join(', ')}`);
  for (const effect of undone.remains) out.line(`  Cannot be undone, it has already happened: ${effect}`);
  if (undone.summarised) out.line('  The summary of this conversation may still mention it.');
  return 0;
}
