import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { Document } from '@langchain/core/documents';
import { expect, onTestFinished, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { HashedEmbeddings } from '../../testing/hashed-embeddings.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sqlGet, sqlRun } from '../../testing/sql.ts';
import { ProjectRetriever } from '../langchain/project-retriever.ts';
import type { ImportOptions } from '../types.ts';

const signal = new AbortController().signal;

/** Counts the texts it embeds. */
class CountingEmbeddings extends HashedEmbeddings {
  embedded = 0;

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    this.embedded += texts.length;
    return super.embedDocuments(texts);
  }
}

/** Another model with vectors of the same length. */
class OtherEmbeddings extends HashedEmbeddings {
  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return (await super.embedDocuments(texts)).map((vector) => vector.toReversed());
  }
}

const DOCS = '/home/me/docs';
const TEXTS = [
  text('The ferry leaves at six.', {
    source: `${DOCS}/travel/ferry.txt`,
    loc: { lines: { from: 3, to: 9 } },
    tag: 'sea',
  }),
  text('A ticket costs ten crowns.', { source: `${DOCS}/travel/ferry.txt`, loc: { lines: { from: 11, to: 11 } } }),
  text('The warranty lasts two years.', {
    source: `${DOCS}/oven.pdf`,
    loc: { pageNumber: 4, lines: { from: 1, to: 2 } },
  }),
  text('Bread needs flour.', { source: 'https://example.org/bread.html' }),
  text('Nobody says where this stands: quicksilver.', { topic: 'metal' }),
];

function text(pageContent: string, metadata: Record<string, unknown>): Document {
  return new Document({ pageContent, metadata });
}

async function saveStore(dir: string, documents: Document[] = TEXTS, embeddings = new HashedEmbeddings()) {
  rmSync(dir, { recursive: true, force: true });
  await (await HNSWLib.fromDocuments(documents, embeddings)).save(dir);
  return dir;
}

async function makeHome(embeddings?: HashedEmbeddings) {
  const embedding = embeddings && { name: 'hashed', embeddings };
  const { home, store, documents } = await startDocuments(temporaryFolder(), { embedding });
  const old = join(home, 'old-store');
  const take = (folder = old, options: Partial<ImportOptions> = {}) =>
    documents.importStore('home', folder, { signal, ...options });
  const first = async (query: string) => (await documents.search('home', query, { k: 1 }))[0];
  const files = async () => (await documents.sources('home')).map(({ file }) => file);
  return { home, old, store, documents, take, first, files };
}

test('texts, places and metadata of a store are found and cited; the same again changes nothing', async () => {
  const { home, old, documents, take, first, files } = await makeHome();
  await saveStore(old);
  expect(await take()).toEqual({ imported: 4, unchanged: 0, removed: 0, vectors: 0, chunks: 5, aborted: false });
  expect(await first('when does the ferry leave')).toMatchObject({
    ...{ text: 'The ferry leaves at six.', citation: '[travel/ferry.txt, lines 3-9]', documentId: 'travel/ferry' },
    metadata: TEXTS[0]?.metadata,
  });
  expect((await first('warranty'))?.citation).toBe('[oven.pdf, p. 4]');
  expect((await first('bread flour'))?.citation).toBe('[https://example.org/bread.html]');
  expect((await first('quicksilver'))?.citation).toBe('[old-store, text 5]');
  const [retrieved] = await new ProjectRetriever({ documents, project: 'home', k: 1 }).invoke('ferry leave');
  expect(retrieved?.metadata).toMatchObject({ tag: 'sea', source: 'travel/ferry.txt' });
  expect(await documents.sources('home')).toMatchObject([
    { file: 'https://example.org/bread.html', kind: 'langchain', state: 'indexed', chunks: 1 },
    { file: 'old-store', root: `langchain:${old}` },
    { file: 'oven.pdf' },
    { file: 'travel/ferry.txt', chunks: 2 },
  ]);

  expect(await take()).toMatchObject({ imported: 0, unchanged: 4, chunks: 5 });
  cpSync(old, join(home, 'copy', 'old-store'), { recursive: true });
  expect(await take(join(home, 'copy', 'old-store'))).toMatchObject({ imported: 0, unchanged: 4, chunks: 5 });
  expect(await files()).toHaveLength(4);
});

