/**
 * Two programs claim while runs of one exclusive job are entered, catch-up ones among them: never may two be in
 * progress.
 */
import { idleScheduler, newHome } from '../bench/workers-world.ts';
import { type NewRun, RunTable } from '../src/scheduler/run-table.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { isTaken } from '../src/store/unique.ts';

const AT = Date.parse('2026-01-01T00:00:00Z');

export interface RaceCounts {
  readonly claimed: number;
  /** Claims that the index refused. */
  readonly refused: number;
  /** How often two were in progress. */
  readonly both: number;
}

/** Try it so many times on a server. */
export async function exclusiveRace(url: string, tries: number): Promise<RaceCounts> {
  const location = { kind: 'postgres', url, home: newHome() } as const;
  const [one, other] = [await openStore(location), await openStore(location)];
  const job = await idleScheduler(one).add({ when: 'every hour', prompt: 'x', project: 'home', untrusted: false });
  const counts = { both: 0, refused: 0, claimed: 0 };
  for (let n = 0; n < tries; n++) {
    const { held, refused } = await attempt({ one, other, jobId: job.id, n });
    counts.claimed += held;
    counts.refused += refused;
    if (held > 1) counts.both++;
  }
  await Promise.all([one.close(), other.close()]);
  return counts;
}

interface Attempt {
  readonly one: Store;
  readonly other: Store;
  readonly jobId: string;
  readonly n: number;
}

/** One has a run to claim while a run of an earlier time is entered and claimed beside it. */
async function attempt({ one, other, jobId, n }: Attempt): Promise<{ held: number; refused: number }> {
  const runs = new RunTable(one);
  const row = (id: string, hour: number): NewRun => ({
    id: `run_${n}_${id}`,
    schedule_id: jobId,
    scheduled_for: new Date(AT + (2 * n + hour) * 3_600_000).toISOString(),
    reason: 'catch-up',
    state: 'due',
    exclusive: 1,
  });
  await runs.insert(row('late', 1));
  const early = async () => {
    await new RunTable(other).insert(row('early', 0));
    return claim(other, 'other');
  };
  const got = await Promise.all([claim(one, 'one'), early()]);
  const held = (await runs.inProgress()).length;
  for (const id of ['early', 'late']) await runs.set(`run_${n}_${id}`, { state: 'succeeded', owner: null });
  return { held, refused: got.filter((each) => !each).length };
}

/** @returns false when the index refused it. */
async function claim(store: Store, owner: string): Promise<boolean> {
  const now = new Date().toISOString();
  try {
    await store.transaction(() => new RunTable(store).claim({ owner, leaseUntil: now, now }, 10), { shared: true });
    return true;
  } catch (error) {
    if (!isTaken(error)) throw error;
    return false;
  }
}
