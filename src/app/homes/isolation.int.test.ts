import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { isHomeId } from '../../base/home-id.ts';
import { silentLog } from '../../base/log.ts';
import type { Turn } from '../../base/turn.ts';
import { ConversationArchive } from '../../conversation/archive.ts';
import { Conversations } from '../../conversation/conversations.ts';
import { UsageTable } from '../../models/usage-table.ts';
import type { Notifier } from '../../notify/contract.ts';
import { createNotifier } from '../../notify/notifier.ts';
import { ProjectRows } from '../../rag/ingest/project-rows.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import { createScheduler } from '../../scheduler/scheduler.ts';
import { openStore, type Store } from '../../store/store.ts';
import { NO_CHANNELS } from '../../testing/no-channels.ts';
import { STORE_KINDS } from '../../testing/stores.ts';
import { emptyDatabase, query } from '../../testing/test-database.ts';
import { Artifacts } from '../../tools/builtin/artifacts.ts';
import { readReceipts, writeReceipt } from '../../tools/gate/receipts.ts';
import { verifyReceipts } from '../../tools/gate/verify-receipts.ts';

/** A mark that is in every text of a home and in no text of another. */
function markOf(nth: number): string {
  return `mark${nth}x`;
}

/** Numbers of the homes whose marks this contains. */
function marksIn(value: unknown): number[] {
  const text = value instanceof Error ? errorText(value) : JSON.stringify(value, withMaps);
  return [...new Set([...text.matchAll(/mark(\d+)x/gu)].map((match) => Number(match[1])))];
}

function errorText(error: Error): string {
  const { message, stack, ...more } = error;
  return [message, stack, JSON.stringify(more), error.cause instanceof Error ? errorText(error.cause) : ''].join('\n');
}

function withMaps(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}

/** The repositories of one home, and what it is asked to write and read. Ids are the same in all homes. */
class MixedOperations {
  readonly #store: Store;
  readonly #text: string;
  readonly #conversations: Conversations;
  readonly #archive: ConversationArchive;
  readonly #artifacts: Artifacts;
  readonly #usage: UsageTable;
  readonly #notifier: Notifier;
  readonly #scheduler: Scheduler;
  readonly #rows: ProjectRows;
  readonly #ids: string[] = [];
  /** What was said or logged besides the answers. */
  readonly heard: unknown[] = [];
  #step = 0;

