import { sql } from 'kysely';
import type { Store } from './contract.ts';
import { placeOf } from './location.ts';
import { NEWEST } from './migrations.ts';
import { readSchema } from './schema-version.ts';
import { type ServerFacts, serverFacts } from './server-facts.ts';

/** What there is to know about an open store. */
export interface StoreFacts {
  readonly kind: Store['kind'];
  /** The file, or the server, database and home. */
  readonly place: string;
  /** Of SQLite or the server. */
  readonly version: string;
  /** Version of the tables; 0 when there are none. */
  readonly schema: number;
  readonly bytes: number;
  /** Median of 20 small reads, in ms. */
  readonly selectMs: number;
  /** How far this machine's clock is ahead of the database's, in ms. */
  readonly clockMs: number;
  readonly server?: ServerFacts;
}

/** Something about a store that is not as it should be. */
export interface StoreFinding {
  readonly severe: boolean;
  readonly problem: string;
  readonly hint: string;
}

/** Examine the store with a few small reads. `quickCheck` reads all of it. */
export async function checkStore(store: Store): Promise<StoreFacts> {
  const schema = await readSchema(store);
  const [selectMs, clockMs] = [schema === 0 ? 0 : await medianReadMs(store), await clockAheadMs(store)];
  const common = { kind: store.kind, place: placeOf(store.location), schema, selectMs, clockMs };
  if (store.kind === 'sqlite') return { ...common, ...(await fileFacts(store)) };
  const { version, bytes, ...server } = await serverFacts(store);
  return { ...common, version, bytes, server };
}

const READS = 20;

async function medianReadMs(store: Store): Promise<number> {
  const times: number[] = [];
  for (let read = 0; read < READS; read++) {
    const started = performance.now();
    await store.read.selectFrom('conversations').select('id').where('id', '=', '').execute();
    times.push(performance.now() - started);
  }
  const median = times.toSorted((a, b) => a - b)[READS / 2] ?? 0;
  return Math.round(median * 1000) / 1000;
}

async function clockAheadMs(store: Store): Promise<number> {
  const before = Date.now();
  const theirs = Date.parse(await store.now());
  // The database read its clock about halfway through the round trip.
  return Math.round((before + Date.now()) / 2) - theirs;
}

async function fileFacts({ read }: Store): Promise<Pick<StoreFacts, 'version' | 'bytes'>> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select sqlite_version() as version, page_count * page_size as bytes
    from pragma_page_count(), pragma_page_size()`.execute(read);
  const [facts] = rows;
  if (!facts) throw new Error('SQLite does not say its version.');
  return facts;
}

/** Leases are in database time, but due times and log lines are in the machine's. */
const MOST_CLOCK_MS = 2000;
const SLOW_READ_MS = 20;
const FULL_POOL = 0.9;

/** What needs somebody's attention, the worst first. */
export function findingsOf({ schema, clockMs, selectMs, server }: StoreFacts): StoreFinding[] {
  const found = server ? serverFindings(server) : [];
  if (schema !== NEWEST) {
    const problem = schema === 0 ? 'there are no tables yet' : `the tables are of version ${schema}, not ${NEWEST}`;
    found.unshift({ severe: true, problem, hint: 'Run: wooster store migrate' });
  }
  const note = (problem: string, hint: string) => found.push({ severe: false, problem, hint });
  if (Math.abs(clockMs) > MOST_CLOCK_MS)
    note(`the clocks differ by ${Math.round(Math.abs(clockMs) / 1000)} s`, 'Let NTP set the clocks of all machines.');
  if (selectMs > SLOW_READ_MS)
    note(`a small read takes ${selectMs} ms`, 'Use a server in the same network, or look at its load.');
  return found;
}

function serverFindings(facts: ServerFacts): StoreFinding[] {
  const { superuser, readOnly, unprotected, otherOrder, connections, locksWaiting } = facts;
  const found: (StoreFinding | false)[] = [
    readOnly && {
      severe: true,
      problem: 'the server is a read-only replica',
      hint: 'Point WOOSTER_STORE_URL at the primary.',
    },
    unprotected.length > 0 && {
      severe: true,
      problem: `row level security is off for ${unprotected.join(', ')}`,
      hint: 'Restore it: ALTER TABLE ... ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY.',
    },
    superuser && {
      severe: true,
      problem: 'the user in the URL bypasses row level security, so homes are not kept apart',
      hint: 'Use a user without SUPERUSER and BYPASSRLS: see docs/several-machines.md.',
    },
    otherOrder.length > 0 && {
      severe: true,
      problem: `text is not sorted by its bytes in ${otherOrder.join(', ')}`,
      hint: 'Restore the collation "C" of these columns.',
    },
    connections.used > connections.max * FULL_POOL && {
      severe: false,
      problem: `${connections.used} of ${connections.max} connections of the server are in use`,
      hint: 'Raise max_connections, or lower WOOSTER_STORE_POOL.',
    },
    locksWaiting > 0 && {
      severe: false,
      problem: `${locksWaiting} statements wait for locks`,
      hint: 'Look again; if they keep waiting, pg_blocking_pids() shows who holds the locks.',
    },
  ];
  return found.filter((each) => each !== false);
}
