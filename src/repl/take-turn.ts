import type { TurnWishes } from '../agent/types.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import {
  type Answer,
  type Material,
  NO_USAGE,
  type Origin,
  type StopReason,
  type TurnContext,
  type TurnEvent,
} from '../base/turn.ts';
import type { App } from './app.ts';
import { approveOn } from './approval.ts';
import type { Session } from './command.ts';
import { errorEvent } from './error-event.ts';
import { printable, type Screen } from './screen.ts';

/** A turn to run, and the session, app and screen to run it on. */
export interface TakeTurn {
  readonly text: string;
  /** An interrupted turn to continue; a new one unless given. */
  readonly turnId?: string | undefined;
  readonly material?: readonly Material[] | undefined;
  readonly wishes?: TurnWishes | undefined;
  readonly origin: Origin;
  readonly session: Session;
  readonly app: App;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  /** The person's words while it runs. */
  readonly steering?: (() => readonly string[]) | undefined;
  show(event: TurnEvent): void;
}

/** Run one turn of the session. Never rejects: a failure is shown, and the answer has `stop: 'failed'`. */
export async function takeTurn(take: TakeTurn): Promise<Answer> {
  const { session, signal, show } = take;
  session.conversationId ??= newId('conv');
  const turn = {
    id: take.turnId ?? newId('turn'),
    conversationId: session.conversationId,
    text: take.text,
    origin: take.origin,
    mode: session.mode,
    // A turn that is continued keeps its mode.
    autoMode: take.turnId === undefined && session.autoMode,
    project: session.project,
    ...(take.material?.length ? { material: take.material } : {}),
  };
  try {
    const context: TurnContext = {
      signal,
      show,
      now: () => new Date(),
      timeZone: take.app.home.timeZone,
      approve: (request) => approveOn(take.screen, session, request, signal),
      ...(take.steering ? { steering: take.steering } : {}),
      doing: (tool) => take.screen.activity(tool),
      ask: (question) => take.screen.ask(printable(question), signal).catch(() => undefined),
    };
    return await take.app.turns.run(turn, context, take.wishes);
  } catch (error) {
    if (signal.aborted) return ended('aborted', show);
    if (!(error instanceof AssistantError)) take.app.home.log.error('a turn rejected', { error: messageOf(error) });
    show(errorEvent(error));
    return ended('failed', show);
  }
}

/** The answer of a turn that ended without one. */
function ended(stop: StopReason, show: TakeTurn['show']): Answer {
  show({ type: 'answer', text: '', stop });
  return { text: '', stop, usage: NO_USAGE, steps: 0 };
}

const EXIT_CODES: Readonly<Partial<Record<StopReason, number>>> = { answered: 0, cut_off: 7, aborted: 130 };

/** The exit code of a turn: 0 answered, 7 cut off, 130 cancelled, 1 otherwise. */
export function exitCodeOf({ stop }: Pick<Answer, 'stop'>): number {
  return EXIT_CODES[stop] ?? 1;
}
