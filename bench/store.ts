/**
 * What the store costs: each operation through the store and with the bare driver, in turns, median of all rounds.
 * `npm run bench -- store`; WOOSTER_TEST_STORE_URL adds PostgreSQL, in a home of its own that is removed at the end.
 * Times vary by a factor of two on shared cores: trust the ratios.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Client } from 'pg';
import { removeHome } from '../src/store/homes.ts';
import { openStore, type Store } from '../src/store/store.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { interleave, timed } from './harness/statistics.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const AT = '2026-11-22T12:00:00.000Z';
/** Bars for the store on SQLite, in µs per operation. */
const BARS_US: Readonly<Record<string, number>> = { 'select by key': 40, 'insert in a transaction': 50 };

/** One way to the database. `at` numbers everything that is written, so that no key comes twice. */
interface Way {
  /** The conversation `c1`. */
  select(): Promise<unknown>;
  /** One row by one in one transaction. */
  insertSingly(at: number, rows: number): Promise<void>;
  /** All rows in one statement, in a transaction. */
  insertBatch(at: number, rows: number): Promise<void>;
  /** As a turn with two tool calls: begin, six messages in five transactions, the window, the model's use, the end. */
  turn(at: number): Promise<void>;
}

interface Operation {
  readonly name: string;
  /** How many of what is counted one call does. */
  readonly per: number;
  readonly calls: { readonly sqlite: number; readonly postgres: number };
  run(way: Way, at: number): Promise<unknown>;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'select by key', per: 1, calls: { sqlite: 4000, postgres: 800 }, run: (way) => way.select() },
  {
    name: 'insert in a transaction',
    per: 500,
    calls: { sqlite: 6, postgres: 2 },
    run: (way, at) => way.insertSingly(at, 500),
  },
  {
    name: 'batch insert, per row',
    per: 250,
    calls: { sqlite: 12, postgres: 8 },
    run: (way, at) => way.insertBatch(at, 250),
  },
  { name: 'turn', per: 1, calls: { sqlite: 40, postgres: 40 }, run: (way, at) => way.turn(at) },
];

let numbered = 1;
const figures: Figure[] = [];
const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
try {
  await benchSqlite();
  await benchPostgres(process.env.WOOSTER_TEST_STORE_URL);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
report(figures);

async function benchSqlite(): Promise<void> {
  const store = await openStore(join(dir, 'seam.sqlite3'));
  await (await openStore(join(dir, 'raw.sqlite3'))).close();
  using raw = new DatabaseSync(join(dir, 'raw.sqlite3'));
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  await compare('sqlite', throughDriver(sqliteRunner(raw)), throughStore(store));
  await store.close();
}

async function benchPostgres(url: string | undefined): Promise<void> {
  if (url === undefined) {
    console.log('PostgreSQL: set WOOSTER_TEST_STORE_URL');
    return;
  }
  const homes = [`bench-${process.pid}-store`, `bench-${process.pid}-driver`] as const;
  const [store, other] = [await open(url, homes[0]), await open(url, homes[1])];
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select set_config('wooster.home', $1, false)", [homes[1]]);
    await compare('postgres', throughDriver(postgresRunner(client)), throughStore(store));
  } finally {
    await client.end();
    for (const each of [store, other]) {
      await removeHome(each);
      await each.close();
    }
  }
}

function open(url: string, home: string): Promise<Store> {
  return openStore({ kind: 'postgres', url, home, pool: 4 });
}

async function compare(kind: Store['kind'], raw: Way, seam: Way): Promise<void> {
  for (const way of [raw, seam]) await way.turn(1);
  for (const { name, per, calls, run } of OPERATIONS) {
    const each = async (way: Way) => {
      const took = await timed(async () => {
        for (let call = 0; call < calls[kind]; call++) await run(way, ++numbered);
      });
      return (took * 1000) / calls[kind] / per;
    };
    const samples = await interleave({ raw: () => each(raw), seam: () => each(seam) }, { rounds: ROUNDS });
    const bar = kind === 'sqlite' ? BARS_US[name] : undefined;
    const bare = `${kind}, the driver alone: ${name}`;
    const what = `${kind}, the store: ${name}`;
    figures.push({ what: bare, unit: 'µs', samples: samples.raw });
    figures.push({ what, unit: 'µs', samples: samples.seam, against: bare });
    // Others use the machine as well: the best round counts.
    if (bar !== undefined)
      figures.push({ what: `${what}, best round`, unit: 'µs', samples: [Math.min(...samples.seam)], must: bar });
  }
}

function conversation(at: number) {
  return { id: `c${at}`, title: null, project: 'home', last_data: null, created_at: AT, updated_at: AT };
}

function turn(at: number) {
  return {
    ...{ id: `t${at}`, conversation_id: `c${at}`, mode: 'classic_tools', origin: 'cli', text: 'a question' },
    ...{ status: 'running' as const, owner: 'bench', started_at: AT, finished_at: null },
  };
}

