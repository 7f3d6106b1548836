import type { StoredPart } from './outbox.ts';
import type { Delivery } from './types.ts';

/** The outcome of a message, from its first part that is not sent. */
export function outcomeOf(channel: string, parts: readonly StoredPart[]): Delivery {
  const open = parts.find((part) => part.state !== 'sent');
  if (!open) return { channel, state: 'sent', detail: sentDetail(parts) };
  if (open.state === 'expired') return { channel, state: 'failed', detail: 'it could not be sent within a day' };
  const detail = open.last_error ?? 'it is waiting for its turn';
  if (open.state === 'pending' && open.repeats > 0) return { channel, state: 'unknown', detail };
  if (open.state === 'pending' || open.state === 'sending') return { channel, state: 'queued', detail };
  return { channel, state: open.state === 'unknown' ? 'unknown' : 'failed', detail };
}

/** How many parts there were, and which recipients did not receive it. */
function sentDetail(parts: readonly StoredPart[]): string {
  const missed = parts.flatMap(({ last_error }) => last_error ?? []);
  return [...(parts.length > 1 ? [`${parts.length} parts`] : []), ...new Set(missed)].join('; ');
}
