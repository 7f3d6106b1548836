import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { silentLog } from '../base/log.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { FakeClock } from './clock.ts';
import { sqlGet } from './sql.ts';
import { openTestStore } from './stores.ts';

/**
 * One of several programs on one database. Argument: the folder. Each line on stdin is the time of a tick; each line on
 * stdout answers one, with the ids of the runs that this program was given since the last.
 */
const [dir = ''] = process.argv.slice(2);
const clock = new FakeClock('2026-11-20T11:00:00Z');
const given: string[] = [];
const store = await openTestStore(join(dir, 'state.sqlite3'));
const scheduler = createScheduler({
  store,
  clock,
  log: silentLog,
  timeZone: 'UTC',
  hasEffects: async () => false,
  onDue: async (run) => {
    given.push(run.runId);
    return { state: 'succeeded', output: '' };
  },
  notices: { post: async () => {}, advance: async () => {} },
});
for await (const line of createInterface({ input: process.stdin })) {
  clock.advance(Date.parse(line) - clock.now().getTime());
  await scheduler.tick();
  for (;;) {
    const under = await sqlGet(store, "SELECT 1 FROM runs WHERE state IN ('claimed', 'running')");
    if (!under) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.stdout.write(`${given.splice(0).join(' ')}\n`);
}
await scheduler.stop();
