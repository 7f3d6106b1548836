import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApp } from '../../testing/app.ts';
import type { ScriptedReply } from '../../testing/scripted-model.ts';
import { defineTool } from '../../tools/tool.ts';

interface Report {
  status: unknown;
  load: unknown;
  due: unknown;
  items: unknown;
  [more: string]: unknown;
}

const DAY_MS = 86_400_000;
const day = (nth: number): Report => ({
  status: 'up',
  load: [20, 30, 25, 40, 35][nth % 5],
  due: new Date(Date.now() + (nth % 5) * DAY_MS).toISOString(),
  items: [{ name: `Item ${['one', 'two', 'three', 'four', 'five'][nth % 5]}`, amount: 100 + nth * 7 }],
});

/** What there is to read, and what was done. `fails` names a tool that does not work. */
class World {
  report = day(0);
  after = day(0);
  fails: string | undefined;
  readonly done: string[] = [];

  readonly tools = [
    this.#read('site_report', () => this.report),
    this.#read('site_state', () => this.after),
    defineTool({
      name: 'log_entry',
      description: 'Write an entry into the log.',
      positional: ['text'],
      input: z.object({ text: z.string() }),
      policy: { effect: 'local', change: 'append' },
      provenance: { readsFrom: [] },
      execute: ({ text }) => {
        if (this.fails === 'log_entry' && this.done.length > 0) throw new Error('the log is full');
        this.done.push(text);
        return 'Written.';
      },
    }),
  ];

  #read(name: string, value: () => unknown) {
    return defineTool({
      name,
      description: 'Read how the site is.',
      input: z.object({}),
      policy: { effect: 'none' },
      provenance: { readsFrom: [] },
      execute: () => {
        if (this.fails === name) throw new Error('it is away');
        return value();
      },
    });
  }
}

/** A model that does the job: what is up is logged, item by item, anything else is an alarm. */
function model(messages: readonly BaseMessage[]): ScriptedReply {
  const since = messages.slice(messages.findLastIndex((each) => each instanceof HumanMessage));
  const results = since.filter((each) => each instanceof ToolMessage).map(({ text }) => text);
  const call = (name: string, args = {}) => ({ toolCalls: [{ name, args }] });
  const logged = () =>
    since.filter((each) => each instanceof AIMessage && each.tool_calls?.[0]?.name === 'log_entry').length;
  const [first, , state] = results;
  if (first === undefined) return call('site_report');
  if (logged() === 0) return call('log_entry', { text: entry('Before', first) });
  if (results.length === 2) return call('site_state');
  if (logged() === 1) return call('log_entry', { text: entry('After', state ?? '') });
  return { text: 'Logged.' };
}

function entry(when: string, text: string): string {
  try {
    const { status, load, items } = JSON.parse(text) as Report;
    const [{ name, amount }] = items as [{ name: string; amount: number }];
    if (status === 'up' && Number(load) < 90) return `${when}: ${name} at ${amount}`;
  } catch {
    // An alarm, too.
  }
  return `${when}: alarm`;
}

type Kind = readonly [kind: string, change: (report: Report, nth: number) => Report];

const without = (report: Report, field: string) =>
  Object.fromEntries(Object.entries(report).filter(([name]) => name !== field)) as Report;
const inDays = (days = 0) => new Date(Date.now() + days * DAY_MS).toISOString();

/** What becomes of a result, in three ways each. */
const KINDS: readonly Kind[] = [
  ['a text that decides is another', (report, nth) => ({ ...report, status: ['down', 'UP', ''][nth] })],
  ['a value is of another kind', (report, nth) => ({ ...report, status: [null, 1, ['up']][nth] })],
  ['a field is gone', (report, nth) => without(report, ['status', 'load', 'due'][nth] ?? '')],
  ['a field is new', (report, nth) => ({ ...report, [['alarm', 'note', 'error'][nth] ?? '']: 'fire' })],
  ['a number was never so high or low', (report, nth) => ({ ...report, load: [95, -1, 1e9][nth] })],
  ['a time was never so far away', (report, nth) => ({ ...report, due: inDays([-9, 90, 900][nth]) })],
  ['a list is empty', (report) => ({ ...report, items: [] })],
  ['a list is something else', (report, nth) => ({ ...report, items: [null, 'none', { name: 'x' }][nth] })],
];

async function frozen() {
  const world = new World();
  const { app } = await openApp({
    replies: Array.from({ length: 900 }, () => model),
    additions: { tools: world.tools },
  });
  const { jobs, notifier } = app.schedule;
  const freezer = await app.schedule.freezer();
  const job = await jobs.add({ when: 'every day at 8', prompt: 'log the site', project: 'home', untrusted: false });
  const once = async () => {
    world.done.length = 0;
    return jobs.runNow(job.id);
  };
  for (const nth of [0, 1, 2, 3, 4]) {
    [world.report, world.after] = [day(nth), day(nth + 2)];
    await once();
  }
  const proposal = await freezer.propose(job.id, new AbortController().signal);
  const told = async () => (await app.store.db.selectFrom('notices').select('text').execute()).map(({ text }) => text);
  const state = () => freezer.stateOf(job.id, new AbortController().signal);
  /** As it was on the day on which it was frozen. */
  const anew = async () => {
    [world.report, world.after, world.fails] = [day(1), day(3), undefined];
    await freezer.freeze(job.id, proposal);
  };
  return { world, app, job, once, told, state, anew, proposal, notifier };
}

