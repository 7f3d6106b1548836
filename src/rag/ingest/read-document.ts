import { counted } from '../../base/text.ts';
import { kindOf } from '../read/kinds.ts';
import { type Block, type Parsed, type SeenPage, Unreadable } from '../read/parsed.ts';
import type { KeptPages } from './seen-pages.ts';
import type { FileReader } from './types.ts';

/** How many pages are asked for at once: enough for every reader to have one while another ends. */
const PAGES_AT_ONCE = 4;
/** Longer scans are archives: reading them takes hours. */
const MOST_PAGES = 1000;
const MOST_TOLD = 3;

/** How a document is read, for whom. */
export interface Reading {
  readonly signal: AbortSignal;
  /** Of its content. */
  readonly sha256?: string;
  readonly kept?: KeptPages;
  /** Told after some pages were read from their pictures. */
  readonly onPages?: (done: number, total: number) => void;
}

/**
 * A file with the text of its pages, also of those that are pictures. What was read of them is kept, so that whoever
 * stops it loses little.
 *
 * @throws Unreadable; the signal's reason.
 */
export async function readDocument(
  reader: FileReader,
  bytes: Uint8Array,
  path: string,
  reading: Reading,
): Promise<Parsed> {
  const parsed = await reader.read(bytes, path, { signal: reading.signal });
  const { pictures = [], ...text } = parsed;
  if (pictures.length === 0) return text;
  const looked = await lookAt(reader, { bytes, path, pages: pictures.slice(0, MOST_PAGES) }, reading);
  const hasText = new Set(text.blocks.map(({ page }) => page));
  const failed = looked.filter((page) => 'why' in page).filter(({ page }) => !hasText.has(page));
  const isPicture = kindOf(path) === 'picture';
  if (isPicture && failed[0] && failed.length === looked.length) throw new Unreadable(failed[0].why);
  const seen = looked.flatMap((page): readonly Block[] => ('blocks' in page ? page.blocks : []));
  const isOne = isPicture && pictures.length === 1;
  const placed = seen.map((block) => ({ ...block, ...(isOne ? { page: undefined } : { place: undefined }) }));
  const blocks = [...text.blocks, ...placed];
  const notes = [...(text.note === undefined ? [] : [text.note]), ...notesOf(failed, pictures.length - looked.length)];
  return {
    title: text.title ?? titleOf(seen),
    blocks: blocks.sort((a, b) => (a.page ?? 0) - (b.page ?? 0)),
    ...(notes.length > 0 && { note: notes.join('; ') }),
    ...(text.taken && { taken: text.taken }),
  };
}

interface Asked {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly pages: readonly number[];
}

/** The pages in their order, those that were read before from where they are kept. */
async function lookAt(reader: FileReader, { bytes, path, pages }: Asked, reading: Reading): Promise<SeenPage[]> {
  const { signal, sha256 = '', kept, onPages } = reading;
  const known = (await kept?.of(sha256)) ?? new Map<number, SeenPage>();
  const rest = pages.filter((page) => !known.has(page));
  for (let at = 0; at < rest.length; at += PAGES_AT_ONCE) {
    const some = rest.slice(at, at + PAGES_AT_ONCE);
    const found = await lookOrSay(reader, { bytes, path, pages: some }, signal);
    await kept?.keep(sha256, found);
    for (const page of found) known.set(page.page, page);
    onPages?.(known.size, pages.length);
  }
  return pages.flatMap((page) => known.get(page) ?? []);
}

/** When several pages together take too much, each is tried alone: most of them can be read. */
async function lookOrSay(reader: FileReader, { bytes, path, pages }: Asked, signal: AbortSignal): Promise<SeenPage[]> {
  try {
    return [...(await reader.look(bytes, path, { signal, pages }))];
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Unreadable)) throw error;
    const [page, ...more] = pages;
    if (page !== undefined && more.length === 0) return [{ page, why: error.message }];
    const found: SeenPage[] = [];
    for (const each of pages) found.push(...(await lookOrSay(reader, { bytes, path, pages: [each] }, signal)));
    return found;
  }
}

/** What the person should know of pages without text. */
function notesOf(failed: readonly Extract<SeenPage, { why: string }>[], unread: number): string[] {
  const told = failed.slice(0, MOST_TOLD).map(({ page, why }) => `page ${page}: ${why}`);
  const more = failed.length - told.length;
  return [
    ...told,
    ...(more > 0 ? [`${counted(more, 'more page')} without text`] : []),
    ...(unread > 0 ? [`${counted(unread, 'page')} after the first ${MOST_PAGES} pictures not read`] : []),
  ];
}

/** A letter begins with its sender, a receipt with its shop. */
function titleOf(blocks: readonly Block[]): string | undefined {
  const [first] = blocks;
  const line = first && 'text' in first ? (first.text.split('\n', 1)[0] ?? '') : '';
  return /\p{L}{3}/u.test(line) ? line : undefined;
}
