import { expect, test } from 'vitest';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { createNoteTools } from './notes.ts';

async function journalOf(entries: { at: string; text: string }[]) {
  const tools = createNoteTools({
    append: async (_project, text, { at }) => {
      entries.push({ at: at.toISOString(), text });
      return 'projects/home/home.md';
    },
    entries: async () => entries,
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

test('a note is appended with the time of its turn, and the person is told where', async () => {
  const entries: { at: string; text: string }[] = [];
  const { toolbox, scope } = await journalOf(entries);
  const noted = await toolbox.call('write_note', { note: '  buy oat milk ' }, scope);
  expect(noted).toMatchObject({ ok: true, value: 'Noted in projects/home/home.md.' });
  expect(entries).toEqual([{ at: '2026-01-15T09:00:00.000Z', text: 'buy oat milk' }]);
});
