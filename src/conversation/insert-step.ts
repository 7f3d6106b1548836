import { sql } from 'kysely';
import { estimateTokens } from '../base/text.ts';
import type { MessageKind } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { insertFindable } from './message-search.ts';
import type { Step } from './types.ts';

const WORDS: ReadonlySet<MessageKind> = new Set(['text', 'answer']);

/** Insert a message with its conversation's next number. Within a transaction, or two could get the same number. */
export async function insertStep(
  store: Store,
  row: { step: Step; conversationId: string; turnId: string | null; at: string },
): Promise<void> {
  const { step, conversationId, turnId, at } = row;
  const next = sql<number>`(select coalesce(max(sequence), 0) + 1 from messages
    where conversation_id = ${conversationId})`;
  const insert = store.db.insertInto('messages').values({
    conversation_id: conversationId,
    turn_id: turnId,
    sequence: next,
    role: step.role,
    kind: step.kind,
    content: step.content,
    token_count: estimateTokens(step.content),
    created_at: at,
  });
  if (WORDS.has(step.kind)) await insertFindable(store, insert, step.content);
  else await insert.execute();
}
