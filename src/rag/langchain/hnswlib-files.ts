import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';

export interface HnswlibText {
  /** Its vector's label in the index. */
  readonly label: number;
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What LangChain's `HNSWLib.save` wrote: args.json, docstore.json, hnswlib.index. */
export interface HnswlibFolder {
  readonly dir: string;
  readonly dimensions: number;
  readonly texts: readonly HnswlibText[];
  /**
   * Read every vector in turn, as it was stored.
   *
   * @param take gets a copy of its own. @throws AssistantError `index_unavailable`
   */
  eachVector(take: (label: number, vector: Float32Array) => void): void;
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
/** The library writes its texts as one string, and no string is longer. */
const MOST_DOCSTORE_BYTES = 512 * 1024 * 1024;
const HEADER_BYTES = 96;
const LABEL_BYTES = 8;
const LINK_COUNT_BYTES = 4;
const READ_BYTES = 4 * 1024 * 1024;
/** The links before a vector: the library gives no point more than 20,000 neighbours. */
const MOST_LINK_BYTES = 128 * 1024;

/**
 * Open such a folder. The index is read here, not by the native library, which trusts what it reads.
 *
 * @throws AssistantError `index_unavailable` when it is none, cut off, or its parts do not belong together.
 * @see nmslib/hnswlib hnswalg.h, saveIndex
 */
export function readHnswlib(dir: string): HnswlibFolder {
  const { numDimensions: dimensions } = parsed(dir, ARGS, argsSchema);
  const texts = parsed(dir, DOCSTORE, docstoreSchema).map(([label, { pageContent, metadata }]) => ({
    ...{ label, pageContent, metadata },
  }));
  const layout = withIndex(dir, (file, bytes) => readHeader(dir, { file, bytes, dimensions }));
  if (new Set(texts.map(({ label }) => label)).size !== texts.length)
    throw refused(dir, `${DOCSTORE} repeats a number`);
  if (layout.count !== texts.length)
    throw refused(dir, `${DOCSTORE} holds ${texts.length} texts, ${INDEX} ${layout.count} vectors`);
  return { dir, dimensions, texts, eachVector: (take) => withIndex(dir, (file) => readRows(file, layout, take)) };
}

/** How large its vectors are; nothing when there is no such file. */
export function hnswlibBytes(dir: string): number {
  return statSync(join(dir, INDEX), { throwIfNoEntry: false })?.size ?? 0;
}

export function refused(dir: string, why: string, cause?: unknown): AssistantError {
  const hint = `Give the folder that HNSWLib.save wrote, whole: ${ARGS}, ${DOCSTORE} and ${INDEX}.`;
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

interface IndexLayout {
  readonly dir: string;
  readonly dimensions: number;
  readonly count: number;
  readonly rowBytes: number;
  /** Where in a row the vector begins; its label follows it. */
  readonly vectorAt: number;
}

function readHeader(
  dir: string,
  { file, bytes, dimensions }: { file: number; bytes: number; dimensions: number },
): IndexLayout {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) throw refused(dir, `${INDEX} is cut off`);
  const number = (at: number) => Number(header.readBigUInt64LE(at));
  const [count, rowBytes, labelAt, vectorAt] = [number(16), number(24), number(32), number(40)];
  const vectorBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  if (
    number(0) !== 0 ||
    vectorAt > MOST_LINK_BYTES ||
    labelAt !== vectorAt + vectorBytes ||
    rowBytes !== labelAt + LABEL_BYTES
  )
    throw refused(dir, `${INDEX} holds no vectors of ${dimensions} numbers`);
  if (bytes < HEADER_BYTES + count * (rowBytes + LINK_COUNT_BYTES)) throw refused(dir, `${INDEX} is cut off`);
  return { dir, dimensions, count, rowBytes, vectorAt };
}

function readRows(file: number, layout: IndexLayout, take: (label: number, vector: Float32Array) => void): void {
  const { dir, dimensions, count, rowBytes, vectorAt } = layout;
  const vectorBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  const rowsPerRead = Math.max(1, Math.floor(READ_BYTES / rowBytes));
  const buffer = Buffer.alloc(rowsPerRead * rowBytes);
  for (let first = 0; first < count; first += rowsPerRead) {
    const rows = Math.min(rowsPerRead, count - first);
    if (readSync(file, buffer, 0, rows * rowBytes, HEADER_BYTES + first * rowBytes) < rows * rowBytes)
      throw refused(dir, `${INDEX} is cut off`);
    for (let at = vectorAt; at < rows * rowBytes; at += rowBytes) {
      const vector = new Float32Array(new Uint8Array(buffer.subarray(at, at + vectorBytes)).buffer);
      take(Number(buffer.readBigUInt64LE(at + vectorBytes)), vector);
    }
  }
}
