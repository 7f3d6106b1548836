import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import type { DocumentText } from '../../rag/types.ts';
import { testTurn } from '../../testing/agent.ts';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { testFiles } from '../../testing/project-files.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { Origins } from '../gate/origins.ts';
import type { ToolContext } from '../tool.ts';
import type { FileToolParts } from './file-tool-parts.ts';
import { createFileTools } from './files.ts';
import { ingestedText, isThere, ownName } from './ingested.ts';

const CONTEXT = { turn: testTurn('read it'), holds: () => {} } as unknown as ToolContext;

const FILES = { 'contracts/lease.md': '# Lease\n\nThe rent is 870 EUR.\n', 'page.html': '<p>Ferry at 21:40.</p>' };

async function world() {
  const { store, projects, documents } = await startDocuments();
  const elsewhere = temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(elsewhere, path, '..'), { recursive: true });
    writeFileSync(join(elsewhere, path), text);
  }
  const folder = projects.folder('home');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'home.md'), 'a note\n');
  await documents.ingest('home', [elsewhere], { signal: new AbortController().signal });
  const now = () => new Date('2026-01-15T09:00:00Z');
  const origins = new Origins(store, now, { places: projects.places });
  const anyUntrusted = async (sources: Parameters<typeof origins.files.judgeAll>[0]) =>
    (await origins.files.judgeAll(sources)).some(({ untrusted }) => untrusted);
  const files = testFiles(store, (project) => projects.folder(project));
  const ingested = { texts: documents.texts.bind(documents), anyUntrusted };
  const tools = createFileTools(() => files, { ingested });
  return { store, elsewhere, tools };
}

test('an ingested document elsewhere is read by its name, not changed, and keeps its label', async () => {
  const { store, elsewhere, tools } = await world();
  const scope = await testScope({ store });
  const call = async (name: string, input: unknown) => {
    const result = await testToolbox(tools, scope).call(name, input, scope);
    return result.ok ? result.value : result.error;
  };
  const lease = '# Lease\n\nThe rent is 870 EUR.';
  for (const path of ['contracts/lease.md', '[contracts/lease.md, lines 1-3]', join(elsewhere, 'contracts/lease.md')])
    expect(await call('read_file', { path })).toBe(lease);
  expect(await call('read_file', { path: ['home.md', '[contracts/lease.md]'] })).toEqual([
    { path: 'home.md', citation: '[home.md, line 1]', text: 'a note\n' },
    { path: 'contracts/lease.md', citation: '[contracts/lease.md]', text: lease },
  ]);
  for (const path of ['projects/home/home.md', '[home.md, line 1]'])
    expect(await call('read_file', { path })).toBe('a note\n');
  expect(scope.labels.untrusted).toBe(false);

  const refusals = [
    await call('edit_file', { path: 'contracts/lease.md', old: '870', new: '900' }),
    await call('delete_file', { path: join(elsewhere, 'contracts/lease.md') }),
    await call('move_file', { from: 'contracts/lease.md', to: 'lease.md' }),
  ];
  for (const refusal of refusals) expect(refusal).toContain("ingested from outside the project's folder");
  expect(readFileSync(join(elsewhere, 'contracts/lease.md'), 'utf8')).toBe(FILES['contracts/lease.md']);
  expect(await call('edit_file', { path: 'projects/home/home.md', old: 'a', new: 'b' })).toContain(
    'Its path here is home.md',
  );
  expect(await call('read_file', { path: '../../etc/passwd' })).toContain('leaves the folder');
  expect(await call('edit_file', { path: 'no.md', old: 'a', new: 'b' })).toContain('There is no no.md.');

  expect(await call('read_file', { path: 'page.html' })).toContain('Ferry at 21:40.');
  expect(scope.labels.untrusted).toBe(true);
});

test('of several documents with one name, the whole path of one is asked for, five are named', async () => {
  const texts = async (): Promise<readonly DocumentText[]> =>
    Array.from(
      { length: count },
      (_, nth) => ({ source: nth === 1 ? {} : { path: `/docs/${nth}/a.md` } }) as DocumentText,
    );
  let count = 3;
  const read = () =>
    ingestedText({ ingested: { texts }, spaceOf: () => ({}) } as unknown as FileToolParts, 'a.md', CONTEXT);
  await expect(read()).rejects.toMatchObject({
    code: 'bad_usage',
    message: '3 documents are called a.md: /docs/0/a.md, /docs/2/a.md.',
    hint: 'Give the whole path of one.',
  });
  count = 8;
  const paths = [0, 2, 3, 4, 5].map((nth) => `/docs/${nth}/a.md`).join(', ');
  await expect(read()).rejects.toMatchObject({ message: `8 documents are called a.md: ${paths}.` });
  count = 1;
  expect(await read()).toEqual({ source: { path: '/docs/0/a.md' } });
  count = 0;
  expect(await read()).toBeUndefined();
});

test.each([
  ['[a.md, line 3]', 'a.md'],
  ['[b/a.md, lines 3-4]', 'b/a.md'],
  ['[a.md, 12. Notice, line 3]', 'a.md'],
  ['[a, b.md, line 3]', 'a, b.md'],
  ['[a.pdf, p. 3]', 'a.pdf'],
  ['[a.pdf, pp. 3-4]', 'a.pdf'],
  ['[a.md, Zeile 3]', 'a.md'],
  ['[a.pdf, S. 3]', 'a.pdf'],
  ['[a.md]', 'a.md'],
  ['projects/home/b/a.md', 'b/a.md'],
  ['[projects/home/a.md, line 1]', 'a.md'],
  ['projects/garden/a.md', 'projects/garden/a.md'],
  ['a.md', 'a.md'],
  ['x [a.md]', 'x [a.md]'],
])('%j is the file %j of the project', (path, expected) => {
  expect(ownName('home', path)).toBe(expected);
});

test('what is no path of the project is not there; other trouble rises', async () => {
  const there = (exists: () => Promise<boolean>) =>
    isThere({ spaceOf: () => ({ exists }) } as unknown as FileToolParts, 'a.md', CONTEXT);
  const refused = new AssistantError('path_refused', 'It leaves the folder.', { hint: '' });
  expect(await there(async () => true)).toBe(true);
  expect(await there(() => Promise.reject(refused))).toBe(false);
  await expect(there(() => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
});

test('a file of the project that was just deleted is gone at once, whatever the index still has', async () => {
  const { store, projects, documents } = await startDocuments();
  const folder = projects.folder('home');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plan.md'), 'dig the pond\n');
  await documents.ingest('home', [folder], { signal: new AbortController().signal });
  const files = testFiles(store, (project) => projects.folder(project));
  const ingested = { texts: documents.texts.bind(documents), anyUntrusted: async () => false };
  const tools = createFileTools(() => files, { ingested });
  const scope = await testScope({ store });
  const call = async (name: string, input: unknown) => {
    const result = await testToolbox(tools, scope).call(name, input, scope);
    return result.ok ? result.value : result.error;
  };
  expect(await call('read_file', { path: 'plan.md' })).toBe('dig the pond\n');
  await call('delete_file', { path: 'plan.md' });
  expect(await documents.texts('home', 'plan.md')).toHaveLength(1);
  expect(await call('read_file', { path: 'plan.md' })).toContain('There is no plan.md.');
});
