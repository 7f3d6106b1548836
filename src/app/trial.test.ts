import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../app.ts';
import type { App, Frontend } from '../face/app.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { testContext } from '../testing/agent.ts';
import { forgetMachineSettings, writeConfig } from '../testing/commands.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type Scripted, ScriptedModel } from '../testing/scripted-model.ts';
import { sqlAll } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { openTrial } from './trial.ts';

const NEVER = new AbortController().signal;

interface Given {
  readonly replies?: readonly Scripted[];
  readonly budgetUsd?: number;
  /** The owner's budgets: the limit and how much is spent. */
  readonly budgets?: readonly (readonly [number, number])[];
  readonly env?: NodeJS.ProcessEnv;
  readonly fails?: Error;
}

/** A trial of a home whose only model replies from a script, and the program that it runs in. */
async function open({ replies = [], budgetUsd, budgets = [], env = {}, fails }: Given = {}) {
  forgetMachineSettings();
  const home = temporaryFolder();
  writeConfig(home, { models: { use: 'scripted:test' } });
  const settings = loadSettings(home, env, { alone: true });
  const store = await openTestStore();
  const model = new ScriptedModel(replies);
  const seen: { settings: Settings; app: App; frontend: Frontend }[] = [];
  const trial = await openTrial(budgetUsd, {
    ...{ settings, store },
    models: {
      budgets: async () => budgets.map(([limitUsd, spentUsd]) => ({ period: 'day', limitUsd, spentUsd }) as never),
    },
    createApp: async (own, frontend) => {
      const app = await createApp(own, frontend);
      app.models.registerProvider('scripted', async () => model);
      seen.push({ settings: own, app, frontend });
      if (!fails) return app;
      await app.close();
      throw fails;
    },
  });
  onTestFinished(() => trial.close().catch(() => {}));
  const [opened] = seen as [(typeof seen)[number]];
  const ask = (text: string) =>
    trial.runTurn({ id: 'turn_1', conversationId: 'conv_1', text, mode: 'classic_tools' }, testContext());
  return { ...opened, trial, home, owner: settings, store, model, ask };
}

const found = (app: App) => app.knowledge.documents.search('home', 'when do the tulips bloom?', { k: 3 });

const trials = () => readdirSync(tmpdir()).filter((name) => name.startsWith('wooster-trial-'));

test('a turn has the models of the home, on an empty home of its own', async () => {
  const { trial, app, home, ask, model } = await open({ replies: ['Nothing is noted.'] });
  expect(await ask('What is noted?')).toMatchObject({ text: 'Nothing is noted.', stop: 'answered' });
  expect(model.requests).toHaveLength(1);
  expect(basename(app.home.dir)).toMatch(/^wooster-trial-/u);
  expect(trial).toMatchObject({
    project: 'home',
    timeZone: app.home.timeZone,
    folder: app.knowledge.projects.folder('home'),
  });
  expect(trial.folder.startsWith(app.home.dir)).toBe(true);
  expect(existsSync(trial.folder)).toBe(true);
  const [turn] = await sqlAll(app.store, 'SELECT * FROM turns');
  expect(turn).toMatchObject({ id: 'turn_1', origin: 'cli', mode: 'classic_tools', text: 'What is noted?' });
  const [conversation] = await sqlAll(app.store, 'SELECT * FROM conversations');
  expect(conversation).toMatchObject({ id: 'conv_1', project: 'home' });
  expect(existsSync(join(home, 'state'))).toBe(false);
});

test('an installed model is one of the models of the home', async () => {
  const { settings, owner } = await open();
  const { models, engines, ...own } = owner.home;
  expect(settings.home).toMatchObject({ models, engines });
  expect(settings.home.database).not.toBe(own.database);
});

test('a model that is away fails its task, whatever the built-in assistant could do', async () => {
  const away = () => {
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  };
  const { ask } = await open({ replies: [away, away] });
  expect(await ask('note that the boiler was serviced')).toMatchObject({ text: '', stop: 'failed' });
});

