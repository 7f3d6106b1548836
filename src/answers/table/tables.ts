import type { Documents, FileChunk, Hit } from '../../rag/types.ts';
import { isTable, type TableFigure, tableFigure } from './figure.ts';
import { isNamedBy, isNameLike, tableQuestion } from './question.ts';
import { asksForAge, eldestIn } from './record.ts';

const TABLE_FILE = /\.(?:csv|tsv|xlsx|ods)$/iu;
/** At most this many chunks of a table are added up: some 50,000 rows. */
const MOST_CHUNKS = 2000;

/** A figure and passages of the documents that it is computed from. */
export interface Computed {
  readonly figure: TableFigure;
  readonly chunkIds: readonly number[];
}

/** What figures are computed from. */
export type TableDocuments = Pick<Documents, 'filesNamed' | 'chunksBeside' | 'papers'>;

/**
 * The figure that a question asks for, from the first table that has rows which fit. All of its rows are read, because
 * a passage has only some of them.
 *
 * @param hits what the question found; a table that it names by its file need not be among them.
 */
export async function figureFrom(
  documents: TableDocuments,
  project: string,
  {
    question,
    hits,
    today,
    before,
  }: {
    readonly before?: string | undefined;
    readonly question: string;
    readonly hits: readonly Hit[];
    readonly today?: string | undefined;
  },
): Promise<Computed | undefined> {
  const asked = tableQuestion(question, today, before);
  if (asked === undefined) return undefined;
  const name = fileNameIn(question);
  const fits = (path: string) =>
    name === undefined
      ? TABLE_FILE.test(path) && isNamedBy(path, asked)
      : `/${path.toLowerCase()}`.endsWith(`/${name.toLowerCase()}`);
  const named = name === undefined && !isNameLike(asked) ? [] : await documents.filesNamed(project, fits);
  // A file that is named is the one that is meant, whatever else was found.
  const isNamed = named.length > 0;
  const figures: Computed[] = [];
  const ofBills = new Set<string>();
  if (asked.ofMoney && !isNamed) {
    const { billsFigure, billsIn } = await import('../papers/bills.ts');
    const { all, isCut } = await documents.papers(project);
    const bills = billsIn(all);
    const paid = billsFigure(asked, bills, isCut);
    if (paid && asked.isOpen) return paid;
    if (paid) figures.push(paid);
    for (const { place } of bills) ofBills.add(place.file);
  }
  // What a receipt comes to is in its form; its rows alone have neither a day nor a shop.
  const found = hits.filter(({ file, text }) => isTable(text) && !ofBills.has(file));
  // "How much did I spend in October?" has no word of the table that it means.
  const any = asked.ofMoney ? await documents.filesNamed(project, (path) => TABLE_FILE.test(path)) : [];
  const tables: readonly FileChunk[] = isNamed ? named : [...found, ...any];
  for (const { file, chunkId } of new Map(tables.map((table) => [table.file, table])).values()) {
    const chunks = await documents.chunksBeside(chunkId, MOST_CHUNKS + 1);
    const texts = chunks.slice(0, MOST_CHUNKS).filter(isTable);
    const figure = tableFigure(asked, { file, texts, isCut: chunks.length > MOST_CHUNKS, isNamed });
    if (figure && !asked.ofMoney) return { figure, chunkIds: [chunkId] };
    if (figure) figures.push({ figure, chunkIds: [chunkId] });
  }
  // Of several tables of money that fit alike, the one with the most rows is the one that people keep.
  return figures.sort((a, b) => b.figure.rows - a.figure.rows)[0];
}

/** The file in "what is the total in expenses.csv?". */
function fileNameIn(question: string): string | undefined {
  const words = question.split(/\s/u).map((word) => word.replace(/^["'„“(]|["'”“),.;:?!]{1,3}$/gu, ''));
  return words.find((word) => TABLE_FILE.test(word));
}

/** Who is the oldest or the youngest of a table of people, where a question asks for that. */
export async function eldestFrom(
  documents: TableDocuments,
  project: string,
  { question, today }: { readonly question: string; readonly today?: string | undefined },
): Promise<{ readonly answer: string; readonly chunkIds: readonly number[] } | undefined> {
  if (today === undefined || !asksForAge(question)) return undefined;
  for (const { file, chunkId } of await documents.filesNamed(project, (path) => TABLE_FILE.test(path))) {
    const text = (await documents.chunksBeside(chunkId, MOST_CHUNKS)).join('\n');
    const eldest = eldestIn(text, question, today);
    if (eldest !== undefined) return { answer: `${eldest} [${file}]`, chunkIds: [chunkId] };
  }
  return undefined;
}
