import mammoth from 'mammoth';
import { readHtml } from './html.ts';
import { type Parsed, Unreadable } from './parsed.ts';
import { ZipArchive } from './zip.ts';

/** Read a Word document by way of HTML, which keeps headings, lists and tables. */
export async function readDocx(bytes: Uint8Array): Promise<Parsed> {
  // Explains what is wrong with an encrypted or too large file, which mammoth does not, and leaves out pictures.
  const archive = new ZipArchive(bytes, /\.(?:xml|rels)$/u);
  if (archive.text('word/document.xml') === undefined) throw new Unreadable('not a text document');
  const ignored = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(archive.packed()) }, { convertImage: ignored });
  return readHtml(value, { position: {} });
}
