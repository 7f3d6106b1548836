import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { FakeClock } from '../testing/clock.ts';
import { temporaryFolder } from '../testing/home.ts';
import { sqlAll } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { createScheduler } from './scheduler.ts';

const CHILD = join(import.meta.dirname, '../testing/tick-child.ts');
const START = Date.parse('2026-11-20T11:00:00Z');
const TICKS = 1000;

/** Another program on the same database. */
function startProgram(dir: string) {
  const child = spawn(process.execPath, ['--no-warnings', CHILD, dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (at: string): Promise<string[]> => {
    child.stdin.write(`${at}\n`);
    const { value } = await answers.next();
    return String(value)
      .split(' ')
      .filter((id) => id !== '');
  };
}

test('two programs on one database: each of 1,000 ticks is claimed exactly once', { timeout: 120_000 }, async () => {
  const dir = temporaryFolder();
  const store = await openTestStore(join(dir, 'state.sqlite3'));
  const parts = { store, clock: new FakeClock(new Date(START)), log: silentLog, timeZone: 'UTC' };
  const idle = createScheduler({
    ...parts,
    hasEffects: async () => false,
    onDue: async () => ({ state: 'failed', output: '' }),
    notices: { post: async () => {}, advance: async () => {} },
  });
  await idle.add({ when: '* * * * * *', prompt: 'x', project: 'home', untrusted: false });
  const programs = [startProgram(dir), startProgram(dir)];
  const claims = new Map<string, number>();
  const wins = [0, 0];
  for (let tick = 1; tick <= TICKS; tick++) {
    const at = new Date(START + tick * 1000).toISOString();
    const given = await Promise.all(programs.map((program) => program(at)));
    given.forEach((ids, index) => {
      wins[index] = (wins[index] ?? 0) + ids.length;
      for (const id of ids) claims.set(id, (claims.get(id) ?? 0) + 1);
    });
  }
  const rows = await sqlAll(store, 'SELECT state, count(*) AS n, max(attempt) AS attempts FROM runs GROUP BY state');
  expect(rows).toEqual([{ state: 'succeeded', n: TICKS, attempts: 1 }]);
  expect([claims.size, Math.max(...claims.values())]).toEqual([TICKS, 1]);
  expect(Math.min(...wins)).toBeGreaterThan(0);
  await store.close();
});