function message(at: number, sequence: number) {
  return {
    ...{ conversation_id: `c${at}`, turn_id: `t${at}`, sequence, role: 'assistant' as const },
    ...{ kind: 'tool_calls' as const, token_count: 70, created_at: AT },
    content: 'What was said in this step, of about the length of a short answer. '.repeat(4),
  };
}

function usage(at: number) {
  return {
    ...{ turn_id: `t${at}`, conversation_id: `c${at}`, job_id: null, project: 'home', mode: 'classic_tools' },
    ...{ provider: 'p', model: 'm', purpose: 'turn', input_tokens: 900, output_tokens: 70, cached_tokens: 0 },
    ...{ cost_usd: 0.001, latency_ms: 900, ok: 1, created_at: AT },
  };
}

function origins(at: number, rows: number) {
  return Array.from({ length: rows }, (_, row) => ({
    ...{ thing: `${at}:${row}`, untrusted: 0, private: 0, sources: '[]', updated_at: AT },
  }));
}

function throughStore(store: Store): Way {
  return {
    select: () => store.db.selectFrom('conversations').selectAll().where('id', '=', 'c1').executeTakeFirst(),
    insertSingly: (at, rows) =>
      store.transaction(async () => {
        for (const row of origins(at, rows)) await store.db.insertInto('origins').values(row).execute();
      }),
    insertBatch: (at, rows) =>
      store.transaction(async () => {
        await store.db.insertInto('origins').values(origins(at, rows)).execute();
      }),
    turn: (at) => turnThroughStore(store, at),
  };
}

async function turnThroughStore(store: Store, at: number): Promise<void> {
  await store.transaction(async () => {
    await store.db.insertInto('conversations').values(conversation(at)).execute();
    await store.db.insertInto('turns').values(turn(at)).execute();
  });
  for (let step = 0; step < 3; step++) {
    await store.transaction(async () => {
      await store.db
        .insertInto('messages')
        .values([message(at, step * 2), message(at, step * 2 + 1)])
        .execute();
    });
    const window = store.db.selectFrom('messages').selectAll().where('conversation_id', '=', `c${at}`);
    await window.where('compacted', '=', 0).orderBy('sequence').execute();
  }
  await store.transaction(async () => {
    await store.db.insertInto('usage').values(usage(at)).execute();
    await store.db
      .updateTable('turns')
      .set({ status: 'answered', finished_at: AT })
      .where('id', '=', `t${at}`)
      .execute();
  });
}

type Value = string | number | null;
/** Runs one statement with `?` for values. */
type Run = (sql: string, values?: readonly Value[]) => Promise<unknown>;

function throughDriver(run: Run): Way {
  const inTransaction = async (work: () => Promise<unknown>) => {
    await run('begin');
    await work();
    await run('commit');
  };
  const insert = (table: string, ...rows: readonly Readonly<Record<string, Value>>[]) => {
    const columns = Object.keys(rows[0] ?? {});
    const places = rows.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
    return run(`insert into ${table} (${columns.join(', ')}) values ${places}`, rows.flatMap(Object.values<Value>));
  };
  return {
    select: () => run('select * from conversations where id = ?', ['c1']),
    insertSingly: (at, rows) =>
      inTransaction(async () => {
        for (const row of origins(at, rows)) await insert('origins', row);
      }),
    insertBatch: (at, rows) => inTransaction(() => insert('origins', ...origins(at, rows))),
    turn: async (at) => {
      await inTransaction(async () => {
        await insert('conversations', conversation(at));
        await insert('turns', turn(at));
      });
      for (let step = 0; step < 3; step++) {
        await inTransaction(() => insert('messages', message(at, step * 2), message(at, step * 2 + 1)));
        await run('select * from messages where conversation_id = ? and compacted = 0 order by sequence', [`c${at}`]);
      }
      await inTransaction(async () => {
        await insert('usage', usage(at));
        await run("update turns set status = 'answered', finished_at = ? where id = ?", [AT, `t${at}`]);
      });
    },
  };
}

/** Statements are kept, as the store keeps them. */
function sqliteRunner(database: DatabaseSync): Run {
  const kept = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return async (sql, values = []) => {
    const text = sql === 'begin' ? 'begin immediate' : sql;
    const statement = kept.get(text) ?? database.prepare(text);
    kept.set(text, statement);
    return text.startsWith('select') ? statement.all(...(values as SQLInputValue[])) : statement.run(...values);
  };
}

/** Named statements, as the store names them. */
function postgresRunner(client: Client): Run {
  const texts = new Map<string, { readonly name: string; readonly text: string }>();
  return async (sql, values = []) => {
    if (values.length === 0) return client.query(sql);
    let place = 0;
    const named = texts.get(sql) ?? { name: `b${texts.size}`, text: sql.replaceAll('?', () => `$${++place}`) };
    texts.set(sql, named);
    return client.query({ ...named, values: [...values] });
  };
}