const USUAL = ['Before: Item two at 107', 'After: Item four at 121'];

test('24 results that differ: before it has acted a model does the run, after it the run stops, and the owner is told', {
  timeout: 240_000,
}, async () => {
  const { world, once, told, state, anew } = await frozen();
  await anew();
  expect(await once()).toMatchObject({ state: 'succeeded', costUsd: 0 });
  expect(world.done).toEqual(USUAL);
  for (const [kind, change] of KINDS)
    for (const nth of [0, 1, 2]) {
      await anew();
      const isBefore = nth < 2;
      if (isBefore) world.report = change(world.report, nth);
      else world.after = change(world.after, nth);
      const before = (await told()).length;
      const run = await once();
      const byModel = [entry('Before', JSON.stringify(world.report)), USUAL[1]];
      expect([kind, nth, run.state, world.done]).toEqual([
        ...[kind, nth, isBefore ? 'succeeded' : 'failed'],
        isBefore ? byModel : [USUAL[0]],
      ]);
      expect((await told()).slice(before).join()).toContain(isBefore ? 'site_report' : 'site_state');
      expect(await state()).toMatchObject({ state: 'frozen', job: { deviations: 1 } });
    }
});

describe('what fails', { timeout: 240_000 }, () => {
  test('a call that reads and fails is a deviation, and so is one that acts; two of them end it', async () => {
    const { world, once, told, state, anew } = await frozen();
    await anew();
    world.fails = 'site_report';
    expect(await once()).toMatchObject({ state: 'succeeded' });
    expect(world.done).toEqual(['Before: alarm', USUAL[1]]);
    await anew();
    for (const fails of ['site_state', 'log_entry']) {
      await anew();
      world.fails = fails;
      const run = await once();
      expect([run.state, world.done]).toEqual(['failed', [USUAL[0]]]);
      expect(run.error).toContain('By then this had been done:\n- log_entry {"text":"Before: Item two at 107"}');
      expect((await told()).at(-1)).toContain('By then this had been done');
    }
    expect(await state()).toMatchObject({ state: 'frozen' });
    world.fails = undefined;
    // The next run is a model's, which reads what was done; then the program goes on.
    expect(await once()).toMatchObject({ state: 'succeeded' });
    world.report = { ...world.report, status: 'down' };
    await once();
    expect(await state()).toMatchObject({ state: 'thawed', job: { why: '2 of its runs did not fit' } });
    expect((await told()).join()).toContain('is run by a model again: 2 of its runs did not fit');
  });

  test('a call that was not approved is not made: another tool, or one more that acts', async () => {
    const { world, app, job, once, anew, proposal } = await frozen();
    const { frozen: approved } = proposal;
    await anew();
    const allowed = { ...approved.allowed, tools: ['site_report', 'site_state'] };
    await (await app.schedule.freezer()).freeze(job.id, { ...proposal, frozen: { ...approved, allowed } });
    expect(await once()).toMatchObject({ state: 'succeeded' });
    // By the model.
    expect(world.done).toEqual(USUAL);
    await (await app.schedule.freezer()).freeze(job.id, { ...proposal, frozen: { ...approved, mostEffects: 1 } });
    expect(await once()).toMatchObject({ state: 'failed', error: expect.stringContaining('never more than 1') });
    expect(world.done).toEqual([USUAL[0]]);
  });

  test('a tool that declares something else ends it before anything runs', async () => {
    const { world, once, told, state, anew } = await frozen();
    await anew();
    Object.assign(world.tools[1] ?? {}, { description: 'Read how another site is.' });
    await once();
    expect(world.done).toEqual(USUAL);
    expect(await state()).toMatchObject({
      state: 'thawed',
      job: { why: 'the tool site_state is not what it was', runs: 0 },
    });
    expect((await told()).join()).toContain('the tool site_state is not what it was');
  });

  test('once a month a model does one run; where it does otherwise, the job is its own again', async () => {
    const { world, app, job, once, state, anew } = await frozen();
    await anew();
    const monthAgo = async () => {
      const frozen_at = new Date(Date.now() - 31 * DAY_MS).toISOString();
      await app.store.transaction(() =>
        app.store.db.updateTable('frozen_jobs').set({ audited_at: frozen_at }).execute(),
      );
    };
    await monthAgo();
    expect((await once()).costUsd).not.toBe(0);
    expect(await state()).toMatchObject({ state: 'frozen', job: { runs: 0 } });
    expect((await once()).costUsd).toBe(0);
    expect(await state()).toMatchObject({ state: 'frozen', job: { runs: 1 } });
    await monthAgo();
    world.report = { ...world.report, status: 'down' };
    await once();
    expect(await state()).toMatchObject({
      state: 'thawed',
      job: { jobId: job.id, why: expect.stringMatching(/^a model does it otherwise now/u) },
    });
  });
});
