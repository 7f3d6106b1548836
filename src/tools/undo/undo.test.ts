import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { act, LOCAL_EFFECTS, prepared } from '../../testing/local-effects.ts';
import { openTestStore } from '../../testing/stores.ts';
import { type UndoWorld, undoWorld } from '../../testing/undo-world.ts';
import { effectsOf } from '../gate/effect-rows.ts';
import { verifyReceipts } from '../gate/verify-receipts.ts';

async function world(path = ':memory:', dir = temporaryFolder()): Promise<UndoWorld> {
  const store = await openTestStore(path);
  onTestFinished(() => store.close());
  return undoWorld(store, dir);
}

describe.each(Object.entries(LOCAL_EFFECTS))('%s', (_, effect) => {
  test('is undone, and done again', async () => {
    const here = await world();
    const input = await prepared(here, effect);
    const before = await here.everything();
    expect(await act(here, effect, input)).toMatchObject({ ok: true });
    const after = await here.everything();
    expect(after).not.toEqual(before);

    const undone = await here.undo.newest('home');
    expect(undone).toMatchObject({
      outcome: 'undone',
      tool: effect.name,
      things: expect.arrayContaining([expect.any(String)]),
    });
    expect(await here.everything()).toEqual(before);
    expect(await here.undo.newest('home')).toBeUndefined();

    expect(await here.undo.effect(undone?.by ?? '')).toMatchObject({ outcome: 'undone' });
    expect(await here.everything()).toEqual(after);
    expect(await here.undo.newest('home')).toMatchObject({ outcome: 'undone', effect: undone?.effect });
    expect(await here.everything()).toEqual(before);
    expect((await verifyReceipts(here.store)).problems).toEqual([]);
  });
});

test('what somebody changed since is left alone, unless it is forced', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'by Wooster' });
  const file = join(here.folder, 'a.md');
  writeFileSync(file, 'by hand');
  const report = await here.undo.newest('home');
  expect(report).toMatchObject({ outcome: 'changed', things: ['a.md'] });
  expect(readFileSync(file, 'utf8')).toBe('by hand');
  const forced = await here.undo.effect(report?.effect ?? '', { force: true });
  expect(forced).toMatchObject({ outcome: 'undone' });
  expect(await here.everything()).toMatchObject({ files: {} });
  await here.undo.effect(forced.by ?? '');
  expect(readFileSync(file, 'utf8')).toBe('by hand');
});

test('several effects on one file are undone one after the other, the newest first', async () => {
  const here = await world();
  for (const content of ['one', 'two', 'three']) await here.call('write_file', { path: 'a.md', content });
  const left: string[] = [];
  while ((await here.undo.newest('home'))?.outcome === 'undone')
    left.push(Object.values(((await here.everything()) as { files: Record<string, string> }).files).join());
  expect(left).toEqual(['two', 'one', '']);
});

test('an older effect is not undone under a newer one', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  await here.call('write_file', { path: 'a.md', content: 'two' });
  const older = (await effectsOf(here.store, 'turn_1')).find(({ input }) => input.includes('one'));
  expect(await here.undo.effect(older?.id ?? '')).toMatchObject({ outcome: 'changed' });
  expect(readFileSync(join(here.folder, 'a.md'), 'utf8')).toBe('two');
});

test('a schedule that ran meanwhile is cancelled all the same, and comes back with its history', async () => {
  const here = await world();
  await here.call('schedule', { when: 'every day at 8am', text: 'water the roses' });
  const [job] = await here.scheduler.list();
  await here.scheduler.runNow(job?.id ?? '');
  await here.call('cancel_schedule', { id: job?.id });
  expect(await here.undo.newest('home')).toMatchObject({ outcome: 'undone', tool: 'cancel_schedule' });
  expect((await here.scheduler.show(job?.id ?? '')).history).toMatchObject([{ state: 'succeeded' }]);
  expect(await here.undo.newest('home')).toMatchObject({ outcome: 'undone', tool: 'schedule' });
  expect(await here.scheduler.list()).toEqual([]);
});

test('a turn is undone as a whole, and says what remains', async () => {
  const here = await world();
  await here.call('write_file', { path: 'a.md', content: 'one' });
  await here.call('write_note', { text: 'milk' });
  expect(await here.undo.turn('turn_1')).toMatchObject({
    undone: [
      { outcome: 'undone', tool: 'write_note' },
      { outcome: 'undone', tool: 'write_file' },
    ],
    remains: [],
  });
  expect(await here.everything()).toMatchObject({ files: {} });
  await expect(here.undo.effect('eff_nowhere')).rejects.toMatchObject({ code: 'bad_usage' });
});

test('a note is taken out from between others', async () => {
  const here = await world();
  for (const text of ['one', 'two', 'three']) await here.call('write_note', { text });
  const second = (await effectsOf(here.store, 'turn_1')).find(({ input }) => input.includes('two'));
  await here.undo.effect(second?.id ?? '');
  const journal = readFileSync(join(here.folder, 'home.md'), 'utf8');
  expect(journal.replace(/^## .*$/gmu, '##')).toBe('##\n\none\n\n##\n\nthree\n');
});