test('what was imported outlasts every ingest, and leaves when it is told to', async () => {
  const { home, old, store, documents, take, first, files } = await makeHome();
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  writeFileSync(join(home, 'projects', 'home', 'boat.md'), '# Boat\n\nThe boat is red.\n');
  await saveStore(old);
  await take();
  rmSync(old, { recursive: true });
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ removed: 0, chunks: 6 });
  // If the root were taken for a path, it would be in the current folder.
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  mkdirSync(join(home, 'docs'));
  process.chdir(join(home, 'docs'));
  expect(await documents.ingest('home', [join(home, 'docs')], { signal })).toMatchObject({ removed: 0, chunks: 6 });
  expect(await documents.ingest('home', [], { signal, rebuild: true })).toMatchObject({ chunks: 6 });
  expect(await first('ferry leave')).toMatchObject({
    citation: '[travel/ferry.txt, lines 3-9]',
    metadata: { tag: 'sea' },
  });
  expect(await documents.ingest('home', [], { signal, rebuild: true })).toMatchObject({ chunks: 6 });

  expect(await documents.removeImported('home', old, { signal })).toBe(4);
  expect(await files()).toEqual(['boat.md']);
  expect(await first('ferry leave')).toBeUndefined();
  expect(await documents.removeImported('home', old, { signal })).toBe(0);
  expect(await sqlGet(store, 'SELECT count(*) AS n FROM chunks')).toEqual({ n: 1 });
});

test('a store that changed brings the project up to date: what is new, changed and gone', async () => {
  const { old, take, first, files } = await makeHome();
  await saveStore(old);
  await take();
  const [ferry, ticket, , ...others] = TEXTS;
  const later = text('The ferry leaves at seven.', ferry?.metadata ?? {});
  await saveStore(old, [later, ...(ticket ? [ticket] : []), ...others, text('Rye.', { source: 'rye.md' })]);
  expect(await take()).toMatchObject({ imported: 2, unchanged: 2, removed: 2, chunks: 5 });
  // A folder that all absolute paths share is not shown.
  expect(await files()).toEqual(['ferry.txt', 'https://example.org/bread.html', 'old-store', 'rye.md']);
  expect((await first('ferry leave'))?.text).toBe('The ferry leaves at seven.');
});

test('vectors are kept only from the model that is set, and then nothing is embedded again', async () => {
  const embeddings = new CountingEmbeddings();
  const { old, store, documents, take, first } = await makeHome(embeddings);
  await saveStore(old);
  await expect(take(old, { vectors: 'another' })).rejects.toMatchObject({ code: 'bad_usage' });
  expect(await take(old, { vectors: 'hashed' })).toMatchObject({ imported: 4, vectors: 5 });
  // Three texts to verify the model.
  expect(embeddings.embedded).toBe(3);
  expect(await first('when does the ferry leave')).toMatchObject({ text: 'The ferry leaves at six.' });
  const vectors = await sqlGet(store, "SELECT count(*) AS n FROM vectors WHERE model = 'model:hashed'");
  expect(vectors).toEqual({ n: 5 });
  await documents.ingest('home', [], { signal });
  expect(embeddings.embedded).toBe(3);
});

test('without a word about its vectors the texts are embedded by the model that is set', async () => {
  const embeddings = new CountingEmbeddings();
  const { old, take } = await makeHome(embeddings);
  await saveStore(old, TEXTS, new OtherEmbeddings());
  expect(await take()).toMatchObject({ imported: 4, vectors: 0 });
  expect(embeddings.embedded).toBe(5);
});

test('vectors of another model are found out, and nothing is imported', async () => {
  const { old, take, files } = await makeHome(new CountingEmbeddings());
  await saveStore(old, TEXTS, new OtherEmbeddings());
  await expect(take(old, { vectors: 'hashed' })).rejects.toMatchObject({
    ...{ code: 'index_unavailable', message: expect.stringContaining('were not made by hashed') },
    hint: expect.stringContaining('--vectors'),
  });
  expect(await files()).toEqual([]);
  const without = await makeHome();
  await saveStore(without.old);
  await expect(without.take(without.old, { vectors: 'hashed' })).rejects.toMatchObject({ code: 'bad_usage' });
});

