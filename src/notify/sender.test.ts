import { hostname } from 'node:os';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { FakeClock } from '../testing/clock.ts';
import { openTestStore, withTransactions } from '../testing/stores.ts';
import type { Channel, Outcome } from './channel.ts';
import { Outbox, type StoredPart } from './outbox.ts';
import { Sender } from './sender.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const SENT: Outcome = { state: 'sent', remoteId: '7', detail: 'confirmed' };
const DAY = 86_400;

beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

/** A message in two parts to somebody by `mail`, which answers with `outcome`. */
interface Given {
  readonly outcome?: Outcome;
  readonly part?: Partial<StoredPart>;
  /** Leases go by the clock of the program, which a server does not ask. */
  readonly kind?: 'sqlite';
}

async function setUp({ outcome = SENT, part = {}, ...where }: Given = {}) {
  const store = await openTestStore(':memory:', where);
  onTestFinished(() => store.close());
  const outbox = new Outbox(store);
  for (const n of [1, 2]) {
    const row = { id: `msg.${n}`, dedupe_key: `key:${n}`, part: n, parts: 2, body: `text ${n}`, run_id: null };
    const times = { due_at: at(0), expires_at: at(DAY), created_at: at(0) };
    await outbox.enter({ ...row, ...times, turn_id: null, channel: 'mail', recipient: 'me', state: 'pending' });
  }
  await outbox.set('msg.1', { attempts: 0, ...part });
  const clock = new FakeClock(at(0));
  const send = vi.fn<Channel['send']>(async () => outcome);
  const recipient = vi.fn(() => 'me');
  const about = { id: 'mail', label: 'Mail', own: true, remote: true };
  const mail: Channel = { ...about, health: () => ({ configured: true, detail: '' }), recipient, send };
  const info = vi.fn();
  const deps = { store, outbox, channels: [mail], log: { ...silentLog, info }, now: clock.now };
  const sender = new Sender(deps);
  const row = async (id = 'msg.1') => (await outbox.find(id)) as StoredPart;
  const attempt = async (id?: string) => sender.attempt(await row(id), new AbortController().signal);
  const hold = (hold_until: string | null, failures = 1, off_because: string | null = null) =>
    outbox.setChannelState({ channel: 'mail', address_hash: 'me', off_because, hold_until, failures });
  return { store, outbox, clock, send, recipient, info, deps, sender, row, attempt, hold };
}

interface Case {
  readonly when: string;
  readonly says: Outcome;
  /** What was known of the part before. */
  readonly part?: Partial<StoredPart>;
  readonly becomes: Partial<StoredPart>;
  /** Whether the parts after it are not sent either. */
  readonly stops?: boolean;
  /** Of the channel, from then on. */
  readonly off?: string;
  readonly heldFor?: number;
}

const KNOWN = { recipients: '{"left":["bob"],"lost":["ann (gone)"]}', remote_id: '7' };
const retry = (why: 'busy' | 'down' | 'error' | 'unclear', more: object = {}): Outcome => ({
  ...{ state: 'retry', detail: 'slow', why },
  ...more,
});
const failed: Outcome = { state: 'failed', detail: 'no' };
const unknown: Outcome = { state: 'unknown', detail: 'reset' };
const waiting = (seconds: number, left: string[], lost: string[]): Partial<StoredPart> => ({
  ...{ state: 'pending', due_at: at(seconds), recipients: JSON.stringify({ left, lost }) },
  last_error: 'some have got it; retrying for slow',
});
const sentBut = (last_error: string): Partial<StoredPart> => ({ state: 'sent', recipients: null, last_error });
const slow = (seconds: number) => ({ becomes: { due_at: at(seconds), last_error: 'slow' }, heldFor: seconds });
const givenUp = (state: 'failed' | 'unknown', seconds: number, tries: string, more: Partial<StoredPart> = {}) => ({
  becomes: { state, due_at: at(seconds), last_error: `slow; given up after ${tries}`, ...more },
  ...{ stops: true, heldFor: seconds },
});

