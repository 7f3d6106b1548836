import { stem, tokens } from '../../rag/analysis/words.ts';
import type { Hit } from '../../rag/types.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { dayOf, namesOf, type Row, rowsIn } from './figure.ts';

/** What a question wants to know of whom, answered from the row that is about them. */
export interface RecordAnswer {
  readonly answer: string;
  readonly chunkId: number;
}

/** Headings of the column that says what a row is about. */
const SUBJECT = /^(?:(?:full |first )?name|who|person|contact|vorname|wer|kontakt)\b/iu;
const BIRTH = /\b(?:birthday|birth|born|dob|geburtstag|geburtsdatum|geboren)\b/iu;
const AGE = /\b(?:how old|what age|wie alt)\b/iu;
const DAYS_UNTIL =
  /\b(?:how (?:many days|long) (?:is it )?(?:until|till|to)|(?:wie ?viele tage|wie lange)\b.*\bbis)\b/iu;

/**
 * The rows that are about somebody whom a question names, with the column that it asks for. A row is about its subject
 * alone: a name in the note of another row is not meant.
 *
 * @param today the asker's date, `YYYY-MM-DD`, for ages and days.
 */
export function recordFrom(question: string, hits: readonly Hit[], today?: string): RecordAnswer | undefined {
  const asked = new Set(tokens(question).map(stem));
  const found = hits.flatMap((hit) => {
    const { rows } = rowsIn(hit.text);
    const at = subjectOf(rows);
    return at === undefined ? [] : rows.map((row) => ({ hit, row, at, named: namedBy(asked, row.cells[at] ?? '') }));
  });
  const most = Math.max(0, ...found.map(({ named }) => named));
  const about = found.filter(({ named }) => most > 0 && named === most);
  const lines = about.flatMap(({ row, at, hit }) => {
    const told = toldOf(question, asked, row, { at, today });
    return told === undefined ? [] : [`${told} ${hit.citation}`];
  });
  const chunkId = about[0]?.hit.chunkId;
  return lines.length === 0 || chunkId === undefined ? undefined : { answer: [...new Set(lines)].join('\n'), chunkId };
}

/** The column called so; its values are names of which each stands once. */
function subjectOf(rows: readonly Row[]): number | undefined {
  const at = rows[0]?.columns.findIndex((name) => SUBJECT.test(name)) ?? -1;
  const names = rows.map(({ cells }) => cells[at]);
  return at >= 0 && new Set(names).size === names.length ? at : undefined;
}

/** How many words of a name a question has. */
function namedBy(asked: ReadonlySet<string>, name: string): number {
  return tokens(name).filter((word) => !STOP_WORDS.en.has(word) && asked.has(stem(word))).length;
}

function toldOf(
  question: string,
  asked: ReadonlySet<string>,
  { cells, columns }: Row,
  { at, today }: { readonly at: number; readonly today: string | undefined },
): string | undefined {
  const birth = columns.findIndex((name) => BIRTH.test(name));
  const born = dayOf(cells[birth] ?? '');
  const wanted = columns.flatMap((name, column) =>
    column !== at && namesOf(name).some((word) => asked.has(stem(word))) ? [column] : [],
  );
  const subject = cells[at] ?? '';
  if (AGE.test(question) && today !== undefined && born !== undefined)
    return `${subject}: ${ageOn(today, born)} (${columns[birth]} ${cells[birth]})`;
  if (wanted.length === 0) return undefined;
  const values = wanted.map((column) => `${columns[column]} ${cells[column] === '' ? '-' : cells[column]}`);
  const isUntil = DAYS_UNTIL.test(question) && wanted.includes(birth);
  const left = isUntil && today !== undefined && born !== undefined ? ` (${daysTo(today, born)})` : '';
  return `${subject}: ${values.join('; ')}${left}`;
}

/** In whole years. */
function ageOn(today: string, born: string): number {
  return Number(today.slice(0, 4)) - Number(born.slice(0, 4)) - (today.slice(5) < born.slice(5) ? 1 : 0);
}

/** Until the next day of that month and day. */
function daysTo(today: string, date: string): number {
  const from = Date.parse(`${today}T00:00:00Z`);
  const year = Number(today.slice(0, 4)) + (date.slice(5) < today.slice(5) ? 1 : 0);
  return Math.round((Date.parse(`${year}-${date.slice(5)}T00:00:00Z`) - from) / 86_400_000);
}
