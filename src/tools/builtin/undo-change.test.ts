import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlRun } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { undoWorld } from '../../testing/undo-world.ts';
import { createUndoTools } from './undo-change.ts';

/** Things to change, and the tools that change them back; `from` is the conversation that asks. */
async function world() {
  const store = await openTestStore(':memory:');
  onTestFinished(() => store.close());
  const here = undoWorld(store, temporaryFolder());
  const ask = async (name: string, input: object = {}, from?: string, untrusted = false) => {
    const turn = { id: `turn_${Math.random()}`, ...(from === undefined ? {} : { conversationId: from }) };
    const scope = await testScope({ store, turn, now: () => new Date('2026-11-20T11:00:00Z') });
    if (untrusted) await scope.labels.read({ untrusted, private: false }, 'a page');
    return testToolbox(createUndoTools(here.undo), scope).call(name, input, scope);
  };
  return { ...here, store, ask, file: (name: string) => join(here.folder, name) };
}

/** A file that the owner agreed to. @returns the change. */
async function write(here: Awaited<ReturnType<typeof world>>, path: string, content: string) {
  const done = await here.call('write_file', { path, content });
  expect(done).toMatchObject({ ok: true });
  const listed = await here.ask('list_changes', { path });
  return (listed.ok ? (listed.value as { id: string }[])[0] : undefined) ?? { id: '' };
}

test('the newest change is taken back without a question, then the one before it', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  await here.call('delete_file', { path: 'a.md' });
  expect(await here.ask('undo_change')).toMatchObject({
    ok: true,
    told: { code: 'undone', values: { what: 'a.md', tool: 'delete_file' } },
  });
  expect(readFileSync(here.file('a.md'), 'utf8')).toBe('one');
  expect(await here.ask('undo_change')).toMatchObject({ told: { code: 'undone', values: { tool: 'write_file' } } });
  expect(await here.ask('undo_change')).toMatchObject({ told: { code: 'nothing_to_undo' } });
});

test.each([
  ['write_note', { text: 'buy milk' }],
  ['change_list', { list: 'shopping', add: ['milk'] }],
  ['schedule', { when: '2026-12-24 09:00', text: 'call Anna', as: 'reminder' }],
])('%s is taken back', async (tool, input) => {
  const here = await world();
  const before = await here.everything();
  expect(await here.call(tool, input)).toMatchObject({ ok: true });
  expect(await here.ask('undo_change')).toMatchObject({ told: { code: 'undone', values: { tool } } });
  expect(await here.everything()).toEqual(before);
});

test('an id is no word for a person', async () => {
  const here = await world();
  const made = await here.call('schedule', { when: '2026-12-24 09:00', text: 'call Anna', as: 'reminder' });
  const { id } = (made.ok ? made.value : {}) as { id: string };
  await here.call('reschedule', { id, when: '2026-12-24 10:00' });
  expect(await here.ask('undo_change')).toMatchObject({ told: { values: { what: '2026-12-24 10:00' } } });
});

test('what a person changed since is left alone', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'by Wooster' });
  writeFileSync(here.file('a.md'), 'by hand');
  expect(await here.ask('undo_change')).toMatchObject({ told: { code: 'changed_since', values: { things: 'a.md' } } });
  expect(readFileSync(here.file('a.md'), 'utf8')).toBe('by hand');
});

test('what is obeyed is not brought back unasked, but at once by the conversation that changed it', async () => {
  const here = await world();
  const { id } = await write(here, 'prompt.txt', 'Ask before you mail anybody.');
  // Asked of nobody, it waits.
  expect(await here.ask('undo_change', { id }, 'conv_other')).toMatchObject({ ok: false, reason: 'denied' });
  expect(await here.ask('undo_change', {}, undefined, true)).toMatchObject({ ok: false, reason: 'denied' });
  expect(readFileSync(here.file('prompt.txt'), 'utf8')).toBe('Ask before you mail anybody.');
  expect(await here.ask('undo_change')).toMatchObject({ told: { code: 'undone' } });
});

