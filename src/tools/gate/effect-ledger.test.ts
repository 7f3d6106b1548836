import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testTurn } from '../../testing/agent.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sqlAll, sqlRun } from '../../testing/sql.ts';
import { openTestStore, withTransactions } from '../../testing/stores.ts';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { EffectLedger, type LedgerDeps } from './effect-ledger.ts';
import { findEffect, hasEffects } from './effect-rows.ts';
import { readReceipts } from './receipts.ts';
import { verifyReceipts } from './verify-receipts.ts';

const NOTE = defineTool({
  ...PLAIN_TOOL,
  name: 'note',
  policy: { ...PLAIN_TOOL.policy, effect: 'local' },
  execute: () => 'noted',
});
const MAIL = defineTool({
  ...PLAIN_TOOL,
  name: 'mail',
  policy: { ...PLAIN_TOOL.policy, effect: 'outbound' },
  execute: () => 'sent',
});
const TEA = { text: 'tea' };
const RUNNING = new AbortController().signal;

/** Ledgers of one turn, each as another program has it, on one store and with a clock that goes on. */
async function scene() {
  const store = await openTestStore();
  let second = 0;
  const now = () => new Date(Date.UTC(2026, 0, 15, 9, 0, second++));
  const open = ({ turn = testTurn('hello'), runId }: Partial<LedgerDeps> = {}) =>
    new EffectLedger({ store, turn, now, runId });
  const ledger = open();
  const states = async () => (await ledger.list()).map(({ state }) => state);
  const receipts = async () => (await readReceipts(store, { limit: 99 })).map(({ state }) => state);
  return { store, open, ledger, states, receipts };
}

/** Make calls that give 1, 2 and so on, and forget that they were made. */
async function made(ledger: EffectLedger, calls: number): Promise<void> {
  for (let value = 1; value <= calls; value++) await ledger.done((await ledger.begin(NOTE, TEA, {})).key, value);
  ledger.rewind();
}

test('a call is written down with all that is known about it', async () => {
  const { store, open, ledger } = await scene();
  const details = { approvedBy: 'you', change: 'append', why: 'asked', shown: { text: '[secret]' } } as const;
  const { key } = await open({ runId: 'run_1' }).begin(MAIL, TEA, { ...details, destination: 'mail:\0bob' });
  const bare = await ledger.begin(NOTE, TEA, {});
  await ledger.done(bare.key, undefined);
  // On a server it has its home as well.
  const [first, second] = (await ledger.list()).map((effect) => ({ ...effect, home: undefined }));
  expect(first).toEqual({
    ...{ id: expect.stringMatching(/^eff_/u), turn_id: 'turn_hello', run_id: 'run_1', conversation_id: 'conv_1' },
    ...{ tool: 'mail', effect: 'outbound', idempotency_key: key, input: '{"text":"[secret]"}', change: 'append' },
    ...{ destination: 'mail:bob', approved_by: 'you', why: 'asked', state: 'intent', result: null },
    ...{ created_at: '2026-01-15T09:00:00.000Z', finished_at: null },
  });
  expect(second).toEqual({
    ...{ id: expect.any(String), turn_id: 'turn_hello', run_id: null, conversation_id: 'conv_1' },
    ...{ tool: 'note', effect: 'local', idempotency_key: bare.key, input: '{"text":"tea"}', change: null },
    ...{ destination: null, approved_by: null, why: null, state: 'done', result: 'null' },
    ...{ created_at: '2026-01-15T09:00:01.000Z', finished_at: '2026-01-15T09:00:02.000Z' },
  });
  expect({ ...(await findEffect(store, first?.id ?? '')), home: undefined }).toEqual(first);
});

const AHEAD = { durability: { writeAhead: true } };