const cases: readonly Case[] = [
  { when: 'sent', says: SENT, becomes: { state: 'sent', remote_id: '7' } },
  {
    when: 'sent to some',
    says: { ...SENT, lost: ['ann', 'bob'] },
    becomes: { state: 'sent', remote_id: '7', last_error: 'not to ann, bob' },
  },
  { when: 'refused', says: failed, becomes: { state: 'failed', last_error: 'no' }, stops: true },
  {
    when: 'no longer there',
    says: { state: 'off', detail: 'gone' },
    ...{ becomes: { state: 'failed', last_error: 'gone' }, stops: true, off: 'gone' },
  },
  { when: 'busy', says: retry('busy'), ...slow(60) },
  { when: 'busy for a time', says: retry('busy', { waitMs: 9000 }), ...slow(9) },
  { when: 'down for the 51st time', says: retry('down'), part: { attempts: 50 }, ...slow(2) },
  { when: 'the fourth error', says: retry('error'), part: { attempts: 3 }, ...slow(2) },
  { when: 'the fifth error', says: retry('error'), part: { attempts: 4 }, ...givenUp('failed', 2, '5 tries') },
  {
    when: 'the fifth error, may be there',
    says: retry('error'),
    part: { attempts: 4, repeats: 1 },
    ...givenUp('unknown', 2, '5 tries'),
  },
  {
    when: 'the fourth unclear answer',
    says: retry('unclear'),
    part: { attempts: 3 },
    ...{ becomes: { due_at: at(2), repeats: 1, last_error: 'slow' }, heldFor: 2 },
  },
  {
    when: 'the fifth unclear answer',
    says: retry('unclear'),
    part: { attempts: 4, repeats: 3 },
    ...givenUp('unknown', 2, '5 tries', { repeats: 4 }),
  },
  { when: 'busy, in time', says: retry('busy'), part: { expires_at: at(60.001) }, ...slow(60) },
  {
    when: 'busy until it expires',
    says: retry('busy'),
    part: { expires_at: at(60) },
    ...givenUp('failed', 60, '1 try'),
  },
  {
    when: 'unknown',
    says: unknown,
    becomes: { due_at: at(2), repeats: 1, last_error: 'reset; it will be sent once more, marked as such' },
  },
  {
    when: 'unknown again',
    says: unknown,
    part: { repeats: 1 },
    ...{ becomes: { state: 'unknown', last_error: 'reset' }, stops: true },
  },
  {
    when: 'some have got it',
    says: retry('busy', { left: ['bob'], lost: ['cid'] }),
    becomes: waiting(60, ['bob'], ['cid']),
  },
  { when: 'the rest waits', says: retry('busy'), part: KNOWN, becomes: waiting(60, ['bob'], ['ann (gone)']) },
  {
    when: 'the rest waits, but one',
    says: retry('busy', { left: ['dan'], lost: ['cid'] }),
    part: KNOWN,
    becomes: waiting(60, ['dan'], ['ann (gone)', 'cid']),
  },
  {
    when: 'the rest waits for the fourth time',
    says: retry('busy'),
    part: { ...KNOWN, attempts: 3 },
    becomes: waiting(480, ['bob'], ['ann (gone)']),
  },
  {
    when: 'the rest waited five times',
    says: retry('busy'),
    part: { ...KNOWN, attempts: 4 },
    becomes: sentBut('not to ann (gone), slow; given up after 5 tries'),
  },
  {
    when: 'the rest expires',
    says: retry('busy'),
    part: { ...KNOWN, expires_at: at(60) },
    becomes: sentBut('not to ann (gone), slow; given up after 1 try'),
  },
  {
    when: 'the rest got it, but one',
    says: { ...SENT, lost: ['cid'] },
    ...{ part: KNOWN, becomes: sentBut('not to ann (gone), cid') },
  },
  { when: 'the rest is refused', says: failed, part: KNOWN, becomes: sentBut('not to ann (gone), no') },
  {
    when: 'the rest is no longer there',
    says: { state: 'off', detail: 'no' },
    ...{ part: KNOWN, becomes: sentBut('not to ann (gone), no') },
  },
];

