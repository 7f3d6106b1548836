import { onTestFinished, vi } from 'vitest';
import type { Additions } from '../app/additions.ts';
import { doorCommands } from '../repl/door-commands.ts';
import { type AppOptions, openApp } from './app.ts';
import { BotApi, OWNER } from './bot-api.ts';
import { DiscordService } from './discord-service.ts';

/** On a free port of this machine, closed with the test. */
export async function startBotApi(): Promise<BotApi> {
  const api = await new BotApi().listen();
  onTestFinished(() => api.close());
  return api;
}

/** As long as a test may take, which is what ends one that fails, however busy the machine is. */
const PATIENCE_MS = 30_000;

/** Wait until a claim holds. */
export const eventually = (claim: () => void | Promise<void>) =>
  vi.waitFor(claim, { timeout: PATIENCE_MS, interval: 20 });

/** On a free port of this machine, closed with the test. */
export async function startDiscord(): Promise<DiscordService> {
  const api = await new DiscordService().listen();
  onTestFinished(() => api.close());
  return api;
}

/** What a world needs of a stand-in for a service. */
interface ChatService {
  /** The channel's id. */
  readonly channel: string;
  /** Account of the owner. */
  readonly owner: string;
  readonly env: Readonly<Record<string, string>>;
  /** The user with this account writes to the bot alone. */
  writeAs(user: string, text: string): unknown;
  saidTo(user: string): string[];
  /** Whether what is written now reaches a program. */
  isHeard(): boolean;
}

export interface ChatWorldOptions extends AppOptions {
  readonly additions?: Additions;
  /** The service; its own unless given. */
  readonly api?: BotApi;
  /** Whether the owner's account has been paired. */
  readonly paired?: boolean;
  readonly decidesAll?: boolean;
}

/** A program that receives on a bot, and its owner's phone. */
export async function chatWorld({ api: given, ...options }: ChatWorldOptions = {}) {
  const api = given ?? (await startBotApi());
  const world = await chatWorldOn(api, options);
  const pair = (from = OWNER, all = options.decidesAll ?? false) => world.pair(String(from), all);
  return { ...world, pair, said: (chat = OWNER) => heard(api.texts(chat)) };
}

/** As `chatWorld`, on any service. */
export async function chatWorldOn<Service extends ChatService>(
  api: Service,
  { paired = true, decidesAll = false, env = {}, ...options }: Omit<ChatWorldOptions, 'api'> = {},
) {
  const { app, home, model } = await openApp({ ...options, env: { ...api.env, ...env } });
  const open = () => app.doors.openChats({ commands: doorCommands(app), mode: 'classic_tools', project: 'home' });
  const { accounts } = app.schedule.notifier;
  const pair = async (from = api.owner, all = decidesAll) => {
    const { code } = await accounts.pair(api.channel, all);
    await eventually(() => {
      if (!api.isHeard()) throw new Error('nobody listens yet');
    });
    api.writeAs(from, code);
    await eventually(() => {
      if (!accounts.of(api.channel).some(({ account }) => account === from)) throw new Error('not paired yet');
    });
    await eventually(() => {
      if (!api.saidTo(from).some((text) => text.startsWith('Paired'))) throw new Error('not greeted yet');
    });
  };
  await open();
  if (paired) await pair();
  onTestFinished(() => app.close());
  /** What was said aloud to the owner alone since they were paired. */
  const said = () => heard(api.saidTo(api.owner));
  return { api, app, home, model, pair, said, open };
}

function heard(texts: readonly string[]): string[] {
  return texts.filter((text) => !text.startsWith('Paired'));
}
