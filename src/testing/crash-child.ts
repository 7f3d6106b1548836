import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../base/log.ts';
import type { Gateway } from '../net/types.ts';
import { createNotifier } from '../notify/notifier.ts';
import { sayAtPrompt } from '../notify/say-notices.ts';
import type { ShownNotice } from '../notify/types.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { openStore } from '../store/store.ts';
import { FakeClock } from './clock.ts';
import { NO_CHANNELS } from './no-channels.ts';
import { settled } from './settled.ts';
import { testLocation } from './stores.ts';

/**
 * A program that schedules, runs and tells, and kills itself at one durable step. Arguments: a folder, the number of the
 * step, and `before` or `after`. Writes `added`, `ran` and `told` in the folder, one line each as it happens.
 */
const [dir = '', step = '0', side = 'before'] = process.argv.slice(2);
const clock = new FakeClock('2026-11-20T11:00:00Z');
let steps = 0;
let inTransaction = false;
let dying = false;
const location = testLocation(join(dir, 'state.sqlite3'));
const store = await openStore(location, { beforeStatement: killAt });
const note = (file: string, line: string) => appendFileSync(join(dir, file), `${line}\n`);
const nobody: Gateway = {
  request: () => Promise.reject(new Error('no network here')),
  fetchFor: () => fetch,
  publicFetch: () => fetch,
  modelFetch: () => fetch,
  downloadFetch: () => fetch,
  fetchWithin: () => fetch,
  dial: () => Promise.reject(new Error('no network here')),
  webSocket: () => Promise.reject(new Error('no network here')),
  close: async () => {},
};
const notifier = createNotifier({
  options: NO_CHANNELS,
  store,
  gateway: nobody,
  log: silentLog,
  now: clock.now,
  timeZone: 'UTC',
});
const show = (notices: readonly ShownNotice[]) => {
  const time = { now: clock.now(), timeZone: 'UTC' };
  for (const notice of notices) note('told', sayAtPrompt([notice], time).replaceAll('\n', ' '));
};
await notifier.notices.openFace({ kind: 'prompt', runsJobs: true, show });
const scheduler = createScheduler({
  store,
  clock,
  log: silentLog,
  timeZone: 'UTC',
  hasEffects: async () => false,
  onDue: async (run) => {
    note('ran', `${run.runId} ${run.attempt}`);
    if (run.job.prompt === 'fail once' && run.attempt === 1) return { state: 'failed', output: '', error: 'no luck' };
    return { state: 'succeeded', output: `answer of ${run.runId}` };
  },
  notices: notifier.notices,
});

await scheduler.seed([
  { taskKey: 'review', description: 'Review', schedule: 'every hour at :30', run: async () => 'the review' },
]);
for (const [prompt, when] of [
  ['one', 'in 20 minutes'],
  ['fail once', 'in 25 minutes'],
  ['two', 'in 40 minutes'],
  ['many', 'every 35 minutes'],
] as const) {
  const job = await scheduler.add({ when, prompt, project: 'home', untrusted: false, options: { catchUp: 'all' } });
  note('added', job.id);
}
for (let minute = 0; minute < 12; minute++) {
  clock.advance(5 * 60_000);
  await scheduler.tick();
  await settled(store);
}
await scheduler.stop();
note('added', `steps ${steps}`);
// One statement more, for a program that dies after the last step.
await store.now();

/** Count every commit, alone or of a transaction, and die right before or right after the one asked for. */
function killAt(sql: string): void {
  if (dying) process.kill(process.pid, 'SIGKILL');
  const durable = /^\s*commit/iu.test(sql) || (!inTransaction && /^\s*(?:insert|update|delete|with)/iu.test(sql));
  if (/^\s*(?:begin|commit|rollback)/iu.test(sql)) inTransaction = /^\s*begin/iu.test(sql);
  if (!durable || ++steps !== Number(step)) return;
  if (side === 'before') process.kill(process.pid, 'SIGKILL');
  // A file's statement runs in the same turn of the event loop, before whatever waits for it.
  else if (location.kind === 'sqlite') queueMicrotask(() => process.kill(process.pid, 'SIGKILL'));
  // A server has done it, or is about to, when the next one is asked for.
  else dying = true;
}
