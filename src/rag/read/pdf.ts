import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { type Block, type Parsed, Unreadable } from './parsed.ts';

/** A page with less text is probably a scan. */
const LEAST_CHARS = 20;
/** Of a picture on a page: A4 at 600 dots an inch has 35 million. */
const MOST_PIXELS = 40_000_000;

/** Read the text of each page. */
export async function readPdf(bytes: Uint8Array): Promise<Parsed> {
  const document = await openPdf(bytes);
  const { text: pages } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document);
  const title: unknown = info?.Title;
  const blocks = pages.flatMap((text, index): Block[] =>
    paragraphs(text).map((part) => ({ kind: 'text', text: part, page: index + 1 })),
  );
  const pictures = pages.flatMap((text, index) => (text.trim().length < LEAST_CHARS ? [index + 1] : []));
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined,
    blocks,
    ...(pictures.length > 0 && { pictures }),
  };
}

/** @throws Unreadable */
export async function openPdf(bytes: Uint8Array): ReturnType<typeof getDocumentProxy> {
  try {
    // The library refuses Node's buffers and takes ownership of the array.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, maxImageSize: MOST_PIXELS });
  } catch (error) {
    const encrypted = error instanceof Error && error.name === 'PasswordException';
    throw new Unreadable(encrypted ? 'encrypted: save a copy without its password' : 'broken PDF');
  }
}

function paragraphs(page: string): string[] {
  return page
    .split(/\n\s*\n/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
