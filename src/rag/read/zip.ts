import type { Document } from 'domhandler';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import { parseDocument } from 'htmlparser2';
import { Unreadable } from './parsed.ts';

const MOST_UNPACKED_BYTES = 300 * 1024 * 1024;
/** First bytes of Microsoft's OLE format: old documents, and new ones with a password. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

/** The text parts of a zipped document (OOXML, ODF, EPUB), by path. */
export class ZipArchive {
  readonly #files: Readonly<Record<string, Uint8Array>>;

  /**
   * @param wanted which parts to unpack; pictures and the like are ignored.
   * @throws Unreadable when it is not a zip, encrypted, or would unpack to too much.
   */
  constructor(bytes: Uint8Array, wanted: RegExp) {
    if (OLE.every((byte, index) => bytes[index] === byte))
      throw new Unreadable('encrypted, or of an older format: save a copy without a password, in the newer one');
    let total = 0;
    try {
      this.#files = unzipSync(bytes, {
        filter: ({ name, originalSize }) => {
          if (!wanted.test(name)) return false;
          total += originalSize;
          if (total > MOST_UNPACKED_BYTES) throw new Unreadable('unpacks to more than 300 MB');
          return true;
        },
      });
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      throw new Unreadable('broken or encrypted archive');
    }
  }

  names(): string[] {
    return Object.keys(this.#files);
  }

  text(name: string): string | undefined {
    const bytes = this.#files[name];
    return bytes && strFromU8(bytes);
  }

  /** The wanted parts as a new archive, for a library that would unpack everything it is given. */
  packed(): Uint8Array {
    return zipSync({ ...this.#files }, { level: 0 });
  }

  /** Undefined when there is no such part. */
  xml(name: string): Document | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseDocument(text, { xmlMode: true });
  }

  /** Targets by id of an OOXML part's relationships, as paths in the archive. */
  relations(part: string): Map<string, string> {
    const slash = part.lastIndexOf('/') + 1;
    const folder = part.slice(0, slash);
    const found = new Map<string, string>();
    const rels = this.text(`${folder}_rels/${part.slice(slash)}.rels`) ?? '';
    for (const [relation] of rels.matchAll(/<Relationship\s[^<>]*>/gu)) {
      const id = /\sId="([^"]*)"/u.exec(relation)?.[1];
      const target = /\sTarget="([^"]*)"/u.exec(relation)?.[1];
      if (id !== undefined && target !== undefined) found.set(id, resolvePath(folder, target));
    }
    return found;
  }
}

/** `../slides/a.xml` seen from `ppt/notes/` is `ppt/slides/a.xml`. */
export function resolvePath(folder: string, target: string): string {
  return new URL(target, `file:///${folder}`).pathname.slice(1);
}
