import type { TurnWishes } from '../agent/types.ts';
import { newId } from '../base/ids.ts';
import type { Answer, Material, Origin, StopReason, TurnContext, TurnEvent } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { runTurn } from '../face/run-turn.ts';
import { approveOn } from './approval.ts';
import type { Session } from './command.ts';
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
  return runTurn(take.app, turn, context, take.wishes);
}

const EXIT_CODES: Readonly<Partial<Record<StopReason, number>>> = { answered: 0, cut_off: 7, aborted: 130 };

/** The exit code of a turn: 0 answered, 7 cut off, 130 cancelled, 1 otherwise. */
export function exitCodeOf({ stop }: Pick<Answer, 'stop'>): number {
  return EXIT_CODES[stop] ?? 1;
}
