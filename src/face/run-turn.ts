import type { TurnWishes } from '../agent/types.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { type Answer, NO_USAGE, type StopReason, type Turn, type TurnContext } from '../base/turn.ts';
import type { App } from './app.ts';
import { errorEvent } from './error-event.ts';

/** Run one turn for a frontend. Never rejects: a failure is shown, and the answer has `stop: 'failed'`. */
export async function runTurn(
  app: Pick<App, 'turns' | 'home'>,
  turn: Turn,
  context: TurnContext,
  wishes?: TurnWishes,
): Promise<Answer> {
  try {
    return await app.turns.run(turn, context, wishes);
  } catch (error) {
    if (context.signal.aborted) return ended('aborted', context);
    if (!(error instanceof AssistantError)) app.home.log.error('a turn rejected', { error: messageOf(error) });
    context.show(errorEvent(error));
    return ended('failed', context);
  }
}

/** The answer of a turn that ended without one. */
function ended(stop: StopReason, { show }: TurnContext): Answer {
  show({ type: 'answer', text: '', stop });
  return { text: '', stop, usage: NO_USAGE, steps: 0 };
}
