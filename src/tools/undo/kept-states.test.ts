import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../testing/clock.ts';
import { openTestStore } from '../../testing/stores.ts';
import { EffectLedger } from '../gate/effect-ledger.ts';
import { findEffect } from '../gate/effect-rows.ts';
import { HOME_FILES, type KeptState, KeptStates, PROGRAM_FILES, removeKeptStates, UNDO } from './kept-states.ts';

const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;
const TEN_MINUTES_MS = 600_000;

/** What is kept in an empty store, and calls that keep something. */
async function world(limits = { days: 90, megabytes: 200 }) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const clock = new FakeClock('2026-11-20T11:00:00Z');
  const states = new KeptStates({ store, now: clock.now, limits });
  let calls = 0;
  /** An effect that is begun, and keeps these states. */
  const effect = async (
    kept: readonly Partial<KeptState>[] = [{}],
    { turnId = 'turn_1', tool = 'write_file' } = {},
  ) => {
    const turn = { id: turnId, conversationId: 'conv_1' };
    const ledger = new EffectLedger({ store, turn, now: clock.now });
    const { key } = await ledger.begin({ name: tool, policy: { effect: 'local' } }, { call: ++calls }, {});
    for (const each of kept) await states.keep({ ...STATE, ...each }, { turnId, idempotencyKey: key });
    return (await states.effectOf(key)) ?? '';
  };
  return { store, clock, states, effect };
}

const STATE: KeptState = { project: 'home', kind: 'file', thing: 'a.md', before: '1', after: undefined };

test('what an effect changed comes back whole, in the order of its changes', async () => {
  const { states, effect } = await world();
  const things = ['c.md', 'a.md', 'b.md'];
  const id = await effect([{ thing: 'c.md', before: undefined, after: 'x' }, { thing: 'a.md' }, { thing: 'b.md' }]);
  await effect();
  const kept = await states.of(id);
  expect(kept[0]).toEqual({
    ...{ project: 'home', kind: 'file', thing: 'c.md', before: undefined, after: 'x' },
    ...{ effectId: id, nth: 1, turnId: 'turn_1', undoneBy: undefined },
  });
  expect(kept.map(({ thing, nth }) => [thing, nth])).toEqual(things.map((thing, index) => [thing, index + 1]));
});

test('without a call of the ledger, nothing is kept', async () => {
  const { store, states } = await world();
  await states.keep(STATE, undefined);
  await states.keep(STATE, { turnId: 'turn_1' });
  await states.keep(STATE, { turnId: 'turn_1', idempotencyKey: 'unknown' });
  expect(await states.effectOf('unknown')).toBeUndefined();
  expect(await store.db.selectFrom('kept_states').selectAll().execute()).toEqual([]);
});

test('the newest of a project are those of its own and of the home, without what undid others', async () => {
  const { states, effect } = await world();
  const old = await effect();
  const ofHome = await effect([{ project: HOME_FILES }]);
  const ofProgram = await effect([{ project: PROGRAM_FILES }]);
  await effect([{ project: 'garden' }]);
  await effect([{}], { tool: UNDO });
  const latest = await effect([{}, {}]);
  expect(await states.newest('home', 10)).toEqual([latest, ofProgram, ofHome, old]);
  expect(await states.newest('home', 2)).toEqual([latest, ofProgram]);
});

test('an effect is as new as the last of its changes', async () => {
  const { store, states, effect } = await world();
  const [long, short] = [await effect(), await effect()];
  expect(await states.ofTurn('turn_1')).toEqual([short, long]);
  const row = await findEffect(store, long);
  await states.keep(STATE, { turnId: 'turn_1', idempotencyKey: row?.idempotency_key });
  expect(await states.ofTurn('turn_1')).toEqual([long, short]);
});

