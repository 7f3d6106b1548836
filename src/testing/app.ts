import { onTestFinished } from 'vitest';
import type { Additions } from '../app/additions.ts';
import { createApp } from '../app.ts';
import { loadSettings } from '../settings/settings.ts';
import { forgetMachineSettings, writeConfig } from './commands.ts';
import { temporaryFolder } from './home.ts';
import { type Scripted, ScriptedModel } from './scripted-model.ts';

export interface AppOptions {
  readonly home?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The contents of config/local.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the only model says; the built-in model answers unless given. */
  readonly replies?: readonly Scripted[];
  readonly additions?: Additions;
}

/** A whole program on a home of its own, in a file; no network, no local server. Closed with the test. */
export async function openApp({
  home = temporaryFolder(),
  env = {},
  config,
  replies,
  additions = {},
}: AppOptions = {}) {
  forgetMachineSettings();
  writeConfig(home, { ...config, ...(replies && { models: { use: 'scripted:test' } }) });
  const announced: string[] = [];
  const settings = loadSettings(home, { ...env }, { alone: true });
  const frontend = { announce: (text: string) => void announced.push(text), verbose: false };
  const app = await createApp(settings, frontend, additions);
  onTestFinished(() => app.close());
  const model = new ScriptedModel(replies ?? []);
  if (replies) app.models.registerProvider('scripted', async () => model);
  return { app, home, settings, announced, model };
}
