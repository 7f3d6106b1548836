import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../testing/stores.ts';
import { outboxLag } from './outbox-lag.ts';

const before = (ms: number) => new Date(Date.now() - ms).toISOString();

test('the age is that of the oldest part that could be sent: not of one on hold, sent, or due later', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  expect(await outboxLag(store)).toEqual({ pending: 0, sending: 0, oldestDueMs: null });
  const part = (id: string, channel: string, state: 'pending' | 'sending' | 'sent', due_at: string) => ({
    ...{
      id,
      dedupe_key: `${id}:1`,
      run_id: null,
      turn_id: null,
      channel,
      recipient: 'me',
      part: 1,
      parts: 1,
      body: 'b',
    },
    ...{ state, due_at, expires_at: before(-1e6), owner: null, lease_until: null, remote_id: null, last_error: null },
    ...{ created_at: due_at, recipients: null },
  });
  await store.db
    .insertInto('outbox')
    .values([
      part('held', 'quiet', 'pending', before(900_000)),
      part('late', 'mail', 'pending', before(120_000)),
      part('soon', 'mail', 'pending', before(-60_000)),
      part('now', 'mail', 'sending', before(500_000)),
      part('done', 'mail', 'sent', before(900_000)),
    ])
    .execute();
  const hold = { channel: 'quiet', address_hash: 'me', off_because: null, hold_until: before(-60_000), failures: 3 };
  await store.db.insertInto('channel_states').values(hold).execute();
  const lag = await outboxLag(store);
  expect(lag).toMatchObject({ pending: 3, sending: 1 });
  expect(Math.round((lag.oldestDueMs ?? 0) / 10_000)).toBe(12);
});
