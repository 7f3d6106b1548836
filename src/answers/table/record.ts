import { pattern } from '../../base/pattern.ts';
import { contentTokens, stem, tokens } from '../../rag/analysis/words.ts';
import type { Hit } from '../../rag/types.ts';
import { sayings } from '../../when/say.ts';
import { ANY_QUESTION_WORD } from '../../words/question-words.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { isGerman } from '../../words/telling-words.ts';
import { refersBack } from '../follow-up/follow-up.ts';
import { dayIn } from '../papers/values.ts';
import { readerFor } from '../reader.ts';
import { hasPartOf, said } from '../word-match.ts';
import { namesOf, type Row, rowsIn } from './figure.ts';
import { GOES_ON } from './question.ts';

/** What a question wants to know of whom, answered from the row that is about them. */
export interface RecordAnswer {
  /** Undefined: it asks of somebody whom no row is about, such as a sister, or who is named in another's note alone. */
  readonly answer: string | undefined;
  /** The chunks with rows that could be taken for theirs. */
  readonly chunks: ReadonlySet<number>;
}

/** Headings of the column that says what a row is about. */
const SUBJECT = /^(?:(?:full |first )?name|who|person|contact|vorname|wer|kontakt)\b/iu;
const BIRTH = /\b(?:birthday|birth|born|dob|geburtstag|geburtsdatum|geboren)\b/iu;
const HOW_LONG = /\b(?:days|long|tage|lange)\b/iu;
const AGE_WORD = /^(?:old|age|alt|alter)$/iu;
const AGE = /\b(?:how old|what age|wie alt)\b/iu;

/**
 * The rows that are about somebody whom a question names, with the column that it asks for. A row is about its subject
 * alone: a name in the note of another row is not meant.
 *
 * @param options.today the asker's date, `YYYY-MM-DD`, for ages and days.
 * @param options.history those before it, oldest first: "and Anna?" asks for the same column, "and his birthday?"
 *   of the same person.
 */
export function recordFrom(
  question: string,
  hits: readonly Hit[],
  { today, history = [] }: { readonly today?: string | undefined; readonly history?: readonly string[] | undefined },
): RecordAnswer | undefined {
  const records = hits.flatMap((hit) => recordsIn(hit.text).map((record): FoundRecord => ({ ...record, hit })));
  const named = aboutWhom(question, records);
  const isOfNobody = named.length === 0 && namesNobody(question, records);
  const isOfSame = named.length === 0 && !isOfNobody && refersBack(question);
  const about = isOfSame
    ? (history.map((said) => aboutWhom(said, records)).findLast((each) => each.length > 0) ?? [])
    : named;
  // "And Anna?" asks for what was asked for before.
  const whole = !isOfSame && GOES_ON.test(question) ? `${question} ${history.at(-1) ?? ''}` : question;
  const lines = about.flatMap(({ row, at, hit }) => {
    const told = toldOf(whole, row, { at, today });
    return told === undefined ? [] : [`${told} ${hit.citation}`];
  });
  if (isOfNobody || (isOfSame && about.length === 0 && namesNobody(history.at(-1) ?? '', records)))
    return { answer: undefined, chunks: chunksOf(records) };
  const chunks = chunksOf(about);
  if (lines.length === 0) return isInAnother(about, records, question) ? { answer: undefined, chunks } : undefined;
  const names = about.flatMap(({ row, at }) => tokens(row.cells[at] ?? ''));
  const columns = about.flatMap(({ row }) => row.columns.flatMap(namesOf));
  if (isOfAnother(question, names, columns)) return { answer: undefined, chunks };
  return { answer: [...new Set(lines)].join('\n'), chunks };
}

interface Record {
  readonly row: Row;
  /** The column of its subject. */
  readonly at: number;
}

interface FoundRecord extends Record {
  readonly hit: Hit;
}

/** The rows of a text that are each about somebody. */
function recordsIn(text: string): readonly Record[] {
  const { rows } = rowsIn(text);
  const at = subjectOf(rows);
  return at === undefined ? [] : rows.map((row) => ({ row, at }));
}

