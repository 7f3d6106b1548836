import { pattern } from '../../base/pattern.ts';
import { stem, tokens } from '../../rag/analysis/words.ts';
import { KIND, MONTHS, type Operation, type TableQuestion } from './question.ts';

/** What the rows of a whole table come to, computed without a model. */
export interface TableFigure {
  readonly operation: Operation;
  /** Undefined when the rows have no single figure; `shown` has the rows. */
  readonly value: string | undefined;
  /** The column whose amounts were added up or compared. */
  readonly column: string | undefined;
  readonly file: string;
  /** One figure for each value of a column, the largest first, or for each month in order. */
  readonly groups?: readonly { readonly of: string; readonly value: string }[];
  /** How many rows match, and how many there are. */
  readonly rows: number;
  readonly of: number;
  /** The first matching rows; for the highest or lowest, only the rows that have it. */
  readonly shown: readonly string[];
  /** False when not every row of the file could be read. */
  readonly whole: boolean;
}

/** A row of a table with the names of its columns. */
export interface Row {
  readonly cells: readonly string[];
  readonly columns: readonly string[];
}

/** A whole table as the texts of its chunks, in order. */
export interface TableText {
  readonly file: string;
  readonly texts: readonly string[];
  /** The table goes on beyond these texts. */
  readonly isCut: boolean;
  /** The question names the file. */
  readonly isNamed?: boolean;
}

const KIND_COLUMN = /^(?:category|kind|type|sort|kategorie|art|typ)\b/iu;
const AMOUNT_COLUMN = /^(?:amount|paid|price|cost|costs|total|sum|betrag|preis|kosten|summe)\b/iu;
const DATE = /^(?:(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)|(?<day>\d{1,2})[./](?<month>\d{1,2})[./](?<year>\d{4}))(?!\d)/u;
const RULE = /^[\s|:-]*$/u;
const MOST_ROWS = 10;

/** Whether a text contains the rows of a table. */
export function isTable(text: string): boolean {
  return rowsIn(text).rows.length > 0;
}

/**
 * The figure that a question asks for, from those rows of a whole table that have everything it names, such as a payee
 * and a month.
 *
 * @returns undefined where the question means no row of this table.
 */
export function tableFigure(
  asked: TableQuestion,
  { file, texts, isCut, isNamed = false }: TableText,
): TableFigure | undefined {
  const read = texts.map(rowsIn);
  const all = read.flatMap(({ rows }) => rows);
  const names = new Set(
    [...namesOf(file), ...all.slice(0, 1).flatMap(({ columns }) => columns.flatMap(namesOf))].map(stem),
  );
  const words = asked.words.filter((word) => !names.has(stem(word)));
  const totals = all.filter(isTotal);
  const body = all.length > totals.length ? all.filter((row) => !isTotal(row)) : all;
  // Every word must match: "the deposit of the landlord" is not the rent that the landlord got.
  const own = body.filter((row) => words.every((word) => holds(row, word)) && isDated(row, asked));
  const isWhole = words.length === 0 && [asked.month, asked.year, asked.days].every((each) => each === undefined);
  const found = isWhole && asked.operation === 'sum' && asked.by === undefined && totals.length === 1 ? totals : own;
  const isMeant = isNamed || asked.ofRows || asked.ofMoney || asked.words.length > words.length;
  if (found.length === 0 || (isWhole && !isMeant) || (asked.ofOne && found.length > 1)) return undefined;
  const { operation } = asked;
  const at = columnOf(found, asked);
  const value =
    operation === 'count' ? String(found.length) : at === undefined ? undefined : figureOf(found, at, asked);
  const groups = at === undefined ? undefined : groupsOf(found, at, asked);
  if (asked.by !== undefined && groups === undefined) return undefined;
  const chosen = value !== undefined && at !== undefined && (operation === 'highest' || operation === 'lowest');
  const shown = chosen ? found.filter(({ cells }) => amountIn(cells[at] ?? '') === Number(value)) : found;
  return {
    operation,
    value,
    ...(groups && { groups }),
    column: operation === 'count' || at === undefined ? undefined : found[0]?.columns[at],
    file,
    rows: found.length,
    of: all.length,
    shown: shown.slice(0, MOST_ROWS).map(({ cells }) => cells.filter((cell) => cell !== '').join('; ')),
    whole: !isCut && read.every(({ skipped }) => skipped === 0),
  };
}

