/**
 * What becomes of a home when the disk of its PostgreSQL server is full: `npm run test:full-server`. Prints a line per
 * promise and exits with 1 when one is broken. It starts a server of its own on a small disk in memory, as root.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Bar, idleScheduler, newHome, show } from '../bench/workers-world.ts';
import { messageOf } from '../src/base/errors.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { writeFailure } from '../src/store/write-failure.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PORT = '54327';
/** The tables of an empty server and its log take most of the first. */
const [SMALL, LARGE] = ['110m', '400m'];
const AT_MOST = 20_000;

const server = (action: string, ...words: string[]) => {
  const { status, stdout } = spawnSync('sh', [join(ROOT, 'scripts/postgres.sh'), action, PORT, ...words], {
    ...{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  });
  if (status !== 0) throw new Error(`postgres.sh ${action} ended with ${status}`);
  return stdout.trim();
};

server('disk', SMALL);
const folder = mkdtempSync(join(tmpdir(), 'wooster-full-server-'));
try {
  const url = server('start');
  const bars = await fill(url, newHome());
  show(bars);
  process.exitCode = bars.every(({ ok }) => ok) ? 0 : 1;
} finally {
  server('stop');
  server('disk', 'none');
  rmSync(folder, { recursive: true, force: true });
}

async function fill(url: string, home: string): Promise<Bar[]> {
  const env = { ...process.env, WOOSTER_STORE_URL: url, WOOSTER_HOME_ID: home, WOOSTER_TIME_ZONE: 'UTC' };
  const wooster = (...words: string[]) =>
    spawnSync(join(ROOT, 'bin/wooster'), ['--home', folder, ...words], { env, encoding: 'utf8', input: '' });
  const first = wooster('ask', 'remind me tomorrow at 9 to call Ann');
  const store = await openStore({ kind: 'postgres', url, home });
  const { confirmed, refusal } = await addUntilFull(store);
  const told = wooster('ask', 'remind me tomorrow at 10 to call Ben');
  const read = wooster('schedule', 'list', '--json');
  await store.close();
  server('disk', LARGE);
  server('start');
  const again = await openStore({ kind: 'postgres', url, home });
  const kept = await again.db.selectFrom('schedules').select('id').where('payload', 'like', '%fill %').execute();
  const claimed = wooster('schedule', 'list', '--json').stdout;
  await again.close();
  const afterwards = wooster('ask', 'remind me tomorrow at 11 to call Cid');
  const unconfirmed = kept.length - confirmed;
  const promised = told.status === 0 && !told.stdout.includes('disk is full');
  const there = claimed.includes('call Ben');
  return [
    bar('before: a reminder is set', String(first.status), first.status === 0, '= 0'),
    bar('jobs confirmed until the disk is full', String(confirmed), confirmed > 0 && confirmed < AT_MOST, '> 0'),
    bar('  the refusal', refusal, /disk is full|connection|server/iu.test(refusal), 'says why'),
    bar('  a reminder then', firstLine(told.stdout), told.status !== null, 'ends'),
    bar('  the list of jobs then: exit code', String(read.status), read.status !== null, 'ends'),
    bar('with room again: confirmed jobs lost', String(Math.max(0, -unconfirmed)), unconfirmed >= 0, '<= 0'),
    bar('  jobs whose commit had no answer', String(Math.max(0, unconfirmed)), unconfirmed <= 2, '<= 2'),
    bar('  that reminder is there', String(there), there === promised, String(promised)),
    bar('  a reminder is set', String(afterwards.status), afterwards.status === 0, '= 0'),
  ];
}

/** Large rows until there is no room, then small ones. @returns how many jobs were confirmed, and what refused the last. */
async function addUntilFull(store: Store): Promise<{ confirmed: number; refusal: string }> {
  const scheduler = idleScheduler(store);
  let [confirmed, refusal] = [0, 'none'];
  for (const bytes of [15_000, 100]) {
    try {
      for (let n = 0; n < AT_MOST; n++, confirmed++) {
        // Nothing that the server could compress.
        const prompt = `fill ${randomBytes(bytes).toString('base64')}`;
        await scheduler.add({ when: 'in 100 days', prompt, project: 'home', untrusted: false });
      }
    } catch (error) {
      refusal = writeFailure(error)?.message ?? messageOf(error);
    }
  }
  return { confirmed, refusal };
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function bar(what: string, measured: string, ok: boolean, limit: string): Bar {
  return { what, measured, limit, ok };
}
