import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { HashedEmbeddings } from '../../testing/hashed-embeddings.ts';
import { progressText } from '../progress-line.ts';

/** The program with two documents in a folder that is not ingested yet. */
async function withPapers(config: Readonly<Record<string, unknown>> = {}) {
  const opened = await openCommands({ config });
  const { home } = opened;
  const docs = join(home, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'ferry.md'), '# Ferry\n\nThe ferry leaves at six.\n');
  writeFileSync(join(docs, 'bread.md'), '# Bread\n\nBread needs flour.\n');
  return { ...opened, docs };
}

test('files are taken in, listed and found; a missing path is named and the exit code says so', async () => {
  const { run, docs, home } = await withPapers();
  const taken = await run(['ingest', docs, join(home, 'nowhere')]);
  expect(taken).toMatchObject({ code: 1, notes: [`not found: ${join(home, 'nowhere')}`] });
  expect(taken.lines).toEqual(['2 read, 0 unchanged; 2 passages in the index']);
  expect((await run(['sources'])).lines.at(-1)).toBe('2 of 2 files searchable (100 %)');
  const found = await run(['rag', 'search', 'when does the ferry leave', '--k', '1']);
  expect(found.rows).toMatchObject([{ rank: 1, documentId: 'ferry', citation: '[ferry.md, line 3]', lines: [3, 3] }]);
  expect((await run(['rag', 'search', 'photosynthesis'])).notes).toEqual(['Not in your documents.']);
});

test('a project that may not be sent to the embedding model says so when files are taken in and listed', async () => {
  const { run, docs, home } = await withPapers({ openai: { embeddingModelName: 'small' } });
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  writeFileSync(join(home, 'projects', 'home', 'wooster.config.json'), '{"localOnly": true}');
  const line = 'This project stays on this machine: it is searched without openai:small.';
  const taken = await run(['ingest', docs]);
  expect(taken).toMatchObject({ code: 0, notes: [line], rows: [{ type: 'ingest', withheldFrom: 'openai:small' }] });
  expect((await run(['sources'])).notes).toEqual([line]);
});

test('a thousand files are shown by what needs a look and by folder, and all of them when asked for', async () => {
  const { run, docs } = await withPapers();
  for (let at = 0; at < 1000; at++) {
    const folder = join(docs, `box${at % 4}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.md`), `Paper ${at}\n`);
  }
  for (let at = 0; at < 60; at++) writeFileSync(join(docs, `broken${at}.pdf`), 'no pdf');
  writeFileSync(join(docs, 'blank\nindexed.md'), '');
  const taken = await run(['ingest', docs]);
  expect(taken.notes).toHaveLength(22);
  expect(taken.notes[20]).toBe('... and 40 more: wooster sources --state failed');
  expect(taken.notes[21]).toBe('empty: blank indexed.md');

  const shown = await run(['sources']);
  expect(shown.rows).toHaveLength(1063);
  expect(shown.lines).toHaveLength(57);
  expect(shown.lines[0]).toBe('empty         -  blank indexed.md');
  expect(shown.lines[50]).toBe('... and 11 more like these');
  expect(shown.lines[51]).toBe(`   250 files,    250 passages  ${docs}/box0/`);
  expect(shown.lines[55]).toBe(`    63 files,      2 passages  ${docs}/`);
  expect(shown.lines[56]).toBe('1002 of 1063 files searchable (94 %), 1 empty, 60 failed');

  expect((await run(['sources', '--all'])).lines).toHaveLength(1064);
  const failed = await run(['sources', '--state', 'failed']);
  expect(failed).toMatchObject({ rows: expect.objectContaining({ length: 60 }) });
  expect(failed.lines).toHaveLength(61);
  expect((await run(['sources', 'box1/1*.md'])).rows).toHaveLength(28);
  expect((await run(['sources', 'box1/101.md'])).lines).toHaveLength(2);
  expect((await run(['sources', 'nowhere'])).notes).toEqual(['No file of the project matches.']);
  await expect(run(['sources', '--state', 'lost'])).rejects.toMatchObject({ code: 'bad_usage' });
}, 60_000);

test('neighbours are shown apart from what was found, with a citation of the whole', async () => {
  const { run, docs } = await withPapers();
  writeFileSync(
    join(docs, 'day.md'),
    '# Day\n\n## One\n\nTea.\n\n## Two\n\nThe mast\nis raised.\n\n## Three\n\nSupper.\n',
  );
  await run(['ingest', docs]);
  const { lines, rows } = await run(['rag', 'search', 'mast raised', '--k', '1', '--neighbours', '1']);
  expect(lines).toEqual([
    ' 1. 1.000  [day.md, Two, lines 9-10]  Day > Two',
    '    before | Tea.',
    '    found  | The mast is raised.',
    '    after  | Supper.',
    '    all    | [day.md, lines 5-14]',
  ]);
  const context = { before: 'Tea.', after: 'Supper.', lines: [5, 14], citation: '[day.md, lines 5-14]' };
  expect(rows).toMatchObject([{ text: 'The mast\nis raised.', citation: '[day.md, Two, lines 9-10]', context }]);
});

