import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Insertable } from 'kysely';
import { silentLog } from '../../src/base/log.ts';
import { ConversationArchive } from '../../src/conversation/archive.ts';
import { type NewPart, Outbox } from '../../src/notify/outbox.ts';
import { createProjects } from '../../src/rag/projects.ts';
import type { MessageRow, TurnRow } from '../../src/store/schema.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { idleScheduler } from '../../src/testing/idle-scheduler.ts';
import { timed } from '../harness/statistics.ts';

/** Something that grows: bring it from `from` to `to`, then measure what is done with it. */
export interface Growing {
  grow(from: number, to: number): Promise<void>;
  readonly measures: Readonly<Record<string, () => Promise<unknown>>>;
}

const REPEATS = 9;
const BATCH = 500;
const AT = '2026-01-01T00:00:00.000Z';

/** Grow to each size and measure there. @returns milliseconds by measure and size. */
export async function along(
  sizes: readonly number[],
  { grow, measures }: Growing,
): Promise<Map<string, { size: number; samples: number[] }[]>> {
  const points = new Map(Object.keys(measures).map((name) => [name, [] as { size: number; samples: number[] }[]]));
  let before = 0;
  for (const size of sizes) {
    await grow(before, size);
    before = size;
    for (const [name, measure] of Object.entries(measures)) {
      await measure();
      const samples: number[] = [];
      for (let at = 0; at < REPEATS; at++) samples.push(await timed(measure));
      points.get(name)?.push({ size, samples });
    }
  }
  return points;
}

/** A home with a store, gone afterwards. */
export async function inHome<T>(work: (store: Store, home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  const store = await openStore(join(home, 'scale.sqlite3'));
  try {
    return await work(store, home);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Rows of a table in batches, each in a transaction. */
async function inBatches(store: Store, [from, to]: readonly [number, number], insert: (at: number[]) => Promise<void>) {
  for (let first = from; first < to; first += BATCH) {
    const at = Array.from({ length: Math.min(BATCH, to - first) }, (_, offset) => first + offset);
    await store.transaction(() => insert(at));
  }
}

/** Conversations of one turn each. */
export function conversations(store: Store): Growing {
  const archive = new ConversationArchive(store);
  const grow = (from: number, to: number) =>
    inBatches(store, [from, to], async (numbers) => {
      const rows = numbers.map((n) => ({ id: `c${n}`, project: 'home', created_at: AT, updated_at: AT }));
      await store.db.insertInto('conversations').values(rows).execute();
      await store.db.insertInto('turns').values(numbers.map(turnRow)).execute();
      await store.db.insertInto('messages').values(numbers.map(messageRow)).execute();
    });
  const measures = { 'listing them': () => archive.list(), 'finding one word': () => archive.search('word7') };
  return { grow, measures };
}

function turnRow(n: number): Insertable<TurnRow> {
  const about = { mode: 'classic_tools', origin: 'repl', text: 'x', status: 'answered' } as const;
  return { id: `t${n}`, conversation_id: `c${n}`, ...about, started_at: AT };
}

function messageRow(n: number): Insertable<MessageRow> {
  const about = { token_count: 20, compacted: 0, created_at: AT, sequence: 1 } as const;
  const content = `question ${n} about word${n % 97} and what it has to do with the tide`;
  return { conversation_id: `c${n}`, turn_id: `t${n}`, role: 'user', kind: 'text', content, ...about };
}

/** Jobs that are due in a year. */
export function schedules(store: Store): Growing {
  const scheduler = idleScheduler(store);
  const when = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const add = (n: number) =>
    scheduler.add({ when, prompt: `job ${n}`, project: 'home', untrusted: false, options: { verbatim: true } });
  const grow = (from: number, to: number) =>
    inBatches(store, [from, to], async (numbers) => {
      for (const n of numbers) await add(n);
    });
  return { grow, measures: { 'looking what is due': () => scheduler.tick(), 'adding one': () => add(-1) } };
}

/** Messages that wait for a channel; none of them is due yet. */
export function waitingMessages(store: Store): Growing {
  const outbox = new Outbox(store);
  const grow = (from: number, to: number) =>
    inBatches(store, [from, to], async (numbers) => {
      for (const n of numbers) await outbox.enter(part(n, '2099-01-01T00:00:00.000Z'));
    });
  const measures = {
    'looking what is due': () => outbox.due(AT, 20),
    'entering one': () => store.transaction(() => outbox.enter(part(Math.random(), '2099-01-01T00:00:00.000Z'))),
  };
  return { grow, measures };
}

function part(n: number, due_at: string): NewPart {
  return {
    ...{ id: `out_${n}`, dedupe_key: `k${n}:1`, run_id: null, turn_id: null, channel: 'ntfy', recipient: 'a' },
    ...{ part: 1, parts: 1, body: 'The tide is high.', state: 'pending' as const, due_at },
    ...{ created_at: AT, expires_at: due_at },
  };
}

/** Entries of a journal. */
export function notes(store: Store, home: string): Growing {
  const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog, store });
  const written = { at: new Date(AT), timeZone: 'UTC' };
  const append = (n: number) => projects.appendJournal('home', `Note ${n}: the tide is high at 14:05.`, written);
  const grow = async (from: number, to: number) => {
    for (let n = from; n < to; n++) await append(n);
  };
  return {
    grow,
    measures: { 'writing one': () => append(-1), 'reading all': async () => projects.journalEntries('home') },
  };
}
