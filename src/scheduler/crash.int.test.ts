import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { createNotifier } from '../notify/notifier.ts';
import { sayAtPrompt } from '../notify/say-notices.ts';
import type { ShownNotice } from '../notify/types.ts';
import { FakeClock } from '../testing/clock.ts';
import { temporaryFolder } from '../testing/home.ts';
import { NO_CHANNELS } from '../testing/no-channels.ts';
import { settled } from '../testing/settled.ts';
import { sqlAll } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { createScheduler } from './scheduler.ts';

const CHILD = join(import.meta.dirname, '../testing/crash-child.ts');
const FINAL = new Set(['succeeded', 'failed', 'missed', 'skipped', 'denied', 'cancelled', 'unknown']);

interface Ended {
  readonly dir: string;
  readonly killed: boolean;
}

function runChild(step: number, side: 'before' | 'after'): Promise<Ended> {
  const dir = temporaryFolder();
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--no-warnings', CHILD, dir, String(step), side], (error, _stdout, stderr) => {
      if (error && error.signal !== 'SIGKILL') reject(new Error(stderr || error.message));
      else resolve({ dir, killed: error !== null });
    });
  });
}

const linesOf = (dir: string, file: string) =>
  existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8').trim().split('\n') : [];

/** The next start of the program on what a killed one left; an hour and more later, so that everything is settled. */
async function recover(dir: string) {
  const store = await openTestStore(join(dir, 'state.sqlite3'));
  const clock = new FakeClock('2026-11-20T12:00:00Z');
  const ran = linesOf(dir, 'ran');
  const told = linesOf(dir, 'told');
  const gateway = {
    request: () => Promise.reject(new Error('none')),
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
    gateway,
    log: silentLog,
    now: clock.now,
    timeZone: 'UTC',
  });
  const show = (notices: readonly ShownNotice[]) => {
    const time = { now: clock.now(), timeZone: 'UTC' };
    for (const notice of notices) told.push(sayAtPrompt([notice], time).replaceAll('\n', ' '));
  };
  await notifier.notices.openFace({ kind: 'prompt', runsJobs: true, show });
  const scheduler = createScheduler({
    store,
    clock,
    log: silentLog,
    timeZone: 'UTC',
    hasEffects: async () => false,
    onDue: async (run) => {
      ran.push(`${run.runId} ${run.attempt}`);
      return { state: 'succeeded', output: `answer of ${run.runId}` };
    },
    notices: notifier.notices,
  });
  await scheduler.seed([
    { taskKey: 'review', description: 'Review', schedule: 'every hour at :30', run: async () => 'the review' },
  ]);
  for (let n = 0; n < 4; n++) {
    clock.advance(40_000);
    await scheduler.tick();
    await settled(store);
    await notifier.flush();
  }
  await scheduler.stop();
  await notifier.close();
  return { store, ran, told };
}

/** What must hold whenever the program was killed; the list of what does not. */
async function complaints({ dir }: Ended): Promise<string[]> {
  const { store, ran, told } = await recover(dir);
  const found: string[] = [];
  const jobs = await sqlAll(store, 'SELECT id, payload, kind FROM schedules');
  for (const id of linesOf(dir, 'added')) {
    if (id !== '' && !id.startsWith('steps') && !jobs.some((job) => job.id === id))
      found.push(`${id} was acknowledged and is lost`);
  }
  const runs = await sqlAll(store, 'SELECT * FROM runs');
  for (const run of runs) {
    const starts = ran.filter((line) => line.startsWith(`${run.id} `)).length;
    if (!FINAL.has(String(run.state))) found.push(`${run.id} is still ${run.state}`);
    if (starts > Number(run.attempt)) found.push(`${run.id} ran ${starts} times, the ledger says ${run.attempt}`);
    if (run.state !== 'succeeded' || !String(run.output).startsWith('answer')) continue;
    const messages = told.filter((text) => text.includes(String(run.output)));
    const marked = messages.filter((text) => text.includes('(may be repeated)'));
    if (messages.length === 0) found.push(`${run.id} succeeded and nobody was told`);
    if (messages.length > 1 && (messages.length > 2 || marked.length === 0))
      found.push(`${run.id} was told ${messages.length} times`);
  }
  for (const job of jobs.filter((each) => each.kind === 'at')) {
    if (!runs.some((run) => run.schedule_id === job.id)) found.push(`one-off ${job.id} never ran`);
  }
  const many = jobs.find((job) => job.payload === '"many"');
  const times = runs
    .filter((run) => run.schedule_id === many?.id)
    .reduce((sum, run) => sum + 1 + Number(run.missed), 0);
  if (many && times !== 1) found.push(`the recurring job was due once in that hour, the ledger has ${times}`);
  if (runs.some((run) => run.state === 'unknown') && !told.some((text) => text.includes('not known')))
    found.push('an unknown outcome was not told');
  await store.close();
  return found;
}

test('killed at any durable step, nothing is lost and nothing runs twice without the ledger saying so', {
  timeout: 900_000,
}, async () => {
  const whole = await runChild(0, 'before');
  const steps = Number(/steps (\d+)/u.exec(linesOf(whole.dir, 'added').join('\n'))?.[1]);
  const points = Array.from({ length: steps }, (_, index) => index + 1).flatMap((step) => [
    { step, side: 'before' as const },
    { step, side: 'after' as const },
  ]);
  expect(points.length).toBeGreaterThanOrEqual(72);
  const bad: string[] = [];
  const work = points[Symbol.iterator]();
  const lane = async () => {
    for (const { step, side } of work) {
      const ended = await runChild(step, side);
      if (!ended.killed) bad.push(`step ${step} ${side}: it was not reached`);
      for (const complaint of await complaints(ended)) bad.push(`step ${step} ${side}: ${complaint}`);
    }
  };
  await Promise.all([lane(), lane()]);
  expect(bad).toEqual([]);
});
