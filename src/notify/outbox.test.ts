import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestStore } from '../testing/stores.ts';
import { Outbox } from './outbox.ts';
import { OutboxTimer } from './outbox-timer.ts';

const FLUSHED = new Date('2026-11-20T12:00:00.000Z');
const at = (seconds: number) => new Date(FLUSHED.getTime() + seconds * 1000).toISOString();

async function opened() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const add = async (id: string, state: 'pending' | 'sending' | 'sent', due_at: string, channel = 'mail') => {
    const nobody = { run_id: null, turn_id: null, owner: null, lease_until: null, remote_id: null, recipients: null };
    const row = { ...{ id, dedupe_key: id, channel, recipient: 'me', part: 1, parts: 1, body: 'b', state }, ...nobody };
    const times = { due_at, expires_at: at(86_400), created_at: at(0), last_error: null };
    await store.db
      .insertInto('outbox')
      .values({ ...row, ...times })
      .execute();
  };
  const next = async () => (await new Outbox(store).nextFlush(FLUSHED))?.toISOString();
  return { store, add, next };
}

test('the outbox is looked at when its first part is due, or what holds the channel ends', async () => {
  const { store, add, next } = await opened();
  expect(await next()).toBeUndefined();
  await add('gone', 'sent', at(1));
  expect(await next()).toBeUndefined();
  await add('late', 'pending', at(60));
  await add('soon', 'pending', at(30));
  expect(await next()).toBe(at(30));
  const hold = { channel: 'mail', address_hash: 'me', off_because: null, hold_until: at(90), failures: 1 };
  await store.db.insertInto('channel_states').values(hold).execute();
  expect(await next()).toBe(at(90));
  await add('other', 'pending', at(45), 'chat');
  expect(await next()).toBe(at(45));
});

test('and after five seconds while somebody sends, who may be gone then', async () => {
  const { add, next } = await opened();
  await add('under way', 'sending', at(-9));
  expect(await next()).toBe(at(5));
  await add('later', 'pending', at(60));
  expect(await next()).toBe(at(5));
  await add('now', 'pending', at(2));
  expect(await next()).toBe(at(2));
});

test('until the end the outbox is flushed every five seconds, and notices go on every second', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const flush = vi.fn(async () => undefined);
  const advance = vi.fn(async () => undefined);
  const timer = new OutboxTimer({ flush, notices: { advance } });
  timer.start();
  expect(flush).toHaveBeenCalledTimes(1);
  timer.start();
  vi.advanceTimersByTime(10_000);
  timer.stop();
  vi.advanceTimersByTime(10_000);
  expect([flush.mock.calls.length, advance.mock.calls.length]).toEqual([3, 10]);
});