  /** @param text  holds the mark of the home. */
  constructor(store: Store, text: string) {
    this.#store = store;
    this.#text = text;
    const { now } = systemClock;
    const hear = (message: string, fields?: unknown) => void this.heard.push([message, fields]);
    const log = { ...silentLog, info: hear, warn: hear, error: hear };
    this.#conversations = new Conversations(store);
    this.#archive = new ConversationArchive(store);
    this.#artifacts = new Artifacts(store, now);
    this.#usage = new UsageTable({ store, now, log, timeZone: 'UTC' });
    const gateway = undefined as never;
    this.#notifier = createNotifier({ options: NO_CHANNELS, store, gateway, log, now, timeZone: 'UTC' });
    this.#scheduler = createScheduler({
      ...{ store, clock: systemClock, log, timeZone: 'UTC', ticked: true },
      hasEffects: async () => false,
      onDue: async ({ job }) => ({ state: 'succeeded', output: job.prompt }),
      notices: this.#notifier.notices,
    });
    this.#rows = new ProjectRows(store, 'home');
  }

  /** Ids of things of this home that others may guess. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** The operations; each gives what it read. */
  get all(): readonly ((guess: string) => Promise<unknown>)[] {
    return [
      () => this.#haveTurn(),
      () => this.#archive.search('secret word', 50),
      () => this.#archive.list({ limit: 50 }),
      () => this.#archive.messages('conv_same1'),
      () => this.#keepArtifact(),
      () => this.#artifacts.list('home'),
      (guess) => this.#artifacts.get('home', guess),
      () => this.#addJob(),
      () => this.#scheduler.tick(),
      () => this.#scheduler.list(),
      (guess) => this.#scheduler.show(guess),
      (guess) => this.#scheduler.remove(guess),
      () => this.#sendMessage(),
      () => this.#notifier.recent(50),
      () => this.#addReceipt(),
      () => readReceipts(this.#store, { limit: 50 }),
      () => this.#verify(),
      () => this.#addUsage(),
      () => this.#usage.sums('model'),
      () => this.#addDocument(),
      () => Promise.all([this.#rows.known(), this.#rows.roots()]),
      () => this.#failInTransaction(),
    ];
  }

  async #haveTurn(): Promise<unknown> {
    const nth = ++this.#step;
    const turn: Turn = {
      id: `turn_same${nth}`,
      conversationId: `conv_same${nth % 3}`,
      text: `${this.#text} secret word`,
      origin: 'repl',
      mode: 'classic_tools',
      project: 'home',
    };
    const now = () => new Date();
    const open = await this.#conversations.begin(turn, now);
    await open.store('same', this.#text);
    await open.append({ role: 'assistant', kind: 'code', content: this.#text });
    await this.#conversations.finish(turn, { text: `answer ${this.#text} secret word`, stop: 'answered' }, new Date());
    return [await open.history('code'), await open.lastData()];
  }

  async #keepArtifact(): Promise<unknown> {
    const owner = { project: 'home', conversationId: 'conv_same1', id: 'turn_same1' };
    const id = await this.#artifacts.keep(
      owner as Turn,
      { text: this.#text },
      { description: this.#text, untrusted: false },
    );
    this.#ids.push(id);
    return this.#artifacts.get('home', id);
  }

  async #addJob(): Promise<unknown> {
    const nth = ++this.#step;
    const when = nth % 2 === 0 ? new Date(Date.now() + 200).toISOString() : 'every day at 9';
    const options = { verbatim: true };
    const idempotencyKey = `same ${nth % 7}`;
    const job = { when, prompt: this.#text, project: 'home', untrusted: false, options, idempotencyKey };
    const added = await this.#scheduler.add(job);
    this.#ids.push(added.id);
    return added;
  }

  async #sendMessage(): Promise<unknown> {
    const idempotencyKey = `same ${++this.#step % 11}`;
    return this.#notifier.send({ text: this.#text, idempotencyKey }, AbortSignal.timeout(10_000));
  }

  async #addReceipt(): Promise<void> {
    await writeReceipt(this.#store, {
      ...{ at: new Date().toISOString(), turn_id: 'turn_same1', conversation_id: 'conv_same1', tool: 'write_file' },
      ...{ effect: 'local', destination: null, input: this.#text, input_sha: 'same', state: 'done' },
      ...{ result: this.#text, approved_by: null, effect_id: null, result_sha: null },
    });
  }

  /** One chain per home: a receipt of another home in it would not fit. */
  async #verify(): Promise<unknown> {
    const verified = await verifyReceipts(this.#store);
    const broken = verified.problems.filter((problem) => !problem.includes('no receipt'));
    if (broken.length > 0) throw new TypeError(`the chain of ${this.#text} is broken: ${broken.join('; ')}`);
    return verified;
  }

  async #addUsage(): Promise<void> {
    this.#usage.add({
      ...{ project: 'home', mode: 'classic_tools', provider: 'test', model: this.#text, purpose: 'answer' },
      ...{ inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.01, latencyMs: 1, ok: true },
      ...{ turnId: 'turn_same1', conversationId: 'conv_same1' },
    });
    await this.#usage.flush();
  }

  async #addDocument(): Promise<void> {
    const file = { root: '/same', path: `note${++this.#step % 5}.md`, absolute: '/same/note.md', size: 1, mtimeUs: 1 };
    const about = {
      sha256: 'same',
      kind: 'text',
      version: '1',
      title: this.#text,
      state: 'indexed',
      error: this.#text,
    };
    const chunks = [{ text: this.#text, heading: [this.#text] }];
    await this.#store.transaction(async () => {
      await this.#rows.addRoot(`/same/${this.#text}`, new Date().toISOString());
      await this.#rows.save([{ file, ...about, chunks } as never], new Date().toISOString());
    });
  }

  /** How a database rejects an impossible row. */
  async #failInTransaction(): Promise<unknown> {
    const at = new Date().toISOString();
    const row = { id: `conv_twice`, title: this.#text, project: 'home', created_at: at, updated_at: at };
    const insert = () => this.#store.db.insertInto('conversations').values(row).execute();
    await this.#store.transaction(async () => {
      await insert();
      await insert();
    });
    return undefined;
  }

  async close(): Promise<void> {
    await this.#scheduler.stop();
    await this.#notifier.close();
    await this.#store.close();
  }
}