/** The rows whose subject has the most words of a question. */
function aboutWhom(question: string, records: readonly FoundRecord[]): readonly FoundRecord[] {
  const asked = new Set(tokens(question).map(stem));
  const counted = records.map((record) => ({ record, named: namedBy(asked, record.row.cells[record.at] ?? '') }));
  const most = Math.max(0, ...counted.map(({ named }) => named));
  return counted.flatMap(({ record, named }) => (most > 0 && named === most ? [record] : []));
}

/** Whether a row of somebody else has their name, where no column has what is asked of them: it is not their answer. */
function isInAnother(about: readonly FoundRecord[], records: readonly FoundRecord[], question: string): boolean {
  if (WHO.test(question)) return false;
  const asked = new Set(tokens(question).map(stem));
  const names = new Set(about.flatMap(({ row, at }) => tokens(row.cells[at] ?? '').map(stem)));
  const others = records.filter((record) => !about.includes(record));
  return others.some(({ row }) =>
    row.cells.flatMap((cell) => tokens(cell).map(stem)).some((word) => names.has(word) && asked.has(word)),
  );
}

function chunksOf(records: readonly FoundRecord[]): ReadonlySet<number> {
  return new Set(records.map(({ hit }) => hit.chunkId));
}

/** Behind these stands a description, a place or a time, and nobody's name. */
const NO_NAME_BEHIND = pattern(
  'iu',
  '^(?:an?|the|my|our|your|his|her|their|this|that|in|on|at|from|near|by|next|d(?:er|ie|as|e[nms])|ein(?:e[rnms]?)?',
  '|(?:mein|dein|sein|ihr|unser)(?:e[rnms]?)?|am|im|vom|zum|zur|beim|an|auf|aus|bei|um|bis|nächste[rnms]?)$',
);
const OF = /^(?:of|for|von|für)$/iu;

/**
 * Whether a question names somebody, and no row is about them. What a row writes small is no name but a description, by
 * which it may be found: "the plumber".
 */
function namesNobody(question: string, records: readonly FoundRecord[]): boolean {
  if (records.length === 0 || WHO.test(question)) return false;
  const reader = readerFor(question);
  const subjects = new Set(records.flatMap(({ row, at }) => reader.words(row.cells[at] ?? '')));
  const columns = new Set(records.flatMap(({ row }) => row.columns.flatMap(namesOf)));
  const small = new Set(records.flatMap(({ row }) => row.cells.flatMap((cell) => cell.match(/\p{L}+/gu) ?? [])));
  return namesIn(question).some((name) => {
    const [word] = reader.words(name);
    const isKnown = word === undefined || said(word, subjects, reader) > 0 || hasPartOf(word, subjects, reader);
    return !isKnown && !columns.has(name.toLowerCase()) && !BIRTH.test(name) && !small.has(name.toLowerCase());
  });
}

