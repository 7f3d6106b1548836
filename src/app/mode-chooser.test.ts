import { expect, test } from 'vitest';
import { TurnCounts } from '../agent/code/mode-stats.ts';
import { silentLog } from '../base/log.ts';
import type { Mode } from '../base/turn.ts';
import type { TaskRun } from '../evals/evaluate.ts';
import { evalsDir, saveResults } from '../evals/results.ts';
import type { CandidateStatus } from '../models/types.ts';
import { UsageTable } from '../models/usage-table.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';
import { modeChooser } from './agent.ts';

const NOW = new Date('2026-11-20T11:00:00Z');
const TOO_LITTLE = 'too little is known of its scripts; "wooster eval" tries both modes';

/** Five attempts at a task, either all right or all wrong. */
function runs(model: string, mode: Mode, ok: boolean, { inputTokens = 90, outputTokens = 10 } = {}): TaskRun[] {
  const run = { task: 'a', failed: [], requests: 1, costUsd: 0, ms: 1, retries: 0, inputTokens, outputTokens };
  return Array.from({ length: 5 }, () => ({ ...run, model, mode, ok }));
}

const both = (model: string, better: Mode) => [
  ...runs(model, 'classic_tools', better === 'classic_tools'),
  ...runs(model, 'code_agent', better === 'code_agent'),
];

/** A home with models of these names, the first of them used first. */
async function home(...names: readonly string[]) {
  const dir = temporaryFolder();
  const store = await openTestStore();
  const usage = new UsageTable({ store, now: () => NOW, log: silentLog, timeZone: 'UTC' });
  const candidates = names.map((name) => ({ name }) as CandidateStatus);
  const models = { candidates: async () => candidates, usageByMode: () => usage.byMode() };
  return {
    choose: modeChooser(dir, { models, store }),
    tried: (day: number, all: readonly TaskRun[]) =>
      saveResults(evalsDir(dir), { at: `2026-11-0${day}T10:00:00.000Z`, runs: all }),
    /** A turn that used this model, with this many scripts, all of them clean. */
    async used(model: string, mode: Mode, replies: number, { fellBack = false, clean = replies } = {}) {
      const turnId = `turn_${model}_${mode}_${replies}`;
      const tokens = { inputTokens: 9, outputTokens: 1, cachedTokens: 0 };
      const about = { project: 'home', provider: 'p', purpose: 'turn', costUsd: 0, latencyMs: 1, ok: true };
      usage.add({ ...tokens, ...about, turnId, mode, model });
      await Object.assign(new TurnCounts(), { replies, clean }).save(store, { turnId, model, fellBack }, NOW);
    },
  };
}

test('of a model that nobody tried, too little is known', async () => {
  const { choose } = await home('small');
  expect(await choose()).toEqual({ model: 'small', mode: 'classic_tools', why: TOO_LITTLE });
});

test('where there is no model, none is named', async () => {
  const { choose } = await home();
  expect(await choose()).toEqual({ model: 'none', mode: 'classic_tools', why: TOO_LITTLE });
});

test('the mode is that of the tasks that the first model was tried with last', async () => {
  const { choose, tried } = await home('small', 'large');
  await tried(1, both('small', 'classic_tools'));
  await tried(2, [...both('large', 'classic_tools'), ...both('small', 'code_agent')]);
  await tried(3, both('large', 'classic_tools'));
  const why = 'it did 5 of 5 tasks, and 0 of 5 tasks in classic_tools';
  expect(await choose()).toEqual({ model: 'small', mode: 'code_agent', why });
});

test.each<[Mode, number, number]>([
  ['classic_tools', 20, 10],
  ['code_agent', 10, 20],
])('of two modes that do equally well, %s is taken where it takes fewer tokens', async (mode, code, classic) => {
  const { choose, tried } = await home('small');
  // The better mode costs the same or more; both its quality and its cost count.
  await tried(1, [
    ...runs('small', 'code_agent', true, { inputTokens: 5, outputTokens: code }),
    ...runs('small', 'classic_tools', true, { inputTokens: 6, outputTokens: classic }),
  ]);
  expect(await choose()).toMatchObject({ mode });
});

test('what was tried with another model says nothing', async () => {
  const { choose, tried } = await home('small');
  await tried(1, both('large', 'code_agent'));
  expect(await choose()).toEqual({ model: 'small', mode: 'classic_tools', why: TOO_LITTLE });
});

test.each(['small', 'provider:small'])('without tries, its scripts so far say it, counted as of %s', async (name) => {
  const { choose, used } = await home('small');
  await used('provider:large', 'code_agent', 300, { clean: 0 });
  await used(name, 'classic_tools', 0);
  await used(name, 'code_agent', 20, { clean: 19 });
  const why = '19 of 20 scripts came as asked, 0 of 1 turns fell back';
  expect(await choose()).toEqual({ model: 'small', mode: 'code_agent', why });
});

test('scripts of a turn that fell back count against it', async () => {
  const { choose, used } = await home('small');
  await used('small', 'code_agent', 30, { fellBack: true });
  const why = '30 of 30 scripts came as asked, 1 of 1 turns fell back';
  expect(await choose()).toEqual({ model: 'small', mode: 'classic_tools', why });
});

test.each(['very-small', 'small:large', 'small-2'])('the scripts of %s are not those of small', async (name) => {
  const { choose, used } = await home('small');
  await used(name, 'code_agent', 30);
  expect(await choose()).toMatchObject({ why: TOO_LITTLE });
});

test('of a model that answers without scripts, none are counted', async () => {
  const { choose, used } = await home('small');
  await used('small', 'classic_tools', 30);
  expect(await choose()).toMatchObject({ why: TOO_LITTLE });
});
