import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { expect, test } from 'vitest';
import type { EmbeddingModel } from '../../rag/embedder.ts';
import { HashedEmbeddings } from '../../rag/langchain/hashed-embeddings.ts';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import type { App } from '../app.ts';
import type { Command, CommandCall } from '../command.ts';
import { progressText } from '../progress-line.ts';
import { ingest } from './ingest.ts';
import { project } from './project.ts';
import { rag } from './rag.ts';
import { sources } from './sources.ts';

/** Commands over real documents; what they say is collected. */
function makeShell(embedding?: EmbeddingModel) {
  const { home, store, projects, documents } = startDocuments(temporaryFolder(), { embedding });
  mkdirSync(join(home, 'docs'));
  writeFileSync(join(home, 'docs', 'ferry.md'), '# Ferry\n\nThe ferry leaves at six.\n');
  writeFileSync(join(home, 'docs', 'bread.md'), '# Bread\n\nBread needs flour.\n');
  const session = { project: 'home', yes: false, json: false, interactive: false };
  const run = async (command: Command, args: string[], flags: CommandCall['flags'] = {}, answer?: string) => {
    const said: string[] = [];
    const notes: string[] = [];
    const rows: unknown[] = [];
    const asked: string[] = [];
    const out = {
      line: (text: string) => void said.push(text),
      row: (value: unknown) => void rows.push(value),
      note: (text: string) => void notes.push(text),
      progress: () => undefined,
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
    };
    const app = { store, documents, projects } as unknown as App;
    const call = {
      args,
      flags,
      session,
      parts: app,
      out,
      signal: new AbortController().signal,
    } as unknown as CommandCall;
    return { code: await command.run(call), said, notes, rows, asked };
  };
  return { home, run, session, docs: join(home, 'docs') };
}

test('files are taken in, listed and found; a missing path is named and the exit code says so', async () => {
  const { run, docs, home } = makeShell();
  const taken = await run(ingest, [docs, join(home, 'nowhere')]);
  expect(taken).toMatchObject({ code: 1, notes: [`not found: ${join(home, 'nowhere')}`] });
  expect(taken.said).toEqual(['2 read, 0 unchanged; 2 passages in the store']);
  expect((await run(sources, [])).said.at(-1)).toBe('2 of 2 files can be searched (100 %)');
  const found = await run(rag, ['search', 'when does the ferry leave'], { k: '1' });
  expect(found.rows).toMatchObject([{ rank: 1, documentId: 'ferry', citation: '[ferry.md, line 3]', lines: [3, 3] }]);
  expect((await run(rag, ['search', 'photosynthesis'])).notes).toEqual(['Not in your documents.']);
});

test('a project that may not be sent to the embedding model says so when files are taken in and listed', async () => {
  const { run, docs } = makeShell({ name: 'openai:small', embeddings: new HashedEmbeddings(), allows: () => false });
  const line = 'Nothing of this project may leave the machine: it is searched without openai:small.';
  const taken = await run(ingest, [docs]);
  expect(taken).toMatchObject({ code: 0, notes: [line], rows: [{ type: 'ingest', withheldFrom: 'openai:small' }] });
  expect((await run(sources, [])).notes).toEqual([line]);
});

