import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '../store/store.ts';
import { BOT_TOKEN, BotApi, OWNER } from './bot-api.ts';

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
export async function chatKills(home: string, points: number, signal: AbortSignal): Promise<ChatKills> {
  const api = await new BotApi().listen();
  try {
    await prepareHome(home);
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

/** An owner who is paired. */
async function prepareHome(home: string): Promise<void> {
  mkdirSync(join(home, 'config'), { recursive: true });
  mkdirSync(join(home, 'state'), { recursive: true });
  writeFileSync(join(home, 'config', 'local.json'), JSON.stringify({ models: { use: 'scripted:test' } }));
  const store = await openStore({ kind: 'sqlite', path: join(home, 'state', 'wooster.sqlite3') });
  const account = { channel: 'telegram', account: String(OWNER), chat: String(OWNER), decides_all: 0 };
  await store.db
    .insertInto('chat_accounts')
    .values({ ...account, paired_at: new Date().toISOString() })
    .execute();
  await store.close();
}

function start(home: string, api: BotApi, write: number): ChildProcess {
  const env = { PATH: process.env.PATH, TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: api.origin };
  const args = ['--disable-warning=ExperimentalWarning', CHILD, home, String(write)];
  return spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Wait until each of them is. @throws the signal's reason. */
async function answered(api: BotApi, numbers: readonly number[], signal: AbortSignal): Promise<void> {
  while (!numbers.every((number) => repliesTo(api, number).length > 0)) await sleep(50, undefined, { signal });
}

/** The answers to one message, which name its number. */
function repliesTo(api: BotApi, number: number): readonly string[] {
  return api.texts().filter((text) => new RegExp(`kept ${number}\\b`, 'u').test(text));
}

function judged(home: string, api: BotApi, numbers: readonly number[]): Omit<ChatKills, 'atWrite'> {
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
