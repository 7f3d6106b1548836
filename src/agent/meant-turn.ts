import { MODES, type Turn } from '../base/turn.ts';
import type { Conversations } from '../conversation/conversations.ts';
import { isGoOn } from '../words/go-on.ts';

/**
 * The turn that a request means: "go on" means the one that reached its limit or was cut off, with its id, so that what
 * it has done is neither forgotten nor done again. Everything else is a turn of its own.
 */
export async function meantTurn(given: Turn, conversations: Pick<Conversations, 'unfinished'>): Promise<Turn> {
  if (given.origin === 'schedule' || given.material?.length || !isGoOn(given.text)) return given;
  const turn = await conversations.unfinished(given.conversationId);
  if (!turn) return given;
  const { id, text } = turn;
  return { ...given, id, text, mode: MODES.find((mode) => mode === turn.mode) ?? given.mode, autoMode: false };
}
