import { sql } from 'kysely';
import type { Store } from '../store/store.ts';

/** How often to check whether a sender is gone. */
const WATCH_MS = 5000;

/** When there is something to send next, as far as is known now. Parts of a channel on hold wait until it ends. */
export async function nextFlush(store: Store, flushedAt: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ due: string | null; sending: number | null }>`
    select min(case when o.state = 'pending' then case when c.hold_until > o.due_at then c.hold_until else o.due_at end
        end) as due,
      sum(case when o.state = 'sending' then 1 else 0 end) as sending
    from outbox o left join channel_states c on c.channel = o.channel and c.address_hash = o.recipient
    where o.state in ('pending', 'sending')`.execute(store.read);
  const { due, sending } = rows[0] ?? { due: null, sending: 0 };
  const times = due === null ? [] : [Date.parse(due)];
  if (sending) times.push(flushedAt.getTime() + WATCH_MS);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
