import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mulberry32 } from '../base/mulberry32.ts';
import { startDocuments } from '../testing/documents.ts';
import { HashedEmbeddings } from '../testing/hashed-embeddings.ts';
import { temporaryFolder } from '../testing/home.ts';
import { sqlAll } from '../testing/sql.ts';
import { STORE_KINDS } from '../testing/stores.ts';
import { RAG_DEFAULTS } from './options.ts';
import type { Documents } from './types.ts';

const FILES = 600;
const WORDS = 'anchor beacon cabin deck ebb ferry gale harbour island jetty keel lantern mast north oar pier'.split(
  ' ',
);
const QUERIES = WORDS.map((word, at) => `${word} ${WORDS[(at * 5 + 3) % WORDS.length]} serial${at * 30}`);
const signal = new AbortController().signal;
const options = { ...RAG_DEFAULTS, vectors: 'pgvector' } as const;

function writeTexts(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const random = mulberry32(7);
  for (let file = 0; file < FILES; file++) {
    const words = Array.from({ length: 12 }, () => WORDS[(file + Math.floor(random() ** 2 * 6)) % WORDS.length]);
    writeFileSync(join(folder, `${file}.md`), `# Part ${file % 9}\n\nserial${file} ${words.join(' ')}\n`);
  }
}

async function rankings(documents: Documents) {
  const all: { documentId: string; score: number }[][] = [];
  for (const query of [...QUERIES, 'anchor beacon file:1*.md']) {
    const hits = await documents.search('home', query, { k: 10 });
    all.push(hits.map(({ documentId, score }) => ({ documentId, score })));
  }
  return all;
}

type Rankings = Awaited<ReturnType<typeof rankings>>;

/** The same scores rank by rank. Two sums of the same numbers differ a little, so equal passages may change places. */
function areAlike(found: Rankings, expected: Rankings): boolean {
  return expected.every((hits, query) => {
    const others = found[query] ?? [];
    const same = hits.filter(({ documentId }) => others.some((other) => other.documentId === documentId));
    const close = hits.every(({ score }, rank) => Math.abs(score - (others[rank]?.score ?? 0)) < 1e-4);
    return close && same.length >= hits.length - 1;
  });
}

describe.runIf(STORE_KINDS.includes('postgres'))('on PostgreSQL', () => {
  test.each(['LSA', 'a model'])(
    'pgvector finds the same by the vectors of %s as our own files',
    async (kind) => {
      const embedding = kind === 'LSA' ? undefined : { name: 'hashed', embeddings: new HashedEmbeddings() };
      const home = temporaryFolder();
      writeTexts(join(home, 'docs'));
      const own = await startDocuments(temporaryFolder(), { embedding });
      const other = await startDocuments(home, { embedding, options });
      for (const { documents } of [own, other]) await documents.ingest('home', [join(home, 'docs')], { signal });
      const dimensions = Number(
        (await sqlAll(other.store, 'SELECT manifest FROM index_manifests')).map(
          ({ manifest }) => /"dimensions\\": (\d+)/u.exec(String(manifest))?.[1],
        )[0],
      );
      const rows = () =>
        sqlAll(other.store, `SELECT project, count(*) AS n FROM rag_vectors_${dimensions} GROUP BY project`);
      expect(await rows()).toEqual([{ project: 'home', n: FILES }]);
      const expected = await rankings(own.documents);
      expect(areAlike(await rankings(other.documents), expected)).toBe(true);
      await other.documents.ingest('home', [], { signal, rebuild: true });
      expect(await rows()).toEqual([{ project: 'home', n: FILES }]);
      expect(areAlike(await rankings(other.documents), expected)).toBe(true);
      // Its vectors are needed: a search without them ranks differently.
      await sqlAll(other.store, `DELETE FROM rag_vectors_${dimensions}`);
      expect(areAlike(await rankings(other.documents), expected)).toBe(false);
      await other.documents.ingest('home', [], { signal });
      expect(areAlike(await rankings(other.documents), expected)).toBe(true);
      await other.documents.forget('home');
      expect(await rows()).toEqual([]);
    },
    240_000,
  );

  test('switching back puts the vectors into the files again', async () => {
    const home = temporaryFolder();
    writeTexts(join(home, 'docs'));
    const first = await startDocuments(home, { options });
    await first.documents.ingest('home', [join(home, 'docs')], { signal });
    const expected = await rankings(first.documents);
    await first.stop();
    const second = await startDocuments(home);
    await second.documents.ingest('home', [], { signal });
    const [row] = await sqlAll(second.store, 'SELECT manifest FROM index_manifests');
    expect(String(row?.manifest)).not.toContain('table');
    expect(areAlike(await rankings(second.documents), expected)).toBe(true);
  }, 180_000);
});

test.runIf(!STORE_KINDS.includes('postgres'))('without PostgreSQL an ingest says that pgvector needs it', async () => {
  const home = temporaryFolder();
  writeTexts(join(home, 'docs'));
  const { documents } = await startDocuments(home, { options });
  await expect(documents.ingest('home', [join(home, 'docs')], { signal })).rejects.toMatchObject({
    code: 'bad_setting',
  });
});
