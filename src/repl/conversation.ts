import { AssistantError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Turn, TurnContext } from '../base/turn.ts';
import type { CommandCall } from './command.ts';

/**
 * The conversation that a command is about: the one named, else the session's.
 *
 * @throws AssistantError `bad_usage` when there is neither.
 */
export function conversationOf({ args, session, place }: CommandCall): string {
  const id = args[0] ?? session.conversationId;
  if (id !== undefined) return id;
  const hint =
    place === 'slash'
      ? 'Ask something first, or name one: /sessions lists them.'
      : 'Name one: wooster sessions lists them.';
  throw new AssistantError('bad_usage', 'No conversation is open.', { hint });
}

/** Look at a conversation as its next turn would. */
export function lookingTurn({ session }: CommandCall, conversationId: string): Turn {
  const { mode, project } = session;
  return { id: newId('look'), conversationId, text: '', origin: 'cli', mode, project };
}

export function lookingContext({ signal, out }: CommandCall): TurnContext {
  return {
    signal,
    now: () => new Date(),
    show: (event) => {
      if (event.type === 'log') out.note(event.text);
    },
    approve: async () => ({ verdict: 'denied', by: 'no approver' }),
  };
}
