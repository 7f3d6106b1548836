/**
 * Move the clock of a running scheduler forward and back with libfaketime (apt-get install faketime) and check what it
 * runs. `npm run test:clock`; takes about a minute and a half.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
if (!existsSync(LIBRARY)) {
  console.error(`${LIBRARY} is missing: apt-get install faketime`);
  process.exit(2);
}

const dir = mkdtempSync(join(tmpdir(), 'wooster-clock-'));
const offsetFile = join(dir, 'offset');
writeFileSync(offsetFile, '+0\n');
const child = spawn(
  process.execPath,
  ['--no-warnings', join(import.meta.dirname, '../src/testing/jump-child.ts'), dir],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  },
);
const runs: { readonly prompt: string; readonly reason: string; readonly at: string; readonly seenMs: number }[] = [];
createInterface({ input: child.stdout }).on('line', (line) => {
  const [, prompt = '', reason = '', at = ''] = line.split(' ');
  runs.push({ prompt, reason, at, seenMs: performance.now() });
});

const MINUTE = 60;
const CASES: readonly [string, number][] = [1, 4, 59, 180, 1500].flatMap((minutes) => [
  [`ahead ${minutes} min`, minutes * MINUTE],
  [`back ${minutes} min`, -minutes * MINUTE],
]);
let offset = 0;
let failures = 0;

try {
  await until(() => runs.length >= 3, 20_000, 'the scheduler never started');
  console.log('case            catch-ups  repeated  next job after');
  for (const [name, seconds] of CASES) await jump(name, seconds);
  await jump('zone of process', 0, 'TZ Asia/Tokyo');
} finally {
  child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

async function jump(name: string, seconds: number, line?: string): Promise<void> {
  offset += seconds;
  const from = runs.length;
  writeFileSync(offsetFile, `${offset >= 0 ? '+' : ''}${offset}\n`);
  if (line) child.stdin.write(`${line}\n`);
  await delay(2500);
  const probe = `probe${from}`;
  const asked = performance.now();
  child.stdin.write(`${probe}\n`);
  await until(() => runs.some((run) => run.prompt === probe), 15_000, `${name}: a job two seconds ahead never ran`);
  const waitedMs = (runs.find((run) => run.prompt === probe)?.seenMs ?? 0) - asked;
  const catchUps = runs.slice(from).filter((run) => run.reason === 'catch-up').length;
  const times = runs.filter((run) => run.prompt === 'second').map((run) => run.at);
  const repeated = times.length - new Set(times).size;
  const ok = catchUps <= 1 && repeated === 0 && waitedMs <= 4500;
  if (!ok) failures++;
  console.log(
    `${name.padEnd(16)}${String(catchUps).padEnd(11)}${String(repeated).padEnd(10)}${Math.round(waitedMs)} ms${ok ? '' : '  FAILED'}`,
  );
}

async function until(holds: () => boolean, withinMs: number, otherwise: string): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) {
      failures++;
      console.log(`${otherwise}  FAILED`);
      return;
    }
    await delay(50);
  }
}