test.each(cases)('what an answer means for the part, those after it and the channel: $when', async (each) => {
  const { says, part = {}, becomes, stops = false, off = null, heldFor } = each;
  const { outbox, row, attempt } = await setUp({ outcome: says, part });
  const before = await row();
  await attempt();
  expect(await row()).toEqual({ ...before, attempts: before.attempts + 1, ...becomes });
  expect((await row('msg.2')).state).toBe(stops ? 'suppressed' : 'pending');
  const trouble = { off_because: off, hold_until: heldFor ? at(heldFor) : null, failures: heldFor ? 1 : 0 };
  const state = await outbox.channelState('mail', 'me');
  expect(state && { ...state, home: undefined }).toEqual(
    off || heldFor ? { channel: 'mail', address_hash: 'me', ...trouble } : undefined,
  );
});

test.each([
  ['busy', [60, 120, 240, 480, 900, 900]],
  ['down', [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]],
] as const)('while a service is %s the waits double up to the longest', async (why, waits) => {
  const { clock, attempt, row } = await setUp({ outcome: retry(why) });
  const waited: number[] = [];
  for (const _ of waits) {
    const before = clock.now().getTime();
    await attempt();
    const due = Date.parse((await row()).due_at);
    waited.push((due - before) / 1000);
    clock.set(new Date(due));
  }
  expect(waited).toEqual(waits);
});

test('a wait is up to a tenth longer, so that not all come back at once', async () => {
  vi.mocked(Math.random).mockReturnValue(0.5);
  const { attempt, row } = await setUp({ outcome: retry('busy') });
  await attempt();
  expect((await row()).due_at).toBe(at(63));
});

test('a channel on hold is left alone until the hold ends; what is sent then ends the trouble', async () => {
  const { attempt, clock, send, hold, outbox, sender } = await setUp();
  await hold(at(5), 3);
  await attempt();
  expect(await sender.takeNext('key')).toBeUndefined();
  clock.advance(4999);
  await attempt();
  expect(send).not.toHaveBeenCalled();
  clock.advance(1);
  await attempt();
  expect(send).toHaveBeenCalledTimes(1);
  expect(await outbox.channelState('mail', 'me')).toMatchObject({ hold_until: null, failures: 0 });
});

describe('a part that cannot be sent any more is given up with those after it, and nothing is sent', () => {
  test.each([
    ['no such channel', { channel: 'pigeon' }, 'me', null],
    ['its recipient is no longer configured', {}, 'you', null],
    ['it refuses access', {}, 'me', 'it refuses access'],
  ])('%s', async (why, part, recipient, off) => {
    const { attempt, row, send, hold, recipient: now } = await setUp({ part });
    now.mockReturnValue(recipient);
    if (off) await hold(null, 0, off);
    await attempt();
    expect(await row()).toMatchObject({ state: 'failed', last_error: why, attempts: 0 });
    expect(await row('msg.2')).toMatchObject({ state: 'suppressed', last_error: 'an earlier part was not sent' });
    expect(send).not.toHaveBeenCalled();
  });

  test('unless a program with other settings is sending it', async () => {
    const { attempt, row, recipient } = await setUp({ part: { state: 'sending', owner: 'elsewhere' } });
    recipient.mockReturnValue('you');
    await attempt();
    expect([(await row()).state, (await row('msg.2')).state]).toEqual(['sending', 'pending']);
  });

  test('one that was taken for a channel that is not there is our mistake', async () => {
    const { sender, row } = await setUp({ part: { channel: 'pigeon' } });
    const sending = sender.send(await row(), new AbortController().signal);
    await expect(sending).rejects.toThrow('no channel pigeon');
  });
});

test('while a part is sent no other program takes it, for a quarter of an hour', async () => {
  const { attempt, send, row } = await setUp({ kind: 'sqlite' });
  let during: StoredPart | undefined;
  send.mockImplementation(async () => {
    during = await row();
    return SENT;
  });
  await attempt();
  expect(during).toMatchObject({ state: 'sending', attempts: 1, lease_until: at(900) });
  expect(during?.owner).toContain(`:${process.pid}@`);
});