test('a thousand files are shown by what needs a look and by folder, and all of them when asked for', async () => {
  const { run, docs } = makeShell();
  for (let at = 0; at < 1000; at++) {
    const folder = join(docs, `box${at % 4}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.md`), `Paper ${at}\n`);
  }
  for (let at = 0; at < 60; at++) writeFileSync(join(docs, `broken${at}.pdf`), 'no pdf');
  writeFileSync(join(docs, 'blank\nindexed.md'), '');
  const taken = await run(ingest, [docs]);
  expect(taken.notes).toHaveLength(22);
  expect(taken.notes[20]).toBe('... and 40 more: wooster sources --state failed');
  expect(taken.notes[21]).toBe('empty: blank indexed.md');

  const shown = await run(sources, []);
  expect(shown.rows).toHaveLength(1063);
  expect(shown.said).toHaveLength(57);
  expect(shown.said[0]).toBe('empty         -  blank indexed.md');
  expect(shown.said[50]).toBe('... and 11 more of these');
  expect(shown.said[51]).toBe(`   250 files,    250 passages  ${docs}/box0/`);
  expect(shown.said[55]).toBe(`    63 files,      2 passages  ${docs}/`);
  expect(shown.said[56]).toBe('1002 of 1063 files can be searched (94 %), 1 empty, 60 failed');

  expect((await run(sources, [], { all: true })).said).toHaveLength(1064);
  const failed = await run(sources, [], { state: 'failed' });
  expect(failed).toMatchObject({ rows: expect.objectContaining({ length: 60 }) });
  expect(failed.said).toHaveLength(61);
  expect((await run(sources, ['box1/1*.md'])).rows).toHaveLength(28);
  expect((await run(sources, ['box1/101.md'])).said).toHaveLength(2);
  expect((await run(sources, ['nowhere'])).notes).toEqual(['No file of the project is like that.']);
  await expect(run(sources, [], { state: 'lost' })).rejects.toMatchObject({ code: 'bad_usage' });
}, 60_000);

test('neighbours are shown apart from what was found, with a citation of the whole', async () => {
  const { run, docs } = makeShell();
  writeFileSync(
    join(docs, 'day.md'),
    '# Day\n\n## One\n\nTea.\n\n## Two\n\nThe mast\nis raised.\n\n## Three\n\nSupper.\n',
  );
  await run(ingest, [docs]);
  const { said, rows } = await run(rag, ['search', 'mast raised'], { k: '1', neighbours: '1' });
  expect(said).toEqual([
    ' 1. 1.000  [day.md, lines 9-10]  Day > Two',
    '    before | Tea.',
    '    found  | The mast is raised.',
    '    after  | Supper.',
    '    all of it: [day.md, lines 5-14]',
  ]);
  const context = { before: 'Tea.', after: 'Supper.', lines: [5, 14], citation: '[day.md, lines 5-14]' };
  expect(rows).toMatchObject([{ text: 'The mast\nis raised.', citation: '[day.md, lines 9-10]', context }]);
});

test('a run file is written and measured', async () => {
  const { run, docs, home } = makeShell();
  await run(ingest, [docs]);
  const [queries, qrels, out] = ['q.jsonl', 'qrels.tsv', 'run.trec'].map((name) => join(home, name));
  writeFileSync(queries ?? '', '{"_id": "1", "text": "ferry"}\n{"_id": "2", "text": "flour"}\n');
  writeFileSync(qrels ?? '', 'query-id\tcorpus-id\tscore\n1\tferry\t1\n2\tferry\t1\n');
  expect((await run(rag, ['run'], { queries, out, k: '10' })).code).toBe(0);
  expect(readFileSync(out ?? '', 'utf8').split('\n')[0]).toBe('1 Q0 ferry 1 1.000000 wooster');
  const { rows } = await run(rag, ['eval'], { run: out, qrels });
  expect(rows).toEqual([{ queries: 2, ndcg10: 0.5, recall100: 0.5, map: 0.5 }]);
});