/** Undefined where the table has no such column. */
function groupsOf(rows: readonly Row[], at: number, asked: TableQuestion): TableFigure['groups'] {
  const { by } = asked;
  if (by === undefined) return undefined;
  const columns = rows[0]?.columns ?? [];
  const isCalled = (name: string) =>
    namesOf(name).some((each) => stem(each) === stem(by)) || (by === KIND && KIND_COLUMN.test(name));
  const of = columns.findIndex(isCalled);
  if (by !== 'month' && of < 0) return undefined;
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const { year = '', month } = dateIn(row) ?? {};
    const key =
      by === 'month' ? (month === undefined ? '' : `${year}-${String(month).padStart(2, '0')}`) : row.cells[of];
    groups.set(key ?? '', [...(groups.get(key ?? '') ?? []), row]);
  }
  const figures = [...groups].map(([key, own]) => ({ of: key, value: figureOf(own, at, asked) ?? '' }));
  return figures.sort((a, b) => (by === 'month' ? a.of.localeCompare(b.of) : Number(b.value) - Number(a.value)));
}

const TOTAL = pattern(
  'iu',
  '^(?:(?:grand |invoice )?total|sum|amount due|to pay|summe|gesamt(?:summe|betrag)?|rechnungsbetrag',
  String.raw`|endbetrag|zu zahlen)\b`,
);

/** The row of an invoice that holds the total. */
function isTotal({ cells }: Row): boolean {
  return TOTAL.test(cells.find((cell) => cell !== '') ?? '');
}

/** Lines with the same number of cells; the first is the header if it has no figures. */
export function rowsIn(text: string): { readonly rows: readonly Row[]; readonly skipped: number } {
  const lines = text
    .split('\n')
    .filter((line) => !RULE.test(line))
    .map((line) => ({ cells: cellsOf(line), all: line.split(' | ').map((cell) => cell.trim()) }));
  // Above the table of an invoice there are other lines, such as its number and date.
  const width = commonest(lines.map(({ cells }) => cells.length));
  const from = Math.max(
    0,
    lines.findIndex(({ cells }) => cells.length === width),
  );
  const first = lines[from]?.cells ?? [];
  if (first.length < 2 || lines.length < 2) return { rows: [], skipped: 0 };
  const columns = first.some((cell) => /\d/u.test(cell)) ? [] : first;
  const body = lines.slice(columns === first ? from + 1 : from).filter(({ cells }) => cells.join() !== columns.join());
  // A row may begin or end with empty cells.
  const rows = body
    .map(({ cells, all }) => ({ cells: cells.length === first.length ? cells : all, columns }))
    .filter(({ cells }) => cells.length === first.length);
  return { rows, skipped: body.length - rows.length };
}

/** On a tie, the first of them. */
function commonest(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  return [...times].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0];
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\| ?/u, '').replace(/ ?\|$/u, '');
  return inner.split(' | ').map((cell) => cell.trim());
}

/** The words of the name of a file or a column. */
export function namesOf(name: string): string[] {
  return name.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [];
}

/** By the stems of whole words: "car" matches neither "Carlsberg" nor "card". */
function holds({ cells }: Row, word: string): boolean {
  const [stemmed = word] = tokens(word).map(stem);
  return cells.some((cell) => tokens(cell).some((token) => stem(token) === stemmed));
}

