import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import type { IngestReport } from '../types.ts';
import { scan, scopeOf } from './scan.ts';

const NOBODY = 65_534;

/** Ingest in a process whose user is subject to permissions, unlike root. */
function ingestAsNobody(home: string): IngestReport {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, path));
  const source = `
    const { openTestStore } = await import(${at('../../testing/stores.ts')});
    const { createDocuments } = await import(${at('../documents.ts')});
    const { createProjects } = await import(${at('../projects.ts')});
    const { RAG_DEFAULTS } = await import(${at('../options.ts')});
    const home = ${JSON.stringify(home)};
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const store = await openTestStore(home + '/w.sqlite3');
    const projects = createProjects({ projectsDir: home + '/projects', homeDir: home, log, store });
    const deps = { store, projects, log, options: RAG_DEFAULTS, vectorDataDir: home + '/vector_data' };
    const signal = new AbortController().signal;
    const report = await createDocuments(deps).ingest('home', [home + '/docs'], { signal });
    console.log(JSON.stringify(report));
    process.exit(0);`;
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8', ...user });
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout) as IngestReport;
}

test.skipIf(process.platform === 'win32')('a folder that is closed is named, and what is known of it stays', () => {
  const home = temporaryFolder();
  const closed = join(home, 'docs', 'closed');
  mkdirSync(closed, { recursive: true });
  chmodSync(home, 0o777);
  writeFileSync(join(closed, 'a.md'), 'alpha');
  writeFileSync(join(home, 'docs', 'b.md'), 'beta');
  expect(ingestAsNobody(home)).toMatchObject({ indexed: 2, failed: [] });
  chmodSync(closed, 0);
  onTestFinished(() => chmodSync(closed, 0o755));
  const report = ingestAsNobody(home);
  expect(report).toMatchObject({ unchanged: 1, removed: 0, chunks: 2 });
  expect(report.failed).toEqual([{ file: closed, why: expect.stringContaining('EACCES') }]);
  chmodSync(closed, 0o755);
  expect(ingestAsNobody(home)).toMatchObject({ unchanged: 2, removed: 0, failed: [] });
});

test('hidden, temporary and tool-made files and folders are not documents', async () => {
  const home = temporaryFolder();
  for (const path of [
    ...['a.md', 'sub/b.md', 'sub/deep/c.txt'],
    ...['.hidden.md', '.git/d.md', 'sub/.obsidian/e.md', 'node_modules/x/f.md', 'sub/__pycache__/g.py'],
    ...['~$letter.docx', 'h.md~', 'i.tmp', 'j.swp', 'k.crdownload', 'Thumbs.db', 'Desktop.ini', 'ignored.md'],
  ]) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), 'text');
  }
  const scope = scopeOf(home);
  if (!scope) throw new Error('the folder exists');
  const { files, closed } = await scan(scope, new Set([join(home, 'ignored.md')]), new AbortController().signal);
  expect(files.map(({ path }) => path)).toEqual(['a.md', 'sub/b.md', 'sub/deep/c.txt']);
  expect(closed).toEqual([]);
});

test('a folder, a file, a glob and nothing are told apart; brackets in a real name are no glob', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'notes [old]'));
  writeFileSync(join(home, 'a.md'), 'text');
  expect(scopeOf(join(home, 'notes [old]'))).toMatchObject({ form: 'folder', root: join(home, 'notes [old]') });
  expect(scopeOf(join(home, 'a.md'))).toMatchObject({ form: 'file', root: home });
  expect(scopeOf(join(home, '*.md'))).toMatchObject({ form: 'glob', root: home });
  expect(scopeOf(join(home, 'nothing'))).toBeUndefined();
});

test('what was passed over is told by name; named by itself it is read, and stays until it is gone', async () => {
  const { home, documents } = await startDocuments();
  const vault = join(home, 'vault');
  for (const path of ['a.md', '.plan.md', '.obsidian/b.md', 'old.bak/c.md', 'd.bak']) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), `text of ${path}`);
  }
  const { signal } = new AbortController();
  const files = async () => (await documents.sources('home')).map(({ root, file }) => join(root, file)).sort();
  const passed = async () => (await documents.passedOver('home', signal)).map(({ file, why }) => [file, why]).sort();
  await documents.ingest('home', [vault], { signal });
  expect(await files()).toEqual([join(vault, 'a.md'), join(vault, 'old.bak/c.md')]);
  expect(await passed()).toEqual([
    [join(vault, '.obsidian'), 'hidden'],
    [join(vault, '.plan.md'), 'hidden'],
    [join(vault, 'd.bak'), 'temporary'],
  ]);
  await documents.ingest('home', [join(vault, '.plan.md'), join(vault, '.obsidian')], { signal });
  const all = ['.obsidian/b.md', '.plan.md', 'a.md', 'old.bak/c.md'].map((path) => join(vault, path));
  expect(await files()).toEqual(all);
  expect(await passed()).toEqual([[join(vault, 'd.bak'), 'temporary']]);
  for (const again of [[], [vault]]) {
    await documents.ingest('home', again, { signal });
    expect(await files()).toEqual(all);
  }
  rmSync(join(vault, '.obsidian/b.md'));
  await documents.ingest('home', [], { signal });
  expect(await files()).toEqual(all.slice(1));
});
