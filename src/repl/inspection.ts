import { newId } from '../base/ids.ts';
import { NOBODY_TO_ASK, type Turn, type TurnContext } from '../base/turn.ts';
import type { CommandCall } from './command.ts';

/** A turn that is never run: it only names the mode, project and conversation to inspect. */
export function inspectionTurn({ session }: CommandCall, conversationId: string): Turn {
  const { mode, project } = session;
  return { id: newId('look'), conversationId, text: '', origin: 'cli', mode, project };
}

/** For inspecting the next request without a turn: nothing is shown and nothing may be approved. */
export function inspectionContext({ app, signal, out }: CommandCall): TurnContext {
  return {
    signal,
    now: () => new Date(),
    timeZone: app.home.timeZone,
    show: (event) => {
      if (event.type === 'log') out.note(event.text);
    },
    approve: async () => NOBODY_TO_ASK,
  };
}
