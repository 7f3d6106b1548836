import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ShownNotice } from '../notify/types.ts';
import type { JobOptions } from '../scheduler/types.ts';
import { type AppOptions, openApp } from '../testing/app.ts';
import { temporaryFolder } from '../testing/home.ts';
import { settled } from '../testing/settled.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { mailTool } from '../testing/tools.ts';

const NOW = new Date('2026-11-20T11:00:00Z');
const HOUR_MS = 3600_000;
const NEVER = new AbortController().signal;
const WAIT = { timeout: 20_000 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: NOW }));
afterEach(() => void vi.useRealTimers());

/** A program whose clock the test advances; due work is then done. */
async function open(options: AppOptions = {}) {
  const opened = await openApp({ ...options, env: { WOOSTER_TIME_ZONE: 'UTC', ...options.env } });
  const { app } = opened;
  const tick = async () => {
    await app.schedule.jobs.tick();
    await settled(app.store);
    await app.schedule.jobs.tick();
  };
  const show = (notices: readonly ShownNotice[]) => void opened.announced.push(...notices.map(({ text }) => text));
  await app.schedule.notifier.notices.openFace({ kind: 'prompt', runsJobs: true, show });
  return {
    ...opened,
    tick,
    add: (prompt: string, job: Partial<JobOptions> = {}, when = 'in one hour') =>
      app.schedule.jobs.add({ when, prompt, project: 'home', untrusted: false, options: job }),
    async afterHours(hours: number) {
      vi.setSystemTime(Date.now() + hours * HOUR_MS);
      await tick();
    },
    runs: async () => (await app.store.read.selectFrom('runs').select(['state']).execute()).map(({ state }) => state),
  };
}

test('a reminder is shown when it is due', async () => {
  const { add, afterHours, announced, runs } = await open();
  await add('water the tulips', { verbatim: true });
  await afterHours(0.9);
  expect(announced).toEqual([]);
  await afterHours(0.2);
  await vi.waitFor(() => expect(announced.join()).toContain('water the tulips'));
  expect(await runs()).toEqual(['succeeded']);
});

test('a job is carried out as a turn that knows what it is, and its answer is shown', async () => {
  const { add, afterHours, announced, model } = await open({ replies: ['The tulips are fine.'] });
  const { id } = await add('look after the tulips');
  await afterHours(1.1);
  await vi.waitFor(() => expect(announced.join()).toContain('The tulips are fine.'));
  const said = model.requests[0]?.messages.map(({ text }) => text).join('\n');
  expect(said).toContain(`${id}, due now: carry it out.`);
  expect(said).toContain('look after the tulips');
});

test('a job runs in the mode that the settings name, unless it has its own', async () => {
  const { add, afterHours, app } = await open({ replies: ['One.', 'Two.'] });
  await add('one');
  await afterHours(1.1);
  await add('two', { mode: 'code_agent' });
  await afterHours(1.1);
  const turns = await sqlAll(app.store, 'SELECT mode, origin FROM turns ORDER BY started_at');
  expect(turns).toEqual([
    { mode: 'classic_tools', origin: 'schedule' },
    { mode: 'code_agent', origin: 'schedule' },
  ]);
});

test('a job whose condition is not met asks no model', async () => {
  const { add, afterHours, model, runs } = await open({ replies: ['Never said.'] });
  await add('look after the tulips', { condition: 'return false;' });
  await afterHours(1.1);
  expect([model.requests.length, await runs()]).toEqual([0, ['skipped']]);
});

test('a rehearsal says what a job would do, and does none of it', async () => {
  const sent: string[] = [];
  const call = { toolCalls: [{ name: 'send_mail', args: { to: 'ann@example.com' } }] };
  const { add, app } = await open({ replies: [call, 'Done.'], additions: { tools: [mailTool(sent)] } });
  const { id } = await add('mail Ann');
  const rehearsed = await app.schedule.jobs.rehearse(id, { pin: false, signal: NEVER });
  expect(JSON.stringify(rehearsed)).toContain('send_mail');
  expect(sent).toEqual([]);
});