const change = (name: string, edit: (content: string) => string) => (dir: string) =>
  writeFileSync(join(dir, name), edit(readFileSync(join(dir, name), 'utf8')));

/** No vectors, but a claimed row size of 2^50 bytes. */
function askTooMuch(dir: string): void {
  const path = join(dir, 'hnswlib.index');
  const index = readFileSync(path);
  index.writeBigUInt64LE(0n, 16);
  index.writeBigUInt64LE(2n ** 50n, 40);
  index.writeBigUInt64LE(2n ** 50n + 4096n, 32);
  index.writeBigUInt64LE(2n ** 50n + 4104n, 24);
  writeFileSync(path, index);
  writeFileSync(join(dir, 'docstore.json'), '[]');
}

/** Write one 64-bit field of the header, at a byte offset. */
const field = (at: number, value: bigint) => (dir: string) => {
  const path = join(dir, 'hnswlib.index');
  const index = readFileSync(path);
  index.writeBigUInt64LE(value, at);
  writeFileSync(path, index);
};

/** Overwrite bytes of the index file, counted from its end when `at` is negative. */
const bytes = (at: number, content: Uint8Array) => (dir: string) => {
  const path = join(dir, 'hnswlib.index');
  const index = readFileSync(path);
  index.set(content, at < 0 ? index.length + at : at);
  writeFileSync(path, index);
};

/** Where the second vector's label is: after the header, a whole row, and its own links and numbers. */
const SECOND_LABEL = 96 + (132 + 4096 + 8) + 132 + 4096;

test.each<[string, (dir: string) => unknown, RegExp]>([
  ['two vectors with one number', bytes(SECOND_LABEL, new Uint8Array(8)), /hnswlib\.index repeats a number/u],
  ['links that lead beyond the end', bytes(-4, Uint8Array.of(255, 255, 255, 255)), /HNSWLib cannot load it/u],
  ['an index whose memory size overflows', field(8, 2n ** 62n), /reserves memory for/u],
  ['an index with less room than vectors', field(8, 1n), /reserves memory for 1 vectors and holds 5/u],
  ['an index whose link size is zero', field(56, 2n ** 62n - 1n), /no vectors of 1024 numbers/u],
  ['no args.json', (dir) => rmSync(join(dir, 'args.json')), /args\.json is missing/u],
  ['no docstore.json', (dir) => rmSync(join(dir, 'docstore.json')), /docstore\.json is missing/u],
  ['no hnswlib.index', (dir) => rmSync(join(dir, 'hnswlib.index')), /hnswlib\.index is missing/u],
  ['a docstore cut off', change('docstore.json', (json) => json.slice(0, -20)), /docstore\.json is not what/u],
  ['a docstore of another form', change('docstore.json', () => '{"0": "text"}'), /docstore\.json is not what/u],
  ['a text without metadata', change('docstore.json', (json) => json.replace('"metadata"', '"m"')), /is not what/u],
  [
    'fewer texts than vectors',
    change('docstore.json', (json) => `[${json.slice(json.indexOf(',["1"') + 1)}`),
    /4 texts.*5 vectors/u,
  ],
  ['a number twice', change('docstore.json', (json) => json.replace('["1"', '["0"')), /repeats a number/u],
  ['a docstore of 600 MB', (dir) => truncateSync(join(dir, 'docstore.json'), 600 * 1024 * 1024), /larger than 512 MB/u],
  ['an index cut off', (dir) => truncateSync(join(dir, 'hnswlib.index'), 3000), /hnswlib\.index is cut off/u],
  ['an empty index', (dir) => truncateSync(join(dir, 'hnswlib.index'), 0), /hnswlib\.index is cut off/u],
  ['an index that asks for the impossible', askTooMuch, /no vectors of 1024 numbers/u],
  [
    'another length of vectors',
    change('args.json', (json) => json.replace('1024', '512')),
    /no vectors of 512 numbers/u,
  ],
  ['no length of vectors', change('args.json', () => '{"space": "cosine"}'), /args\.json is not what/u],
])('a folder with %s is refused with a hint, and nothing is imported', async (_what, spoil, message) => {
  const { old, take, files, store } = await makeHome();
  await saveStore(old);
  spoil(old);
  await expect(take()).rejects.toMatchObject({
    ...{ code: 'index_unavailable', message: expect.stringMatching(message) },
    hint: expect.stringMatching(/HNSWLib\.save.*wooster ingest PATH/u),
  });
  expect(await files()).toEqual([]);
  expect(await sqlGet(store, 'SELECT count(*) AS n FROM chunks')).toEqual({ n: 0 });
});