test.each([
  ['plan.md', true],
  ['deploy.sh', false],
  ['vite.config.ts', false],
])('after others were read, %s is brought back unasked: %s', async (path, runs) => {
  const here = await world();
  await write(here, path, 'new');
  expect(await here.ask('undo_change', {}, undefined, true)).toMatchObject({ ok: runs });
});

test('a change of another conversation is not the newest of this one, and is marked as foreign', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  expect(await here.ask('undo_change', {}, 'conv_other')).toMatchObject({ told: { code: 'nothing_to_undo' } });
  const listed = await here.ask('list_changes', { path: 'a.md' }, 'conv_other');
  expect(listed).toMatchObject({ ok: true, value: [{ tool: 'write_file', paths: ['a.md'], elsewhere: true }] });
  const [{ id }] = listed.ok ? (listed.value as [{ id: string }]) : [{ id: '' }];
  expect(await here.ask('undo_change', { id }, 'conv_other')).toMatchObject({ told: { code: 'undone' } });
  expect(await here.ask('undo_change', { id: 'eff_none' })).toMatchObject({ told: { code: 'no_such_change' } });
});

test('changes are listed by file and day', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  await here.call('write_file', { path: 'b.md', content: 'two' });
  expect(await here.ask('list_changes')).toMatchObject({ value: [{ paths: ['b.md'] }, { paths: ['a.md'] }] });
  expect(await here.ask('list_changes', { path: 'a.md' })).toMatchObject({
    value: [{ what: expect.stringContaining('a.md') }],
  });
  expect(await here.ask('list_changes', { since: '2026-12-01' })).toMatchObject({ value: [] });
});

/** A job of the owner's that may mail without being asked about. */
async function allowedJob({ scheduler, store }: Awaited<ReturnType<typeof world>>) {
  const about = { when: 'every friday at 15:00', prompt: 'mail the week to Bob', project: 'home', untrusted: false };
  const { id } = await scheduler.add(about);
  await sqlRun(store, `UPDATE schedules SET pin = '{"tools":["send_mail"],"destinations":["mail:bob"]}'`);
  return id;
}

const newestOf = async (here: Awaited<ReturnType<typeof world>>) => {
  const listed = await here.ask('list_changes', {}, 'conv_evil', true);
  return (listed.ok ? (listed.value as { id: string }[])[0] : undefined) ?? { id: '' };
};

test('a job that text of others brings back is as if it had been written then', async () => {
  const here = await world();
  const job = await allowedJob(here);
  await here.call('cancel_schedule', { id: job });
  const { id } = await newestOf(here);
  const undone = await here.ask('undo_change', { id }, 'conv_evil', true);
  expect(undone).toMatchObject({
    ok: true,
    text: expect.stringContaining(`restricted until the user says: approve ${job}`),
  });
  expect((await here.scheduler.show(job)).job).toMatchObject({ restricted: true, pin: undefined });
});

test('the owner gets a job back as it was', async () => {
  const here = await world();
  const job = await allowedJob(here);
  await here.call('cancel_schedule', { id: job });
  expect(await here.ask('undo_change')).toMatchObject({ told: { code: 'undone' } });
  expect((await here.scheduler.show(job)).job).toMatchObject({ restricted: false, pin: { tools: ['send_mail'] } });
});

test('what the owner has stopped since stays stopped, whoever undoes what came before', async () => {
  const here = await world();
  const job = await allowedJob(here);
  await here.call('reschedule', { id: job, when: 'every friday at 16:00' });
  await here.scheduler.unpin(job);
  await here.scheduler.pause(job);
  expect(await here.ask('undo_change')).toMatchObject({ told: { code: 'undone' } });
  expect((await here.scheduler.show(job)).job).toMatchObject({
    ...{ said: 'every friday at 15:00', pin: undefined, enabled: false, pausedBecause: 'you' },
  });
});
