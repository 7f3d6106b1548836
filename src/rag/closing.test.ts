import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';

const signal = new AbortController().signal;
const FILES = 1000;
const CLOSED = { code: 'index_unavailable', message: 'The document store was closed.' };

/** One run of the program on a home. */
async function start(home: string) {
  const { documents, store } = await startDocuments(home);
  const ingest = (onProgress?: () => void) =>
    documents.ingest('home', [join(home, 'docs')], { signal, ...(onProgress && { onProgress }) });
  return { documents, store, ingest };
}

/** Resolves on the first progress report, with the promise of the whole ingest. */
async function begun<T>(begin: (onProgress: () => void) => Promise<T>): Promise<{ whole: Promise<T> }> {
  let whole: Promise<T> | undefined;
  await new Promise<void>((resolve, reject) => {
    whole = begin(resolve);
    whole.catch(reject);
  });
  return { whole: whole as Promise<T> };
}

function homeWith(write: (docs: string) => void): string {
  const home = temporaryFolder();
  mkdirSync(join(home, 'docs'));
  write(join(home, 'docs'));
  return home;
}

function writeTexts(docs: string): void {
  for (let file = 0; file < FILES; file++)
    writeFileSync(join(docs, `${file}.md`), `# Part ${file}\n\nserial${file} of group${file % 30}\n`);
}

test('what is pending at close is answered, keeps what it did, and the next start completes it', async () => {
  const home = homeWith(writeTexts);
  const first = await start(home);
  const { whole } = await begun(first.ingest);
  const searching = first.documents.search('home', 'serial1', { k: 1 }).catch((error: unknown) => error);
  await first.documents.close();
  const report = await whole;
  const answer = await searching;
  expect(report.aborted).toBe(true);
  if (!Array.isArray(answer)) expect(answer).toMatchObject(CLOSED);
  await first.store.close();
  const second = await (await start(home)).ingest();
  expect(report.indexed + second.indexed).toBe(FILES);
  expect(second).toMatchObject({ aborted: false, failed: [], chunks: FILES });
});

test('after close nothing starts and nothing holds the database', async () => {
  const home = homeWith(writeTexts);
  const { documents, store, ingest } = await start(home);
  const pending = [ingest(), documents.search('home', 'serial1', { k: 1 }), documents.open('home')];
  const settled = Promise.allSettled(pending);
  await documents.close();
  await settled;
  for (const project of ['home', 'never-searched'])
    await expect(documents.search(project, 'serial2', { k: 1 })).rejects.toMatchObject(CLOSED);
  await expect(ingest()).rejects.toMatchObject(CLOSED);
  await store.close();
  // SQLite removes it when the last connection closes.
  expect(existsSync(join(home, 'w.sqlite3-wal'))).toBe(false);
});

test('a document whose reading is cut short by close is no failure and is read by the next ingest', async () => {
  const copies = 40;
  const fixture = join(import.meta.dirname, 'read/fixtures/handbook.docx');
  const home = homeWith((docs) => {
    for (let copy = 0; copy < copies; copy++) copyFileSync(fixture, join(docs, `${copy}.docx`));
  });
  const first = await start(home);
  const { whole } = await begun(first.ingest);
  await setTimeout(5);
  await first.documents.close();
  expect(await whole).toMatchObject({ aborted: true, failed: [] });
  await first.store.close();
  const second = await start(home);
  expect(await second.ingest()).toMatchObject({ aborted: false, failed: [] });
  const states = (await second.documents.sources('home')).map(({ state }) => state);
  expect(states).toEqual(new Array(copies).fill('indexed'));
});
