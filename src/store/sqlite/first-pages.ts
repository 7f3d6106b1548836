import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Repairs what SQLite has to read before any row of a damaged database (the file header and the list of tables) with
 * the same parts of a new one.
 *
 * @param fresh  a database that this version has just made.
 * @see https://www.sqlite.org/fileformat.html
 */
export function mendFirstPages(path: string, fresh: string): void {
  const [file, other] = [openSync(path, 'r+'), openSync(fresh, 'r')];
  try {
    if (fstatSync(file).size < HEAD_BYTES) return;
    mendHead(file, other);
    mendList({ file, other, pages: listPages(fresh) });
  } finally {
    closeSync(file);
    closeSync(other);
  }
}

const HEAD_BYTES = 100;
/** Disks lose whole sectors. */
const SECTOR_BYTES = 512;
/** How a page of a table begins: an interior page and a leaf page. */
const TABLE_PAGES: ReadonlySet<number | undefined> = new Set([5, 13]);

/**
 * SQLite refuses a file whose header is damaged or promises more pages than there are. The header describes the page
 * format, which is the same in all our databases, so a nonsensical one is replaced by that of a new database, with the
 * actual number of pages.
 */
function mendHead(file: number, other: number): void {
  const own = readBytes(file, 0, HEAD_BYTES);
  const head = isHead(own) ? own : readBytes(other, 0, HEAD_BYTES);
  head.writeUInt32BE(Math.ceil(fstatSync(file).size / pageSizeOf(head)), 28);
  writeSync(file, head, 0, HEAD_BYTES, 0);
}

/**
 * The list of tables takes some seven pages, scattered over the first hundred, and is the same in every database that
 * was made from the same declarations. If what is left of it matches a new database, so did its lost pages.
 */
function mendList({ file, other, pages }: { file: number; other: number; pages: readonly number[] }): void {
  const size = pageSizeOf(readBytes(other, 0, HEAD_BYTES));
  if (pageSizeOf(readBytes(file, 0, HEAD_BYTES)) !== size) return;
  const compared = pages.map((number) => {
    const [at, start] = [(number - 1) * size, number === 1 ? HEAD_BYTES : 0];
    const [own, right] = [readBytes(file, at, size), readBytes(other, at, size)];
    own.copy(right, 0, 0, start);
    return { at, right, likeness: likenessOf(own, right, start) };
  });
  const kept = compared.filter(({ likeness }) => likeness === 'same').length;
  if (kept < pages.length / 2 || compared.some(({ likeness }) => likeness === 'another')) return;
  for (const { at, right } of compared) writeSync(file, right, 0, size, at);
}

/**
 * A lost page does not begin like a page of a table, or repeats one byte in every part that differs. Anything else
 * belongs to a database with a history of its own, whose tables lie elsewhere.
 */
function likenessOf(own: Buffer, right: Buffer, start: number): 'same' | 'damaged' | 'another' {
  if (own.equals(right)) return 'same';
  if (!TABLE_PAGES.has(own[start])) return 'damaged';
  for (let at = 0; at < right.length; at += SECTOR_BYTES) {
    const [part, rightPart] = [own, right].map((page) => page.subarray(at, at + SECTOR_BYTES)) as [Buffer, Buffer];
    if (!part.equals(rightPart) && part.some((byte) => byte !== part[0])) return 'another';
  }
  return 'damaged';
}

function listPages(path: string): number[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const list = database.prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' ORDER BY pageno").all();
  return list.map(({ pageno }) => Number(pageno));
}

/** Bytes past the end are zero. */
function readBytes(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, at);
  return bytes;
}

function isHead(head: Buffer): boolean {
  const size = pageSizeOf(head);
  const isPower = size >= 512 && (size & (size - 1)) === 0;
  return isPower && head.subarray(0, 16).toString('latin1') === 'SQLite format 3\0';
}

function pageSizeOf(head: Buffer): number {
  const size = head.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}