/** The words of a question that are written or joined as names are: "Tom's", "of tom". */
function namesIn(question: string): readonly string[] {
  const words: readonly string[] = question.match(/\p{L}+(?:['’]s)?/gu) ?? [];
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? '';
    const isGenitive = /['’]s$/u.test(word);
    const name = word.replace(/['’]s$/u, '');
    const isName = isGenitive || OF.test(before) || (at > 0 && /^\p{Lu}/u.test(name));
    return isName && !NO_NAME_BEHIND.test(before) && !ANY_QUESTION_WORD.has(name.toLowerCase()) ? [name] : [];
  });
}

const ELDEST = /(?<!\p{L})(?:oldest|eldest|älteste[nrs]?)(?!\p{L})/iu;
const YOUNGEST = /(?<!\p{L})(?:youngest|jüngste[nrs]?)(?!\p{L})/iu;
const WHO_IS = /\b(?:who is|who['’]s|wer ist)\b/iu;
const WHO = /\b(?:who|whose|wer|wessen|person)\b/iu;

/** Whether a question asks who of a table is the oldest or the youngest. */
export function asksForAge(question: string): boolean {
  return WHO.test(question) && (ELDEST.test(question) || YOUNGEST.test(question));
}

/** The oldest or the youngest of those in a table whose rows are each about somebody with a day of birth. */
export function eldestIn(text: string, question: string, today: string): string | undefined {
  const born = recordsIn(text).flatMap(({ row: { cells, columns }, at }) => {
    const column = columns.findIndex((name) => BIRTH.test(name));
    const day = dayIn(cells[column] ?? '');
    return day === undefined
      ? []
      : [{ day, told: `${cells[at]}: ${ageOn(today, day)} (${columns[column]} ${cells[column]})` }];
  });
  const sorted = born.toSorted((a, b) => a.day.localeCompare(b.day));
  return (ELDEST.test(question) ? sorted[0] : sorted.at(-1))?.told;
}

/** "Anna's sister's birthday", "the phone of the boss of Anna": a genitive joins somebody else to the name. */
function isOfAnother(question: string, names: readonly string[], columns: readonly string[]): boolean {
  const isIn = (word: string, all: readonly string[]) => all.some((each) => stem(each) === stem(word));
  const words: readonly string[] = question.toLowerCase().match(/\p{L}+(?:['’]s)?/gu) ?? [];
  const at = words.findLastIndex((word) => isIn(word.replace(/['’]s$/u, ''), names));
  const [name = '', next] = [words[at], words[at + 1]];
  if (/\b(?:of|von) .* (?:of|von|vom) /u.test(words.slice(0, at + 1).join(' '))) return true;
  const isGenitive = name.endsWith('s') && !names.includes(name);
  return isGenitive && next !== undefined && !isIn(next, columns) && !BIRTH.test(next) && !AGE_WORD.test(next);
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
  { cells, columns }: Row,
  { at, today }: { readonly at: number; readonly today: string | undefined },
): string | undefined {
  const asked = new Set(tokens(question).map(stem));
  const birth = columns.findIndex((name) => BIRTH.test(name));
  const born = dayIn(cells[birth] ?? '');
  const wanted = columns.flatMap((name, column) =>
    column !== at &&
    (namesOf(name).some((word) => asked.has(stem(word))) ||
      (column === birth && (BIRTH.test(question) || AGE.test(question))))
      ? [column]
      : [],
  );
  const subject = cells[at] ?? '';
  const isAll = wanted.length === 0 && isWhoIs(question, subject);
  if (isAll) wanted.push(...columns.map((_, column) => column).filter((each) => each !== at));
  if (AGE.test(question) && today !== undefined && born !== undefined)
    return `${subject}: ${ageOn(today, born)} (${columns[birth]} ${cells[birth]})`;
  if (wanted.length === 0) return undefined;
  const values = wanted.map((column) => `${columns[column]} ${cells[column] === '' ? '-' : cells[column]}`);
  const isDay = !isAll && wanted.includes(birth) && today !== undefined && born !== undefined;
  return `${subject}: ${values.join('; ')}${isDay ? nextOf(born, today, question) : ''}`;
}

/** "Who is Anna?": asks for all that is known of her. */
function isWhoIs(question: string, subject: string): boolean {
  const names = new Set(tokens(subject).map(stem));
  return WHO_IS.test(question) && contentTokens(question).every((word) => names.has(stem(word)));
}

/** `; next on Saturday 5 December 2026`, with the days until then where these are asked for. */
function nextOf(born: string, today: string, question: string): string {
  const german = isGerman(question);
  const year = Number(today.slice(0, 4)) + (born.slice(5) < today.slice(5) ? 1 : 0);
  const next = new Date(`${year}-${born.slice(5)}T12:00:00Z`);
  const now = new Date(`${today}T12:00:00Z`);
  const days = Math.round((next.getTime() - now.getTime()) / 86_400_000);
  const day = sayings(german ? 'de' : 'en', { timeZone: 'UTC', now }).day(next);
  const left = german ? `, in ${days} ${days === 1 ? 'Tag' : 'Tagen'}` : `, in ${days} ${days === 1 ? 'day' : 'days'}`;
  return `${german ? '; als Nächstes am' : '; next on'} ${day}${HOW_LONG.test(question) ? left : ''}`;
}

/** In whole years. */
function ageOn(today: string, born: string): number {
  return Number(today.slice(0, 4)) - Number(born.slice(0, 4)) - (today.slice(5) < born.slice(5) ? 1 : 0);
}
