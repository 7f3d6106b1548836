import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { legacySchedule } from './testing/legacy-schedule.ts';
import { sqlAll, sqlRun } from './testing/sql.ts';
import { openTestStore } from './testing/stores.ts';
import { ownJobs, wooster } from './testing/wooster.ts';

/** `wooster schedule ...` on one home; its rows and exit code. */
function onHome() {
  const home = temporaryFolder();
  const schedule = async (...args: string[]) => {
    const ran = await wooster(['schedule', ...args, '--json'], { home });
    return { ...ran, rows: ownJobs(ran.stdout) };
  };
  return { home, schedule };
}

test('next shows the coming times in UTC and saves nothing', async () => {
  const { schedule } = onHome();
  const ran = await schedule(
    'next',
    'every weekday at 9',
    '--tz',
    'Europe/Oslo',
    '--from',
    '2026-03-27T00:00:00Z',
    '--count',
    '3',
  );
  expect(ran.stdout).toBe(
    '{"at":"2026-03-27T08:00:00.000Z"}\n{"at":"2026-03-30T07:00:00.000Z"}\n{"at":"2026-03-31T07:00:00.000Z"}\n',
  );
  expect((await schedule('list')).rows).toEqual([]);
});

test.each([
  ['an impossible date', ['add', '--when', '0 0 31 2 *', '--prompt', 'x'], 'bad_time', 1],
  ['a past time', ['add', '--when', '2020-01-01', '--prompt', 'x'], 'bad_time', 1],
  ['an unknown zone', ['add', '--when', 'tomorrow', '--prompt', 'x', '--tz', 'Mars/Base'], 'bad_time', 1],
  ['an unknown channel', ['add', '--when', 'tomorrow', '--prompt', 'x', '--to', 'pigeon'], 'unknown_channel', 1],
  ['an unknown policy', ['add', '--when', 'tomorrow', '--prompt', 'x', '--catch-up', 'maybe'], 'bad_usage', 2],
  ['an unknown tool', ['add', '--when', 'tomorrow', '--prompt', 'x', '--tools', 'wrte_note'], 'unknown_tool', 1],
  ['no prompt', ['add', '--when', 'tomorrow'], 'bad_usage', 2],
  ['an unknown id', ['pause', 'job_nope'], 'unknown_schedule', 1],
  ['an unknown form', ['lst'], 'bad_usage', 2],
])('%s is one clear line', async (_name, args, code, exit) => {
  const ran = await onHome().schedule(...args);
  expect(ran.rows).toMatchObject([{ type: 'error', code }]);
  expect([ran.code, ran.stderr.trimEnd().split('\n').length]).toEqual([exit, 1]);
});

test('a job is added, rehearsed, pinned, run, shown, paused and removed', async () => {
  const { home, schedule } = onHome();
  const added = await schedule('add', '--when', 'every day at 9', '--prompt', 'take a note: buy milk');
  const id = String(added.rows[0]?.id);
  const rehearsed = await schedule('rehearse', id, '--pin');
  expect(rehearsed.rows).toMatchObject([
    { state: 'succeeded', calls: [{ tool: 'write_note', stubbed: true }], pin: { tools: ['write_note'] } },
  ]);
  expect((await wooster(['ask', 'list my notes'], { home })).stdout).not.toContain('milk');
  expect((await schedule('run', id)).rows).toMatchObject([{ state: 'succeeded', reason: 'manual' }]);
  expect((await schedule('show', id)).rows).toMatchObject([{ id, history: [{ state: 'succeeded' }] }]);
  expect((await schedule('pause', id)).rows).toMatchObject([{ enabled: false, pausedBecause: 'you' }]);
  expect((await schedule('remove', id)).rows).toEqual([{ removed: id }]);
  expect((await schedule('list')).rows).toEqual([]);
});