test.each([
  ['nothing', undefined, 'succeeded'],
  ['a note that left no trace, so it was not written', 'write_note', 'succeeded'],
  ['a mail, of which nothing tells whether it was sent', 'send_mail', 'unknown'],
])('a run whose program was killed, and had begun %s, ends as it should', async (_, tool, expected) => {
  const { app, add, runs } = await open({ replies: ['Done.'], additions: { tools: [mailTool([])] } });
  const { id } = await add('look after the tulips');
  const run = `INSERT INTO runs (id, schedule_id, scheduled_for, reason, state, owner, lease_until, attempt)
    VALUES ('run_1', ?, '2026-11-20T10:59:00.000Z', 'time', 'running', 'elsewhere:1:x', '2026-11-20T11:01:00.000Z', 1)`;
  await sqlRun(app.store, run, id);
  await sqlRun(app.store, 'UPDATE schedules SET next_run_utc = NULL');
  const effect = `INSERT INTO effects
    (id, turn_id, run_id, conversation_id, tool, effect, idempotency_key, input, state, created_at)
    VALUES ('eff_1', 'turn_1', 'run_1', 'conv_1', ?, 'local', 'key', '{}', 'intent', '')`;
  if (tool) await sqlRun(app.store, effect, tool);
  for (let minute = 0; minute < 5; minute++) {
    vi.advanceTimersByTime(60_000);
    await app.schedule.jobs.tick();
  }
  await vi.waitFor(async () => expect(await runs()).toEqual([expected]), WAIT);
});

test('a job that waits for documents runs when another program has changed them', async () => {
  const { add, afterHours, app, model } = await open({ replies: ['Read.'] });
  await add('summarise what is new', {}, 'on: project-changed');
  const folder = app.knowledge.projects.folder('home');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'garden.md'), 'The tulips bloom in April.');
  await app.knowledge.documents.ingest('home', [folder], { signal: NEVER });
  await afterHours(1);
  await afterHours(1);
  await vi.waitFor(() => expect(model.requests).toHaveLength(1));
});

test.each([
  ['the machine', { WOOSTER_WORKER_SLOTS: '2', SCHEDULER_CONCURRENCY: '1' }],
  ['the scheduler', { SCHEDULER_CONCURRENCY: '2' }],
])('no more jobs run at once than the settings of %s say', async (_, env) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { add, app, model, tick, runs } = await open({ env, replies: Array(3).fill(() => promise) });
  for (const text of ['a', 'b', 'c']) await add(text);
  vi.setSystemTime(Date.now() + 2 * HOUR_MS);
  await app.schedule.jobs.tick();
  await vi.waitFor(() => expect(model.requests).toHaveLength(2), WAIT);
  await app.schedule.jobs.tick();
  expect((await runs()).filter((state) => state === 'running')).toHaveLength(2);
  resolve('Done.');
  await tick();
  await vi.waitFor(async () => expect(await runs()).toEqual(Array(3).fill('succeeded')), WAIT);
});

const PRIVATE = ['', 'notes', 'user-plugins', 'state', 'logs', '.env', 'mcp.json', 'config/local.json'];

test.each([
  ['a home', {}, [...PRIVATE, 'projects', 'vector_data']],
  ['a home whose folders are shared', { WOOSTER_PROJECTS_DIR: 'projects', WOOSTER_CACHE_DIR: '.' }, PRIVATE],
])('of %s, the doctor finds and closes what only its owner may read', async (_, env, expected) => {
  const home = temporaryFolder();
  for (const name of ['notes', 'user-plugins', 'projects', 'vector_data', 'state/workspaces/w', 'config'])
    mkdirSync(join(home, name), { recursive: true });
  for (const name of ['.env', 'mcp.json']) writeFileSync(join(home, name), name === '.env' ? '' : '{}');
  const { app } = await open({ home, env });
  for (const path of [...PRIVATE, 'projects', 'vector_data', 'state/workspaces', 'state/workspaces/w'])
    chmodSync(join(home, path), 0o755);
  // These two would start processes.
  vi.spyOn(app.tools.sandbox, 'probe').mockResolvedValue({ ok: true, notes: [] } as never);
  vi.spyOn(app.turns.workspaces, 'prove').mockRejectedValue(new Error('not tried'));
  const checks = await app.home.check();
  const names = checks.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['database', 'sandbox', 'workspace']));
  const privacy = checks.find(({ name }) => name === 'privacy');
  const paths = (await privacy?.fix?.())?.split(': ')[1]?.split(', ') ?? [];
  const named = paths
    .map((path) => path.slice(home.length + 1))
    .filter((path) => !/\/.*(?:\.jsonl|\.sqlite3.*|locks.*)$/u.test(path));
  expect(named.sort()).toEqual([...expected].sort());
});
