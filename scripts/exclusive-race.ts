/**
 * Two programs claim while runs of one exclusive job are entered, catch-up ones among them: never may two be in
 * progress. `node scripts/exclusive-race.ts [TRIES]`, 10,000 by default. Wants WOOSTER_TEST_STORE_URL.
 */
import { idleScheduler, newHome, serverUrl } from '../bench/workers-world.ts';
import { type NewRun, RunTable } from '../src/scheduler/run-table.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { isTaken } from '../src/store/unique.ts';

const tries = Number(process.argv[2] ?? 10_000);
const AT = Date.parse('2026-01-01T00:00:00Z');
const location = { kind: 'postgres', url: serverUrl(), home: newHome() } as const;
const [one, other] = [await openStore(location), await openStore(location)];
const job = await idleScheduler(one).add({ when: 'every hour', prompt: 'x', project: 'home', untrusted: false });
const counts = { both: 0, refused: 0, claimed: 0 };
for (let n = 0; n < tries; n++) await attempt(n);
await Promise.all([one.close(), other.close()]);
console.log(
  `${tries} tries, ${counts.claimed} claims, ${counts.refused} refused by the index, ${counts.both} overlaps`,
);
process.exit(counts.both === 0 ? 0 : 1);

/** One has a run to claim while a run of an earlier time is entered and claimed beside it. */
async function attempt(n: number): Promise<void> {
  const runs = new RunTable(one);
  const row = (id: string, hour: number): NewRun => ({
    id: `run_${n}_${id}`,
    schedule_id: job.id,
    scheduled_for: new Date(AT + (2 * n + hour) * 3_600_000).toISOString(),
    reason: 'catch-up',
    state: 'due',
    exclusive: 1,
  });
  await runs.insert(row('late', 1));
  const early = (async () => {
    await new RunTable(other).insert(row('early', 0));
    await claim(other, 'other');
  })();
  await Promise.all([claim(one, 'one'), early]);
  const held = await runs.inProgress();
  if (held.length > 1) counts.both++;
  counts.claimed += held.length;
  for (const id of ['early', 'late']) await runs.set(`run_${n}_${id}`, { state: 'succeeded', owner: null });
}

async function claim(store: Store, owner: string): Promise<void> {
  const now = new Date().toISOString();
  try {
    await store.transaction(() => new RunTable(store).claim({ owner, leaseUntil: now, now }, 10), { shared: true });
  } catch (error) {
    if (!isTaken(error)) throw error;
    counts.refused++;
  }
}
