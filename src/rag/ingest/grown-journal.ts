import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ENTRY_HEADING } from '../journal.ts';
import { Chunker, type HeadingAbove } from '../read/chunk.ts';
import { kindOf } from '../read/kinds.ts';
import { newlines } from '../read/text-parts.ts';
import type { KnownSource, ProjectRows } from './project-rows.ts';
import type { FoundFile } from './scan.ts';
import type { IngestContext, IngestDeps } from './types.ts';

/** What has to be read of a journal to which notes were added: its last known note and all after it. */
interface Growth {
  readonly bytes: Buffer;
  /** The line on which it begins, from 1. */
  readonly from: number;
  /** Of the whole file. */
  readonly sha: string;
}

/** How far back the last known note may begin, and how much may be new. */
const MOST_BYTES = 1024 * 1024;
const HEADINGS = new RegExp(ENTRY_HEADING, 'gmu');

/** Whether a file may be one to which notes were added, as far as its name and size tell. */
export function mayHaveGrown(file: FoundFile, known: KnownSource): boolean {
  const grown = file.size - known.size;
  return kindOf(file.path) === 'markdown' && known.state === 'indexed' && grown > 0 && grown <= MOST_BYTES;
}

/** @returns undefined when what was known has changed, or has no note near its end. */
export async function growthOf(file: FoundFile, known: KnownSource): Promise<Growth | undefined> {
  const handle = await open(file.absolute, 'r');
  try {
    const hash = createHash('sha256');
    const lines = await addBytes(hash, file.absolute, { start: 0, end: known.size - 1 });
    if (hash.copy().digest('hex') !== known.sha256) return undefined;
    const start = Math.max(0, known.size - MOST_BYTES);
    const bytes = await bytesOf(handle, start, file.size);
    hash.update(bytes.subarray(known.size - start));
    const at = lastNote(bytes.subarray(0, known.size - start));
    if (at < 0) return undefined;
    const from = 1 + lines - newlines(bytes.subarray(at, known.size - start));
    return { bytes: bytes.subarray(at), from, sha: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** @returns how many lines end in them. */
async function addBytes(hash: Hash, path: string, range: { start: number; end: number }): Promise<number> {
  let lines = 0;
  for await (const bytes of createReadStream(path, { ...range, highWaterMark: MOST_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(bytes);
    lines += newlines(bytes);
  }
  return lines;
}

async function bytesOf(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}

/** Where the last note begins; -1: nowhere. Its heading stands at the start of a line, which the first byte may not. */
function lastNote(bytes: Buffer): number {
  // One character per byte, so that places in the text are places in the bytes.
  const found = [...bytes.toString('latin1').matchAll(HEADINGS)].at(-1);
  return found && found.index > 0 ? found.index : -1;
}

/**
 * The headings above a note, by those of the passage before it. The heading of a note is its time and of level 2, so
 * only one can stand above it.
 *
 * @returns undefined when they cannot be told.
 */
function headingsAbove(before: readonly string[]): HeadingAbove[] | undefined {
  const at = before.findIndex((heading) => ENTRY_HEADING.test(`## ${heading}`));
  if (at < 0 || at > 1) return undefined;
  return before.slice(0, at).map((text) => ({ level: 1, text }));
}

interface GrownJournal {
  readonly file: FoundFile;
  readonly known: KnownSource;
  readonly kind: string;
  readonly version: string;
  readonly sha256: string;
  readonly part: Pick<Growth, 'bytes' | 'from'>;
}

/** Read what is new of a journal. @returns whether that was possible: the headings above it have to be known. */
export async function ingestGrowth(
  { reader, options, store }: IngestDeps,
  rows: ProjectRows,
  { known, part, ...journal }: GrownJournal,
  { signal }: IngestContext,
): Promise<boolean> {
  const last = await rows.lastBefore(known.id, part.from);
  const above = last && headingsAbove(last.heading);
  if (!last || !above) return false;
  const { title } = known;
  const parsed = await reader.read(part.bytes, journal.file.path, { signal, from: part.from });
  const chunker = new Chunker({ words: options.chunkWords }, above);
  chunker.add(parsed.blocks);
  const chunks = chunker.end();
  await store.transaction(async () => {
    const gone = await rows.cut(known.id, part.from);
    const added = await rows.append([{ source: known.id, title, from: last.ordinal + 1, chunks }]);
    await rows.bumpRevision(gone, added);
    const complete = { ...journal, title, state: 'indexed', error: known.error } as const;
    await rows.complete(known.id, complete, new Date().toISOString());
  });
  return true;
}
