import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { RAG_DEFAULTS } from '../options.ts';
import { GuardedReader } from './guarded-read.ts';

const FIXTURES = join(import.meta.dirname, '../read/fixtures');
const MIB = 1024 * 1024;

/** Small files that cost their readers much, and why each must not hold up the others. */
const HOSTILE_FILES = {
  /** 320 MB of spaces where DOCX, XLSX and EPUB keep text; a few hundred kB packed. */
  bomb(): Uint8Array {
    const blank = packed(new Uint8Array(32 * MIB).fill(0x20));
    const parts = Array.from({ length: 10 }, (_, part) => [`xl/worksheets/bomb${part}.xml`, blank] as const);
    const sound = { ...partsOf('handbook.docx'), ...partsOf('garden.xlsx'), ...partsOf('island.epub') };
    return zip({ ...sound, ...Object.fromEntries(parts) });
  },

  /** A text document whose styles are 320 MB and say that they are 1 kB. */
  lyingDocx(): Uint8Array {
    const styles = packed(new Uint8Array(320 * MIB).fill(0x20));
    return zip({ ...partsOf('handbook.docx'), 'word/styles.xml': { ...styles, size: 1000 } });
  },

  /** A workbook of six million empty cells, which no tree of them leaves memory for. */
  wideXlsx(): Uint8Array {
    const cells = '<c/>'.repeat(6_000_000);
    const sheet = `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
    return zip({ ...partsOf('garden.xlsx'), 'xl/worksheets/sheet1.xml': packed(strToU8(sheet)) });
  },

  /** A text document of entities that stand for ten entities each, ten times over. */
  laughingDocx(): Uint8Array {
    const document = strFromU8(unpacked('handbook.docx')['word/document.xml'] ?? new Uint8Array());
    const laughing = document.replace(/^<\?xml[^>]*\?>/u, `<?xml version="1.0"?>${laughs()}`);
    const text = laughing.replace('</w:body>', '<w:p><w:r><w:t>&l9;</w:t></w:r></w:p></w:body>');
    return zip({ ...partsOf('handbook.docx'), 'word/document.xml': packed(strToU8(text)) });
  },

  laughingXml(): Uint8Array {
    return strToU8(`<?xml version="1.0"?>${laughs()}<joke>&l9;</joke>`);
  },

  /** A text document nested too deep for anything that calls itself. */
  deepOdt(): Uint8Array {
    const nested = `${'<text:section>'.repeat(20_000)}<text:p>deep</text:p>${'</text:section>'.repeat(20_000)}`;
    const content = `<office:document-content><office:body><office:text>${nested}</office:text></office:body></office:document-content>`;
    return zip({ 'content.xml': packed(strToU8(content)) });
  },

  deepHtml(): Uint8Array {
    return strToU8(`${'<div>'.repeat(1_000_000)}deep`);
  },

  /** One row of 45 million empty fields, close to the largest file that is read. */
  commasCsv(): Uint8Array {
    return new Uint8Array(45_000_000).fill(','.charCodeAt(0));
  },

  /** A page that draws a form that draws ten forms that draw ten forms each, and so on, down to some text. */
  laughingPdf(): Uint8Array {
    const forms = 12;
    const text = `BT /T 9 Tf ${'(ha) Tj '.repeat(2000)}ET`;
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /XObject << /F 6 0 R >> >> >>',
      stream('', '/F Do'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...Array.from({ length: forms }, (_, form) => {
        const last = form + 1 === forms;
        const uses = last ? '/Font << /T 5 0 R >>' : `/XObject << /F ${form + 7} 0 R >>`;
        const dictionary = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${uses} >>`;
        return stream(dictionary, last ? text : '/F Do '.repeat(10));
      }),
    ];
    return pdf(objects);
  },
} as const;

function unpacked(fixture: string): Record<string, Uint8Array> {
  return unzipSync(readFileSync(join(FIXTURES, fixture)));
}

function partsOf(fixture: string): Record<string, Packed> {
  return Object.fromEntries(Object.entries(unpacked(fixture)).map(([name, bytes]) => [name, packed(bytes)]));
}

interface Packed {
  readonly raw: Uint8Array;
  readonly crc: number;
  /** What the archive says that it unpacks to. */
  readonly size: number;
}

function packed(bytes: Uint8Array): Packed {
  return { raw: deflateRawSync(bytes, { level: 1 }), crc: crc32(bytes), size: bytes.length };
}

