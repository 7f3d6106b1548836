import { isAlive } from '../base/process-identity.ts';
import type { TurnRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/**
 * Turns whose process is gone become `interrupted`, and so do their conversations.
 *
 * @returns those turns, oldest first.
 */
export function recoverTurns(store: Store): TurnRow[] {
  return store.transaction(() => {
    const running = store.sql
      .prepare("SELECT * FROM turns WHERE status = 'running' ORDER BY started_at")
      .all() as unknown as TurnRow[];
    const lost = running.filter((turn) => !isAlive(turn.owner));
    for (const { id, conversation_id } of lost) {
      store.sql.prepare("UPDATE turns SET status = 'interrupted', owner = NULL WHERE id = ?").run(id);
      store.sql.prepare("UPDATE conversations SET status = 'interrupted' WHERE id = ?").run(conversation_id);
    }
    return lost;
  });
}
