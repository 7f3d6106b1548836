import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { type Block, type Parsed, Unreadable } from './parsed.ts';

/** A page with less text is probably a scan. */
const LEAST_CHARS = 20;

/** Read the text of each page. */
export async function readPdf(bytes: Uint8Array): Promise<Parsed> {
  const document = await open(bytes);
  const { text: pages } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document);
  const title: unknown = info?.Title;
  const blocks = pages.flatMap((text, index): Block[] =>
    paragraphs(text).map((part) => ({ kind: 'text', text: part, page: index + 1 })),
  );
  const scans = pages.filter((text) => text.trim().length < LEAST_CHARS).length;
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined,
    blocks,
    ...(scans > 0 && { note: `${scans} of ${pages.length} pages have no text and need OCR` }),
  };
}

async function open(bytes: Uint8Array) {
  try {
    // The library refuses Node's buffers and takes ownership of the array.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (error) {
    const encrypted = error instanceof Error && error.name === 'PasswordException';
    throw new Unreadable(encrypted ? 'encrypted' : 'broken PDF');
  }
}

function paragraphs(page: string): string[] {
  return page
    .split(/\n\s*\n/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
