import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { testFiles } from '../../testing/project-files.ts';
import { projectJournal } from './notes.ts';

const WRITTEN = { at: new Date('2026-01-15T09:00:00Z'), timeZone: 'Europe/Oslo' };
const BY = { id: 'turn_1', conversationId: 'conv_1' } as never;

/** The journal of a project without notes so far, and what was kept to undo them. */
async function openJournal() {
  const { projects, store } = await startDocuments();
  const path = projects.journal('home');
  const kept: unknown[] = [];
  const files = testFiles(store, (project) => projects.folder(project));
  const states = { keep: async (state: unknown) => void kept.push(state) };
  const journal = projectJournal(projects, { files, states: states as never });
  return { journal, path, kept, entries: () => projects.journalEntries('home') };
}

test('a note is appended, known by the name of its file, and can be undone', async () => {
  const { journal, path, kept, entries } = await openJournal();
  expect(await journal.append('home', 'water the tulips', WRITTEN, BY)).toBe('home.md');
  expect(readFileSync(path, 'utf8')).toContain('water the tulips');
  const thing = join('projects', 'home', 'home.md');
  expect(kept).toEqual([
    { project: 'home', kind: 'note', thing, before: undefined, after: '## 2026-01-15 10:00\n\nwater the tulips\n' },
  ]);
  expect(await journal.entries('home')).toEqual(entries());
});

test('the note that is chosen goes, and if none is, all stay', async () => {
  const { journal, path, entries } = await openJournal();
  for (const text of ['one', 'two', 'three']) await journal.append('home', text, WRITTEN, BY);
  const before = readFileSync(path, 'utf8');
  await journal.remove?.('home', () => -1, BY);
  expect(readFileSync(path, 'utf8')).toBe(before);
  await journal.remove?.('home', (all) => all.findIndex(({ text }) => text.includes('one')), BY);
  expect(entries().map(({ text }) => text)).toEqual(['two', 'three']);
});

test('a note of a journal that has grown beyond what can be read at once can go', async () => {
  const { journal, path, entries } = await openJournal();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `## 2026-01-01 10:00\n\n${'long ago '.repeat(600_000)}\n`);
  await journal.append('home', 'water the tulips', WRITTEN, BY);
  await journal.remove?.('home', (all) => all.length - 1, BY);
  expect(entries()).toHaveLength(1);
});

test('of a journal without notes none is chosen, and none is made', async () => {
  const { journal, path } = await openJournal();
  const asked: unknown[] = [];
  await journal.remove?.('home', (all) => asked.push(all), BY);
  expect([asked, existsSync(path)]).toEqual([[], false]);
});
