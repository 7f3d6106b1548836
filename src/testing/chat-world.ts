import { onTestFinished, vi } from 'vitest';
import type { Additions } from '../app/additions.ts';
import { doorCommands } from '../repl/door-commands.ts';
import { type AppOptions, openApp } from './app.ts';
import { BOT_TOKEN, BotApi, OWNER } from './bot-api.ts';

/** On a free port of this machine, closed with the test. */
export async function startBotApi(): Promise<BotApi> {
  const api = await new BotApi().listen();
  onTestFinished(() => api.close());
  return api;
}

/** Far above what anything takes here: it only ends a test that fails. */
const PATIENCE_MS = 20_000;

/** Wait until a claim holds. */
export const eventually = (claim: () => void | Promise<void>) =>
  vi.waitFor(claim, { timeout: PATIENCE_MS, interval: 20 });

export interface ChatWorldOptions extends AppOptions {
  readonly additions?: Additions;
  /** The service; its own unless given. */
  readonly api?: BotApi;
  /** Whether the owner's account has been paired. */
  readonly paired?: boolean;
  readonly decidesAll?: boolean;
}

/** A program that receives on a bot, and its owner's phone. */
export async function chatWorld({
  api: given,
  paired = true,
  decidesAll = false,
  env = {},
  ...options
}: ChatWorldOptions = {}) {
  const api = given ?? (await startBotApi());
  const { app, home, model } = await openApp({
    ...options,
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: api.origin, ...env },
  });
  const open = () => app.doors.openChats({ commands: doorCommands(app), mode: 'classic_tools', project: 'home' });
  const { accounts } = app.schedule.notifier;
  const pair = async (from = OWNER, all = decidesAll) => {
    const { code } = await accounts.pair('telegram', all);
    api.write(code, { from });
    await eventually(() => {
      if (!accounts.of('telegram').some(({ account }) => account === String(from))) throw new Error('not paired yet');
    });
    await eventually(() => {
      if (!api.texts(from).some((text) => text.startsWith('Paired'))) throw new Error('not greeted yet');
    });
  };
  await open();
  if (paired) await pair();
  onTestFinished(() => app.close());
  /** What was said aloud in the chat since it was paired. */
  const said = (chat = OWNER) => api.texts(chat).filter((text) => !text.startsWith('Paired'));
  return { api, app, home, model, pair, said, open };
}
