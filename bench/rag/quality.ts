import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../src/base/json.ts';
import { silentLog } from '../../src/base/log.ts';
import { mulberry32 } from '../../src/base/mulberry32.ts';
import { createDocuments } from '../../src/rag/documents.ts';
import { evaluate } from '../../src/rag/eval/metrics.ts';
import { RAG_DEFAULTS } from '../../src/rag/options.ts';
import { createProjects } from '../../src/rag/projects.ts';
import type { RagOptions } from '../../src/rag/types.ts';
import { openStore } from '../../src/store/store.ts';
import { HashedEmbeddings } from '../../src/testing/hashed-embeddings.ts';
import type { Figure } from '../harness/figure.ts';
import { report } from '../harness/report.ts';
import { findSets, type TestSet, writeDocuments } from './sets.ts';
import { asModel } from './through-tool.ts';

/** Each word of five or more letters gets, with odds one half, one inner edit. */
function withTypos(text: string, random: () => number): string {
  return text.replace(/[A-Za-z]{5,}/gu, (word) => {
    if (random() < 0.5) return word;
    const at = 1 + Math.floor(random() * (word.length - 2));
    const letter = String.fromCharCode(97 + Math.floor(random() * 26));
    const swapped = `${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
    const edits = [swapped, word.slice(at + 1), letter + word.slice(at), letter + word.slice(at + 1)];
    return word.slice(0, at) + edits[Math.floor(random() * edits.length)];
  });
}

/** Vectors that mean nothing: what a broken embedding server would give. */
class RandomEmbeddings extends HashedEmbeddings {
  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map((text) => {
      const random = mulberry32(Number.parseInt(sha256(text).slice(0, 8), 16));
      return Array.from({ length: 64 }, () => random() - 0.5);
    });
  }

  override async embedQuery(text: string): Promise<number[]> {
    return (await this.embedDocuments([text]))[0] ?? [];
  }
}

/** `lsa` is what a start without any configuration has; each may be followed by `+lexical`, the reranker without a model. */
const EMBEDDINGS = { lsa: undefined, hashed: new HashedEmbeddings(), useless: new RandomEmbeddings() } as const;

/** `npm run bench -- rag-quality FOLDER [VARIANTS]`; the values of the metrics are x100. */
async function measure(set: TestSet, variant: string): Promise<Figure[]> {
  const [model, rerank = 'none'] = variant.split('+') as [keyof typeof EMBEDDINGS, RagOptions['rerank']?];
  const home = mkdtempSync(join(tmpdir(), 'wooster-quality-'));
  const store = await openStore(join(home, 'state', 'w.sqlite3'));
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog, store });
  const options = { ...RAG_DEFAULTS, rerank };
  const parts = { store, projects, log: silentLog, options, vectorDataDir: join(home, 'vector_data') };
  const embeddings = EMBEDDINGS[model];
  const documents = createDocuments({ ...parts, embedding: embeddings && { name: model, embeddings } });
  try {
    const count = writeDocuments(set, join(home, 'documents'));
    const started = performance.now();
    const done = await documents.ingest('home', [join(home, 'documents')], { signal: new AbortController().signal });
    const seconds = (performance.now() - started) / 1000;
    const ask = async (change: (text: string) => string) => {
      const run = new Map<string, string[]>();
      for (const { id, text } of set.queries) {
        const hits = await documents.search('home', change(text), { k: 100, documents: true });
        run.set(
          id,
          hits.map(({ documentId }) => documentId),
        );
      }
      return evaluate(run, set.judgements);
    };
    const clean = await ask((text) => text);
    const tool = asModel(documents);
    const toolRun = new Map<string, string[]>();
    for (const { id, text } of set.queries) toolRun.set(id, await tool(text));
    const throughTool = evaluate(toolRun, set.judgements);
    const random = mulberry32(7);
    const typo = await ask((text) => withTypos(text, random));
    const score = (what: string, value: number): Figure => ({
      ...{ what: `${set.name}, ${variant}: ${what}`, unit: '', better: 'more', samples: [value * 100] },
    });
    return [
      {
        what: `${set.name}, ${variant}: ingest`,
        unit: 's',
        samples: [seconds],
        note: `${count} files, ${done.chunks} chunks`,
      },
      ...[score('nDCG@10', clean.ndcg10), score('Recall@100', clean.recall100), score('MAP', clean.map)],
      ...[score('typo nDCG@10', typo.ndcg10), score('typo Recall@100', typo.recall100)],
      score('query_rag nDCG@10', throughTool.ndcg10),
    ];
  } finally {
    await documents.close();
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const figures: Figure[] = [];
const variants = (process.argv[3] ?? 'lsa').split(',');
for (const set of findSets(process.argv[2]))
  for (const variant of variants) figures.push(...(await measure(set, variant)));
report(figures);
