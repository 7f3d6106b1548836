/**
 * One of the programs of `bench/workers.ts`. Arguments: the URL, the home, and how often it ticks: `ticks` or `hints`
 * as the product does, or `mute`, which does not hear the hints. It says `ready`, and begins after a line on stdin.
 */
import { Client } from 'pg';
import { systemClock } from '../src/base/clock.ts';
import type { Log } from '../src/base/log.ts';
import { createScheduler } from '../src/scheduler/scheduler.ts';
import { openStore, type Store } from '../src/store/store.ts';

const [url = '', home = '', mode = 'hints'] = process.argv.slice(2);
const opened = await openStore({ kind: 'postgres', url, home });
const store = mode === 'mute' ? mute(opened) : opened;
const effects = new Client({ connectionString: process.env.BENCH_DIRECT_URL ?? url });
await effects.connect();
effects.on('error', () => {});
const say = (level: string) => (message: string, fields?: object) =>
  process.stderr.write(`${level} ${message} ${JSON.stringify(fields ?? {})}\n`);
const log: Log = { debug() {}, info() {}, warn: say('warn'), error: say('error') };

const scheduler = createScheduler({
  store,
  clock: systemClock,
  log: process.env.BENCH_VERBOSE ? log : { ...log, warn() {} },
  timeZone: 'UTC',
  hasEffects: async (run) =>
    (await effects.query('select from bench_effects where home = $1 and run = $2 limit 1', [home, run])).rowCount !== 0,
  onDue: async ({ runId }) => {
    await effects.query(
      'insert into bench_effects (home, run, program, at) values ($1, $2, $3, extract(epoch from clock_timestamp()))',
      [home, runId, process.pid],
    );
    return { state: 'succeeded', output: '[SILENT]' };
  },
  notices: { post: async () => {}, advance: async () => {} },
});
process.stdout.write('ready\n');
process.stdin.once('data', () => void scheduler.start());
process.once('SIGTERM', async () => {
  await scheduler.stop();
  await store.close();
  await effects.end();
  process.exit();
});

/** The same store without hints: as if every one of them got lost. */
function mute(whole: Store): Store {
  return new Proxy(whole, {
    get(target, name) {
      if (name === 'wake') return { notify: async () => {}, on: () => () => {} };
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
