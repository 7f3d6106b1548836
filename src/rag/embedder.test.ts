import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { startDocuments } from '../testing/documents.ts';
import { HashedEmbeddings } from '../testing/hashed-embeddings.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';
import { readManifest } from './index/manifest.ts';

const signal = new AbortController().signal;
const FILES = 300;

/** Knows that a vessel is a boat and a hound is a dog, and counts the texts it is asked to embed. */
class Thesaurus extends HashedEmbeddings {
  embedded = 0;
  down = false;

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    if (this.down) throw new Error('connection refused');
    this.embedded += texts.length;
    return super.embedDocuments(texts.map(meaning));
  }

  override async embedQuery(text: string): Promise<number[]> {
    if (this.down) throw new Error('connection refused');
    return super.embedQuery(meaning(text));
  }
}

function meaning(text: string): string {
  return text.replace(/vessel/gu, 'boat').replace(/hound/gu, 'dog');
}

async function makeHome(files = FILES) {
  const home = temporaryFolder();
  mkdirSync(join(home, 'docs'));
  for (let file = 0; file < files; file++)
    writeFileSync(join(home, 'docs', `${file}.md`), `# Item ${file}\n\nthing${file} kept in box${file % 20}\n`);
  writeFileSync(join(home, 'docs', 'boat.md'), '# Harbour\n\nThe boat is red.\n');
  const store = await openTestStore(join(home, 'w.sqlite3'));
  onTestFinished(() => store.close());
  const withModel = async (name: string, embeddings: Thesaurus, warn = vi.fn(), allows = () => true) => {
    const embedding = { name, embeddings, allows };
    return (await startDocuments(home, { store, log: { ...silentLog, warn }, embedding })).documents;
  };
  return { home, withModel };
}

test('a configured model finds what shares no word, and each text is embedded once', async () => {
  const { home, withModel } = await makeHome();
  const model = new Thesaurus();
  const documents = await withModel('one', model);
  await documents.ingest('home', [join(home, 'docs')], { signal });
  expect(model.embedded).toBe(FILES + 1);
  expect((await documents.search('home', 'vessel', { k: 1 }))[0]?.file).toBe('boat.md');
  writeFileSync(join(home, 'docs', 'dog.md'), '# Dog\n\nThe dog is old.\n');
  await documents.ingest('home', [], { signal });
  expect(model.embedded).toBe(FILES + 2);
  expect((await documents.search('home', 'hound', { k: 1 }))[0]?.file).toBe('dog.md');
});

test('vectors of another model are not mixed in, and a rebuild takes the new one', async () => {
  const { home, withModel } = await makeHome();
  await (await withModel('one', new Thesaurus())).ingest('home', [join(home, 'docs')], { signal });
  const second = new Thesaurus();
  const documents = await withModel('two', second);
  await expect(documents.ingest('home', [], { signal })).rejects.toMatchObject({
    code: 'index_unavailable',
    hint: expect.stringContaining('--rebuild'),
  });
  expect((await documents.search('home', 'boat', { k: 1 }))[0]?.file).toBe('boat.md');
  expect(second.embedded).toBe(0);
  const stages = new Set<string | undefined>();
  await documents.ingest('home', [], { signal, rebuild: true, onProgress: ({ stage }) => stages.add(stage) });
  expect(second.embedded).toBe(FILES + 1);
  expect([...stages]).toEqual(['read', 'embed', 'index']);
  expect((await documents.search('home', 'vessel', { k: 1 }))[0]?.file).toBe('boat.md');
});

test('a store without index files is not given to another model either, until the person asks for it', async () => {
  const { home, withModel } = await makeHome(2);
  await (await withModel('one', new Thesaurus())).ingest('home', [join(home, 'docs')], { signal });
  rmSync(join(home, 'vector_data'), { recursive: true });
  const second = new Thesaurus();
  const warn = vi.fn();
  const documents = await withModel('two', second, warn);
  await expect(documents.ingest('home', [], { signal })).rejects.toMatchObject({
    code: 'index_unavailable',
    message: 'The index of project home was built with one, but the model is now set to two.',
    hint: expect.stringContaining('--rebuild'),
  });
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  writeFileSync(join(home, 'projects', 'home', 'note.md'), 'The lantern is green.\n');
  expect((await documents.search('home', 'green lantern', { k: 1 }))[0]?.file).toBe('note.md');
  expect(warn).toHaveBeenCalledWith(
    expect.stringContaining('embedding model'),
    expect.objectContaining({ error: expect.stringContaining('was built with one') }),
  );
  expect(second.embedded).toBe(0);
  await documents.ingest('home', [], { signal, rebuild: true });
  expect(second.embedded).toBe(4);
  expect((await documents.search('home', 'vessel', { k: 1 }))[0]?.file).toBe('boat.md');
});

test('without its model a query is still answered by words, and the log says so', async () => {
  const { home, withModel } = await makeHome();
  const model = new Thesaurus();
  const warn = vi.fn();
  const documents = await withModel('one', model, warn);
  await documents.ingest('home', [join(home, 'docs')], { signal });
  model.down = true;
  expect((await documents.search('home', 'red boat', { k: 1 }))[0]?.file).toBe('boat.md');
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('embedding model'), expect.anything());
});

test('a project that becomes local only is searched without the model, and the report says so', async () => {
  const { home, withModel } = await makeHome(500);
  const cloud = new Thesaurus();
  const free = await withModel('cloud', cloud);
  expect(await free.ingest('home', [join(home, 'docs')], { signal })).not.toHaveProperty('withheldFrom');
  expect(free.withheldFrom('home')).toBeUndefined();
  expect(readManifest(join(home, 'vector_data', 'home')).dense?.id).toBe('model:cloud');
  await free.close();
  cloud.down = true;
  const closed = await withModel('cloud', cloud, vi.fn(), () => false);
  writeFileSync(join(home, 'docs', 'dog.md'), '# Dog\n\nThe dog is old.\n');
  expect(await closed.ingest('home', [], { signal })).toMatchObject({ indexed: 1, withheldFrom: 'cloud' });
  expect(closed.withheldFrom('home')).toBe('cloud');
  expect(readManifest(join(home, 'vector_data', 'home')).dense?.lsa).not.toBeNull();
  expect((await closed.search('home', 'old dog', { k: 1 }))[0]?.file).toBe('dog.md');
  const rebuilt = await closed.ingest('home', [], { signal, rebuild: true });
  expect(rebuilt).toMatchObject({ withheldFrom: 'cloud' });
  expect(cloud.embedded).toBe(501);
});