test('a restricted job does nothing, until a rehearsal is pinned or the owner approves it', async () => {
  const { home, schedule } = onHome();
  const added = await schedule('add', '--when', 'every day at 9', '--prompt', 'remind me tomorrow at 9 to call Bob');
  const id = String(added.rows[0]?.id);
  const store = await openTestStore(join(home, 'state/wooster.sqlite3'));
  onTestFinished(() => store.close());
  await sqlRun(store, 'UPDATE schedules SET untrusted = 1');
  const made = () => sqlAll(store, 'SELECT payload FROM schedules WHERE id <> ? AND task_key IS NULL', id);
  await schedule('run', id);
  expect(await made()).toEqual([]);
  await schedule('rehearse', id, '--pin');
  expect((await wooster(['approvals'], { home })).stdout).toContain(`${id} "remind me tomorrow at 9 to call Bob"`);
  expect((await schedule('run', id)).rows).toMatchObject([{ state: 'succeeded' }]);
  expect(await made()).toEqual([{ payload: '"call Bob"' }]);
  await wooster(['approvals', 'forget', id], { home });
  await schedule('run', id);
  expect(await made()).toHaveLength(1);
  const shown = await wooster(['approve', id], { home });
  expect(shown.code).toBe(1);
  const [, approval = ''] = /"approve (\S+)" lets it act/u.exec(shown.stdout) ?? [];
  expect((await wooster(['approve', approval], { home })).code).toBe(0);
  expect((await schedule('run', id)).rows).toMatchObject([{ state: 'succeeded' }]);
  expect(await made()).toHaveLength(2);
}, 90_000);

test('a pinned job that wants more than was allowed is denied, paused, and asks', async () => {
  const { home, schedule } = onHome();
  const added = await schedule('add', '--when', 'every day at 9', '--prompt', 'what is 2 + 2?', '-c', 'shared');
  const id = String(added.rows[0]?.id);
  await schedule('rehearse', id, '--pin');
  const store = await openTestStore(join(home, 'state/wooster.sqlite3'));
  await sqlRun(store, 'UPDATE schedules SET payload = ? WHERE id = ?', JSON.stringify('take a note: buy milk'), id);
  await store.close();
  const ran = await schedule('run', id);
  expect(ran.rows).toMatchObject([{ state: 'denied', error: expect.stringContaining('write_note') }]);
  expect((await schedule('list')).rows).toMatchObject([
    { enabled: false, pausedBecause: 'it wanted more than was allowed' },
  ]);
});

test('a legacy schedule is imported at the start, announced once, and left as it is', async () => {
  const { home, schedule } = onHome();
  const path = join(home, 'database/scheduler.sqlite3');
  const soon = { id: 'a', schedule_expression: '* * * * * *', payload: '"what is 6 * 7?"' };
  const words = { id: 'b', schedule_expression: 'every monday at 8am', payload: '"say hello"' };
  legacySchedule(path, [soon, words]).close();
  const before = readFileSync(path);
  const { serveUntil } = await import('./testing/serve.ts');
  const shown = await serveUntil(home, (text) => text.includes('42'));
  expect(shown).toContain('2 imported.');
  expect(shown).toContain('"say hello" (every monday at 8am): job_');
  expect(readFileSync(path).equals(before)).toBe(true);
  const listed = (await schedule('list')).rows;
  expect(listed.map(({ prompt, enabled }) => [prompt, enabled]).sort()).toEqual([
    ['say hello', false],
    ['what is 6 * 7?', true],
  ]);
  const again = await serveUntil(home, (text) => text.includes('42'));
  expect(again.split('2 imported.')).toHaveLength(2);
  expect((await schedule('import')).rows).toMatchObject([
    { found: true, jobs: [{ state: 'known' }, { state: 'known' }] },
  ]);
  writeFileSync(join(home, 'broken.sqlite3'), 'x'.repeat(2000));
  const broken = await schedule('import', join(home, 'broken.sqlite3'));
  expect([broken.code, broken.rows]).toMatchObject([1, [{ problem: expect.any(String), jobs: [] }]]);
});

test('what is due runs while `serve` does, and documents that change start their jobs', async () => {
  const { home, schedule } = onHome();
  mkdirSync(join(home, 'papers'));
  writeFileSync(join(home, 'papers/tea.md'), '# Tea\n\nTea costs three euro.\n');
  await schedule('add', '--when', 'in 1 second', '--prompt', 'what is 6 * 7?');
  await schedule('add', '--when', 'on: project-changed', '--prompt', 'say the papers are new');
  await wooster(['ingest', join(home, 'papers')], { home });
  const { serveUntil } = await import('./testing/serve.ts');
  const shown = await serveUntil(home, (text) => text.includes('42') && text.includes('papers'));
  expect(shown).toContain('6 * 7 = 42');
  const states = (await schedule('list', '--all')).rows.map((row) => row.pausedBecause ?? row.kind);
  expect(states.sort()).toEqual(['done', 'on']);
});
