import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { openTestStore } from './stores.ts';

/**
 * A running scheduler with the system's clock and a job every second. Writes `run PROMPT SCHEDULED-FOR` for each run. A line
 * on stdin adds a job two seconds from now by that name; `TZ ...` changes the process's own zone.
 */
const [dir = ''] = process.argv.slice(2);
const scheduler = createScheduler({
  store: await openTestStore(join(dir, 'state.sqlite3')),
  clock: systemClock,
  log: silentLog,
  timeZone: 'Europe/Oslo',
  hasEffects: async () => false,
  onDue: async (run) => {
    process.stdout.write(`run ${run.job.prompt} ${run.reason} ${run.scheduledFor.toISOString()}\n`);
    return { state: 'succeeded', output: '' };
  },
  notices: { post: async () => {}, advance: async () => {} },
});
const job = { project: 'home', untrusted: false };
await scheduler.add({ ...job, when: '* * * * * *', prompt: 'second' });
await scheduler.start();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('TZ ')) process.env.TZ = line.slice(3);
  else await scheduler.add({ ...job, when: 'in 2 seconds', prompt: line });
}
await scheduler.stop();
