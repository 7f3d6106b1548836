import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Chunker } from '../read/chunk.ts';
import { hasParts, textParts } from '../read/text-parts.ts';
import type { Outcome, ProjectRows } from './project-rows.ts';
import type { FoundFile } from './scan.ts';
import type { IngestContext, IngestDeps } from './types.ts';

/** A file this large is never in memory as a whole. */
const LARGE_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
const UNFINISHED = 'not read to its end yet';

export interface LargeText {
  readonly file: FoundFile;
  readonly sha: string;
  readonly kind: string;
  readonly version: string;
}

/**
 * Read a large text part by part and store its chunks as they come. Until the last of them the file counts as one that
 * could not be read, so if the run is stopped, the next run reads it.
 *
 * @returns the number of chunks; undefined if the signal fired. @throws Unreadable; the caller then deletes its chunks.
 */
export async function ingestLargeText(
  { reader, options, store }: IngestDeps,
  rows: ProjectRows,
  { file, sha, kind, version }: LargeText,
  { signal, progress }: IngestContext,
): Promise<number | undefined> {
  const at = new Date().toISOString();
  const begun = { file, kind, title: null, state: 'failed', error: UNFINISHED } as const;
  const unfinished: Outcome = { ...begun, sha256: '', version: '', chunks: [] };
  const source = await store.transaction(async () => {
    const { ids, changes } = await rows.save([unfinished], at);
    await rows.bumpRevision(changes);
    return ids[0] ?? 0;
  });
  const chunker = new Chunker({ words: options.chunkWords });
  let title: string | null = null;
  let from = 0;
  let done = 0;
  const append = async (chunks: ReturnType<Chunker['take']>) => {
    await rows.bumpRevision(await rows.append([{ source, title, from, chunks }]));
    from += chunks.length;
  };
  for await (const part of textParts(file.absolute)) {
    if (signal.aborted) return undefined;
    const parsed = await reader.read(part.bytes, file.path, { signal, from: part.from });
    if (part.from === undefined) title = parsed.title ?? null;
    chunker.add(parsed.blocks);
    const chunks = chunker.take();
    if (chunks.length > 0) await store.transaction(() => append(chunks));
    done += part.bytes.length;
    progress({ done, total: Math.max(done, file.size), file: file.path, stage: 'read' });
  }
  await store.transaction(async () => {
    await append(chunker.end());
    const state = from === 0 ? 'empty' : 'indexed';
    await rows.complete(source, { file, kind, version, title, state, sha256: sha, error: null }, at);
  });
  return from;
}

/** The hash of a file's content, however large. @throws the signal's reason. */
export async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { signal, highWaterMark: READ_BYTES })) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

/** Whether a file should be read part by part: it is large, and text whose lines can be found byte by byte. */
export async function isReadInParts({ absolute, path, size }: FoundFile): Promise<boolean> {
  return size > LARGE_BYTES && hasParts(path) && !(await isWide(absolute));
}

/** UTF-16 begins with a byte order mark. */
async function isWide(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return ['fffe', 'feff'].includes(buffer.toString('hex'));
  } finally {
    await file.close();
  }
}
