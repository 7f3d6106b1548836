import { ExactVectors } from '../../src/rag/index/exact-vectors.ts';
import { HnswGraph } from '../../src/rag/index/hnsw-graph.ts';
import { report } from '../harness/report.ts';
import { Clusters } from './synthetic.ts';

/**
 * Recall of the graph at the shipped width against looking at every vector; clustered vectors, as texts give them.
 * `npm run bench -- rag-recall [VECTORS [DIMENSIONS]]`
 */
const count = Number(process.argv[2] ?? 100_000);
const dimensions = Number(process.argv[3] ?? 384);
const QUERIES = 200;

const clusters = new Clusters(dimensions);
const graph = await HnswGraph.create(dimensions, count);
if (!graph) throw new Error('hnswlib-node cannot be loaded here');
{
  const all = new Float32Array(count * dimensions);
  const started = performance.now();
  for (let row = 0; row < count; row++) {
    const each = clusters.vector(row + 10);
    all.set(each, row * dimensions);
    graph.add(row, each);
  }
  const buildS = (performance.now() - started) / 1000;
  const part = { ids: Uint32Array.from({ length: count }, (_, row) => row), vectors: all };
  const exact = new ExactVectors([part], { dimensions, docCount: count }, (id) => id);
  let shared = 0;
  const times: number[] = [];
  for (let at = 0; at < QUERIES; at++) {
    const query = clusters.vector(-at - 1);
    const wanted = new Set(exact.search(query, 10).map(({ docId }) => docId));
    const from = performance.now();
    const found = graph.search(query, 10);
    times.push(performance.now() - from);
    shared += found.filter(({ id }) => wanted.has(id)).length;
  }
  const size = `${count} x ${dimensions}`;
  report([
    { what: `recall@10 of ${size}`, unit: '', better: 'more', samples: [shared / QUERIES / 10], must: 0.95 },
    { what: `building ${size}`, unit: 's', samples: [buildS] },
    { what: `one search in ${size}`, unit: 'ms', samples: times },
  ]);
}
