import { parse } from 'csv-parse/sync';
import { isRecord, parseJson } from '../../base/json.ts';
import { type Block, type Parsed, type TableRow, Unreadable } from './parsed.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/** Read a table's rows with their lines. The first row is the header of every chunk. */
export function readCsv(source: string): Parsed {
  const rows = parseRows(source);
  const [header, ...rest] = rows;
  if (!header) return { blocks: [] };
  return { blocks: [{ kind: 'table', header: header.text, rows: rest, lines: [1, rows.at(-1)?.line ?? 1] }] };
}

function parseRows(source: string): TableRow[] {
  try {
    const options = {
      delimiter: separatorOf(source),
      bom: true,
      info: true,
      relaxColumnCount: true,
      relaxQuotes: true,
    } as const;
    const rows = parse(source, { ...options, skipEmptyLines: true }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    return rows.map(({ record, info }, index) => ({
      text: record.map((cell) => cell.replace(/\s+/gu, ' ').trim()).join(' | '),
      line: info.lines,
      number: index + 1,
    }));
  } catch {
    throw new Unreadable('broken table');
  }
}

function separatorOf(source: string): string {
  const line = source.slice(0, source.indexOf('\n') + 1 || undefined);
  const count = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** Read every value with its path. List elements and object entries are blocks of their own. */
export function readJson(source: string): Parsed {
  const value = wholeJson(source);
  if (Array.isArray(value))
    return { blocks: value.map((item, index) => recordBlock(item, { place: `item ${index + 1}` })) };
  if (!isRecord(value)) return { blocks: [recordBlock(value, {})] };
  return { blocks: Object.entries(value).flatMap(([key, inner]) => entryBlocks(key, inner)) };
}

function entryBlocks(key: string, value: unknown): Block[] {
  if (!Array.isArray(value)) return [recordBlock({ [key]: value }, { place: key })];
  return value.map((item, index) => recordBlock({ [key]: item }, { place: `${key}, item ${index + 1}` }));
}

/** Read one record per line. Invalid lines are counted and skipped. */
export function readJsonl(source: string): Parsed {
  let broken = 0;
  const blocks = source.split(/\r?\n/u).flatMap((line, index): Block[] => {
    if (line.trim() === '') return [];
    const record = parseJson(line);
    if (record === undefined) broken++;
    return record === undefined ? [] : [recordBlock(record, { lines: [index + 1, index + 1] })];
  });
  if (blocks.length === 0 && broken > 0) throw new Unreadable('no line of it is JSON');
  return { blocks, ...(broken > 0 && { note: `${broken} lines are not JSON` }) };
}

function recordBlock(value: unknown, position: { place?: string; lines?: readonly [number, number] }): Block {
  return { kind: 'text', text: [...flatten(value, '')].join('\n'), ...position };
}

/** `path.to[2].value: text`, one line per value. */
function* flatten(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) yield at(path, value.join(', '));
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* flatten(item, `${path}[${index + 1}]`);
  else if (isRecord(value))
    for (const [key, inner] of Object.entries(value)) yield* flatten(inner, path === '' ? key : `${path}.${key}`);
  else if (value !== null && value !== '') yield at(path, String(value));
}

function at(path: string, text: string): string {
  return path === '' ? text : `${path}: ${text}`;
}

function wholeJson(source: string): unknown {
  const value = parseJson(source.replace(/^\uFEFF/u, ''));
  if (value === undefined) throw new Unreadable('broken JSON');
  return value;
}
