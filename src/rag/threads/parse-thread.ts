import { availableParallelism } from 'node:os';
import { kindOf } from '../read/kinds.ts';
import { LookedAt } from '../read/look.ts';
import { type Parsed, type SeenPage, Unreadable, type UnreadableReason } from '../read/parsed.ts';
import type { FoundLine } from '../read/picture/tesseract-lines.ts';
import { read } from '../read/read.ts';
import type { OcrThreadData, RecogniseRequest } from './ocr-thread.ts';
import { serve, Thread } from './rpc.ts';

/** A file's content as text. */
export interface ParseRequest {
  readonly method: 'read';
  readonly bytes: Uint8Array;
  readonly path: string;
  /** See `read`. */
  readonly from?: number | undefined;
  /** Whether to look for what a camera noted. */
  readonly exif?: boolean;
}

/** Some pages of a file, from their pictures. */
export interface LookRequest {
  readonly method: 'look';
  /** Absent: the file of the request before. */
  readonly bytes?: Uint8Array;
  readonly path: string;
  readonly pages: readonly number[];
  /** As Tesseract calls them; the same in all requests. */
  readonly languages: string;
}

/** A page of a file as a picture that people and models can look at. */
export interface ShowRequest {
  readonly method: 'show';
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly page: number;
}

export type ReaderRequest = ParseRequest | LookRequest | ShowRequest;

/** A failure is returned as a value: an error would lose its class on its way between threads and processes. */
export interface Failed {
  readonly why: string;
  readonly reason: UnreadableReason;
}
export type ParseResult = { readonly parsed: Parsed } | Failed;
export type LookResult = { readonly pages: readonly SeenPage[] } | Failed;
/** A JPEG. */
export type ShowResult = { readonly jpeg: Uint8Array } | Failed;

/** Pages read at once: each takes some 120 MB. */
const LANES = Math.min(2, availableParallelism());

const looking: { at?: LookedAt; readonly lanes: Thread[] } = { lanes: [] };

serve({
  read: (request: ParseRequest) => explained(async () => ({ parsed: await parse(request) })),
  look: (request: LookRequest) => explained(async () => ({ pages: await look(request) })),
  show: ({ bytes, path, page }: ShowRequest) => explained(async () => ({ jpeg: await show(bytes, path, page) })),
});

async function explained<T>(work: () => Promise<T>): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unreadable) return { why: error.message, reason: error.reason };
    throw error;
  }
}

async function parse({ bytes, path, from, exif = false }: ParseRequest): Promise<Parsed> {
  const parsed = await read(bytes, path, from);
  if (!exif || kindOf(path) !== 'picture') return parsed;
  const { takenOf } = await import('../read/picture/exif.ts');
  return { ...parsed, taken: await takenOf(bytes) };
}

async function look({ bytes, path, pages, languages }: LookRequest): Promise<SeenPage[]> {
  if (bytes !== undefined) {
    await looking.at?.close();
    looking.at = new LookedAt(bytes, path);
  }
  const { at } = looking;
  if (at === undefined) throw new Error('no file was given to look at');
  // A photo is one page: a second engine would only be loaded.
  while (looking.lanes.length < Math.min(LANES, pages.length)) looking.lanes.push(ocrThread(languages));
  const rest = [...pages];
  const found: SeenPage[] = [];
  const lane = async (thread: Thread) => {
    for (let page = rest.shift(); page !== undefined; page = rest.shift())
      found.push(
        await at.look(page, (grey, as) =>
          thread.call<readonly FoundLine[]>('recognise', { grey, as } satisfies RecogniseRequest),
        ),
      );
  };
  await Promise.all(looking.lanes.map(lane));
  return found.sort((a, b) => a.page - b.page);
}

async function show(bytes: Uint8Array, path: string, page: number): Promise<Uint8Array> {
  const at = new LookedAt(bytes, path);
  try {
    return await at.show(page);
  } finally {
    await at.close();
  }
}

function ocrThread(languages: string): Thread {
  const data: OcrThreadData = { languages };
  return new Thread(new URL('./ocr-thread.ts', import.meta.url), data);
}
