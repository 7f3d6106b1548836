import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Trial } from '../evals/evaluate.ts';
import type { App } from '../face/app.ts';
import type { ModelControl } from '../models/types.ts';
import { copyUsage } from '../models/usage-table.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import type { CreateApp } from './additions.ts';

const PROJECT = 'home';

export interface TrialDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly models: Pick<ModelControl, 'budgets'>;
  readonly createApp: CreateApp;
}

/** Open the program on an empty home. It has no channels and no plugins: a trial must not reach anybody. */
export async function openTrial(budgetUsd: number | undefined, deps: TrialDeps): Promise<Trial> {
  const left = (await deps.models.budgets()).map(({ limitUsd, spentUsd }) => Math.max(0, limitUsd - spentUsd));
  const limits = budgetUsd === undefined ? left : [...left, budgetUsd];
  const dayUsd = limits.length === 0 ? undefined : Math.min(...limits);
  const dir = mkdtempSync(join(tmpdir(), 'wooster-trial-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const settings = trialSettings(deps.settings, dir, dayUsd);
    return trialOn(await deps.createApp(settings, { announce: () => {}, verbose: false }), deps.store, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

/** @param kept  where spending is counted. */
function trialOn(app: App, kept: Store, remove: () => void): Trial {
  const folder = app.knowledge.projects.folder(PROJECT);
  mkdirSync(folder, { recursive: true });
  return {
    project: PROJECT,
    folder,
    timeZone: app.home.timeZone,
    // What is tried is the model.
    runTurn: (turn, context) =>
      app.turns.run({ ...turn, project: PROJECT, origin: 'cli' }, context, { standIn: false }),
    ingest: async (signal) => {
      await app.knowledge.documents.ingest(PROJECT, [folder], { signal });
    },
    schedules: async () => (await app.schedule.jobs.list(PROJECT)).map(({ prompt, next }) => ({ text: prompt, next })),
    async close() {
      try {
        // Sums are computed from saved rows, so save the pending ones first.
        await app.models.usage('model');
        await copyUsage(app.store, kept);
      } finally {
        await app.close();
        remove();
      }
    },
  };
}

/** This home's models, and an empty home's other settings. The daily budget is what is left of this home's. */
function trialSettings(settings: Settings, dir: string, dayUsd: number | undefined): Settings {
  const { shared, channels, bundled, plugins, home } = loadSettings(dir, {}, { alone: true });
  const { models } = settings;
  const { turnUsd, action } = models.budget;
  const budget = { turnUsd, dayUsd, monthUsd: undefined, action: dayUsd === undefined ? action : ('stop' as const) };
  // What is installed is a model of this home as well.
  const own = { ...home, models: settings.home.models, engines: settings.home.engines };
  return { ...settings, shared, channels, bundled, plugins, home: own, models: { ...models, budget } };
}
