import { join } from 'node:path';
import type { RagOptions } from '../types.ts';
import { measureFile } from './array-file-writer.ts';
import { HnswGraph, wantsGraph } from './hnsw-graph.ts';
import type { Lsa } from './lsa.ts';
import { fitLsa } from './lsa-fit.ts';
import { type IndexFile, type Manifest, moveAside } from './manifest.ts';
import { pause } from './pause.ts';
import type { SegmentWords } from './segment.ts';
import { NO_VECTORS, readLsa, readVectors, type VectorRows, writeLsa, writeVectors } from './segment-file.ts';
import type { VectorTable } from './vector-table.ts';

/** The vectors of a configured embedding model. */
export interface DenseSource {
  /** `model:NAME`. */
  readonly id: string;
  readonly dimensions: number;
  /** Unit vectors row by row, zeros where there is none. */
  vectorsOf(ids: Uint32Array): Promise<Float32Array>;
}

export interface DenseJob {
  readonly dir: string;
  readonly options: RagOptions;
  readonly model: DenseSource | undefined;
  readonly live: ReadonlySet<number>;
  readonly segments: readonly SegmentWords[];
  readonly before: Dense | null;
  /** Do not refit LSA: new chunks get their vectors next time. */
  readonly quick: boolean;
  /** Where to store the vectors instead of in a file. */
  readonly table?: VectorTable | undefined;
  readonly signal: AbortSignal;
  readonly name: (kind: string, extension?: string) => string;
}

type Dense = NonNullable<Manifest['dense']>;

/** With fewer chunks, LSA learns too little about which words occur together. */
export const LEAST_CHUNKS_FOR_LSA = 500;
/** LSA is fitted again when the number of chunks has grown or shrunk by this factor. */
const REFIT_FACTOR = 2;
/** A graph with a larger share of deleted points is rebuilt. */
const MOST_DEAD = 0.3;
const ADDED_PER_PAUSE = 200;

/** Write the vectors of every live chunk, and a graph over them if there are many. Null if there are no vectors. */
export async function updateDense(job: DenseJob): Promise<Dense | null> {
  if (job.model)
    return write(job, {
      id: job.model.id,
      dimensions: job.model.dimensions,
      lsa: null,
      rows: await modelRows(job, job.model),
    });
  if (job.quick) return job.before;
  if (job.live.size < LEAST_CHUNKS_FOR_LSA) return null;
  const kept = keptLsa(job);
  const lsa = kept?.lsa ?? (await fitLsa(job.segments, (id) => job.live.has(id), job.signal));
  if (!lsa) return null;
  await pause(job.signal);
  const file = kept?.file ?? saveLsa(job, lsa);
  const id = kept?.id ?? `lsa:${job.live.size}`;
  return write(job, { id, dimensions: lsa.dimensions, lsa: file, rows: lsaRows(job, lsa) });
}

interface DenseContent {
  readonly id: string;
  readonly dimensions: number;
  readonly lsa: IndexFile | null;
  readonly rows: VectorRows;
}

async function write(job: DenseJob, { id, dimensions, lsa, rows }: DenseContent): Promise<Dense> {
  const file = job.name('vectors');
  const named = { file, chunks: rows.ids.length, id, dimensions, lsa };
  if (job.table) {
    // The name of a fit's file identifies the fit.
    const source = lsa?.file ?? id;
    await job.table.fill(source, dimensions, rows, job.signal);
    return { ...named, ...writeVectors(join(job.dir, file), NO_VECTORS), graph: null, table: source };
  }
  const written = writeVectors(join(job.dir, file), rows);
  const wanted = wantsGraph(job.options.vectorIndex, rows.ids.length);
  const graph = wanted ? await writeGraph(job, { id, dimensions, rows }) : null;
  return { ...named, ...written, graph };
}

function keptLsa({ dir, before, live }: DenseJob): { lsa: Lsa; file: IndexFile; id: string } | undefined {
  if (!before?.lsa) return undefined;
  const fitted = Number(before.id.split(':')[1]);
  if (live.size >= fitted * REFIT_FACTOR || live.size * REFIT_FACTOR <= fitted) return undefined;
  try {
    return { lsa: readLsa(join(dir, before.lsa.file), before.lsa), file: before.lsa, id: before.id };
  } catch {
    moveAside(dir, before.lsa.file);
    return undefined;
  }
}

function saveLsa(job: DenseJob, lsa: Lsa): IndexFile {
  const file = job.name('lsa');
  return { file, ...writeLsa(join(job.dir, file), lsa), chunks: 0 };
}

/** Each part's vectors are computed and copied before the next part's, so that they are not all in memory twice. */
function lsaRows(job: DenseJob, lsa: Lsa): VectorRows {
  const ids = liveIds(job);
  const vectors = new Float32Array(ids.length * lsa.dimensions);
  let row = 0;
  for (const { ids: own, words } of job.segments) {
    const all = lsa.embedAll(words);
    for (const [docId, id] of own.entries()) {
      if (!job.live.has(id)) continue;
      vectors.set(all.subarray(docId * lsa.dimensions, (docId + 1) * lsa.dimensions), row * lsa.dimensions);
      row += 1;
    }
  }
  return { ids, vectors };
}

function liveIds({ segments, live }: DenseJob): Uint32Array {
  return Uint32Array.from(segments.flatMap(({ ids }) => [...ids].filter((id) => live.has(id))));
}

async function modelRows(job: DenseJob, model: DenseSource): Promise<VectorRows> {
  const ids = liveIds(job);
  return { ids, vectors: await model.vectorsOf(ids) };
}

interface GraphContent {
  readonly id: string;
  readonly dimensions: number;
  readonly rows: VectorRows;
}

/** Extend the existing graph if it contains the same kind of vectors; otherwise build a new one. */
async function writeGraph(job: DenseJob, content: GraphContent): Promise<IndexFile | null> {
  const { dimensions, rows } = content;
  const base = (await extendable(job, content)) ?? {
    graph: await HnswGraph.create(dimensions, rows.ids.length),
    known: new Set<number>(),
  };
  if (!base.graph) return null;
  let added = 0;
  for (const [row, id] of rows.ids.entries()) {
    const vector = rows.vectors.subarray(row * dimensions, (row + 1) * dimensions);
    if (base.known.has(id) || vector.every((value) => value === 0)) continue;
    base.graph.add(id, vector);
    if (++added % ADDED_PER_PAUSE === 0) await pause(job.signal);
  }
  await pause(job.signal);
  const file = job.name('graph', 'hnsw');
  const path = join(job.dir, file);
  await base.graph.save(path);
  return { file, ...(await measureFile(path)), chunks: rows.ids.length };
}

async function extendable({ dir, before, live }: DenseJob, { id, dimensions }: GraphContent) {
  if (!before?.graph || before.id !== id || before.dimensions !== dimensions) return undefined;
  try {
    const old = readVectors(join(dir, before.file), before);
    const dead = [...old.ids].filter((each) => !live.has(each));
    if (dead.length > old.ids.length * MOST_DEAD) return undefined;
    const path = join(dir, before.graph.file);
    if ((await measureFile(path)).crc !== before.graph.crc) return undefined;
    const graph = await HnswGraph.load(path, dimensions);
    for (const each of dead) graph?.removeIfThere(each);
    return graph && { graph, known: new Set(old.ids) };
  } catch {
    return undefined;
  }
}