test('a text that may be there already is marked, and goes to those alone who have not got it', async () => {
  const { attempt, send } = await setUp({ part: { ...KNOWN, repeats: 1 } });
  await attempt();
  await attempt('msg.2');
  expect(send.mock.calls.map(([text, , only]) => [text, only])).toEqual([
    ['(may be repeated) text 1', { id: 'msg.1', only: ['bob'] }],
    ['text 2', { id: 'msg.2', only: undefined }],
  ]);
});

test('the log tells of each attempt, without the text', async () => {
  const { attempt, info } = await setUp();
  await attempt();
  expect(info.mock.calls).toEqual([['message', { id: 'msg.1', channel: 'mail', state: 'sent', detail: 'confirmed' }]]);
});

describe('of a part that another program has taken over in between', () => {
  test.each([
    ['that it is sent counts', SENT, { state: 'sent', owner: null, remote_id: '7' }],
    ['nothing else counts', failed, { state: 'sending', owner: 'other', remote_id: null }],
  ])('%s', async (_name, outcome, becomes) => {
    const { attempt, send, row, outbox } = await setUp();
    send.mockImplementation(async () => {
      await outbox.set('msg.1', { owner: 'other' });
      return outcome;
    });
    await attempt();
    expect(await row()).toMatchObject(becomes);
  });

  test('and that is gone by now, nothing is said', async () => {
    const { attempt, send, row, store } = await setUp();
    send.mockImplementation(async () => {
      await store.db.deleteFrom('outbox').where('id', '=', 'msg.1').execute();
      return failed;
    });
    await attempt();
    expect(await row()).toBeUndefined();
  });
});

describe('a part whose sender is gone', () => {
  const GONE = `${hostname()}:1@an-earlier-boot#1/0123abcd`;
  const HERE = 'elsewhere:1@boot#1/0123abcd';
  const LOST = 'the program ended while sending; it will be sent once more, marked as such';
  const taken = { state: 'pending', repeats: 1, owner: null, lease_until: null, last_error: LOST, due_at: at(2) };

  test.each([
    ['has its process on this machine ended', { owner: GONE, lease_until: at(900) }, taken],
    ['has its lease run out', { owner: HERE, lease_until: at(0) }, taken],
    ['may still send', { owner: HERE, lease_until: at(0.001) }, {}],
    ['said nothing that can be read, may still send', { owner: 'x', lease_until: at(900) }, {}],
  ])('one who %s', async (_name, sender, becomes) => {
    const part: Partial<StoredPart> = { state: 'sending', attempts: 1, ...sender };
    const { sender: mine, row } = await setUp({ part, kind: 'sqlite' });
    const before = await row();
    await mine.takeUpLost();
    expect(await row()).toEqual({ ...before, ...becomes });
  });

  test('is left to another program that was faster', async () => {
    const part: Partial<StoredPart> = { state: 'sending', owner: HERE, lease_until: at(0), attempts: 1 };
    for (const faster of [{ owner: 'other' }, { lease_until: at(900) }, { state: 'sent', owner: null } as const]) {
      const { deps, store, outbox, row } = await setUp({ part, kind: 'sqlite' });
      const late = withTransactions(store, async (work, options) => {
        await outbox.set('msg.1', faster);
        return store.transaction(work, options);
      });
      await new Sender({ ...deps, store: late }).takeUpLost();
      expect(await row()).toMatchObject({ ...faster, repeats: 0 });
    }
  });

  test('and that is gone by now itself is not missed', async () => {
    const part: Partial<StoredPart> = { state: 'sending', owner: HERE, lease_until: at(0) };
    const { deps, store, row } = await setUp({ part, kind: 'sqlite' });
    const late = withTransactions(store, async (work, options) => {
      await store.db.deleteFrom('outbox').execute();
      return store.transaction(work, options);
    });
    await new Sender({ ...deps, store: late }).takeUpLost();
    expect(await row()).toBeUndefined();
  });

  test('is not one that is being sent here, however long that takes', async () => {
    const { attempt, sender, send, clock, row } = await setUp();
    send.mockImplementation(async () => {
      clock.advance(DAY * 1000);
      await sender.takeUpLost();
      return SENT;
    });
    await attempt();
    expect(await row()).toMatchObject({ state: 'sent', repeats: 0 });
  });
});
