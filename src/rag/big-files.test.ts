import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startDocuments } from '../testing/documents.ts';
import { RAG_DEFAULTS } from './options.ts';

const signal = new AbortController().signal;

const note = (at: number, text = `thing${at} lies in drawer ${at % 7}`) =>
  `## 2026-01-${String((at % 28) + 1).padStart(2, '0')} 08:00\n\n${text}\n`;

async function withJournal(notes: number) {
  const started = await startDocuments();
  const path = join(started.home, 'projects', 'home', 'home.md');
  mkdirSync(join(started.home, 'projects', 'home'), { recursive: true });
  writeFileSync(path, `# Journal\n\n${Array.from({ length: notes }, (_, at) => note(at)).join('\n')}`);
  const search = (query: string) => started.documents.search('home', query, { k: 1 });
  const rows = async (project: string) =>
    started.store.db
      .selectFrom('chunks')
      .select(['ordinal', 'text', 'text_sha', 'heading', 'line_from', 'line_to'])
      .where('project', '=', project)
      .orderBy('ordinal')
      .execute();
  return { ...started, path, search, rows };
}

test('a note added to a long journal is read alone, and is stored as if all had been read', async () => {
  const { documents, store, path, search, rows } = await withJournal(40);
  expect((await search('thing7'))[0]).toMatchObject({ text: 'thing7 lies in drawer 0' });
  const ids = async () =>
    (await store.db.selectFrom('chunks').select('id').where('project', '=', 'home').orderBy('ordinal').execute()).map(
      ({ id }) => id,
    );
  const before = await ids();
  for (const text of ['The zeppelin lands at noon.', '# Loud\n\nThe whole hangar is booked.', 'Bring a torch.']) {
    appendFileSync(path, `\n${note(3, text)}`);
    await search('zeppelin');
  }
  expect((await search('zeppelin noon'))[0]).toMatchObject({
    lines: [165, 165],
    heading: ['Journal', expect.anything()],
  });
  // All but the last known chunk were left alone.
  expect((await ids()).slice(0, 39)).toEqual(before.slice(0, 39));
  const stepwise = await rows('home');
  await documents.ingest('home', [], { signal, rebuild: true });
  expect(stepwise).toEqual(await rows('home'));
});

test('a journal that was changed in its middle is read whole', async () => {
  const { path, search } = await withJournal(10);
  await search('thing7');
  writeFileSync(path, `${readFileSync(path, 'utf8').replace('thing7', 'bagpipe')}\n${note(3, 'Bring a torch.')}`);
  expect((await search('bagpipe'))[0]).toMatchObject({ text: 'bagpipe lies in drawer 0' });
  expect((await search('torch'))[0]).toMatchObject({ text: 'Bring a torch.' });
});

test('notes that take too long to read are a fault of the journal, and other files are read', async () => {
  const options = { ...RAG_DEFAULTS, parseTimeoutMs: 1 };
  const { home, documents } = await startDocuments(undefined, { options });
  const folder = join(home, 'projects', 'home');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'home.md'), `# Journal\n\n${note(1)}\n${note(2)}`);
  await documents.ingest('home', [], { signal });
  appendFileSync(join(folder, 'home.md'), `\n${note(3, 'The zeppelin lands at noon. '.repeat(2000))}`);
  writeFileSync(join(folder, 'later.md'), 'The hangar is booked.');
  const report = await documents.ingest('home', [], { signal });
  expect(report).toMatchObject({ indexed: 1, failed: [{ file: 'home.md', why: 'took longer than 1 ms to read' }] });
});

test('searching a long journal leaves an index that the next start uses', async () => {
  const { home, search } = await withJournal(600);
  const folder = join(home, 'vector_data', 'home');
  // When machines share an index, it is built concurrently with searches.
  await vi.waitFor(
    async () => {
      await search('thing7');
      expect(readdirSync(folder).some((file) => file.startsWith('segment'))).toBe(true);
    },
    { timeout: 30_000, interval: 100 },
  );
});

test('a file that was too large is read once the limit allows it', async () => {
  const small = { ...RAG_DEFAULTS, maxFileMb: 1 };
  const { home, store, documents, stop } = await startDocuments(undefined, { options: small });
  mkdirSync(join(home, 'docs'));
  writeFileSync(join(home, 'docs', 'large.txt'), `${'lorem ipsum dolor '.repeat(70_000)}zeppelin`);
  const report = await documents.ingest('home', [join(home, 'docs')], { signal });
  expect(report.skipped).toEqual([{ file: 'large.txt', why: 'larger than 1 MB (RAG_MAX_FILE_MB)' }]);
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ unchanged: 1, indexed: 0 });
  await documents.close();
  const later = await startDocuments(home, { store, options: { ...small, maxFileMb: 2 } });
  expect(await later.documents.ingest('home', [], { signal })).toMatchObject({ indexed: 1, skipped: [] });
  await later.stop();
  await stop();
});

test('a large text is stored as it is read: what was stopped is read again, and found to its end', async () => {
  const { home, documents, store } = await startDocuments();
  mkdirSync(join(home, 'docs'));
  const text = `${'lorem ipsum dolor sit amet. '.repeat(180_000)}The zeppelin lands at noon.`;
  writeFileSync(join(home, 'docs', 'large.txt'), text);
  const stopped = new AbortController();
  const begun = await documents.ingest('home', [join(home, 'docs')], {
    signal: stopped.signal,
    onProgress: ({ done }) => done > 1_000_000 && stopped.abort(),
  });
  expect(begun).toMatchObject({ aborted: true, indexed: 0 });
  expect(await documents.sources('home')).toMatchObject([{ state: 'failed', error: 'not read to its end yet' }]);
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ indexed: 1, failed: [] });
  const [source] = await documents.sources('home');
  const { n } = await store.db
    .selectFrom('chunks')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(source).toMatchObject({ state: 'indexed', chunks: n });
  expect((await documents.search('home', 'zeppelin', { k: 1 }))[0]?.text).toMatch(/zeppelin lands at noon\.$/u);
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ unchanged: 1 });
});
