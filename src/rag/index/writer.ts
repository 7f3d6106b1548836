import { join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import { type Corpus, searchable } from '../search/corpus.ts';
import type { RagOptions } from '../types.ts';
import { Damaged } from './array-file.ts';
import { EMPTY_MANIFEST, type IndexFile, type Manifest, moveAside, readManifest, writeManifest } from './manifest.ts';
import { pause } from './pause.ts';
import { mergeSegments, type Segment, SegmentBuilder, type SegmentWords } from './segment.ts';
import { openSegment, readSegment, readSegmentWords, writeSegment } from './segment-file.ts';
import type { VectorTable } from './vector-table.ts';
import { type DenseSource, LEAST_CHUNKS_FOR_LSA, updateDense } from './vector-writer.ts';

export interface IndexJob {
  readonly dir: string;
  readonly corpus: Corpus;
  readonly options: RagOptions;
  /** The model whose vectors replace LSA. */
  readonly model: DenseSource | undefined;
  /** Rebuild everything. */
  readonly rebuild: boolean;
  /** Do not refit LSA, since that takes long. */
  readonly quick: boolean;
  /** Where to store the vectors; without it they are in the files. */
  readonly table?: VectorTable | undefined;
  /** Where to publish the new files for other machines; without it they are only in this folder. */
  readonly shared?: SharedIndex | undefined;
  /** Stops the work at its next pause; the current files stay in use. */
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export interface SharedIndex {
  /** A unique part of all new files' names. */
  readonly tag: string;
  /** Replaces `writeManifest`: announce the files to all machines, then to the programs on this one. */
  publish(manifest: Manifest, signal: AbortSignal): Promise<void>;
}

interface Part {
  readonly file: IndexFile;
  /** `postings`: the number of its entries, including n-grams. */
  readonly segment: SegmentWords & { readonly postings: number };
}

/** Fewer new chunks are left to readers, which index them in memory faster than a file is flushed. */
export const WORTH_A_FILE = 256;
const CHUNKS_PER_SEGMENT = 25_000;
/** The same in postings, for long chunks: everything built at once is in memory. */
const POSTINGS_PER_SEGMENT = 2_000_000;
const CHUNKS_PER_READ = 500;
/** More segments than this are merged. */
const MOST_SEGMENTS = 6;
/** A larger share of deleted chunks is removed by merging. */
const MOST_DEAD = 0.3;

/**
 * Bring a project's index files up to date with its rows. There may be only one writer at a time but many readers.
 * Damaged files are moved aside and rebuilt.
 *
 * @throws the signal's reason when it fires.
 */
export async function updateIndex(job: IndexJob): Promise<void> {
  makeFolder(job.dir);
  const before = job.rebuild ? { ...EMPTY_MANIFEST, next: readManifest(job.dir).next } : readManifest(job.dir);
  const revision = await job.corpus.revision();
  const ids = await job.corpus.ids();
  const live = new Set(ids);
  const { parts, damaged } = readParts(job.dir, before);
  const known = new Set(parts.flatMap(({ segment }) => [...segment.ids]));
  const missing = ids.filter((id) => !known.has(id));
  const dead = known.size - (ids.length - missing.length);
  const wanted = missing.length >= WORTH_A_FILE || dead > known.size * MOST_DEAD || damaged || job.rebuild;
  if (!wanted && !lacksVectors(job, before.dense, ids.length) && !(await wantsOtherVectors(job, before.dense))) return;
  const writer = new IndexWriter(job, before.next, live);
  const segments = await writer.segments(parts, missing, dead > known.size * MOST_DEAD);
  const dense = await updateDense({
    ...job,
    live,
    segments: segments.map(({ segment }) => segment),
    before: before.dense,
    name: writer.name,
  });
  const files = segments.map(({ file }) => file);
  const manifest: Manifest = { ...before, revision, next: writer.next, segments: files, dense };
  if (job.shared) await job.shared.publish(manifest, job.signal);
  else writeManifest(job.dir, manifest);
}

/** The number of chunks that are in no index file. */
export async function unfiled(dir: string, corpus: Corpus): Promise<number> {
  const manifest = readManifest(dir);
  if (manifest.revision === (await corpus.revision())) return 0;
  const missing = new Set(await corpus.ids());
  for (const file of manifest.segments)
    try {
      const segment = openSegment(join(dir, file.file), file);
      for (const id of segment.ids) missing.delete(id);
      segment.close();
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
    }
  return missing.size;
}

/** Whether a quick update left so many chunks without a vector that they are worth a new file. */
function lacksVectors({ quick, model }: IndexJob, dense: Manifest['dense'], chunks: number): boolean {
  return !quick && !model && chunks >= LEAST_CHUNKS_FOR_LSA && chunks - (dense?.chunks ?? 0) >= WORTH_A_FILE;
}

/** Whether the vectors are from another model, or stored in the wrong place. */
async function wantsOtherVectors({ model, table }: IndexJob, dense: Manifest['dense']): Promise<boolean> {
  if (model ? dense?.id !== model.id : dense?.id.startsWith('model:') === true) return true;
  if (!dense) return false;
  if (!table || dense.table === undefined) return (table === undefined) !== (dense.table === undefined);
  return !(await table.has(dense.table, dense.dimensions));
}

function readParts(dir: string, manifest: Manifest): { parts: Part[]; damaged: boolean } {
  const parts: Part[] = [];
  for (const file of manifest.segments)
    try {
      parts.push({ file, segment: readSegmentWords(join(dir, file.file), file) });
    } catch {
      moveAside(dir, file.file);
    }
  return { parts, damaged: parts.length < manifest.segments.length };
}

class IndexWriter {
  readonly #job: IndexJob;
  readonly #live: ReadonlySet<number>;
  next: number;

  constructor(job: IndexJob, next: number, live: ReadonlySet<number>) {
    this.#job = job;
    this.#live = live;
    this.next = next;
  }

  /** A file name that no manifest has ever listed. */
  name = (kind: string, extension = 'bin'): string =>
    `${kind}-${this.next++}${this.#job.shared ? `-${this.#job.shared.tag}` : ''}.${extension}`;

  async segments(old: readonly Part[], missing: readonly number[], merge: boolean): Promise<Part[]> {
    const parts = [...old];
    for (let at = 0; at < missing.length; ) {
      const { segment, end } = await this.#build(missing, at);
      parts.push(this.#write(segment));
      at = end;
    }
    // Large segments are never merged, because a merge has all of them in memory.
    const large = parts.filter(({ segment }) => segment.postings * 2 > POSTINGS_PER_SEGMENT);
    const small = parts.filter((part) => !large.includes(part));
    if (!merge && small.length <= MOST_SEGMENTS) return parts;
    const others = small.length > 0 ? [this.#merge(small)] : [];
    return [...(merge ? large.map((part) => this.#merge([part])) : large), ...others];
  }

  #merge(parts: readonly Part[]): Part {
    const whole = parts.map(({ file }) => readSegment(join(this.#job.dir, file.file), file));
    return this.#write(mergeSegments(whole, (id) => this.#live.has(id)));
  }

  /** Index the chunks from a position in the list on. @returns also the position where the next segment begins. */
  async #build(missing: readonly number[], from: number): Promise<{ segment: Segment; end: number }> {
    const { corpus, progress, signal } = this.#job;
    const builder = new SegmentBuilder();
    const last = Math.min(from + CHUNKS_PER_SEGMENT, missing.length);
    let at = from;
    while (at < last && builder.postings < POSTINGS_PER_SEGMENT) {
      const ids = missing.slice(at, Math.min(at + CHUNKS_PER_READ, last));
      const chunks = await corpus.getMany(ids);
      for (const id of ids) {
        const chunk = chunks.get(id);
        if (chunk) builder.add(id, searchable(chunk));
      }
      at += ids.length;
      progress(at, missing.length);
      await pause(signal);
    }
    return { segment: builder.build(), end: at };
  }

  #write(segment: Segment): Part {
    const name = this.name('segment');
    const path = join(this.#job.dir, name);
    const file = { file: name, ...writeSegment(path, segment), chunks: segment.ids.length };
    return { file, segment: readSegmentWords(path, file) };
  }
}
