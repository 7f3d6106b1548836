/**
 * What a service costs that has nothing to do: `npm run soak:idle [-- MINUTES [JOBS]]`. Runs `wooster serve` of a new home with 1,000
 * jobs, none of which is due, and measures its memory and its share of a processor once it has come to rest. Linux only.
 *
 * Exits with 1 above 90 MB or 0.2 % of a processor.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/store/store.ts';
import { idleScheduler } from '../src/testing/idle-scheduler.ts';

const ROOT = resolve(import.meta.dirname, '..');
const [MOST_MB, MOST_PERCENT] = [90, 0.2];
const REST_MS = 60_000;
/** Of proc(5) stat: clock ticks per second on Linux. */
const TICKS = 100;
const [minutes = '5', jobs = '1000'] = process.argv.slice(2);

const home = mkdtempSync(join(tmpdir(), 'wooster-idle-'));
try {
  await addJobs(Number(jobs));
  const env = { ...process.env, WOOSTER_HOME: home, ROUTING_LOCAL_ENABLED: 'false' };
  const child = spawn(join(ROOT, 'bin/wooster'), ['serve'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  await sleep(REST_MS);
  const before = processorSeconds(child.pid);
  const started = performance.now();
  await sleep(Number(minutes) * 60_000);
  const percent = ((processorSeconds(child.pid) - before) / ((performance.now() - started) / 1000)) * 100;
  const megabytes = memoryMb(child.pid);
  child.kill('SIGTERM');
  process.stdout.write(
    `${jobs} jobs, ${minutes} minutes: ${megabytes.toFixed(1)} MB, ${percent.toFixed(2)} % of a processor\n`,
  );
  process.exitCode = megabytes > MOST_MB || percent > MOST_PERCENT ? 1 : 0;
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function addJobs(count: number): Promise<void> {
  const store = await openStore(join(home, 'state', 'wooster.sqlite3'));
  const scheduler = idleScheduler(store);
  await store.transaction(async () => {
    for (let job = 0; job < count; job++)
      await scheduler.add({ project: 'home', prompt: `job ${job}`, when: 'every monday at 4:13', untrusted: false });
  });
  await store.close();
}

/** Of all threads of the process, in user and kernel mode. */
function processorSeconds(pid = 0): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

function memoryMb(pid = 0): number {
  return Number(/^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
