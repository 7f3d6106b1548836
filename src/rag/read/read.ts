import { decode } from './decode.ts';
import { type Kind, kindOf } from './kinds.ts';
import { type Block, type Parsed, Unreadable } from './parsed.ts';

/** Raise it when a reader produces other blocks for the same file: all files are then read again. */
export const READER_VERSION = 6;

type Reader = (bytes: Uint8Array, path: string, from?: number) => Parsed | Promise<Parsed>;

/** Each reader is loaded with the first file of its kind. */
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
};

/** Compressed or compiled formats: a few bytes may keep a reader busy forever, or use up all memory. */
export const PACKED_KINDS: ReadonlySet<Kind> = new Set(['pdf', 'docx', 'pptx', 'odt', 'epub', 'xlsx']);

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
