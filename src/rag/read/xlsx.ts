import type { Document, Element } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { type Block, type Parsed, type TableRow, Unreadable } from './parsed.ts';
import { ZipArchive } from './zip.ts';

const { getElementsByTagName: all, textContent, getAttributeValue: attribute } = DomUtils;

/** Built-in number formats that are dates or times (ECMA-376, 18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const MS_PER_DAY = 86_400_000;
/** Day 0 of Excel's calendar, which treats 1900 as a leap year. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** Read every sheet as a table. Its first row is the header of every chunk. */
export function readXlsx(bytes: Uint8Array): Parsed {
  const archive = new ZipArchive(
    bytes,
    /^xl\/(?:workbook\.xml|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml|_rels\/.*)$/u,
  );
  const workbook = archive.xml('xl/workbook.xml');
  if (!workbook) throw new Unreadable('not a workbook');
  const relations = archive.relations('xl/workbook.xml');
  const cells = new Cells(archive);
  const blocks = all('sheet', workbook).flatMap((sheet): Block[] => {
    const name = attribute(sheet, 'name') ?? '';
    const document = archive.xml(relations.get(attribute(sheet, 'r:id') ?? '') ?? '');
    if (!document) return [];
    const [header, ...rows] = rowsOf(document, cells);
    if (!header) return [];
    const table = { kind: 'table' as const, header: header.text, rows, place: `${name}, row ` };
    return [{ kind: 'heading', level: 1, text: name, place: `${name}, row 1` }, table];
  });
  return { blocks };
}

function rowsOf(sheet: Document, cells: Cells): TableRow[] {
  return all('row', sheet).flatMap((row, index) => {
    const values = all('c', row).map((cell) => cells.value(cell));
    const number = Number(attribute(row, 'r') ?? index + 1);
    return values.some((value) => value !== '') ? [{ text: values.join(' | '), number }] : [];
  });
}

class Cells {
  readonly #strings: readonly string[];
  readonly #dateStyles: ReadonlySet<number>;

  constructor(archive: ZipArchive) {
    const strings = archive.xml('xl/sharedStrings.xml');
    this.#strings = strings ? all('si', strings).map((item) => all('t', item).map(textContent).join('')) : [];
    this.#dateStyles = dateStyles(archive.xml('xl/styles.xml'));
  }

  value(cell: Element): string {
    const type = attribute(cell, 't');
    if (type === 'inlineStr') return textContent(all('is', cell)).trim();
    const raw = textContent(all('v', cell)).trim();
    if (type === 's') return this.#strings[Number(raw)]?.replace(/\s+/gu, ' ').trim() ?? '';
    if (type === 'b') return raw === '1' ? 'true' : 'false';
    const isDate = raw !== '' && type === undefined && this.#dateStyles.has(Number(attribute(cell, 's')));
    return isDate ? dateText(Number(raw)) : raw;
  }
}

function dateStyles(styles: Document | undefined): Set<number> {
  if (!styles) return new Set();
  const custom = all('numFmt', styles).filter((format) =>
    /[ymdh]/iu.test((attribute(format, 'formatCode') ?? '').replace(/"[^"]*"|\[[^[\]]*\]/gu, '')),
  );
  const formats = new Set([...DATE_FORMATS, ...custom.map((format) => Number(attribute(format, 'numFmtId')))]);
  const [used] = all('cellXfs', styles);
  const numbers = used ? all('xf', used).map((style) => Number(attribute(style, 'numFmtId'))) : [];
  return new Set(numbers.flatMap((format, index) => (formats.has(format) ? [index] : [])));
}

function dateText(serial: number): string {
  if (!Number.isFinite(serial)) return '';
  const text = new Date(EPOCH_MS + Math.round(serial * 86_400) * (MS_PER_DAY / 86_400)).toISOString();
  return serial % 1 === 0 ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}