test.each([
  ['one that keeps its own row first', AHEAD, {}, true],
  ['any other', {}, {}, false],
  ['one that keeps its own row first, as a plugin says', { ...AHEAD, origin: 'plugin tides' }, {}, false],
  ['one that was approved', AHEAD, { approvedBy: 'you' }, false],
])('the intent of %s, by how it is put on the disk', async (_name, tool, details, relaxed) => {
  const store = await openTestStore();
  const asked: unknown[] = [];
  const watched = withTransactions(store, (work, options) => {
    asked.push(options);
    return store.transaction(work, options);
  });
  const ledger = new EffectLedger({ store: watched, turn: testTurn('hello'), now: () => new Date() });
  await ledger.begin({ ...NOTE, ...tool }, TEA, details);
  expect(asked).toEqual([{ relaxed }, undefined]);
});

describe('a call that was made', () => {
  test('elsewhere in the meantime is found, and nothing of it changes', async () => {
    const { open, ledger, states, receipts } = await scene();
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toBeUndefined();
    await made(open(), 1);
    const { recorded } = await ledger.begin(NOTE, TEA, {});
    expect(recorded).toEqual({ state: 'done', value: 1 });
    expect([await states(), await receipts()]).toEqual([['done'], ['intent', 'done']]);
    ledger.rewind();
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toEqual({ state: 'done', value: 1 });
  });

  test('without an end is not made again', async () => {
    const { open, ledger } = await scene();
    await open().begin(NOTE, TEA, {});
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toEqual({ state: 'unknown' });
    ledger.rewind();
    expect((await ledger.begin(NOTE, TEA, {})).recorded).toEqual({ state: 'unknown' });
  });

  test('in vain is the same call when it is made again', async () => {
    const { store, ledger, states, receipts } = await scene();
    await ledger.failed((await ledger.begin(NOTE, TEA, {})).key, 'disk full');
    const [first] = await ledger.list();
    ledger.rewind();
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toBeUndefined();
    const { key, recorded } = await ledger.begin(NOTE, TEA, {});
    expect([recorded, await states()]).toEqual([undefined, ['intent']]);
    await ledger.done(key, 'noted');
    expect(await ledger.list()).toMatchObject([{ id: first?.id, state: 'done', result: '"noted"' }]);
    expect(await receipts()).toEqual(['intent', 'failed', 'intent', 'done']);
    expect((await verifyReceipts(store)).problems).toEqual([]);
  });

  test('several times is recalled in its order, also side by side, and one more is new', async () => {
    const { ledger } = await scene();
    await made(ledger, 3);
    const recall = () => ledger.recall(NOTE, TEA, RUNNING);
    const recalled = [...(await Promise.all([recall(), recall()])), await recall(), await recall()];
    expect(recalled.map((each) => each && 'value' in each && each.value)).toEqual([1, 2, 3, undefined]);
  });

  test('is not counted for a script that has ended', async () => {
    const { ledger } = await scene();
    await made(ledger, 1);
    expect(await ledger.recall(NOTE, TEA, AbortSignal.abort())).toBeUndefined();
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toEqual({ state: 'done', value: 1 });
  });

  test('counts no more when the turn starts over, however well a script ended', async () => {
    const { ledger } = await scene();
    await ledger.done((await ledger.begin(NOTE, TEA, {})).key, 1);
    ledger.settle();
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toBeUndefined();
    ledger.rewindAll();
    ledger.rewind();
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toEqual({ state: 'done', value: 1 });
  });

  test('and gave nothing gives nothing', async () => {
    const { store, ledger } = await scene();
    await made(ledger, 1);
    await sqlRun(store, 'UPDATE effects SET result = NULL');
    expect(await ledger.recall(NOTE, TEA, RUNNING)).toEqual({ state: 'done', value: null });
  });
});

