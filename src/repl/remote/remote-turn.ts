import { AssistantError } from '../../base/errors.ts';
import type { StopReason, TurnEvent } from '../../base/turn.ts';
import type { Question } from '../../face/doors.ts';
import type { Choice } from '../prompt/state.ts';
import { viewOn } from '../run-command.ts';
import { outputOn, printable, type Screen } from '../screen.ts';
import { exitCodeOf } from '../take-turn.ts';
import type { BegunTurn, DoorClient } from './door-client.ts';

/** A session whose program is elsewhere. */
export interface RemoteSession {
  readonly project: string | undefined;
  readonly json: boolean;
  conversationId: string | undefined;
}

export interface RemoteTurn {
  readonly client: DoorClient;
  readonly session: RemoteSession;
  readonly screen: Screen;
  /** Fires when the person stops it. */
  readonly signal: AbortSignal;
  /** Somebody is here who can be asked. */
  readonly asks: boolean;
  /** Said before an answer. */
  readonly prefix: string;
  /** Learns which turn it is, to say more to it. */
  begun?(turn: BegunTurn): void;
}

const OPTIONS: Choice['options'] = [
  { key: 'y', label: 'yes, once' },
  { key: 't', label: 'turn: yes, until this answer is complete' },
  { key: 'n', label: 'no' },
];
const DECISIONS: Readonly<Record<string, 'once' | 'turn'>> = { y: 'once', t: 'turn' };

/**
 * Ask at the other end, show what comes, and let the person decide about calls. One that stops it waits for the end.
 *
 * @returns the exit code. @throws AssistantError `server_refused`, `server_unreachable`.
 */
export async function remoteTurn(turn: RemoteTurn, text: string): Promise<number> {
  const { client, session, screen, signal } = turn;
  const { project, conversationId } = session;
  const begun = await client.begin(text, turn.asks, { project, conversationId });
  session.conversationId = begun.conversationId;
  turn.begun?.(begun);
  const stop = () => void client.stop(begun.id).catch(() => undefined);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const view = await viewOn(screen, { prefix: turn.prefix, codeLog: false });
  const out = outputOn(screen, session.json);
  let ended: StopReason = 'failed';
  try {
    if (!session.json) screen.activity('thinking');
    for await (const event of client.events(begun.id, turn.asks)) {
      if (session.json) out.row(event);
      else if (isShown(event)) view.show(event);
      if (event.type === 'question') void decide(turn, event);
      if (event.type === 'answer') ended = event.stop;
    }
    return exitCodeOf({ stop: ended });
  } finally {
    signal.removeEventListener('abort', stop);
    screen.activity(undefined);
  }
}

const isShown = (event: TurnEvent | Question): event is TurnEvent => event.type !== 'question';

/** Where nobody can be asked, others may still decide. */
async function decide({ client, screen, signal }: RemoteTurn, { id, text }: Question): Promise<void> {
  const key = await screen
    .choose({ text: printable(text), question: 'Allow it?', options: OPTIONS, safe: 'n' }, signal)
    .catch(() => undefined);
  if (key === undefined) return;
  await client.decide(id, DECISIONS[key] ?? 'denied').catch((error: unknown) => {
    if (!(error instanceof AssistantError)) throw error;
    screen.note(printable(`${error.message} ${error.hint}`));
  });
}