function isDated(row: Row, { month, year, days }: TableQuestion): boolean {
  if (month === undefined && year === undefined && days === undefined) return true;
  const date = dateIn(row);
  if (days) return date?.day !== undefined && days.from <= date.day && date.day <= days.to;
  return date !== undefined && (month ?? date.month) === date.month && (year ?? date.year) === date.year;
}

interface RowDate {
  readonly year: string;
  readonly month: number;
  /** `2026-10-02`; absent where the row has a month alone. */
  readonly day?: string;
}

/** @returns the first date of a row. */
function dateIn({ cells }: Pick<Row, 'cells'>): RowDate | undefined {
  const day = cells.map(dayOf).find((each) => each !== undefined);
  if (day !== undefined) return { year: day.slice(0, 4), month: Number(day.slice(5, 7)), day };
  for (const cell of cells) {
    const [, name = '', year = ''] = MONTH_NAMED.exec(cell.toLowerCase()) ?? [];
    const month = MONTHS.findIndex((names) => names.some((each) => each === name || each.slice(0, 3) === name));
    if (month >= 0) return { year, month: month + 1 };
  }
  return undefined;
}

/** `2026-10-02` for `2026-10-02`, `2.10.2026` and `02/10/2026`, day first. */
function dayOf(cell: string): string | undefined {
  const { y, m, d, day = '', month = '', year } = DATE.exec(cell)?.groups ?? {};
  if (y !== undefined) return `${y}-${m}-${d}`;
  return year === undefined ? undefined : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** `March 2026`, `Mar`, `März`. */
const MONTH_NAMED = /^(\p{L}{3,9})\.?(?: (\d{4}))?$/u;

/** The column of amounts: the one that the question names, the one with such a name, or the only one. */
function columnOf(rows: readonly Row[], { words }: TableQuestion): number | undefined {
  const [{ columns, cells }] = rows as [Row];
  const numeric = [...cells.keys()].filter((at) => rows.every((row) => amountIn(row.cells[at] ?? '') !== undefined));
  const named = numeric.filter((at) => namesOf(columns[at] ?? '').some((name) => words.includes(name)));
  const called = numeric.filter((at) => AMOUNT_COLUMN.test(columns[at] ?? ''));
  return [named, called, numeric].find(({ length }) => length === 1)?.[0];
}

/** Undefined for a month without a year where the table has several years. */
function figureOf(rows: readonly Row[], at: number, { operation, month, year }: TableQuestion): string | undefined {
  const years = new Set(rows.map((row) => dateIn(row)?.year));
  if (month !== undefined && year === undefined && years.size > 1) return undefined;
  const amounts = rows.map(({ cells }) => amountIn(cells[at] ?? '') ?? 0);
  const digits = rows.some(({ cells }) => /[.,]\d{1,2}\D*$/u.test(cells[at] ?? '')) ? 2 : 0;
  const cents = amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  if (operation === 'sum') return (cents / 100).toFixed(digits);
  if (operation === 'average') return (cents / 100 / amounts.length).toFixed(2);
  const best = amounts.reduce((a, b) => (operation === 'highest' ? Math.max(a, b) : Math.min(a, b)));
  return best.toFixed(digits);
}

/** `1250`, `1250.00`, `1,250.00` or `1.250,00`, with or without a currency. */
function amountIn(cell: string): number | undefined {
  const text = cell.replace(/^[$€£] ?| ?(?:[$€£]|eur|usd|gbp|chf)$/giu, '');
  if (/^-?\d+(?:\.\d{1,2})?$/u.test(text)) return Number(text);
  if (/^-?\d{1,3}(?:,\d{3}){0,3}\.\d{2}$/u.test(text)) return Number(text.replaceAll(',', ''));
  if (/^-?\d+,\d{2}$|^-?\d{1,3}(?:\.\d{3}){0,3},\d{2}$/u.test(text))
    return Number(text.replaceAll('.', '').replace(',', '.'));
  return undefined;
}
