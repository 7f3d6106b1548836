import { pattern } from '../../base/pattern.ts';
import { stem, tokens } from '../../rag/analysis/words.ts';
import type { Paper } from '../../rag/types.ts';
import { FORM_WORDS } from '../../words/forms.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import type { TableDocuments } from '../table/tables.ts';
import { fieldsOf, passageWith } from './paper.ts';
import { dueDateIn } from './values.ts';

/** What a question may ask of a letter. */
type Field = 'deadline' | 'sender' | 'date';

const WORDS = Object.values(FORM_WORDS);
const whole = (source: string) => pattern('iu', String.raw`(?<!\p{L})(?:${source})(?!\p{L})`);
const any = (of: (words: (typeof WORDS)[number]) => string) => WORDS.map(of).join('|');

/** Who wrote and when is asked in such words of more than letters: one has to be named as such. */
const ASKS: readonly (readonly [field: Field, asks: RegExp, ofAny: boolean])[] = [
  ['deadline', whole(any(({ asks }) => asks.deadline)), true],
  ['sender', whole(any(({ asks }) => asks.sender)), false],
  ['date', whole(any(({ asks }) => asks.date)), false],
];
const CALLED = whole(any(({ called }) => called));
/** Words of a question about a letter that need not occur in it. */
const BESIDE = whole(any(({ called, beside }) => `${called}|${beside}`));
/** A question that fits more letters means none of them. */
const MOST_LETTERS = 3;

/** An answer in letters' own words, and the passages that it is from. */
interface Told {
  readonly answer: string;
  readonly chunkIds: readonly number[];
}

/**
 * Who wrote a letter, when, and by which day it wants something, for letters among a project's documents.
 *
 * @returns undefined where a question asks for none of these, or of no such letter.
 */
export async function letterFrom(
  documents: Pick<TableDocuments, 'papers'>,
  project: string,
  question: string,
): Promise<Told | undefined> {
  const asked = askedIn(question);
  if (asked === undefined || (asked.about.length === 0 && !CALLED.test(question))) return undefined;
  const { all } = await documents.papers(project);
  return toldOf(all, asked);
}

/** The same for letters that came with the question: "what is the deadline?" means them. */
export function letterIn(papers: readonly Paper[], question: string): Told | undefined {
  const asked = askedIn(question, true);
  return asked && toldOf(papers, asked);
}

interface Asked {
  readonly field: Field;
  /** The words that a letter must have to be meant. */
  readonly about: readonly string[];
}

function askedIn(question: string, isOfLetters = CALLED.test(question)): Asked | undefined {
  const [field] = ASKS.find(([, asks, ofAny]) => asks.test(question) && (ofAny || isOfLetters)) ?? [];
  const words = question.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return field && { field, about: words.filter((word) => !isSmall(word)) };
}

function toldOf(papers: readonly Paper[], { field, about }: Asked): Told | undefined {
  const meant = papers.filter((paper) => isAbout(paper, about));
  const told = meant.flatMap((paper) => toldIn(paper, field) ?? []);
  if (told.length === 0 || meant.length > MOST_LETTERS) return undefined;
  return {
    answer: told.map(({ text, citation }) => `${text} ${citation}`).join('\n'),
    chunkIds: told.map(({ chunkId }) => chunkId),
  };
}

function isSmall(word: string): boolean {
  return STOP_WORDS.en.has(word) || STOP_WORDS.de.has(word) || BESIDE.test(word);
}

/** Whether a letter has every word that a question has of it. */
function isAbout(paper: Paper, about: readonly string[]): boolean {
  const has = new Set(paper.flatMap(({ text }) => tokens(text).map(stem)));
  return about.flatMap(tokens).every((word) => has.has(stem(word)));
}

/** One field of a letter, as it is written there, and where. */
function toldIn(paper: Paper, field: Field) {
  const text = fieldsOf(paper)[field];
  if (text === undefined) return undefined;
  // A sentence may begin in one passage and end in the next: its day is what was asked for.
  const place = passageWith(paper, field === 'deadline' ? (dueDateIn(text) ?? text) : text);
  return place && { text, citation: place.citation, chunkId: place.chunkId };
}
