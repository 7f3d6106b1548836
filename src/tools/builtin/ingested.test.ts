import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { testFiles } from '../../testing/project-files.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { Origins } from '../gate/origins.ts';
import { createFileTools } from './files.ts';

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
  const origins = new Origins(store, now, projects.places);
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
  expect(await call('edit_file', { path: 'no.md', old: 'a', new: 'b' })).toContain('cannot be opened');

  expect(await call('read_file', { path: 'page.html' })).toContain('Ferry at 21:40.');
  expect(scope.labels.untrusted).toBe(true);
});
