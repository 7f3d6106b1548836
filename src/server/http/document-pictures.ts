import { readFile } from 'node:fs/promises';
import { Hono, type MiddlewareHandler } from 'hono';
import { messageOf } from '../../base/errors.ts';
import { GuardedReader } from '../../rag/ingest/guarded-read.ts';
import type { Box } from '../../rag/read/parsed.ts';
import { seenIn } from '../../rag/read/seen.ts';
import type { Documents } from '../../rag/types.ts';
import type { Entered } from './entry.ts';
import { Refused } from './problem.ts';

/** Of the processor's time, for one page. */
const SHOW_MS = 20_000;
/** A page may ask for the pictures of many documents at once; each takes a process. */
const AT_ONCE = 2;

/** A page of a document that was read from a picture, and where on it the cited text stands. */
interface SeenPlace {
  readonly page: number;
  readonly boxes: readonly Box[];
}

interface PictureParts {
  readonly documents: Pick<Documents, 'picturePassages' | 'texts'>;
  /** Who may read documents. */
  readonly read: MiddlewareHandler<Entered>;
  /** @returns the project that a request means. */
  named(project: string | undefined): string;
}

/** The pictures that documents were read from, as JPEG made here: what a camera noted stays behind. */
export function documentPictures({ documents, read, named }: PictureParts): Hono<Entered> {
  let running = 0;
  return new Hono<Entered>()
    .get('/seen', read, async (c) => {
      const { project, name = '', where = '' } = c.req.query();
      const place = await seenPlace(documents, { project: named(project), name, where });
      return c.json({ items: place ? [place] : [] });
    })
    .get('/picture', read, async (c) => {
      const { project, name = '', page = '1' } = c.req.query();
      const [text] = await documents.texts(named(project), name);
      const path = text?.source.path;
      if (path === undefined) throw noPicture();
      if (running >= AT_ONCE) throw new Refused(503, 'busy', 'Other pictures are being opened.', 'Try again.');
      running++;
      try {
        const jpeg = await shown(path, Math.max(1, Math.floor(Number(page)) || 1), c.req.raw.signal);
        return c.body(new Uint8Array(jpeg), 200, { 'content-type': 'image/jpeg', 'cache-control': 'no-store' });
      } finally {
        running--;
      }
    });
}

async function shown(path: string, page: number, signal: AbortSignal): Promise<Uint8Array> {
  const reader = new GuardedReader({ timeoutMs: SHOW_MS });
  try {
    return await reader.show(await readFile(path), path, page, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new Refused(404, 'no_picture', `It cannot be shown: ${messageOf(error)}.`);
  } finally {
    await reader.close();
  }
}

/** @param where  as the citation says it, `lower half` or `p. 3`; empty: the first page, without a mark. */
async function seenPlace(
  documents: Pick<Documents, 'picturePassages'>,
  { project, name, where }: { readonly project: string; readonly name: string; readonly where: string },
): Promise<SeenPlace | undefined> {
  const own = (await documents.picturePassages(project)).filter(({ file }) => file === name);
  const cited = own.filter(({ citation }) => where !== '' && `${citation.slice(1, -1)},`.includes(`, ${where},`));
  const [first] = cited.length > 0 ? cited : own;
  if (first === undefined) return undefined;
  const onPage = cited.filter(({ pages }) => pages?.[0] === first.pages?.[0]);
  return { page: first.pages?.[0] ?? 1, boxes: onPage.flatMap(({ metadata }) => seenIn(metadata)?.boxes ?? []) };
}

function noPicture(): Refused {
  return new Refused(404, 'no_picture', 'There is no picture of this document.');
}