describe('a call that was cut off', () => {
  test('is taken back, and is then made as the same one', async () => {
    const { open, ledger, states } = await scene();
    await open().begin(NOTE, TEA, {});
    await ledger.takeBack(NOTE, TEA);
    expect(await ledger.list()).toMatchObject([
      { state: 'failed', result: 'it was cut off, and is made again', finished_at: expect.any(String) },
    ]);
    expect((await ledger.begin(NOTE, TEA, {})).recorded).toBeUndefined();
    expect(await states()).toEqual(['intent']);
  });

  test('is not taken back when it has an end, or was never begun', async () => {
    const { ledger, states, receipts } = await scene();
    await ledger.takeBack(NOTE, TEA);
    expect(await receipts()).toEqual([]);
    await made(ledger, 1);
    await ledger.takeBack(NOTE, TEA);
    expect([await states(), await receipts()]).toEqual([['done'], ['intent', 'done']]);
  });

  test('is ended elsewhere with receipts that say what its first one said', async () => {
    const { store, open, ledger } = await scene();
    await open().begin(MAIL, TEA, { destination: 'mail:bob', approvedBy: 'you', shown: { text: '[secret]' } });
    await open().begin(NOTE, TEA, {});
    for (const row of await ledger.list()) {
      ledger.adopt(row);
      await ledger.done(row.idempotency_key, 'done');
    }
    expect(await readReceipts(store, { limit: 2 })).toMatchObject([
      { tool: 'mail', input: '{"text":"[secret]"}', destination: 'mail:bob', approved_by: 'you', state: 'done' },
      { tool: 'note', input: '{"text":"tea"}', destination: null, approved_by: null, state: 'done' },
    ]);
    expect((await verifyReceipts(store)).problems).toEqual([]);
  });
});

test('only what was begun here can be ended, and what is not on record any more has no receipt', async () => {
  const { store, open, ledger, receipts } = await scene();
  const { key } = await open().begin(NOTE, TEA, {});
  await expect(ledger.done(key, 'x')).rejects.toThrow('An effect was to be finished that was never begun.');
  const other = await ledger.begin(MAIL, TEA, {});
  await sqlRun(store, 'DELETE FROM effects');
  await ledger.done(other.key, 'x');
  expect(await receipts()).toEqual(['intent', 'intent']);
});

test('what a conversation did is told by turns, oldest first', async () => {
  const { open, ledger } = await scene();
  const turns = [testTurn('one'), testTurn('two'), testTurn('three', { conversationId: 'conv_2' }), testTurn('hello')];
  for (const turn of turns) await open({ turn }).begin(NOTE, TEA, {});
  expect((await ledger.earlier()).map((row) => row.turn_id)).toEqual(['turn_one', 'turn_two']);
  expect((await ledger.list()).map((row) => row.turn_id)).toEqual(['turn_hello']);
});

test('what is asked after each answer and each run does not look at all effects there ever were', async () => {
  const asked: string[] = [];
  const beforeStatement = (text: string) => asked.push(text);
  const store = await openTestStore(join(temporaryFolder(), 'w.sqlite3'), { kind: 'sqlite', beforeStatement });
  onTestFinished(() => store.close());
  const ledger = new EffectLedger({ store, turn: testTurn('hello'), now: () => new Date() });
  await Promise.all([ledger.list(), ledger.earlier(), hasEffects(store, 'run_1')]);
  const questions = asked.filter((text) => text.includes('from "effects"'));
  expect(questions).toHaveLength(3);
  for (const text of questions) {
    const plan = await sqlAll(store, `EXPLAIN QUERY PLAN ${text}`);
    expect(plan.map(({ detail }) => detail)[0], text).toMatch(/^SEARCH effects USING INDEX/u);
  }
});

test('a new call is looked up in what its turn has done, not in the table each time', async () => {
  const asked: string[] = [];
  const store = await openTestStore(':memory:', { kind: 'sqlite', beforeStatement: (text) => asked.push(text) });
  onTestFinished(() => store.close());
  const ledger = new EffectLedger({ store, turn: testTurn('hello'), now: () => new Date() });
  for (const text of ['a', 'b', 'c']) expect(await ledger.recall(NOTE, { text }, RUNNING)).toBeUndefined();
  expect(asked.filter((text) => text.includes('"effects"'))).toHaveLength(1);
});
