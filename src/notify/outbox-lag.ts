import { sql } from 'kysely';
import type { Store } from '../store/store.ts';

/** How far behind sending is. */
export interface OutboxLag {
  readonly pending: number;
  readonly sending: number;
  /** Age of the oldest part that is due but not sent, in ms; null when none is due. */
  readonly oldestDueMs: number | null;
}

/** Parts of channels that are on hold do not count as due: they wait on purpose. */
export async function outboxLag(store: Store): Promise<OutboxLag> {
  const now = await store.now();
  const { rows } = await sql<{ pending: number | null; sending: number | null; oldest: string | null }>`
    select sum(case when o.state = 'pending' then 1 else 0 end) as pending,
      sum(case when o.state = 'sending' then 1 else 0 end) as sending,
      min(case when o.state = 'pending' and o.due_at <= ${now} and c.channel is null then o.due_at end) as oldest
    from outbox o left join channel_states c
      on c.channel = o.channel and c.address_hash = o.recipient and c.hold_until > ${now}
    where o.state in ('pending', 'sending')`.execute(store.read);
  const { pending, sending, oldest } = rows[0] ?? { pending: 0, sending: 0, oldest: null };
  const oldestDueMs = oldest === null ? null : Date.parse(now) - Date.parse(oldest);
  return { pending: pending ?? 0, sending: sending ?? 0, oldestDueMs };
}