test('of a turn, only what it did itself, in whichever project', async () => {
  const { states, effect } = await world();
  await effect();
  const first = await effect([{}], { turnId: 'turn_2' });
  const second = await effect([{ project: 'garden' }], { turnId: 'turn_2' });
  expect(await states.ofTurn('turn_2')).toEqual([second, first]);
});

test('an effect is open until all of its changes are undone, and again when those are done again', async () => {
  const { states, effect } = await world();
  const id = await effect([{}, {}]);
  const other = await effect();
  const isOpen = async () => [await states.newest('home', 10), await states.among([id, other, 'eff_nothing'])];
  await states.mark({ effectId: id, nth: 1 }, 'eff_undo');
  expect(await isOpen()).toEqual([
    [other, id],
    new Map([
      [id, undefined],
      [other, undefined],
    ]),
  ]);
  await states.mark({ effectId: id, nth: 2 }, 'eff_undo');
  expect(await isOpen()).toEqual([
    [other],
    new Map([
      [id, 'eff_undo'],
      [other, undefined],
    ]),
  ]);
  expect((await states.of(id)).map(({ undoneBy }) => undoneBy)).toEqual(['eff_undo', 'eff_undo']);
  await states.unmark('eff_another');
  expect(await isOpen()).toEqual([
    [other],
    new Map([
      [id, 'eff_undo'],
      [other, undefined],
    ]),
  ]);
  await states.unmark('eff_undo');
  expect(await isOpen()).toEqual([
    [other, id],
    new Map([
      [id, undefined],
      [other, undefined],
    ]),
  ]);
});

test('files deleted for good take along what was kept of them, not jobs or artifacts', async () => {
  const { store, states, effect } = await world();
  const kinds = ['file', 'note', 'artifact', 'job'] as const;
  const id = await effect(kinds.map((kind) => ({ kind })));
  const other = await effect([{ project: 'garden' }]);
  await removeKeptStates(store, 'home');
  expect((await states.of(id)).map(({ kind }) => kind)).toEqual(['artifact', 'job']);
  expect(await states.of(other)).toHaveLength(1);
});

describe('what is kept is limited', () => {
  test.each([
    ['stays for the days of the settings', 2 * DAY_MS, 1],
    ['goes after them', 2 * DAY_MS + 1, 0],
  ])('it %s', async (_, afterMs, left) => {
    const { clock, states, effect } = await world({ days: 2, megabytes: 200 });
    const [old, elsewhere] = [await effect(), await effect([{ project: 'garden' }])];
    clock.advance(afterMs);
    const latest = await effect();
    const kept = [await states.of(old), await states.of(latest), await states.of(elsewhere)];
    expect(kept.map(({ length }) => length)).toEqual([left, 1, 1]);
  });

  test.each([
    ['while what is newer is less than the size', { before: 'x'.repeat(MIB), after: 'x'.repeat(MIB - 1) }, 1],
    ['no longer than that', { before: 'x'.repeat(MIB), after: 'x'.repeat(MIB) }, 0],
    ['no longer, be it a thing that was not there', { before: undefined, after: 'x'.repeat(2 * MIB) }, 0],
  ])('it stays %s', async (_, large, left) => {
    const { clock, states, effect } = await world({ days: 90, megabytes: 2 });
    const old = await effect();
    clock.advance(TEN_MINUTES_MS);
    const latest = await effect([large]);
    expect([await states.of(old), await states.of(latest)].map(({ length }) => length)).toEqual([left, 1]);
  });

  test('it is looked at every ten minutes, for each project', async () => {
    const { clock, states, effect } = await world({ days: 90, megabytes: 1 });
    const large = { after: 'x'.repeat(MIB) };
    const old = await effect();
    clock.advance(TEN_MINUTES_MS - 1);
    await effect([large]);
    await effect([{ project: 'garden' }]);
    expect(await states.of(old)).toHaveLength(1);
    clock.advance(1);
    await effect();
    expect(await states.of(old)).toHaveLength(0);
  });
});