/** An archive that says of its parts what it is told to say. */
function zip(parts: Readonly<Record<string, Packed>>): Uint8Array {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, part] of Object.entries(parts)) {
    const common = commonHeader(name, part);
    const local = Buffer.concat([u32(0x04034b50), common, Buffer.from(name), part.raw]);
    const attributes = Buffer.alloc(10);
    entries.push(Buffer.concat([u32(0x02014b50), u16(20), common, attributes, u32(at), Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const counts = [u16(0), u16(0), u16(entries.length), u16(entries.length), u32(directory.length), u32(at), u16(0)];
  return Buffer.concat([...locals, directory, u32(0x06054b50), ...counts]);
}

/** What the local header and the directory's entry share: version, flags, method, time, checksum, sizes, lengths. */
function commonHeader(name: string, { raw, crc, size }: Packed): Buffer {
  const start = [u16(20), u16(0), u16(8), u32(0x21_0000)];
  return Buffer.concat([...start, u32(crc), u32(raw.length), u32(size), u16(Buffer.byteLength(name)), u16(0)]);
}

function u16(value: number): Buffer {
  return Buffer.from([value & 255, value >> 8]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function laughs(): string {
  const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`);
  return `<!DOCTYPE lolz [<!ENTITY l0 "lol">${entities.join('')}]>`;
}

function stream(dictionary: string, content: string): string {
  const packed = deflateSync(content).toString('latin1');
  return `<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed}\nendstream`;
}

function pdf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer << /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}

const signal = new AbortController().signal;
/** Of the processor's time, which comes slowly where several programs share a machine. */
const LIMIT_MS = 5_000;
const SLOW_MS = 180_000;
const LATE = `took longer than ${LIMIT_MS} ms to read`;

/** Files that cannot be read, in order, and why. */
const FAILING = [
  ['bomb.docx', HOSTILE_FILES.bomb, 'unpacks to more than 300 MB'],
  ['bomb.epub', HOSTILE_FILES.bomb, 'unpacks to more than 300 MB'],
  ['bomb.xlsx', HOSTILE_FILES.bomb, 'unpacks to more than 300 MB'],
  ['commas.csv', HOSTILE_FILES.commasCsv, expect.stringMatching(/^took longer than|out of memory$/u)],
  ['deep.odt', HOSTILE_FILES.deepOdt, 'broken odt file'],
  ['laughing.docx', HOSTILE_FILES.laughingDocx, 'broken docx file'],
  ['laughing.pdf', HOSTILE_FILES.laughingPdf, LATE],
  ['lying.docx', HOSTILE_FILES.lyingDocx, 'broken docx file'],
] as const;

test(
  'files that cost too much are named with the reason, and all others are read, the next one too',
  async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'docs'));
    for (const [name, make] of FAILING) writeFileSync(join(home, 'docs', name), make());
    // Nested deeper than any browser nests, and still a page with a word on it.
    writeFileSync(join(home, 'docs', 'deep.html'), HOSTILE_FILES.deepHtml());
    // Entities are not for source text; it is kept as it stands.
    writeFileSync(join(home, 'docs', 'laughing.xml'), HOSTILE_FILES.laughingXml());
    // Each comes right after a file whose reader had to be stopped.
    for (const [from, to] of [
      ['garden.md', 'deep.html.md'],
      ['handbook.docx', 'laughing.pdf.docx'],
      ['warranty.pdf', 'z.pdf'],
    ] as const)
      copyFileSync(join(FIXTURES, from), join(home, 'docs', to));
    const { documents } = await startDocuments(home, { options: { ...RAG_DEFAULTS, parseTimeoutMs: LIMIT_MS } });
    const report = await documents.ingest('home', [join(home, 'docs')], { signal });
    expect(report.failed).toEqual(FAILING.map(([file, , why]) => ({ file, why })));
    expect(report).toMatchObject({ indexed: 5, skipped: [], aborted: false });
    const files = async (query: string) => (await documents.search('home', query, { k: 1 })).map(({ file }) => file);
    expect(await files('chisel shelf')).toEqual(['laughing.pdf.docx']);
    expect(await files('free within thirty days')).toEqual(['z.pdf']);
    expect(await files('slugs ate the lettuce')).toEqual(['deep.html.md']);
  },
  SLOW_MS,
);

test(
  'a reader that runs out of memory says so and takes the next file',
  async () => {
    // So little memory that it runs out in a single allocation, which ends a process and not just a thread.
    const reader = new GuardedReader({ timeoutMs: 120_000, memoryMb: 64 });
    onTestFinished(() => reader.close());
    const wide = reader.read(HOSTILE_FILES.wideXlsx(), 'wide.xlsx', { signal });
    await expect(wide).rejects.toMatchObject({ name: 'Unreadable', message: 'its reader ran out of memory' });
    const { blocks } = await reader.read(readFileSync(join(FIXTURES, 'garden.xlsx')), 'garden.xlsx', { signal });
    expect(blocks[0]).toMatchObject({ kind: 'heading', text: 'Beds 2024' });
  },
  SLOW_MS,
);
