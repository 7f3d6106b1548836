import { expect, test } from 'vitest';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { createNoteTools } from './notes.ts';

async function journalOf(entries: { at: string; text: string }[]) {
  const tools = createNoteTools({
    append: async (_project, text, { at }) => {
      entries.push({ at: at.toISOString(), text });
      return 'home.md';
    },
    thing: (project) => `journal:${project}`,
    entries: async () => entries,
    remove: async (_project, choose) => {
      const at = choose(entries);
      if (at >= 0) entries.splice(at, 1);
    },
  });
  const scope = await testScope();
  return { scope, toolbox: testToolbox(tools, scope) };
}

test('a long journal is listed from its newest fifty entries, oldest first', async () => {
  const entries = Array.from({ length: 60 }, (_, n) => ({ at: '2026-01-01T00:00:00.000Z', text: `note ${n}` }));
  const { toolbox, scope } = await journalOf(entries);
  const listed = await toolbox.call('list_notes', {}, scope);
  expect(listed).toMatchObject({ ok: true, value: entries.slice(10) });
});

test('of many notes that fit, the newest fifty are given to choose from, and none is deleted', async () => {
  const entries = Array.from({ length: 60 }, (_, n) => ({ at: '2026-01-01T00:00:00.000Z', text: `tea ${n}` }));
  const { toolbox, scope } = await journalOf([...entries]);
  const asked = await toolbox.call('delete_note', { about: 'tea' }, scope);
  expect(asked).toMatchObject({ ok: true, value: { deleted: null, matches: entries.slice(10) } });
});

test('a note is appended with the time of its turn, and the person is told where', async () => {
  const entries: { at: string; text: string }[] = [];
  const { toolbox, scope } = await journalOf(entries);
  const noted = await toolbox.call('write_note', { note: '  buy oat milk ' }, scope);
  expect(noted).toMatchObject({ ok: true, value: 'Noted in home.md.' });
  expect(entries).toEqual([{ at: '2026-01-15T09:00:00.000Z', text: 'buy oat milk' }]);
});

const DAYS = [
  { at: '2026-11-19 10:00', text: 'the plumber comes on Monday' },
  { at: '2026-11-20 10:00', text: 'The plumber was here' },
  { at: '2026-11-21 10:00', text: 'tea' },
];

test('notes are listed by their words and by their days', async () => {
  const { toolbox, scope } = await journalOf([...DAYS]);
  const listed = async (input: object) => (await toolbox.call('list_notes', input, scope)) as { value: unknown };
  expect((await listed({ query: 'plumb' })).value).toEqual(DAYS.slice(0, 2));
  expect((await listed({ query: 'here plumber' })).value).toEqual(DAYS.slice(1, 2));
  expect((await listed({ query: 'coming plumbers' })).value).toEqual(DAYS.slice(0, 1));
  expect((await listed({ query: 'comings and goings' })).value).toEqual([]);
  expect((await listed({ from: '2026-11-20', to: '2026-11-20' })).value).toEqual(DAYS.slice(1, 2));
});

test('one note is deleted by its words; of several none is', async () => {
  const entries = [...DAYS];
  const { toolbox, scope } = await journalOf(entries);
  const remove = async (about: string) => (await toolbox.call('delete_note', { about }, scope)) as { value: unknown };
  expect((await remove('plumber')).value).toEqual({ deleted: null, matches: DAYS.slice(0, 2) });
  expect((await remove('plumber monday')).value).toMatchObject({ deleted: 'the plumber comes on Monday' });
  expect((await remove('last')).value).toMatchObject({ deleted: 'tea' });
  expect((await remove('cheese')).value).toEqual({ deleted: null, matches: [] });
  const near = { deleted: null, matches: DAYS.slice(1, 2) };
  expect((await remove('the plumber and his van')).value).toEqual(near);
  expect(entries).toEqual(DAYS.slice(1, 2));
});
