import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import type { Store } from '../store/store.ts';
import { FakeClock } from '../testing/clock.ts';
import { type ModelsChanges, modelsOptions } from '../testing/models-options.ts';
import { ScriptedModel } from '../testing/scripted-model.ts';
import { openTestStore, withTransactions } from '../testing/stores.ts';
import { Catalog, costOf } from './catalog.ts';
import { createModels } from './models.ts';
import type { ModelRequest } from './types.ts';
import { copyUsage, type UsageEntry, UsageTable } from './usage-table.ts';

/** Ten tokens in and five out per call, at these prices: 10 USD for a call of `dear`, 1 for one of `cheap`. */
const DEAR = { input: 500_000, output: 1_000_000 };
const CHEAP = { input: 50_000, output: 100_000 };

async function open(options: ModelsChanges, { timeZone = 'UTC', now = '2026-11-20T12:00:00Z' } = {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const clock = new FakeClock(now);
  const models = createModels({
    options: modelsOptions({ use: 'dear:d', more: ['cheap:c'] }, options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: clock.now,
    timeZone,
  });
  for (const name of ['dear', 'cheap', 'odd'])
    models.registerProvider(name, async () => new ScriptedModel([`from ${name}`]));
  models.registerPricing('dear:d', DEAR);
  models.registerPricing('c', CHEAP);
  const notices: string[] = [];
  const call = async (changes: Partial<ModelRequest> = {}) => {
    const signal = new AbortController().signal;
    const request: ModelRequest = {
      profile: 'TOOL_EXECUTION',
      mode: 'classic_tools',
      project: 'home',
      turnId: 't1',
      purpose: 'turn',
      signal,
      onNotice: (text) => notices.push(text),
      ...changes,
    };
    const { model } = await models.pick(request);
    return (await model.invoke('hello')).text;
  };
  return { models, clock, notices, call };
}

describe('prices', () => {
  test.each([
    [
      'fresh and cached tokens',
      { input: 2, output: 8, cachedInput: 0.5 },
      { inputTokens: 1_000_000, outputTokens: 1_000_000, cachedTokens: 500_000 },
      9.25,
    ],
    [
      'cached tokens without a price of their own',
      { input: 2, output: 8 },
      { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 500_000 },
      2,
    ],
    ['an unknown price', undefined, { inputTokens: 10, outputTokens: 10, cachedTokens: 0 }, undefined],
  ])('%s', (_name, price, tokens, cost) => expect(costOf(price, tokens)).toBe(cost));

  test.each([
    ['openai', 'gpt-4o-mini-2024-07-18', false, 0.15],
    ['openai', 'gpt-4o', false, 2.5],
    ['anthropic', 'claude-sonnet-4-5-20250929', false, 3],
    ['google', 'gemini-2.5-flash', false, 0.3],
    ['compatible', 'gpt-4o', true, 0],
    ['compatible', 'mystery', false, undefined],
  ])('%s %s', (provider, name, local, input) => {
    expect(new Catalog().facts({ provider, name, local }).price?.input).toBe(input);
  });
});

test.each([
  ['gpt-4o-mini', { input: 0.15, cachedInput: 0.075, output: 0.6 }],
  ['claude-sonnet-4-5', { input: 3, cachedInput: 0.3, output: 15 }],
  ['gemini-2.5-flash', { input: 0.3, cachedInput: 0.075, output: 2.5 }],
])('a catalogue row of %s keeps its three prices apart', (name, price) => {
  expect(new Catalog().facts({ provider: 'compatible', name, local: false }).price).toEqual(price);
});

describe('a budget that is used up', () => {
  test.each([
    ['a day', { budget: { dayUsd: 5 } }],
    ['a month', { budget: { monthUsd: 5 } }],
    ['a turn', { budget: { turnUsd: 5 } }],
  ])('of %s stops the next call with a message', async (_name, budget) => {
    const { call } = await open(budget);
    expect(await call()).toBe('from dear');
    await expect(call()).rejects.toMatchObject({
      code: 'budget_reached',
      message: expect.stringContaining('10.0000 of 5 USD'),
    });
  });

  test('of a turn leaves the next turn alone, that of a day the next day', async () => {
    const turns = await open({ budget: { turnUsd: 5 } });
    await turns.call();
    expect(await turns.call({ turnId: 't2' })).toBe('from dear');
    const days = await open({ budget: { dayUsd: 5 } });
    await days.call();
    days.clock.advance(24 * 3_600_000);
    expect(await days.call()).toBe('from dear');
  });

  test.each([
    ['America/Los_Angeles', '2026-12-01T07:30:00Z', '2026-12-01T08:30:00Z'],
    ['Asia/Kathmandu', '2026-11-30T18:00:00Z', '2026-11-30T18:30:00Z'],
  ])('of a day and of a month begin anew at midnight in %s, wherever the machine is', async (timeZone, now, later) => {
    for (const budget of [{ budget: { dayUsd: 5 } }, { budget: { monthUsd: 5 } }]) {
      const { call, clock, models } = await open(budget, { timeZone, now });
      await call();
      await expect(call()).rejects.toMatchObject({ code: 'budget_reached' });
      clock.set(new Date(later));
      expect(await models.budgets()).toMatchObject([{ spentUsd: 0 }]);
      expect(await call()).toBe('from dear');
      expect((await models.usage('day')).map(({ group }) => group)).toEqual(['2026-11-30', '2026-12-01']);
      expect((await models.usage('month')).map(({ group }) => group)).toEqual(['2026-11', '2026-12']);
    }
  });

  test('of a job counts that job alone', async () => {
    const { call } = await open({});
    await call({ jobId: 'job_1', jobBudgetUsd: 5 });
    await expect(call({ jobId: 'job_1', jobBudgetUsd: 5 })).rejects.toMatchObject({ code: 'budget_reached' });
    expect(await call({ jobId: 'job_2', jobBudgetUsd: 5 })).toBe('from dear');
  });

  test('goes on with a cheaper model where that is wanted', async () => {
    const { call } = await open({ budget: { dayUsd: 5, action: 'cheaper' } });
    expect(await call()).toBe('from dear');
    expect(await call()).toBe('from cheap');
  });

  test('is only said where that is wanted', async () => {
    const { call, notices } = await open({ budget: { dayUsd: 5, action: 'warn' } });
    await call();
    expect(await call()).toBe('from dear');
    expect(notices).toEqual(['The budget for today is used up: 10.0000 of 5 USD.']);
  });
});

test('usage is summed by model, mode, project and job; an unknown price is counted apart', async () => {
  const { models, call } = await open({ more: ['cheap:c', 'odd:o'] });
  await call();
  await call({ mode: 'code_agent', project: 'boat', jobId: 'job_1' });
  await models.select('odd:o');
  await call();
  expect(await models.usage('model')).toMatchObject([
    { group: 'dear:d', calls: 2, costUsd: 20, unpricedCalls: 0, inputTokens: 20 },
    { group: 'odd:o', calls: 1, costUsd: 0, unpricedCalls: 1 },
  ]);
  expect((await models.usage('mode')).map(({ group, calls }) => [group, calls])).toEqual([
    ['classic_tools', 2],
    ['code_agent', 1],
  ]);
  expect((await models.usage('project')).map(({ group }) => group)).toEqual(expect.arrayContaining(['home', 'boat']));
  expect((await models.usage('job')).map(({ group }) => group)).toEqual(expect.arrayContaining(['job_1', '(no job)']));
  expect(await models.usage('day')).toMatchObject([{ group: '2026-11-20', calls: 3 }]);
  expect(await models.usage('model', new Date(2027, 0, 1))).toEqual([]);
});

describe('usage that cannot be saved at first', () => {
  const entry: UsageEntry = {
    project: 'home',
    mode: 'classic_tools',
    provider: 'dear',
    model: 'd',
    purpose: 'turn',
    turnId: 't1',
    inputTokens: 10,
    outputTokens: 5,
    cachedTokens: 0,
    costUsd: 10,
    latencyMs: 40,
    ok: true,
  };

  /** A usage table whose database can be made to fail. */
  async function openTable() {
    const store = await openTestStore();
    onTestFinished(() => store.close());
    const errors: string[] = [];
    const state = { full: false, lost: false };
    const transaction: Store['transaction'] = async (work) => {
      const done = await store.transaction(async () => {
        store.atEnd((committed) => {
          for (const act of ends.splice(0)) act(committed && !state.lost);
        });
        const result = await work();
        if (state.full) throw new Error('disk full');
        return result;
      });
      if (state.lost) throw new Error('Connection terminated unexpectedly');
      return done;
    };
    const ends: ((committed: boolean) => void)[] = [];
    const failing = new Proxy(withTransactions(store, transaction), {
      get: (target, name) => (name === 'atEnd' ? ends.push.bind(ends) : Reflect.get(target, name, target)),
    });
    const log = { ...silentLog, error: (what: string) => void errors.push(what) };
    const table = new UsageTable({ timeZone: 'UTC', store: failing, log, now: () => new Date() });
    return { table, store, state, errors };
  }

  test('is logged and saved with the next sum, each row once', async () => {
    const { table, state, errors } = await openTable();
    state.full = true;
    table.add(entry);
    await vi.waitFor(() => expect(errors).toEqual(['usage was not saved']));
    table.add(entry);
    state.full = false;
    expect(await table.sums('model')).toMatchObject([{ calls: 2, costUsd: 20 }]);
    expect(await table.spentBy('turn_id', 't1')).toBe(20);
  });

  test('is saved and taken over whole when there is more of it than one statement takes', async () => {
    const { table, store } = await openTable();
    for (let n = 0; n < 230; n++) table.add(entry);
    expect(await table.sums('model')).toMatchObject([{ calls: 230, costUsd: 2300 }]);
    const other = await openTable();
    await copyUsage(store, other.store);
    expect(await other.table.sums('model')).toMatchObject([{ calls: 230 }]);
  });

  test('is saved with what is saved next, and by itself where that is nothing', async () => {
    const { table, store } = await openTable();
    const saved = async () => (await store.read.selectFrom('usage').select('id').execute()).length;
    table.add(entry);
    expect(await saved()).toBe(0);
    await store.relaxed(async () => {});
    expect(await saved()).toBe(1);
    table.add(entry);
    await vi.waitFor(async () => expect(await saved()).toBe(2));
  });

  test('is not lost to a sum that fails, so no budget is forgotten', async () => {
    const { table, state } = await openTable();
    table.add(entry);
    state.full = true;
    await expect(() => table.spentSince(new Date(0))).rejects.toThrow('disk full');
    state.full = false;
    expect(await table.spentSince(new Date(0))).toBe(10);
  });

  test('is not counted twice when it was saved and only the answer was lost', async () => {
    const { table, state } = await openTable();
    table.add(entry);
    table.add({ ...entry, turnId: undefined, costUsd: 5 });
    state.lost = true;
    await expect(() => table.flush()).rejects.toThrow('terminated');
    table.add({ ...entry, costUsd: 1 });
    await expect(() => table.flush()).rejects.toThrow('terminated');
    state.lost = false;
    expect(await table.spentSince(new Date(0))).toBe(16);
  });
});

test('usage by mode counts each turn once, however many calls it took', async () => {
  const { models, call } = await open({});
  await call();
  await call();
  await call({ turnId: 't2', mode: 'code_agent' });
  expect(await models.usageByMode()).toMatchObject([
    { model: 'd', mode: 'classic_tools', turns: 1, inputTokens: 20, outputTokens: 10 },
    { model: 'd', mode: 'code_agent', turns: 1, inputTokens: 10 },
  ]);
  expect(await models.usageByMode(new Date(2027, 0, 1))).toEqual([]);
});
