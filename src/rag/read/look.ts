import type { getDocumentProxy } from 'unpdf';
import { messageOf } from '../../base/errors.ts';
import { kindOf } from './kinds.ts';
import { type SeenPage, Unreadable } from './parsed.ts';
import { openPdf } from './pdf.ts';
import { fromRaw, type Grey, greyPicture, jpegOf, shownPicture } from './picture/image.ts';
import { blocksIn } from './picture/recognise.ts';
import type { Recognise } from './picture/tesseract-lines.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/**
 * Reads the pages of a file from their pictures. Whoever opens it closes it.
 *
 * @throws Unreadable when the file as a whole is broken; a page that is says so for itself.
 */
export class LookedAt {
  readonly #bytes: Uint8Array;
  readonly #path: string;
  #pdf: PdfDocument | undefined;

  constructor(bytes: Uint8Array, path: string) {
    this.#bytes = bytes;
    this.#path = path;
  }

  async look(page: number, recognise: Recognise): Promise<SeenPage> {
    try {
      const grey = await this.#grey(page);
      if (grey === undefined) return { page, why: 'neither text nor a picture' };
      return { page, blocks: await blocksIn(grey, recognise, page) };
    } catch (error) {
      return {
        page,
        why: error instanceof Unreadable ? error.message : `its picture could not be read (${messageOf(error)})`,
      };
    }
  }

  /** The page as a JPEG. @throws Unreadable */
  async show(page: number): Promise<Uint8Array> {
    if (kindOf(this.#path) === 'picture') return shownPicture(this.#bytes, page);
    const grey = await this.#grey(page);
    if (grey === undefined) throw new Unreadable('no picture', 'unsupported');
    return jpegOf(await fromRaw(grey));
  }

  async close(): Promise<void> {
    await this.#pdf?.loadingTask.destroy();
    this.#pdf = undefined;
  }

  async #grey(page: number): Promise<Grey | undefined> {
    if (kindOf(this.#path) !== 'pdf') return greyPicture(this.#bytes, page);
    this.#pdf ??= await openPdf(this.#bytes);
    const { greyPdfPage } = await import('./picture/pdf-page.ts');
    return greyPdfPage(this.#pdf, page);
  }
}