test('it reaches nobody: it has neither channels, nor plugins of the owner, nor a voice', async () => {
  const env = { DISCORD_WEBHOOK_URL: 'https://discord.com/api/webhooks/1/secret', WOOSTER_HOME_ID: 'mine' };
  const { settings, owner, frontend } = await open({ env });
  const none = loadSettings(temporaryFolder(), {}, { alone: true });
  expect(owner.channels).not.toEqual(none.channels);
  expect(settings).toMatchObject({ channels: none.channels, plugins: none.plugins, bundled: none.bundled });
  expect(settings.shared).toEqual(none.shared);
  expect(settings.agent).toBe(owner.agent);
  expect(frontend.verbose).toBe(false);
  expect(frontend.announce('hello')).toBeUndefined();
});

test.each<[string, Given, object]>([
  ['no limit', {}, { dayUsd: undefined, action: 'cheaper' }],
  ['what it was given', { budgetUsd: 0.5 }, { dayUsd: 0.5, action: 'stop' }],
  ['what is left of the day', { budgets: [[2, 1.25]] }, { dayUsd: 0.75, action: 'stop' }],
  [
    'the least of all',
    {
      budgets: [
        [2, 1.25],
        [9, 8.5],
      ],
      budgetUsd: 0.6,
    },
    { dayUsd: 0.5, action: 'stop' },
  ],
  ['nothing, where more was spent than there is', { budgets: [[2, 3]], budgetUsd: 1 }, { dayUsd: 0, action: 'stop' }],
])('it may spend %s', async (_, given, expected) => {
  const env = { BUDGET_TURN_USD: '0.3', BUDGET_DAY_USD: '7', BUDGET_MONTH_USD: '70', BUDGET_ACTION: 'cheaper' };
  const { settings, owner } = await open({ ...given, env });
  expect(settings.models.budget).toEqual({ turnUsd: 0.3, monthUsd: undefined, ...expected });
  expect({ ...settings.models, budget: undefined }).toEqual({ ...owner.models, budget: undefined });
});

test('files of the project are found once they are in the index', async () => {
  const { trial, app } = await open();
  writeFileSync(join(trial.folder, 'garden.md'), '# Garden\n\nThe tulips bloom in April.\n');
  const ingest = vi.spyOn(app.knowledge.documents, 'ingest');
  await trial.ingest(NEVER);
  expect(ingest.mock.calls).toEqual([['home', [trial.folder], { signal: NEVER }]]);
  expect(await found(app)).toEqual([
    expect.objectContaining({ text: expect.stringContaining('tulips bloom in April') }),
  ]);
});

test('what a turn has scheduled is told with its time', async () => {
  const { trial, app } = await open();
  expect(await trial.schedules()).toEqual([]);
  const job = { project: 'home', untrusted: false, options: {} };
  await app.schedule.jobs.add({ when: '2099-05-06T07:08:00Z', prompt: 'water the tulips', ...job });
  await app.schedule.jobs.add({ when: '2099-05-06T07:08:00Z', prompt: 'of another project', ...job, project: 'other' });
  expect(await trial.schedules()).toEqual([{ text: 'water the tulips', next: new Date('2099-05-06T07:08:00Z') }]);
});

test('what it spent counts in the home, and nothing else is left of it', async () => {
  const { trial, app, store, ask } = await open({ replies: ['Yes.'] });
  await ask('Are you there?');
  await trial.close();
  const used = await sqlAll(store, 'SELECT turn_id, provider, model, input_tokens FROM usage');
  expect(used).toEqual([{ turn_id: 'turn_1', provider: 'scripted', model: 'test', input_tokens: 10 }]);
  expect(await sqlAll(store, 'SELECT * FROM turns')).toEqual([]);
  expect(existsSync(app.home.dir)).toBe(false);
  await expect(app.schedule.jobs.list('home')).rejects.toThrow();
});

test('when what it spent cannot be counted, nothing is left of it either', async () => {
  const { trial, app, store, ask } = await open({ replies: ['Yes.'] });
  await ask('Are you there?');
  await store.close();
  await expect(trial.close()).rejects.toThrow();
  expect(existsSync(app.home.dir)).toBe(false);
  await expect(app.schedule.jobs.list('home')).rejects.toThrow();
});

test('a program that does not open leaves no folder behind', async () => {
  const before = trials();
  await expect(open({ fails: new Error('no sandbox') })).rejects.toThrow('no sandbox');
  expect(trials().filter((name) => !before.includes(name))).toEqual([]);
});
