import { hostname } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testTurn } from '../../testing/agent.ts';
import { FakeClock } from '../../testing/clock.ts';
import { sqlAll, sqlRun } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { type Proposal, Proposals, type ProposedCall } from './proposals.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECRETS = { untrusted: true, private: false, sources: ['page'] };
const CALL: ProposedCall = {
  ...{ tool: 'send_mail', input: { text: 'hi' }, target: 'mail:\0bob', diff: '+a\0', reason: 'it leaves the house' },
  ...{ hash: 'abc', turn: testTurn('hello'), provenance: SECRETS },
};
const BY = { by: 'terminal', withinMs: HOUR };

/** Proposals of two programs on one store, whose statements are told to `before`. */
async function scene(before: (sql: string) => void = () => {}) {
  const store = await openTestStore(':memory:', { kind: 'sqlite', beforeStatement: (sql) => before(sql) });
  onTestFinished(() => store.close());
  const clock = new FakeClock('2026-01-15T09:00:00.000Z');
  const deps = { store, now: clock.now, ttlHours: 48 };
  const [here, there] = [new Proposals(deps), new Proposals(deps)];
  const { id } = (await here.propose(CALL)) as Proposal;
  const states = async () => (await here.list()).map(({ state }) => state);
  const decidedBy = async () => (await sqlAll(store, 'SELECT decided_by FROM proposals')).map((row) => row.decided_by);
  return { store, clock, here, there, id, states, decidedBy };
}

describe('a proposal', () => {
  test('has all of its call, in what is given back and in what is kept', async () => {
    const { here, id } = await scene();
    const whole = {
      ...{ id: expect.stringMatching(/^prop_/u), project: 'home', conversationId: 'conv_1', turnId: 'turn_hello' },
      ...{ mode: 'classic_tools', tool: 'send_mail', input: { text: 'hi' }, target: 'mail:bob', diff: '+a' },
      ...{ reason: 'it leaves the house', provenance: SECRETS, hash: 'abc', state: 'waiting' },
      ...{ createdAt: '2026-01-15T09:00:00.000Z', expiresAt: '2026-01-17T09:00:00.000Z' },
      ...{ decidedAt: undefined, result: undefined, ownerOnly: false },
    };
    expect(await here.get(id)).toEqual(whole);
    const bare = { ...CALL, hash: 'def', target: undefined, diff: undefined };
    expect(await here.propose(bare)).toEqual({ ...whole, hash: 'def', target: undefined, diff: undefined });
  });

  test('that waits is the one for each equal call of its project, and for no other', async () => {
    const { here, there, id, states } = await scene();
    expect((await there.propose({ ...CALL, turn: testTurn('other') }))?.id).toBe(id);
    expect((await there.propose({ ...CALL, turn: testTurn('other', { project: 'work' }) }))?.id).not.toBe(id);
    expect((await here.propose({ ...CALL, hash: 'def' }))?.id).not.toBe(id);
    expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
  });

  test('is the last of its turn when twenty wait; one that waits already is given, and all can be denied', async () => {
    const { here, id, states } = await scene();
    for (let n = 1; n < 20; n++) expect(await here.propose({ ...CALL, hash: `h${n}` })).toBeDefined();
    expect(await here.propose({ ...CALL, hash: 'one more' })).toBeUndefined();
    expect(await here.propose(CALL)).toMatchObject({ id });
    const other = await here.propose({ ...CALL, hash: 'one more', turn: testTurn('other', { id: 'turn_other' }) });
    expect(await here.denyTurn('turn_hello', 'terminal')).toHaveLength(20);
    expect((await states()).filter((state) => state === 'waiting')).toHaveLength(1);
    expect((await here.get(other?.id ?? '')).state).toBe('waiting');
    expect(await here.denyTurn('turn_hello', 'terminal')).toEqual([]);
  });

  test('that two programs make at once is one', async () => {
    const { here, there, states } = await scene();
    const call = { ...CALL, hash: 'def' };
    const [first, second] = await Promise.all([here.propose(call), there.propose(call)]);
    expect(first).toEqual(second);
    expect(await states()).toEqual(['waiting', 'waiting']);
  });

  test('that cannot be kept is an error', async () => {
    let isFull = false;
    const { here } = await scene((sql) => {
      if (isFull && sql.startsWith('insert')) throw new Error('disk full');
    });
    isFull = true;
    await expect(here.propose({ ...CALL, hash: 'def' })).rejects.toThrow('disk full');
  });

  test('that was denied is not made again as long as it would have waited, and then is', async () => {
    const { here, clock, id } = await scene();
    await here.deny(id, 'terminal');
    clock.advance(2 * DAY - 1);
    expect(await here.propose(CALL)).toMatchObject({ id, state: 'denied' });
    clock.advance(1);
    const anew = await here.propose(CALL);
    expect([anew?.id === id, anew?.state]).toEqual([false, 'waiting']);
  });

  test('that waits too long is over on time, and nobody has decided it', async () => {
    const { here, clock, id, states, decidedBy } = await scene();
    clock.advance(2 * DAY - 1);
    expect(await states()).toEqual(['waiting']);
    clock.advance(1);
    expect(await here.get(id)).toMatchObject({ state: 'expired', decidedAt: undefined });
    expect(await here.deny(id, 'terminal')).toBe(false);
    expect(await here.get(id)).toMatchObject({ state: 'expired', decidedAt: '2026-01-17T09:00:00.000Z' });
    expect(await decidedBy()).toEqual(['nobody']);
  });

  test('that was decided is listed for a day, one that runs as long as it does', async () => {
    const { here, clock, id, states } = await scene();
    await here.claim(id, BY);
    clock.advance(3 * DAY);
    expect(await states()).toEqual(['running']);
    await here.finish(id, 'done', 'sent');
    expect(await states()).toEqual([]);
    const { id: next } = (await here.propose({ ...CALL, hash: 'def' })) as Proposal;
    await here.deny(next, 'terminal');
    clock.advance(DAY);
    expect(await states()).toEqual(['denied']);
    clock.advance(1);
    expect(await states()).toEqual([]);
  });

  test('is forgotten a month after it was made, unless it runs', async () => {
    const { here, clock, id } = await scene();
    const { id: running } = (await here.propose({ ...CALL, hash: 'def' })) as Proposal;
    await here.claim(running, BY);
    clock.advance(30 * DAY);
    expect(await here.deny(id, 'terminal')).toBe(false);
    expect(await here.get(id)).toMatchObject({ state: 'expired' });
    clock.advance(1);
    await here.deny(id, 'terminal');
    const none = { code: 'bad_usage', message: `There is no proposal ${id}.` };
    await expect(here.get(id)).rejects.toMatchObject({ ...none, hint: '`wooster approvals` lists them.' });
    expect(await here.get(running)).toMatchObject({ state: 'running' });
  });
});

