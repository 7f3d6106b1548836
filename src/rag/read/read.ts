import { type Kind, kindOf } from './kinds.ts';
import { type Block, type Parsed, Unreadable } from './parsed.ts';

/** Raise it when a reader produces other blocks for the same file: all files are then read again. */
export const READER_VERSION = 8;

type Reader = (bytes: Uint8Array, path: string, from?: number) => Parsed | Promise<Parsed>;

/** Each reader is loaded when the first file of its kind is read. */
const READERS: Readonly<Record<Kind, () => Promise<Reader>>> = {
  markdown: async () => ofText((await import('./markdown.ts')).readMarkdown),
  text: async () => ofText((await import('./text.ts')).readText),
  html: async () => {
    const { readHtml } = await import('./html.ts');
    return (bytes) => readHtml(decode(bytes));
  },
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  pptx: async () => (await import('./office.ts')).readPptx,
  odt: async () => (await import('./office.ts')).readOdt,
  epub: async () => (await import('./office.ts')).readEpub,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  csv: async () => ofText((await import('./csv-json.ts')).readCsv),
  json: async () => ofText((await import('./csv-json.ts')).readJson),
  jsonl: async () => ofText((await import('./csv-json.ts')).readJsonl),
  eml: async () => (await import('./mail.ts')).readEml,
  mbox: async () => (await import('./mail.ts')).readMbox,
  ics: async () => ofText((await import('./ics.ts')).readIcs),
  code: async () => ofText((await import('./code.ts')).readCode),
  picture: async () => {
    const { pagesOfPicture } = await import('./picture/image.ts');
    return async (bytes) => ({
      blocks: [],
      pictures: Array.from({ length: await pagesOfPicture(bytes) }, (_, at) => at + 1),
    });
  },
};

/** Compressed or compiled formats: a few bytes may keep a reader busy forever, or use up all memory. */
export const PACKED_KINDS: ReadonlySet<Kind> = new Set(['pdf', 'docx', 'pptx', 'odt', 'epub', 'xlsx', 'picture']);

/**
 * Read one file's content. The reader is chosen by the file's extension.
 *
 * @param path only its name is used.
 * @param from the line on which the bytes begin, when they are a later part of the file; see `textParts`.
 * @throws Unreadable
 */
export async function read(bytes: Uint8Array, path: string, from?: number): Promise<Parsed> {
  if (bytes.length === 0) return { blocks: [] };
  const kind = kindOf(path) ?? 'text';
  const reader = await READERS[kind]();
  try {
    return moved(await reader(bytes, path, from), (from ?? 1) - 1);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`broken ${kind} file`);
  }
}

type TextReader = (source: string, path: string, from?: number) => Parsed | Promise<Parsed>;

function ofText(reader: TextReader): Reader {
  return (bytes, path, from) => reader(decode(bytes), path, from);
}

/** The blocks of a part with the lines of the whole file. */
function moved(parsed: Parsed, by: number): Parsed {
  if (by === 0) return parsed;
  const blocks = parsed.blocks.map((block): Block => {
    const lines = block.lines && ([block.lines[0] + by, block.lines[1] + by] as const);
    if (block.kind !== 'table') return { ...block, lines };
    return { ...block, lines, rows: block.rows.map((row) => ({ ...row, line: row.line && row.line + by })) };
  });
  return { ...parsed, blocks };
}

const LOOKED_AT_BYTES = 8192;

/**
 * Decode a file's text: UTF-16 with a byte order mark, UTF-8, or else Windows-1252.
 *
 * @throws Unreadable `unsupported` for binary content.
 */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, LOOKED_AT_BYTES).includes(0)) throw new Unreadable('binary file', 'unsupported');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    if (hasControls(text)) throw new Unreadable('binary file', 'unsupported');
    return text;
  }
}

function hasControls(text: string): boolean {
  const controls = text.slice(0, LOOKED_AT_BYTES).match(/[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/gu)?.length ?? 0;
  return controls > Math.min(text.length, LOOKED_AT_BYTES) / 100;
}
