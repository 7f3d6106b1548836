import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { type LegacyRow, legacySchedule } from '../testing/legacy-schedule.ts';
import { testScheduler } from '../testing/scheduler.ts';

/** A scheduler and the file of a legacy Wooster with these rows; it is 2026-11-20 11:00 UTC. */
async function scene(rows: readonly LegacyRow[]) {
  const path = join(temporaryFolder(), 'database/scheduler.sqlite3');
  const database = legacySchedule(path, rows);
  onTestFinished(() => database.close());
  return { ...(await testScheduler({ timeZone: 'Europe/Oslo' })), path, database };
}

const ROW: LegacyRow = { id: 'a', schedule_expression: '0 9 * * 1-5', payload: '"say hello"' };

test('a prompt with a cron pattern goes on in the zone of the owner', async () => {
  const { scheduler, path } = await scene([ROW]);
  const { jobs } = await scheduler.importLegacy(path);
  expect(jobs).toMatchObject([{ earlierId: 'a', what: 'say hello', state: 'active' }]);
  const [job] = await scheduler.list();
  expect(job).toMatchObject({
    ...{ prompt: 'say hello', timeZone: 'Europe/Oslo', project: 'home', enabled: true, untrusted: true },
    next: new Date('2026-11-23T08:00:00Z'),
  });
});

test.each<[string, Partial<LegacyRow>, string, string | undefined]>([
  ['an instant', { schedule_expression: '2026-12-24T18:00:00.000Z' }, 'active', undefined],
  ['a nickname', { schedule_expression: '@daily' }, 'active', undefined],
  ['seconds in front', { schedule_expression: '0 30 9 * * *' }, 'active', undefined],
  ['a prompt that is not JSON', { payload: 'say hello' }, 'active', undefined],
  ['an instant that has passed', { schedule_expression: '2026-01-01T09:00:00.000Z' }, 'paused', 'its time was missed'],
  ['words', { schedule_expression: 'every monday at 8am' }, 'paused', 'more than one way'],
  ['a time without a zone', { schedule_expression: '2026-12-24T18:00:00' }, 'paused', 'more than one way'],
  ['switched off', { is_active: 0 }, 'paused', 'it was off'],
  ['a payload that is no text', { payload: '{"a":1}' }, 'paused', 'not a text'],
  ['no prompt', { payload: '""' }, 'left', 'no prompt'],
  ['a time that nobody understands', { schedule_expression: 'blursday' }, 'left', '"blursday" is not'],
  ['a date that never comes', { schedule_expression: '0 0 31 2 *' }, 'left', 'never comes'],
  ['a function', { task_handler_type: 'DIRECT_FUNCTION', task_key: 'dailyReview.send' }, 'left', 'of a plugin'],
  ['another kind', { task_handler_type: 'SHELL' }, 'left', 'its kind "SHELL" is not known'],
])('%s: %j is %s', async (_name, changes, state, why) => {
  const { scheduler, path } = await scene([{ ...ROW, ...changes }]);
  const [job] = (await scheduler.importLegacy(path)).jobs;
  expect(job).toMatchObject(why === undefined ? { state } : { state, why: expect.stringContaining(why) });
  const list = await scheduler.list();
  expect(list.map(({ enabled }) => enabled)).toEqual(state === 'left' ? [] : [state === 'active']);
});

test('what its `schedule()` stored goes out as it stands, without a model', async () => {
  const { scheduler, path, clock, tick, ran, notices } = await scene([
    {
      ...ROW,
      schedule_expression: '2026-11-20T11:30:00.000Z',
      payload: '"sendSignal {\\"message\\":\\"Take the bread out\\"}"',
    },
  ]);
  await scheduler.importLegacy(path);
  clock.advance(30 * 60_000);
  await tick();
  expect(ran).toEqual([]);
  expect(notices).toMatchObject([{ text: 'Take the bread out', to: 'signal' }]);
});

test('each row is imported once for ever, also by two programs and after it was removed', async () => {
  const { scheduler, path, database, store } = await scene([ROW, { ...ROW, id: 'b' }]);
  expect(await scheduler.importLegacy(path)).toMatchObject({ found: true, old: false });
  const again = await (await testScheduler({ store, timeZone: 'UTC' })).scheduler.importLegacy(path);
  expect(again).toMatchObject({ old: true, jobs: [{ state: 'known' }, { state: 'known' }] });
  const [first] = await scheduler.list();
  await scheduler.remove(String(first?.id));
  database.exec("UPDATE schedules SET id = 'c' WHERE id = 'b'");
  expect(await scheduler.importLegacy(path)).toMatchObject({
    old: false,
    jobs: [{ state: 'known' }, { earlierId: 'c' }],
  });
  expect(await scheduler.list()).toHaveLength(2);
});

test('a row that was not understood is read again once it is corrected', async () => {
  const { scheduler, path, database } = await scene([{ ...ROW, schedule_expression: 'blursday' }]);
  expect((await scheduler.importLegacy(path)).jobs).toMatchObject([{ state: 'left' }]);
  database.exec("UPDATE schedules SET schedule_expression = '0 8 * * *'");
  expect((await scheduler.importLegacy(path)).jobs).toMatchObject([{ state: 'active' }]);
});

test.each([
  ['not a database', 'this is no database, only words that are long enough to be read as a header'],
  ['an empty file', ''],
])('%s is reported and left as it is', async (_name, content) => {
  const dir = join(temporaryFolder(), 'database');
  const path = join(dir, 'scheduler.sqlite3');
  mkdirSync(dir);
  writeFileSync(path, content);
  const { scheduler } = await testScheduler();
  expect(await scheduler.importLegacy(path)).toMatchObject({
    found: true,
    problem: expect.any(String),
    jobs: [],
    old: false,
  });
  expect(await scheduler.importLegacy(path)).toMatchObject({ problem: expect.any(String), old: true });
  expect(readFileSync(path, 'utf8')).toBe(content);
  expect([readdirSync(dir), await scheduler.list()]).toEqual([['scheduler.sqlite3'], []]);
});

test('a table of another shape is reported and left as it is', async () => {
  const { scheduler, path, database } = await scene([ROW]);
  database.exec('ALTER TABLE schedules DROP COLUMN schedule_expression');
  expect(await scheduler.importLegacy(path)).toMatchObject({ problem: expect.stringContaining('schedule_expression') });
  expect(database.prepare('SELECT count(*) AS n FROM schedules').get()).toEqual({ n: 1 });
});

test('a file that was imported is unchanged byte for byte', async () => {
  const { scheduler, path, database } = await scene([ROW]);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const before = readFileSync(path);
  await scheduler.importLegacy(path);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('where there is no such file nothing is said', async () => {
  expect(await (await testScheduler()).scheduler.importLegacy('/nowhere/scheduler.sqlite3')).toMatchObject({
    found: false,
    jobs: [],
  });
});