const HOMES = 50;
const OPERATIONS = 10_000;
const AT_ONCE = 8;

/** Names that would do harm if anything took them for SQL, a path, a pattern or the name of a role. */
const NAMES = [
  ...['anna', 'Anna', 'default', 'null', 'NULL', 'postgres', 'wooster_app', 'current_user', 'home', 'homes', 'all'],
  ...['a', 'a-', 'a--', 'a_', 'a.', 'a..', 'a...', 'a.b', 'aXb', 'a_b', 'a@b', 'a@b.example', '0', '00', '-1'.slice(1)],
  ...['1e3', 'true', 'proto__', 'constructor', 'toString', 'émile', 'emile', 'Ωmega', '日本語', 'мария', 'straße'],
  ...['strasse', 'ı', 'İstanbul', 'x'.repeat(64), 'x'.repeat(63), 'wooster.home', 'public', 'workers', 'ñ', 'n'],
];
/** What people write. */
const CONTENTS = [
  "'; set wooster.home = 'anna'; --",
  '"; drop table messages; --',
  '$1 $$ \\ %s %_ {home}',
  'line\nbreak \u202e right to left',
  '<script>alert(1)</script>',
  '\u0000 nothing',
];

const opened: MixedOperations[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function openHomes(url: string, count: number): Promise<MixedOperations[]> {
  const names = [...new Set(NAMES)].filter(isHomeId);
  for (let nth = 0; names.length < count; nth++) names.push(`more.${nth}`);
  for (const [nth, home] of names.slice(0, count).entries()) {
    const store = await openStore({ kind: 'postgres', url, home, pool: 4 });
    opened.push(new MixedOperations(store, `${markOf(nth)} ${CONTENTS[nth % CONTENTS.length]}`));
  }
  return opened;
}

/** Do operations in an order that looks random, some at the same time. @returns marks that were seen elsewhere. */
async function mix(homes: readonly MixedOperations[], operations: number) {
  const seen = { done: 0, failed: 0, strange: [] as string[], broken: [] as string[] };
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const one = async () => {
    const nth = random(homes.length);
    const home = homes[nth] as MixedOperations;
    const which = random(home.all.length);
    const ids = (homes[random(homes.length)] as MixedOperations).ids;
    const guess = ids[random(Math.max(1, ids.length))] ?? 'job_none';
    const look = (value: unknown) => {
      const others = marksIn(value ?? null).filter((mark) => mark !== nth);
      if (others.length > 0) seen.strange.push(`home ${nth} saw ${others.join()} by operation ${which}`);
    };
    try {
      look(await home.all[which]?.(guess));
    } catch (error) {
      seen.failed++;
      if (error instanceof TypeError) seen.broken.push(error.message);
      look(error);
    }
    for (const heard of home.heard.splice(0)) look(heard);
    seen.done++;
  };
  const lane = async () => {
    while (seen.done + AT_ONCE <= operations) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return seen;
}

describe.runIf(STORE_KINDS.includes('postgres'))('fifty homes on one server', { timeout: 1_200_000 }, () => {
  test('never see anything of each other', async () => {
    const homes = await openHomes(await emptyDatabase(), HOMES);
    const { strange, broken, failed, done } = await mix(homes, OPERATIONS);
    expect(strange).toEqual([]);
    expect(broken).toEqual([]);
    // Only unknown ids and impossible rows fail.
    expect(failed).toBeLessThan(done / 4);
    for (const [nth, home] of homes.entries())
      for (const read of [1, 2, 3, 5, 9, 13, 15, 18, 20])
        expect(marksIn((await home.all[read]?.('')) ?? null).filter((mark) => mark !== nth)).toEqual([]);
  });

  test('would be seen to see each other without row level security', async () => {
    const url = await emptyDatabase();
    const homes = await openHomes(url, 5);
    const tables = await query(url, 'select relname from pg_class where relrowsecurity');
    for (const { relname } of tables as { relname: string }[])
      await query(url, `alter table "${relname}" disable row level security`);
    const { strange } = await mix(homes, 300);
    expect(strange.length).toBeGreaterThan(20);
  });
});
