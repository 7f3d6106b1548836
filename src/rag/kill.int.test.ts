import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mulberry32 } from '../base/mulberry32.ts';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { fileProblems, sqlAll } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import type { Documents } from './types.ts';

const KILLS = 50;
const FILES = 300;
const SEARCH_EVERY = 15;

/** A process of its own that ingests and says so when it is done. */
function childSource(home: string): string {
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, path));
  return `
    const { openTestStore } = await import(${at('../testing/stores.ts')});
    const { createDocuments } = await import(${at('documents.ts')});
    const { createProjects } = await import(${at('projects.ts')});
    const { RAG_DEFAULTS } = await import(${at('options.ts')});
    const home = ${JSON.stringify(home)};
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const store = await openTestStore(home + '/w.sqlite3');
    const projects = createProjects({ projectsDir: home + '/projects', homeDir: home, log, store });
    const parts = { store, projects, log, options: RAG_DEFAULTS, vectorDataDir: home + '/vector_data' };
    console.log('ready');
    await createDocuments(parts).ingest('home', [home + '/docs'], { signal: new AbortController().signal });
    console.log('done');
    process.exit(0);`;
}

/** @returns whether it was killed before it was done. */
async function ingestAndKill(home: string, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', childSource(home)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
      if (said.includes('ready')) resolve();
    });
  });
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  await Promise.race([ready, ended]);
  await Promise.race([setTimeout(afterMs), ended]);
  child.kill('SIGKILL');
  const signal = await ended;
  // Anything else than "done" or our kill would be a crash that looks like a pass.
  expect(said.includes('done') || signal === 'SIGKILL').toBe(true);
  return !said.includes('done') && signal === 'SIGKILL';
}

function writeFiles(home: string, round: number, which: (file: number) => boolean): void {
  for (let file = 0; file < FILES; file++)
    if (which(file)) {
      const text = `# File ${file}\n\nfile${file} in round${round}\n\n## Second\n\nmore of file${file} about topic${file % 40}\n`;
      writeFileSync(join(home, 'docs', `${file}.md`), text);
    }
}

/** No file half there, the database whole. */
async function checkRows(home: string): Promise<void> {
  const store = await openTestStore(join(home, 'w.sqlite3'));
  const halves = await sqlAll(
    store,
    'SELECT path FROM sources s WHERE chunks <> (SELECT count(*) FROM chunks c WHERE c.source_id = s.id)',
  );
  expect(halves).toEqual([]);
  expect(await fileProblems(store)).toEqual([]);
  await store.close();
}

test(`after ${KILLS} kills at any moment of an ingest nothing is half there and the next one completes it`, async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'docs'));
  const random = mulberry32(42);
  const withDocuments = async (work: (documents: Documents) => Promise<void>) => {
    const { documents, stop } = await startDocuments(home);
    await work(documents);
    await stop();
  };
  let killed = 0;
  for (let round = 0; killed < KILLS; round++) {
    writeFiles(home, round, (file) => round === 0 || random() < 0.5 || file % 50 === round % 50);
    if (await ingestAndKill(home, 40 + random() * 300)) killed++;
    await checkRows(home);
    if (round % SEARCH_EVERY === 0)
      await withDocuments(async (documents) => {
        const hits = await documents.search('home', `file${round % FILES} topic`, { k: 5 });
        expect(Array.isArray(hits)).toBe(true);
      });
  }
  await withDocuments(async (documents) => {
    writeFiles(home, 999, (file) => file === 17);
    const first = await documents.ingest('home', [join(home, 'docs')], { signal: new AbortController().signal });
    expect(first).toMatchObject({ failed: [], chunks: 2 * FILES });
    const second = await documents.ingest('home', [join(home, 'docs')], { signal: new AbortController().signal });
    expect(second).toMatchObject({ indexed: 0, unchanged: FILES });
    expect((await documents.search('home', 'file17 round999', { k: 1 }))[0]?.file).toBe('17.md');
  });
}, 400_000);
