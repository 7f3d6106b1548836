import { estimateTokens } from '../base/text.ts';
import type { Store } from '../store/store.ts';

const AT = '2026-11-20T11:00:00.000Z';
const ROWS_AT_ONCE = 500;

/** A conversation of that many messages, `message 1` and so on, as if it had been held. */
export async function fillConversation(store: Store, id: string, messages: number): Promise<void> {
  const rows = Array.from({ length: messages }, (_, at) => ({
    ...({ conversation_id: id, turn_id: null, sequence: at + 1, role: at % 2 ? 'assistant' : 'user' } as const),
    ...({ kind: at % 2 ? 'answer' : 'text', content: `message ${at + 1}`, created_at: AT } as const),
    token_count: estimateTokens(`message ${at + 1}`),
  }));
  await store.transaction(async () => {
    await store.db
      .insertInto('conversations')
      .values({ id, project: 'home', title: 'long', created_at: AT, updated_at: AT })
      .execute();
    for (let from = 0; from < messages; from += ROWS_AT_ONCE)
      await store.db
        .insertInto('messages')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .execute();
  });
}