test('a folder that is not there is named', async () => {
  const { home, take } = await makeHome();
  await expect(take(join(home, 'nowhere'))).rejects.toMatchObject({ code: 'file_not_found' });
});

test('no name leads anywhere: dots, drives and control characters are left out of it', async () => {
  const { old, take, files } = await makeHome();
  const sources = ['../../etc/passwd', 'C:\\Users\\me\\notes.txt', '..', '\u001b[31mred\u0007.txt', './a/../b.md', ''];
  await saveStore(
    old,
    sources.map((source, index) => text(`words${index}`, { source })),
  );
  await take();
  expect((await files()).sort()).toEqual(['[31mred .txt', 'a/b.md', 'etc/passwd', 'notes.txt', 'old-store']);
});

test('texts that stand there twice come once, empty ones not, and a book is cut into passages', async () => {
  const { old, take, documents } = await makeHome();
  const book = Array.from({ length: 300 }, (_, at) => `Line ${at} speaks of chapter${at} and more.`).join('\n');
  const twice = text('Said once.', { source: 'a.md' });
  await saveStore(old, [twice, twice, text(' ', { source: 'empty.md' }), text(book, { source: 'book.txt' })]);
  await take();
  const sources = await documents.sources('home');
  expect(sources).toMatchObject([
    { file: 'a.md', chunks: 1 },
    { file: 'book.txt' },
    { file: 'empty.md', state: 'empty' },
  ]);
  expect(sources[1]?.chunks).toBeGreaterThan(5);
  const [hit] = await documents.search('home', 'chapter250', { k: 1 });
  expect(hit?.text.length).toBeLessThan(2000);
  expect(await take()).toMatchObject({ imported: 0, unchanged: 3 });
});

test('an imported text of many characters without a space is cut as well', async () => {
  const { old, documents, take } = await makeHome();
  const long = Array.from({ length: 20_000 }, (_, index) => String(index).padStart(8, 'x')).join('');
  await saveStore(old, [text(long, { source: 'dump.txt' })]);
  await take();
  expect((await documents.sources('home'))[0]?.chunks).toBeGreaterThan(10);
});

test('stopped on the way, and killed before, an import leaves nothing half done', async () => {
  const { old, store, take, files } = await makeHome();
  const many = Array.from({ length: 5000 }, (_, at) => text(`text number${at}`, { source: `f${at}.txt` }));
  class Unit extends HashedEmbeddings {
    override async embedDocuments(texts: string[]): Promise<number[][]> {
      return texts.map((_, at) => [1, at]);
    }
  }
  await saveStore(old, many, new Unit());
  const controller = new AbortController();
  const stopped = await take(old, { signal: controller.signal, onProgress: () => controller.abort() });
  expect(stopped).toMatchObject({ aborted: true, imported: 0, chunks: 0 });
  expect(await files()).toEqual([]);
  const count = () => sqlGet(store, 'SELECT count(*) AS n FROM sources');
  expect(await count()).toEqual({ n: 0 });
  // What a kill leaves behind: rows under a name that no project can have.
  await sqlRun(
    store,
    `INSERT INTO sources (project, root, path, document_id, kind, size, mtime_us, sha256, version, state, indexed_at)
    VALUES ('home~import', 'langchain:${old}', 'left.txt', 'left', 'langchain', 1, 1, '', '', 'indexed', '')`,
  );
  expect(await take()).toMatchObject({ imported: 5000, chunks: 5000 });
  expect(await count()).toEqual({ n: 5000 });
});
