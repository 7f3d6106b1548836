import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { newId } from '../../base/ids.ts';
import { Damaged, type Written } from '../index/array-file.ts';
import { measureFile, writeParts } from '../index/array-file-writer.ts';
import { HnswGraph } from '../index/hnsw-graph.ts';
import { moveAside } from '../index/manifest.ts';
import { readVectors, writeVectors } from '../index/segment-file.ts';
import { SharedVectors } from './shared-vectors.ts';

const MANIFEST = 'store.json';
/** The names of our own files, which are deleted when the manifest does not list them. */
const OURS = /^(?:vectors|documents|graph)-v_\w+\.(?:bin|jsonl|hnsw)(?:\.writing)?$/u;

/** Dead points slow the graph down. */
const MOST_SLOTS_PER_VECTOR = 1.4;
const FREE_SLOTS = 1000;

const fileSchema = z.object({ file: z.string().regex(/^[a-z]+-v_\w+\.[a-z]+$/u), bytes: z.int(), crc: z.int() });
const documentSchema = z.object({
  id: z.string(),
  pageContent: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});
const manifestSchema = z.object({
  model: z.string(),
  dimensions: z.int().min(0).max(100_000),
  vectors: fileSchema,
  /** JSON lines in the order of the vectors. */
  documents: fileSchema,
  /** Over all vectors of the file, labelled with their slots. */
  graph: fileSchema.nullable().default(null),
});

export type StoreManifest = z.infer<typeof manifestSchema>;
export type StoredDocument = z.infer<typeof documentSchema>;

export interface SaveJob {
  readonly dir: string;
  readonly model: string;
  /** JSON lines, split anywhere: one line for each live slot, in order. */
  readonly documents: readonly SharedArrayBuffer[];
}

export interface SaveContent {
  readonly vectors: SharedVectors;
  readonly dead: ReadonlySet<number>;
  readonly graph: HnswGraph | undefined;
}

/** A folder's content, in shared memory. */
export interface OpenedStore {
  readonly vectors: SharedVectors;
  /** The slot of each document's vector. Slots in between are dead. */
  readonly slots: Uint32Array;
  /** JSON lines in the order of `slots`. */
  readonly documents: SharedArrayBuffer;
  /** Over all `slots`; undefined when there is none, or it was damaged and moved aside. */
  readonly graph: HnswGraph | undefined;
}

/**
 * Write new files beside the old ones, then the manifest that lists them: at any time the old or the new store is
 * whole.
 */
export async function writeStore({ dir, model, documents }: SaveJob, content: SaveContent): Promise<void> {
  makeFolder(dir);
  const id = newId('v');
  const name = { vectors: `vectors-${id}.bin`, documents: `documents-${id}.jsonl`, graph: `graph-${id}.hnsw` };
  const vectors = writeVectors(join(dir, name.vectors), liveRows(content));
  const lines = documents.map((part) => new Uint8Array(part));
  const written = writeParts(join(dir, name.documents), lines);
  const manifest: StoreManifest = {
    ...{ model, dimensions: content.vectors.dimensions, vectors: { file: name.vectors, ...vectors } },
    documents: { file: name.documents, ...written },
    graph: await writeGraph(dir, name.graph, content.graph),
  };
  writeParts(join(dir, MANIFEST), [Buffer.from(JSON.stringify(manifest))]);
  const named = new Set<string>(Object.values(name));
  for (const file of readdirSync(dir)) if (OURS.test(file) && !named.has(file)) rmSync(join(dir, file));
}

async function writeGraph(dir: string, file: string, graph: HnswGraph | undefined): Promise<StoreManifest['graph']> {
  if (!graph) return null;
  const path = join(dir, file);
  await graph.save(path);
  return { file, ...(await measureFile(path)) };
}

function liveRows({ vectors: all, dead }: SaveContent) {
  const { dimensions, count } = all;
  const ids = Uint32Array.from({ length: count }, (_, slot) => slot).filter((slot) => !dead.has(slot));
  const vectors = new Float32Array(ids.length * dimensions);
  for (const [row, slot] of ids.entries()) vectors.set(all.at(slot), row * dimensions);
  return { ids, vectors };
}

/** @throws AssistantError `index_unavailable` when the folder holds none. */
export function readStoreManifest(dir: string): StoreManifest {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(dir, MANIFEST), 'utf8')));
  } catch (error) {
    const hint = 'Build it again from its documents.';
    throw new AssistantError('index_unavailable', `${dir} holds no vector store.`, { hint, cause: error });
  }
}

/** @throws AssistantError `index_unavailable` when texts or vectors are damaged. A damaged graph is just left out. */
export async function readStore(dir: string): Promise<OpenedStore> {
  const manifest = readStoreManifest(dir);
  try {
    return await openFiles(dir, manifest);
  } catch (error) {
    // Another process saved the store while the files were being read.
    const now = readStoreManifest(dir);
    if (now.vectors.file !== manifest.vectors.file) return readStore(dir);
    throw damaged(dir, error);
  }
}

async function openFiles(dir: string, manifest: StoreManifest): Promise<OpenedStore> {
  const { dimensions } = manifest;
  const path = join(dir, manifest.vectors.file);
  const { ids: slots, vectors: rows } = readVectors(path, manifest.vectors);
  if (rows.length !== slots.length * dimensions) throw new Damaged(path, 'vectors of another length');
  const vectors = new SharedVectors(dimensions);
  for (const [row, slot] of slots.entries()) {
    if (slot < vectors.count || slot >= mostSlots(slots.length)) throw new Damaged(path, 'slots out of order');
    vectors.put(slot, rows.subarray(row * dimensions, (row + 1) * dimensions));
    vectors.count = slot + 1;
  }
  const graph = await readGraph(dir, manifest, slots.length);
  const texts = join(dir, manifest.documents.file);
  await check(texts, manifest.documents);
  return { vectors, slots, documents: toShared(readFileSync(texts)), graph };
}

/** The most slots for this many live vectors; beyond it the store is compacted. */
export function mostSlots(live: number): number {
  return Math.ceil(live * MOST_SLOTS_PER_VECTOR) + FREE_SLOTS;
}

/** @throws Damaged when size or checksum do not fit. */
async function check(path: string, { bytes, crc }: Written): Promise<void> {
  const found = await measureFile(path);
  if (found.bytes !== bytes || found.crc !== crc) throw new Damaged(path, 'wrong size or checksum');
}

/** Copy to shared memory; text as UTF-8. */
export function toShared(content: string | Uint8Array): SharedArrayBuffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

async function readGraph(dir: string, manifest: StoreManifest, vectors: number): Promise<HnswGraph | undefined> {
  if (!manifest.graph) return undefined;
  const path = join(dir, manifest.graph.file);
  try {
    await check(path, manifest.graph);
    const graph = await HnswGraph.load(path, manifest.dimensions);
    if (graph && graph.size < vectors) throw new Damaged(path, 'fewer vectors');
    return graph;
  } catch {
    moveAside(dir, manifest.graph.file);
    return undefined;
  }
}

/** @throws when the line is not a document. */
export function parseDocument(line: string): StoredDocument {
  return documentSchema.parse(JSON.parse(line));
}

export function damaged(dir: string, cause: unknown): AssistantError {
  const hint = 'Build it again from its documents, or restore a backup of the folder.';
  return new AssistantError('index_unavailable', `The vector store in ${dir} is damaged.`, { hint, cause });
}