test('a run file is written and measured', async () => {
  const { run, docs, home } = await withPapers();
  await run(['ingest', docs]);
  const queries = join(home, 'q.jsonl');
  const qrels = join(home, 'qrels.tsv');
  const out = join(home, 'run.trec');
  writeFileSync(queries, '{"_id": "1", "text": "ferry"}\n{"_id": "2", "text": "flour"}\n');
  writeFileSync(qrels, 'query-id\tcorpus-id\tscore\n1\tferry\t1\n2\tferry\t1\n');
  expect((await run(['rag', 'run', '--queries', queries, '--out', out, '--k', '10'])).code).toBe(0);
  expect(readFileSync(out, 'utf8').split('\n')[0]).toBe('1 Q0 ferry 1 1.000000 wooster');
  const { rows } = await run(['rag', 'eval', '--run', out, '--qrels', qrels]);
  expect(rows).toEqual([{ queries: 2, ndcg10: 0.5, recall100: 0.5, map: 0.5 }]);
});

test('a store of LangChain is imported, shown as such, and removed after a question', async () => {
  const { run, home } = await withPapers();
  const old = join(home, 'old-store');
  const texts = ['The ferry leaves at six.', 'Bread needs flour.'];
  const metadatas = [{ source: 'notes/ferry.md', loc: { lines: { from: 3, to: 4 } } }, { source: 'bread.md' }];
  await (await HNSWLib.fromTexts(texts, metadatas, new HashedEmbeddings())).save(old);
  expect(await run(['rag', 'import', old])).toMatchObject({
    ...{ code: 0, lines: ['2 imported, 0 unchanged; 2 passages in the index'] },
    rows: [{ type: 'import', folder: old, imported: 2, unchanged: 0, removed: 0, vectors: 0, chunks: 2 }],
  });
  expect((await run(['rag', 'import', old])).lines).toEqual(['0 imported, 2 unchanged; 2 passages in the index']);
  const listed = await run(['sources']);
  expect(listed.lines[1]).toBe(
    `indexed       1  notes/ferry.md  (imported from ${old})  untrusted: it was imported from another program`,
  );
  expect(listed.rows).toMatchObject([{ kind: 'langchain' }, { kind: 'langchain', root: `langchain:${old}` }]);
  expect((await run(['rag', 'search', 'ferry leaves', '--k', '1'])).rows).toMatchObject([
    { citation: '[notes/ferry.md, lines 3-4]' },
  ]);

  // Imported documents have no file here and are lost with the index: the question says so.
  expect((await run(['project', 'delete', 'home'], ['n'])).asked).toEqual([
    'Delete project home (the index and everything imported; files stay)? [y/N] ',
  ]);
  expect(await run(['rag', 'import', old, '--remove'], ['n'])).toMatchObject({
    code: 1,
    notes: ['Nothing was removed.'],
  });
  expect(await run(['rag', 'import', old, '--remove'])).toMatchObject({ code: 1 });
  expect(await run(['rag', 'import', home, '--remove'])).toMatchObject({
    ...{ code: 1, notes: [`Nothing was imported from ${home}.`, `Imported from: ${old}`] },
  });
  expect(await run(['rag', 'import', old, '--remove'], ['y'])).toMatchObject({
    ...{ code: 0, lines: ['2 imported documents removed'] },
  });
  expect((await run(['sources'])).rows).toEqual([]);
});

test.each([
  [['import'], /needs one folder/u],
  [['search'], /no query/u],
  [['search', 'x', '--k', '0'], /--k 0/u],
  [['search', 'x', '--neighbours', 'many'], /--neighbours many/u],
  [['dance'], /Unknown subcommand "rag dance"/u],
  [['run'], /--queries FILE is missing/u],
  [['test', 'add', 'only a question'], /needs a question and the document/u],
])('rag %j is refused with usage', async (words, message) => {
  const { run } = await withPapers();
  await expect(run(['rag', ...words])).rejects.toMatchObject({
    code: 'bad_usage',
    message: expect.stringMatching(message),
  });
});

test('a project is made, used and shown; deleting asks and takes the index only', async () => {
  const { run, session, docs } = await withPapers();
  await run(['project', 'create', 'boat']);
  await run(['project', 'use', 'boat']);
  expect(session.project).toBe('boat');
  await run(['ingest', docs]);
  expect((await run(['project', 'show'])).rows).toMatchObject([{ name: 'boat', files: 2, passages: 2 }]);
  expect(await run(['project', 'delete', 'boat'], ['n'])).toMatchObject({ code: 1, notes: ['Nothing was deleted.'] });
  expect(await run(['project', 'delete', 'boat'])).toMatchObject({ code: 1 });
  expect((await run(['project', 'delete', 'boat'], ['y'])).code).toBe(0);
  expect((await run(['project', 'show', 'boat'])).rows).toMatchObject([{ files: 0 }]);
  expect((await run(['project', 'list'])).lines).toEqual(['  home', '* boat']);
  await expect(run(['project', 'use', 'boot'])).rejects.toMatchObject({ code: 'unknown_project' });
});

test('progress shows a bar, the rate and the time left', () => {
  const text = progressText({ done: 25, total: 100, file: 'a.md', stage: 'read' }, 5000);
  expect(text).toBe('read  [#####               ]  25/100  5.0/s  15 s left  a.md');
  expect(progressText({ done: 0, total: 0, file: '' }, 0)).toBe('read  [####################]  0/0');
});
