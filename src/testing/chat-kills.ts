import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '../store/store.ts';
import type { KilledHome, KilledService } from './killed-services.ts';

const CHILD = fileURLToPath(new URL('chat-child.ts', import.meta.url));
/** Of a message from its arrival to the end of its answer, with all that happens beside it. */
const WRITES = 72;
const REPEATED = '(may be repeated) ';

/** What became of the messages of a bench. */
export interface ChatKills {
  /** The programs that died at their write; the others were killed once they had answered. */
  readonly atWrite: number;
  /** Messages without an answer or an effect, and those whose effect was done more than once. */
  readonly lost: readonly number[];
  readonly doubledEffects: readonly number[];
  /** Messages answered more than once, and those of them whose repetition is not marked as one. */
  readonly doubledReplies: readonly number[];
  readonly unmarked: readonly number[];
}

/**
 * Kill a program again and again while it answers one message after another: each at another of its writes, from the
 * first to the 72nd. The next program finds what it left behind.
 *
 * @param patienceMs  whatever a program has not answered for so long is left to the next; by the last, it is lost.
 */
export async function chatKills(
  path: string,
  points: number,
  { patienceMs }: { readonly patienceMs: number },
  open: () => Promise<KilledService>,
): Promise<ChatKills> {
  const service = await open();
  await using home = await prepareHome(path, service);
  try {
    if (service.isHeard) await hearOnce(home, service, patienceMs);
    let atWrite = 0;
    for (let point = 1; point <= points; point += 1) {
      await service.begin(point, home);
      const child = startProgram(home, service, Math.ceil((point * WRITES) / points));
      const ended = once(child, 'exit').then(() => true);
      if (await Promise.race([ended, answered(home, service, [point], patienceMs).then(() => false)])) atWrite += 1;
      else child.kill('SIGKILL');
      await ended;
    }
    const all = Array.from({ length: points }, (_, index) => index + 1);
    const last = startProgram(home, service, 0);
    await answered(home, service, all, patienceMs);
    last.kill('SIGKILL');
    await once(last, 'exit');
    return { atWrite, ...(await judged(home, service, all)) };
  } finally {
    await service.close();
  }
}

/** The home of an owner who is paired. */
export async function prepareHome(
  path: string,
  { channel, owner }: Pick<KilledService, 'channel' | 'owner'>,
): Promise<KilledHome & AsyncDisposable> {
  mkdirSync(join(path, 'config'), { recursive: true });
  mkdirSync(join(path, 'state'), { recursive: true });
  writeFileSync(join(path, 'config', 'local.json'), JSON.stringify({ models: { use: 'scripted:test' } }));
  const store = await openStore({ kind: 'sqlite', path: join(path, 'state', 'wooster.sqlite3') });
  if (owner) {
    const { account, chat = account } = owner;
    await store.db
      .insertInto('chat_accounts')
      .values({ channel, account, chat, decides_all: 0, paired_at: new Date().toISOString() })
      .execute();
  }
  return { path, store, [Symbol.asyncDispose]: () => store.close() };
}

/** Their owner was heard before. */
async function hearOnce(home: KilledHome, service: KilledService, patienceMs: number): Promise<void> {
  const child = startProgram(home, service, 0);
  while (!service.isHeard?.()) await sleep(50);
  await service.begin(0, home);
  await answered(home, service, [0], patienceMs);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** @param write  at which the program dies; 0: at none. */
export function startProgram({ path }: KilledHome, service: KilledService, write: number): ChildProcess {
  const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'wooster-chats-compiled');
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...service.env };
  const args = ['--disable-warning=ExperimentalWarning', CHILD, path, String(write)];
  return spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Wait until each of them is, or for as long as that. */
async function answered(
  home: KilledHome,
  service: KilledService,
  numbers: readonly number[],
  patienceMs: number,
): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  for (const number of numbers) while (!signal.aborted && (await isLost(home, service, number))) await sleep(50);
}

async function isLost(home: KilledHome, service: KilledService, number: number): Promise<boolean> {
  return repliesTo(service, number).length === 0 || (await service.effects(number, home)) === 0;
}

/** The answers to one message, which name its number. */
function repliesTo(service: KilledService, number: number): readonly string[] {
  return service.texts().filter((text) => new RegExp(`kept ${number}\\b`, 'u').test(text));
}

async function judged(
  home: KilledHome,
  service: KilledService,
  numbers: readonly number[],
): Promise<Omit<ChatKills, 'atWrite'>> {
  const lost = await Promise.all(numbers.map((number) => isLost(home, service, number)));
  const effects = await Promise.all(numbers.map((number) => service.effects(number, home)));
  const doubledReplies = numbers.filter((number) => repliesTo(service, number).length > 1);
  return {
    lost: numbers.filter((_, at) => lost[at]),
    doubledEffects: numbers.filter((_, at) => (effects[at] ?? 0) > 1),
    doubledReplies,
    unmarked: doubledReplies.filter((number) => {
      const [, ...again] = repliesTo(service, number);
      return again.some((text) => !text.startsWith(REPEATED));
    }),
  };
}
