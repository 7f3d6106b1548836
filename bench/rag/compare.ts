import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { Document } from '@langchain/core/documents';
import MiniSearch from 'minisearch';
import { words } from '../../src/rag/analysis/words.ts';
import { evaluate } from '../../src/rag/eval/metrics.ts';
import { fitLsa } from '../../src/rag/index/lsa-fit.ts';
import { SegmentBuilder } from '../../src/rag/index/segment.ts';
import { LocalVectorStore } from '../../src/rag/langchain/local-vector-store.ts';
import { HashedEmbeddings } from '../../src/testing/hashed-embeddings.ts';
import type { Figure } from '../harness/figure.ts';
import { report } from '../harness/report.ts';
import { timed } from '../harness/statistics.ts';
import { findSets, readCorpus, type TestSet } from './sets.ts';

/** The same documents, queries and, where vectors are used, the same vectors for all. `npm run bench -- rag-compare FOLDER` */
interface Candidate {
  readonly name: string;
  add(): Promise<void>;
  save(dir: string): Promise<void>;
  load(dir: string): Promise<void>;
  search(query: string): Promise<string[]>;
}

const K = 100;

/** LSA vectors as an embedding model: deterministic, local, the same for both stores. */
class LsaEmbeddings extends HashedEmbeddings {
  readonly #model;

  constructor(texts: readonly string[]) {
    super();
    const builder = new SegmentBuilder();
    for (const [index, text] of texts.entries()) builder.add(index + 1, text);
    this.#model = fitLsa([builder.build()], () => true, new AbortController().signal);
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    const model = await this.#model;
    const nowhere = Array.from({ length: model?.dimensions ?? 1 }, (_, axis) => (axis === 0 ? 1 : 0));
    return texts.map((text) => Array.from(model?.embed(words(text)) ?? nowhere));
  }

  override async embedQuery(text: string): Promise<number[]> {
    return (await this.embedDocuments([text]))[0] ?? [];
  }
}

function candidates(set: TestSet): Candidate[] {
  const rows = readCorpus(set);
  const texts = rows.map(({ title, text }) => `${title}\n${text}`);
  const embeddings = new LsaEmbeddings(texts);
  const documents = texts.map((pageContent, index) => new Document({ pageContent, metadata: { id: rows[index]?.id } }));
  const idOf = ({ metadata }: { metadata: Record<string, unknown> }) => String(metadata.id);
  let ours = new LocalVectorStore(embeddings, { vectorIndex: 'hnsw' });
  let theirs: HNSWLib | undefined;
  const options = { fields: ['title', 'text'], idField: 'id' };
  let mini = new MiniSearch(options);
  return [
    {
      name: 'LocalVectorStore, LSA vectors',
      add: async () => void (await ours.addDocuments(documents)),
      save: (dir) => ours.save(dir),
      load: async (dir) => {
        ours = await LocalVectorStore.load(dir, embeddings, { vectorIndex: 'hnsw' });
      },
      search: async (query) => (await ours.similaritySearch(query, K)).map(idOf),
    },
    {
      name: "LangChain's HNSWLib, LSA vectors",
      add: async () => {
        theirs = await HNSWLib.fromDocuments(documents, embeddings);
      },
      save: async (dir) => theirs?.save(dir),
      load: async (dir) => {
        theirs = await HNSWLib.load(dir, embeddings);
      },
      search: async (query) => ((await theirs?.similaritySearch(query, K)) ?? []).map(idOf),
    },
    {
      name: 'minisearch',
      add: async () => mini.addAll(rows),
      save: async (dir) => writeFileSync(join(dir, 'index.json'), JSON.stringify(mini)),
      load: async (dir) => {
        mini = MiniSearch.loadJSON(readFileSync(join(dir, 'index.json'), 'utf8'), options);
      },
      search: async (query) =>
        mini
          .search(query)
          .slice(0, K)
          .map(({ id }) => String(id)),
    },
  ];
}

async function measure(set: TestSet, candidate: Candidate): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-compare-'));
  const add = await timed(() => candidate.add());
  const save = await timed(() => candidate.save(dir));
  const load = await timed(() => candidate.load(dir));
  const first = await timed(() => candidate.search('the first search reads what is read late'));
  const run = new Map<string, string[]>();
  const each: number[] = [];
  for (const { id, text } of set.queries) each.push(await timed(async () => run.set(id, await candidate.search(text))));
  const { ndcg10, recall100 } = evaluate(run, set.judgements);
  rmSync(dir, { recursive: true, force: true });
  const about = `${set.name}, ${candidate.name}`;
  const steps = { add, save, load, 'first search': first };
  return [
    { what: `${about}: nDCG@10`, unit: '', better: 'more', samples: [ndcg10 * 100] },
    { what: `${about}: Recall@100`, unit: '', better: 'more', samples: [recall100 * 100] },
    ...Object.entries(steps).map(([step, ms]) => ({ what: `${about}: ${step}`, unit: 'ms', samples: [ms] })),
    { what: `${about}: search`, unit: 'ms', samples: each },
  ];
}

const figures: Figure[] = [];
for (const set of findSets(process.argv[2]))
  for (const candidate of candidates(set)) figures.push(...(await measure(set, candidate)));
report(figures);
