import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';

export interface HnswlibText {
  /** The label of its vector in the index. */
  readonly label: number;
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What LangChain's `HNSWLib.save` wrote: args.json, docstore.json, hnswlib.index. */
export interface HnswlibFolder {
  readonly dir: string;
  readonly dimensions: number;
  readonly texts: readonly HnswlibText[];
  /** A copy of one text's vector, as it was stored. @throws AssistantError `index_unavailable` when there is none. */
  vectorOf(label: number): Float32Array;
  /** Labels and copies of all vectors, with pauses for other work in between. */
  vectors(): AsyncGenerator<readonly [label: number, vector: Float32Array]>;
}

const argsSchema = z.looseObject({
  space: z.enum(['l2', 'ip', 'cosine']),
  numDimensions: z.int().positive().max(100_000),
});
const docstoreSchema = z.array(
  z.tuple([
    z.coerce.number().int().nonnegative(),
    z.looseObject({ pageContent: z.string(), metadata: z.record(z.string(), z.unknown()) }),
  ]),
);

const ARGS = 'args.json';
const DOCSTORE = 'docstore.json';
const INDEX = 'hnswlib.index';
/** HNSWLib reads and writes its texts as one string, which cannot be longer. */
const MOST_DOCSTORE_BYTES = 512 * 1024 * 1024;
const HEADER_BYTES = 96;
const LABEL_BYTES = 8;
const LINK_BYTES = 4;
/** hnswlib warns above this many neighbours per point. */
const MOST_NEIGHBOURS = 10_000;
/** LangChain reserves no more than it stores; other programs may, within reason. */
const MOST_SPARE_VECTORS = 1_000_000;
const VECTORS_PER_PAUSE = 500;
const NO_EMBEDDINGS: EmbeddingsInterface = { embedDocuments: async () => [], embedQuery: async () => [] };

/**
 * Load such a folder with LangChain's own `HNSWLib`. The native library behind it trusts what it reads, down to sizes
 * of memory, so the files are checked first. Needs hnswlib-node, and as much memory as the folder is large.
 *
 * @throws AssistantError `index_unavailable` when it is no such folder, cut off, or its parts do not belong together.
 * @see nmslib/hnswlib hnswalg.h, saveIndex and loadIndex
 */
export async function readHnswlib(dir: string): Promise<HnswlibFolder> {
  const dimensions = checkFolder(dir);
  const store = await load(dir);
  const texts = [...store.docstore._docs].map(([label, { pageContent, metadata }]) => {
    return { label: Number(label), pageContent, metadata };
  });
  const labels = store.index.getIdsList();
  if (labels.length !== texts.length) throw refused(dir, `${INDEX} repeats a number`);
  const vectorOf = (label: number) => {
    try {
      return Float32Array.from(store.index.getPoint(label));
    } catch (error) {
      throw refused(dir, `${INDEX} has no vector ${label}`, error);
    }
  };
  async function* vectors() {
    for (const [index, label] of labels.entries()) {
      if (index % VECTORS_PER_PAUSE === 0) await setImmediate();
      yield [label, vectorOf(label)] as const;
    }
  }
  return { dir, dimensions, texts, vectorOf, vectors };
}

/** Loaded lazily: only an import needs its native code. */
async function load(dir: string): Promise<HNSWLib> {
  const { HNSWLib } = await import('@langchain/community/vectorstores/hnswlib');
  try {
    // Nothing is embedded here, but a store requires embeddings.
    return await HNSWLib.load(dir, NO_EMBEDDINGS);
  } catch (error) {
    throw refused(dir, `HNSWLib cannot load it: ${messageOf(error)}`, error);
  }
}

/** @returns the length of the vectors. */
function checkFolder(dir: string): number {
  const { numDimensions: dimensions } = parsed(dir, ARGS, argsSchema);
  const labels = parsed(dir, DOCSTORE, docstoreSchema).map(([label]) => label);
  const count = withIndex(dir, (file, bytes) => checkHeader(dir, { file, bytes, dimensions }));
  if (new Set(labels).size !== labels.length) throw refused(dir, `${DOCSTORE} repeats a number`);
  if (count !== labels.length)
    throw refused(dir, `${DOCSTORE} holds ${labels.length} texts, ${INDEX} ${count} vectors`);
  return dimensions;
}

export function refused(dir: string, why: string, cause?: unknown): AssistantError {
  const hint =
    `Give the complete folder that HNSWLib.save wrote: ${ARGS}, ${DOCSTORE} and ${INDEX}; ` +
    'for documents of your own: wooster ingest PATH.';
  return new AssistantError('index_unavailable', `${dir} cannot be imported: ${why}.`, { hint, cause });
}

function parsed<T>(dir: string, name: string, schema: z.ZodType<T>): T {
  const path = join(dir, name);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) throw refused(dir, `${name} is missing`);
    if (found.size > MOST_DOCSTORE_BYTES) throw refused(dir, `${name} is larger than 512 MB`);
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof AssistantError) throw error;
    const why =
      error instanceof z.ZodError ? z.prettifyError(error).split('\n').slice(0, 2).join(' ') : messageOf(error);
    throw refused(dir, `${name} is not what HNSWLib writes: ${why}`, error);
  }
}

function withIndex<T>(dir: string, work: (file: number, bytes: number) => T): T {
  let file: number;
  try {
    file = openSync(join(dir, INDEX), 'r');
  } catch (error) {
    throw refused(dir, `${INDEX} is missing`, error);
  }
  try {
    return work(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

/**
 * Check every field that the native loader computes sizes or offsets with.
 *
 * @returns how many vectors there are.
 */
function checkHeader(
  dir: string,
  { file, bytes, dimensions }: { file: number; bytes: number; dimensions: number },
): number {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) throw refused(dir, `${INDEX} is cut off`);
  const number = (at: number) => Number(header.readBigUInt64LE(at));
  const [linksAt, capacity, count, rowBytes, labelAt, vectorAt] = [0, 8, 16, 24, 32, 40].map(number) as HeaderFields;
  const [neighbours, neighboursAtBase] = [number(56), number(64)];
  const isRow =
    linksAt === 0 &&
    vectorAt === (neighboursAtBase + 1) * LINK_BYTES &&
    labelAt === vectorAt + dimensions * Float32Array.BYTES_PER_ELEMENT &&
    rowBytes === labelAt + LABEL_BYTES;
  if (!isRow || Math.max(neighbours, neighboursAtBase / 2) > MOST_NEIGHBOURS)
    throw refused(dir, `${INDEX} holds no vectors of ${dimensions} numbers`);
  if (bytes < HEADER_BYTES + count * (rowBytes + LINK_BYTES)) throw refused(dir, `${INDEX} is cut off`);
  if (capacity < count || capacity > count + MOST_SPARE_VECTORS)
    throw refused(dir, `${INDEX} reserves memory for ${capacity} vectors and holds ${count}`);
  return count;
}

type HeaderFields = [number, number, number, number, number, number];
