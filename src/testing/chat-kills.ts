import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '../store/store.ts';
import { BOT_TOKEN, BotApi, OWNER } from './bot-api.ts';
import { dmOf } from './discord-forms.ts';
import { DiscordService } from './discord-service.ts';
import { SIGNAL_NUMBER, SIGNAL_OWNER, SignalDaemonServer } from './signal-daemon.ts';

const CHILD = fileURLToPath(new URL('chat-child.ts', import.meta.url));
/** Of a message from its arrival to the end of its answer, with all that happens beside it. */
const WRITES = 72;
const REPEATED = '(may be repeated) ';

/** What became of the messages of a bench. */
export interface ChatKills {
  /** The programs that died at their write; the others were killed once they had answered. */
  readonly atWrite: number;
  /** Messages without an answer, and those whose effect was done more than once. */
  readonly lost: readonly number[];
  readonly doubledEffects: readonly number[];
  /** Messages answered more than once, and those of them whose repetition is not marked as one. */
  readonly doubledReplies: readonly number[];
  readonly unmarked: readonly number[];
}

/**
 * Kill a program again and again while it answers one message after another: each at another of its writes, from the
 * first to the 72nd. The next program finds what it left behind.
 */
export async function chatKills(
  home: string,
  points: number,
  signal: AbortSignal,
  open: () => Promise<KilledService> = telegramService,
): Promise<ChatKills> {
  const api = await open();
  try {
    await prepareHome(home, api);
    if (api.isHeard) await hearOnce(home, api, signal);
    let atWrite = 0;
    for (let point = 1; point <= points; point += 1) {
      api.write(`keep ${point}`);
      const child = start(home, api, Math.ceil((point * WRITES) / points));
      const ended = once(child, 'exit').then(() => true);
      if (await Promise.race([ended, answered(api, [point], signal).then(() => false)])) atWrite += 1;
      else child.kill('SIGKILL');
      await ended;
    }
    const all = Array.from({ length: points }, (_, index) => index + 1);
    const last = start(home, api, 0);
    await answered(api, all, signal);
    last.kill('SIGKILL');
    await once(last, 'exit');
    return { atWrite, ...judged(home, api, all) };
  } finally {
    api.close();
  }
}

/** A channel's service, and its owner's account there. */
export interface KilledService {
  readonly channel: string;
  readonly account: string;
  /** The chat of the owner's own, where it is not called as they are. */
  readonly chat?: string;
  readonly env: Readonly<Record<string, string>>;
  write(text: string): void;
  texts(): readonly string[];
  /** Whether a program listens, where nothing is kept for one that never has. */
  isHeard?(): boolean;
  close(): void;
}

export async function telegramService(): Promise<KilledService> {
  const api = await new BotApi().listen();
  return {
    ...{ channel: 'telegram', account: String(OWNER) },
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: api.origin },
    ...{ write: (text) => void api.write(text), texts: () => api.texts(), close: () => api.close() },
  };
}

/** A gateway whose sessions go on. */
export async function discordService(): Promise<KilledService> {
  const api = await new DiscordService().listen();
  return {
    ...{ channel: api.channel, account: api.owner, chat: dmOf(api.owner), env: api.env },
    ...{ write: (text) => void api.write(text), texts: () => api.texts() },
    ...{ isHeard: () => api.isHeard(), close: () => api.close() },
  };
}

/** A daemon that gives again what came while nobody listened. */
export async function signalService(): Promise<KilledService> {
  const daemon = await new SignalDaemonServer().listen();
  return {
    ...{ channel: 'signal', account: SIGNAL_OWNER },
    env: { SIGNAL_CLI_NUMBER: SIGNAL_NUMBER, SIGNAL_DAEMON_URL: daemon.origin },
    ...{ write: (text) => void daemon.write(text), texts: () => daemon.texts(), close: () => daemon.close() },
  };
}

/** An owner who is paired. */
async function prepareHome(home: string, { channel, account, chat = account }: KilledService): Promise<void> {
  mkdirSync(join(home, 'config'), { recursive: true });
  mkdirSync(join(home, 'state'), { recursive: true });
  writeFileSync(join(home, 'config', 'local.json'), JSON.stringify({ models: { use: 'scripted:test' } }));
  const store = await openStore({ kind: 'sqlite', path: join(home, 'state', 'wooster.sqlite3') });
  await store.db
    .insertInto('chat_accounts')
    .values({ channel, account, chat, decides_all: 0, paired_at: new Date().toISOString() })
    .execute();
  await store.close();
}

/** Their owner was heard before. */
async function hearOnce(home: string, api: KilledService, signal: AbortSignal): Promise<void> {
  const child = start(home, api, 0);
  while (!api.isHeard?.()) await sleep(50, undefined, { signal });
  api.write('keep 0');
  await answered(api, [0], signal);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function start(home: string, api: KilledService, write: number): ChildProcess {
  const env = { PATH: process.env.PATH, ...api.env };
  const args = ['--disable-warning=ExperimentalWarning', CHILD, home, String(write)];
  return spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Wait until each of them is. @throws the signal's reason. */
async function answered(api: KilledService, numbers: readonly number[], signal: AbortSignal): Promise<void> {
  while (!numbers.every((number) => repliesTo(api, number).length > 0)) await sleep(50, undefined, { signal });
}

/** The answers to one message, which name its number. */
function repliesTo(api: KilledService, number: number): readonly string[] {
  return api.texts().filter((text) => new RegExp(`kept ${number}\\b`, 'u').test(text));
}

function judged(home: string, api: KilledService, numbers: readonly number[]): Omit<ChatKills, 'atWrite'> {
  const path = join(home, 'kept');
  const kept = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const effects = (number: number) => kept.filter((line) => line === String(number)).length;
  const doubledReplies = numbers.filter((number) => repliesTo(api, number).length > 1);
  return {
    lost: numbers.filter((number) => repliesTo(api, number).length === 0),
    doubledEffects: numbers.filter((number) => effects(number) > 1),
    doubledReplies,
    unmarked: doubledReplies.filter((number) => {
      const [, ...again] = repliesTo(api, number);
      return again.some((text) => !text.startsWith(REPEATED));
    }),
  };
}