describe('a claim', () => {
  test('says why it is not given', async () => {
    const { here, there, id } = await scene();
    expect(await here.claim('prop_none', BY)).toBe('unknown');
    expect(await here.claim(id, BY)).toBe('mine');
    expect(await there.claim(id, BY)).toBe('busy');
    await here.finish(id, 'failed', 'no luck');
    expect(await there.claim(id, BY)).toBe('failed');
  });

  test('passes on when its time is over, not when it has just come', async () => {
    const { here, there, clock, id } = await scene();
    await here.claim(id, BY);
    clock.advance(HOUR);
    expect(await there.claim(id, BY)).toBe('busy');
    clock.advance(1);
    expect(await there.claim(id, BY)).toBe('mine');
  });

  test.each([
    ['passes on at once from a process that is gone', `${hostname()}:1@gone#1/0000000a`, 'mine'],
    ['passes on at once from nobody', null, 'mine'],
    ['stays with a process on another machine', 'far:1@gone#1/0000000a', 'busy'],
  ])('%s', async (_name, holder, claim) => {
    const { store, here, there, id } = await scene();
    await here.claim(id, BY);
    await sqlRun(store, 'UPDATE proposals SET holder = ?', holder);
    expect(await there.claim(id, BY)).toBe(claim);
    await here.finish(id, 'done', 'sent');
    expect(await here.get(id)).toMatchObject({ state: 'running', result: undefined });
  });

  test('passes on to one caller alone', async () => {
    const { here, there, clock, id } = await scene();
    await here.claim(id, BY);
    clock.advance(HOUR + 1);
    const claims = await Promise.all([here, there].map((each) => each.claim(id, BY)));
    expect(claims.sort()).toEqual(['busy', 'mine']);
  });

  test('that did not act is given back, as nobody had decided', async () => {
    const { here, there, id, decidedBy } = await scene();
    await here.claim(id, BY);
    expect(await decidedBy()).toEqual(['terminal']);
    await here.finish(id, 'waiting', 'it was stopped');
    expect(await here.get(id)).toMatchObject({ state: 'waiting', decidedAt: undefined, result: 'it was stopped' });
    expect(await decidedBy()).toEqual([null]);
    expect(await there.claim(id, BY)).toBe('mine');
  });

  test('that acted keeps who decided and when, also after it would have waited', async () => {
    const { here, clock, id, decidedBy } = await scene();
    await here.claim(id, BY);
    await here.finish(id, 'done', 'x'.repeat(20_001));
    clock.advance(3 * DAY);
    const ended = { state: 'done', decidedAt: '2026-01-15T09:00:00.000Z', result: 'x'.repeat(20_000) };
    expect(await here.get(id)).toMatchObject(ended);
    expect(await decidedBy()).toEqual(['terminal']);
  });

  test('of one that is given back at this moment is refused as busy', async () => {
    let giveBack = () => {};
    const { here, there, id } = await scene((sql) => {
      if (sql.includes('"holder" = ?, "held_until" = ?') && sql.startsWith('update')) giveBack();
    });
    await here.claim(id, BY);
    let given: Promise<void> | undefined;
    giveBack = () => {
      given ??= here.finish(id, 'waiting', '');
    };
    expect(await there.claim(id, BY)).toBe('busy');
    await given;
    expect(await there.claim(id, BY)).toBe('mine');
  });
});