test('a store of LangChain is imported, shown as such, and removed after a question', async () => {
  const { run, home } = makeShell();
  const old = join(home, 'old-store');
  const texts = ['The ferry leaves at six.', 'Bread needs flour.'];
  const metadatas = [{ source: 'notes/ferry.md', loc: { lines: { from: 3, to: 4 } } }, { source: 'bread.md' }];
  await (await HNSWLib.fromTexts(texts, metadatas, new HashedEmbeddings())).save(old);
  expect(await run(rag, ['import', old])).toMatchObject({
    ...{ code: 0, said: ['2 imported, 0 unchanged; 2 passages in the store'] },
    rows: [{ type: 'import', folder: old, imported: 2, unchanged: 0, removed: 0, vectors: 0, chunks: 2 }],
  });
  expect((await run(rag, ['import', old])).said).toEqual(['0 imported, 2 unchanged; 2 passages in the store']);
  const listed = await run(sources, []);
  expect(listed.said[1]).toBe(`indexed       1  notes/ferry.md  (imported from ${old})`);
  expect(listed.rows).toMatchObject([{ kind: 'langchain' }, { kind: 'langchain', root: `langchain:${old}` }]);
  expect((await run(rag, ['search', 'ferry leaves'], { k: '1' })).rows).toMatchObject([
    { citation: '[notes/ferry.md, lines 3-4]' },
  ]);

  // What has no file here goes for good with the index: that is said before.
  expect((await run(project, ['delete', 'home'], {}, 'n')).asked).toEqual([
    'Delete project home (the index and all that was imported; files stay)? [y/N] ',
  ]);
  expect(await run(rag, ['import', old], { remove: true }, 'n')).toMatchObject({
    code: 1,
    notes: ['Nothing was removed.'],
  });
  expect(await run(rag, ['import', old], { remove: true }, undefined)).toMatchObject({ code: 1 });
  expect(await run(rag, ['import', home], { remove: true })).toMatchObject({
    ...{ code: 1, notes: [`Nothing was imported from ${home}.`, `There is: ${old}`] },
  });
  expect(await run(rag, ['import', old], { remove: true }, 'y')).toMatchObject({
    ...{ code: 0, said: ['2 imported documents removed'] },
  });
  expect((await run(sources, [])).rows).toEqual([]);
});

test.each([
  [['import'], {}, /needs one folder/u],
  [['search'], {}, /no query/u],
  [['search', 'x'], { k: '0' }, /--k 0/u],
  [['search', 'x'], { neighbours: 'many' }, /--neighbours many/u],
  [['dance'], {}, /no "rag dance"/u],
  [['run'], {}, /--queries FILE is missing/u],
  [['test', 'add', 'only a question'], {}, /needs a question and the document/u],
] as const)('rag %j %j is refused with usage', async (args, flags, message) => {
  const { run } = makeShell();
  await expect(run(rag, [...args], flags)).rejects.toMatchObject({
    code: 'bad_usage',
    message: expect.stringMatching(message),
  });
});

test('a project is made, used and shown; deleting asks and takes the index only', async () => {
  const { run, session, docs } = makeShell();
  await run(project, ['create', 'boat']);
  await run(project, ['use', 'boat']);
  expect(session.project).toBe('boat');
  await run(ingest, [docs]);
  expect((await run(project, ['show'])).rows).toMatchObject([{ name: 'boat', files: 2, passages: 2 }]);
  expect(await run(project, ['delete', 'boat'], {}, 'n')).toMatchObject({ code: 1, notes: ['Nothing was deleted.'] });
  expect(await run(project, ['delete', 'boat'], {}, undefined)).toMatchObject({ code: 1 });
  expect((await run(project, ['delete', 'boat'], {}, 'y')).code).toBe(0);
  expect((await run(project, ['show', 'boat'])).rows).toMatchObject([{ files: 0 }]);
  expect((await run(project, ['list'])).said).toEqual(['  home', '* boat']);
  await expect(run(project, ['use', 'boot'])).rejects.toMatchObject({ code: 'unknown_project' });
});

test('progress shows a bar, the rate and the time left', () => {
  const text = progressText({ done: 25, total: 100, file: 'a.md', stage: 'read' }, 5000);
  expect(text).toBe('read  [#####               ]  25/100  5.0/s  15 s left  a.md');
  expect(progressText({ done: 0, total: 0, file: '' }, 0)).toBe('read  [####################]  0/0');
});
