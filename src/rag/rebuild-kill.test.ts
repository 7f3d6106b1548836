import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { fileProblems, sqlAll, sqlGet } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { filesOf, readManifest } from './index/manifest.ts';

const signal = new AbortController().signal;
const FILES = 300;

/** When the child is killed: moments of a rebuild that is complete but not yet taken into use. */
const MOMENTS = {
  'while the new index is judged': 'accept',
  'when the files were moved, before the rows are swapped': 'before',
  'when the rows were swapped, before the files are taken into use': 'after',
} as const;

/** A process that rebuilds, and kills itself around the next transaction of its main thread or before it. */
function childSource(home: string, moment: string): string {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, path));
  return `
    const { openTestStore, withTransactions } = await import(${at('../testing/stores.ts')});
    const { createDocuments } = await import(${at('documents.ts')});
    const { createProjects } = await import(${at('projects.ts')});
    const { RAG_DEFAULTS } = await import(${at('options.ts')});
    const [home, moment] = ${JSON.stringify([home, moment])};
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const end = (now) => { if (now === moment) process.kill(process.pid, 'SIGKILL'); };
    const store = await openTestStore(home + '/w.sqlite3');
    let judged = false;
    const watched = withTransactions(store, async (work) => {
        if (judged) end('before');
        const result = await store.transaction(work);
        if (judged) end('after');
        return result;
      });
    const projects = createProjects({ projectsDir: home + '/projects', homeDir: home, log, store });
    const parts = { store: watched, projects, log, options: RAG_DEFAULTS, vectorDataDir: home + '/vector_data' };
    const accept = async () => { end('accept'); judged = true; return true; };
    await createDocuments(parts).ingest('home', [], { signal: new AbortController().signal, rebuild: true, accept });
    process.exit(0);`;
}

function rebuildAndDie(home: string, moment: string): Promise<string | null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', childSource(home, moment)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
}

async function start(home: string, warn = vi.fn()) {
  return { ...(await startDocuments(home, { log: { ...silentLog, warn } })), warn };
}

function writeFiles(home: string, word: string): void {
  mkdirSync(join(home, 'docs'), { recursive: true });
  for (let file = 0; file < FILES; file++)
    writeFileSync(join(home, 'docs', `${file}.md`), `# Part ${file}\n\n${word} serial${file} of group${file % 30}\n`);
}

/** A home whose files have changed since they were indexed, with no program running. */
async function staleHome(): Promise<string> {
  const home = temporaryFolder();
  writeFiles(home, 'former');
  const { documents, stop } = await start(home);
  await documents.ingest('home', [join(home, 'docs')], { signal });
  await stop();
  writeFiles(home, 'latter');
  return home;
}

/** Rows, index files and manifest agree, and nothing else is left over. */
async function checkWhole(home: string, store: Store): Promise<void> {
  expect(await fileProblems(store)).toEqual([]);
  const rows = await sqlAll(store, 'SELECT project, count(*) AS n FROM chunks GROUP BY project');
  expect(rows).toEqual([{ project: 'home', n: FILES }]);
  for (const table of ['sources', 'roots', 'corpora'])
    expect(await sqlAll(store, `SELECT DISTINCT project FROM ${table}`)).toEqual([{ project: 'home' }]);
  const dir = join(home, 'vector_data', 'home');
  const manifest = readManifest(dir);
  expect(manifest.segments.reduce((sum, { chunks }) => sum + chunks, 0)).toBe(FILES);
  const named = filesOf(manifest).map(({ file }) => file);
  // Several workers may still be reading what was replaced, so on a server it stays for a while.
  const others = readdirSync(dir).filter((name) => ![...named, 'manifest.json'].includes(name));
  if (store.kind === 'sqlite') expect(others).toEqual([]);
  for (const name of named) expect(existsSync(join(dir, name))).toBe(true);
  expect(existsSync(`${dir}~next`)).toBe(false);
}

test.each(Object.entries(MOMENTS))(
  'a rebuild killed %s leaves a store that answers and heals',
  async (_when, moment) => {
    const home = await staleHome();
    expect(await rebuildAndDie(home, moment)).toBe('SIGKILL');

    const { documents, store, warn } = await start(home);
    const find = async (query: string) => (await documents.search('home', query, { k: 1 }))[0];
    const taken = moment === 'after';
    expect((await find('serial77'))?.text).toBe(`${taken ? 'latter' : 'former'} serial77 of group17`);
    const healed = await documents.ingest('home', [], { signal });
    expect(healed).toMatchObject({ [taken ? 'unchanged' : 'indexed']: FILES, failed: [], chunks: FILES });
    await checkWhole(home, store);
    expect((await find('serial78'))?.text).toBe('latter serial78 of group18');
    expect(warn).not.toHaveBeenCalled();
  },
  60_000,
);

test('a rebuild that is taken leaves one index, up to date, and nobody else writes meanwhile', async () => {
  const home = temporaryFolder();
  writeFiles(home, 'former');
  const { documents, store } = await start(home);
  await documents.ingest('home', [join(home, 'docs')], { signal });
  writeFiles(home, 'latter');
  const other = await start(home);
  const accept = async () => {
    await expect(other.documents.ingest('home', [], { signal })).rejects.toMatchObject({ code: 'index_busy' });
    expect((await other.documents.search('home', 'serial5', { k: 1 }))[0]?.text).toContain('former serial5');
    return true;
  };
  await documents.ingest('home', [], { signal, rebuild: true, accept });
  await checkWhole(home, store);
  const revision = (await sqlGet(store, 'SELECT revision FROM corpora WHERE project = ?', 'home'))?.revision;
  expect(readManifest(join(home, 'vector_data', 'home')).revision).toBe(revision);
  expect((await other.documents.search('home', 'serial5', { k: 1 }))[0]?.text).toContain('latter serial5');
  expect(await other.documents.ingest('home', [], { signal })).toMatchObject({ unchanged: FILES });
}, 60_000);

const LOSSES = {
  'and the program knows': async (lost: AbortController) => lost.abort(new Error('lost')),
  'and only the server knows yet': async () => {},
};

test.each(Object.entries(LOSSES))(
  'a rebuild that lost its lock replaces and deletes nothing, %s',
  async (_, lose) => {
    const home = await staleHome();
    const lost = new AbortController();
    const gone = async () => Promise.reject(new Error('the lock is lost'));
    const store = await openTestStore(join(home, 'w.sqlite3'));
    onTestFinished(() => store.close());
    const lock = async () => ({ lost: lost.signal, confirm: gone, [Symbol.asyncDispose]: async () => {} });
    const { documents } = await startDocuments(home, { store: Object.assign(store, { lock }) });
    const accept = async () => {
      await lose(lost);
      return true;
    };
    const rebuilding = documents.ingest('home', [], { signal, rebuild: true, accept });
    await expect(rebuilding).rejects.toThrow(/connection to the database broke|lock is lost/u);
    const count =
      "SELECT project, count(*) AS n FROM chunks WHERE text LIKE '%former%' = (project = 'home') GROUP BY project";
    expect(await sqlAll(store, `${count} ORDER BY project`)).toEqual([
      { project: 'home', n: FILES },
      { project: 'home~next', n: FILES },
    ]);
  },
  60_000,
);
