import type { TurnEvent } from '../../base/turn.ts';
import type { ConversationArchive } from '../../conversation/archive.ts';
import type { NumberedEvent } from './event-log.ts';
import { eventsOfStep, eventsOfSteps } from './past-events.ts';
import type { TurnHub } from './turn-hub.ts';

/** A turn as a client shows it: what was asked, and its events until now. */
export interface ToldTurn {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whether it goes on; its further events have greater ids than the last one here. */
  readonly running: boolean;
  readonly events: readonly (TurnEvent | NumberedEvent['event'])[];
  /** The id of the last of the events; 0 for a turn that is told from the store. */
  readonly last: number;
}

type Messages = Awaited<ReturnType<ConversationArchive['messages']>>;

/** A conversation with its turns: as they were shown where this program ran them, else as they are stored. */
export async function toldConversation(archive: ConversationArchive, hub: TurnHub, id: string) {
  const { title, project } = await archive.get(id);
  const [turns, messages] = [
    await archive.turnsOf(id),
    Map.groupBy(await archive.messages(id), (each) => each.turn_id),
  ];
  return {
    ...{ id, title, project },
    turns: turns.map(({ id: turnId, text, status, started_at: at }): ToldTurn => {
      const running = status === 'running';
      const told = (steps: Messages) => (running ? steps.flatMap(eventsOfStep) : eventsOfSteps(steps, status));
      const live = hub.eventsOf(turnId);
      const last = live.at(-1)?.id ?? 0;
      if (live.length > 0) return { id: turnId, text, at, running, events: withoutPieces(live), last };
      return { id: turnId, text, at, running, events: told(messages.get(turnId) ?? []), last };
    }),
  };
}

/** Of an answer that is whole, the pieces in which it came are not told again. */
function withoutPieces(live: readonly NumberedEvent[]): ToldTurn['events'] {
  const events = live.map(({ event }) => event);
  return events.at(-1)?.type === 'answer' ? events.filter(({ type }) => type !== 'token') : events;
}
