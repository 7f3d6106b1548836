/** A row of a table in a passage, with what its columns are called, where that is known. */
interface Row {
  readonly cells: readonly string[];
  readonly columns: readonly string[];
  readonly citation: string;
}

const MONTHS = [
  ...['january januar', 'february februar', 'march märz maerz', 'april', 'may mai', 'june juni', 'july juli', 'august'],
  ...['september', 'october oktober', 'november', 'december dezember'],
].map((names) => names.split(' '));
/** Words of a question that no row has to hold. */
const ASKING = new Set(
  `how much did have has was were what when who where which total sum spend spent pay paid cost costs all the and
  for from with this that last year month euro euros dollars pounds money many does our his her they you altogether
  wie viel wieviel habe hat haben ich wir was wann wer welche insgesamt bezahlt gezahlt ausgegeben gekostet kostet
  der die das dem den ein eine einen für fuer von mit bei und jahr monat wurde wird alle`.split(/\s+/u),
);
const AMOUNT = /\b(?:how much|total|sum|wie ?viel|insgesamt|altogether)\b/iu;
const AMOUNT_COLUMN = /^(?:amount|paid|price|cost|costs|total|sum|betrag|preis|kosten|summe)\b/iu;
const DATE = /^(?:(\d{4})-(\d\d)-\d\d|\d{1,2}\.(\d{1,2})\.(\d{4}))\b/u;
const MOST_ROWS = 10;

/** What a question asks of a table. */
interface Asked {
  readonly words: readonly string[];
  readonly month: number | undefined;
  readonly year: string | undefined;
}

/**
 * The rows that hold what a question names, such as a payee and a month, and their sum where it asks how much.
 *
 * @returns undefined where the passages have no table, or no row of it is meant.
 */
export function rowsFor(
  question: string,
  passages: readonly Record<string, unknown>[],
): { readonly rows: readonly string[]; readonly sum: string | undefined } | undefined {
  if (!AMOUNT.test(question)) return undefined;
  const all = passages.flatMap(({ text, citation }) => tableIn(String(text), String(citation)));
  const asked = askedOf(question);
  const isColumn = (word: string) => all.some(({ columns }) => columns.some((name) => name.toLowerCase() === word));
  const words = asked.words.filter((word) => !isColumn(word));
  // Every word counts: "the deposit of the landlord" is not the rent that the landlord got.
  const found = all.filter((row) => words.every((word) => holds(row, word)) && isDated(row, asked));
  if (words.length === 0) return undefined;
  if (found.length === 0) return undefined;
  const rows = found.slice(0, MOST_ROWS).map(({ cells, citation }) => `${cells.join('; ')} ${citation}`);
  return { rows, sum: found.length > MOST_ROWS ? undefined : sumOf(found) };
}

/** Lines of equally many cells; the first is a heading where it has no figures. */
function tableIn(text: string, citation: string): Row[] {
  const lines = text.split('\n').map((line) => line.split(' | ').map((cell) => cell.trim()));
  const [first = []] = lines;
  if (first.length < 2 || lines.length < 2 || lines.some(({ length }) => length !== first.length)) return [];
  const columns = first.some((cell) => /\d/u.test(cell)) ? [] : first;
  return (columns === first ? lines.slice(1) : lines).map((cells) => ({ cells, columns, citation }));
}

function askedOf(question: string): Asked {
  const words = question.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
  const isMay = /\b(?:in|for|of|since) may\b/iu.test(question);
  const month = MONTHS.findIndex((names) => words.some((word) => names.includes(word) && (word !== 'may' || isMay)));
  return {
    words: words.filter((word) => !ASKING.has(word) && !MONTHS.flat().includes(word) && !/^\d+$/u.test(word)),
    month: month < 0 ? undefined : month + 1,
    year: words.find((word) => /^(?:19|20)\d\d$/u.test(word)),
  };
}

function holds({ cells }: Row, word: string): boolean {
  return cells.some((cell) => cell.toLowerCase().includes(word));
}

function isDated(row: Row, { month, year }: Asked): boolean {
  if (month === undefined && year === undefined) return true;
  const date = dateIn(row);
  return date !== undefined && (month ?? date.month) === date.month && (year ?? date.year) === date.year;
}

function dateIn({ cells }: Row): { year: string; month: number } | undefined {
  const found = cells.map((cell) => DATE.exec(cell)).find((date) => date !== null);
  return found && { year: found[1] ?? found[4] ?? '', month: Number(found[2] ?? found[3]) };
}

/** Of the one column of amounts; rows of several years are not added up. */
function sumOf(rows: readonly Row[]): string | undefined {
  const [{ columns }] = rows as [Row];
  const at = columns.findIndex((name) => AMOUNT_COLUMN.test(name));
  if (at < 0 || new Set(rows.map((row) => dateIn(row)?.year)).size > 1) return undefined;
  const amounts = rows.map(({ cells, columns: own }) =>
    own[at] === columns[at] ? amountIn(cells[at] ?? '') : undefined,
  );
  const cents = amounts.reduce<number | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + Math.round(amount * 100)),
    0,
  );
  return cents === undefined ? undefined : (cents / 100).toFixed(2);
}

/** `1250`, `1250.00`, `1.250,00`. */
function amountIn(cell: string): number | undefined {
  if (/^-?\d+(?:\.\d{1,2})?$/u.test(cell)) return Number(cell);
  if (/^-?\d{1,3}(?:\.\d{3}){0,3},\d{2}$/u.test(cell)) return Number(cell.replaceAll('.', '').replace(',', '.'));
  return undefined;
}
