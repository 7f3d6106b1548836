import { pattern } from '../base/pattern.ts';
import { stem, tokens } from '../rag/analysis/words.ts';
import type { PicturePassage } from '../rag/types.ts';
import { FORM_WORDS } from '../words/forms.ts';
import { fold } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { dayIn, dueDateIn } from './table/forms.ts';
import type { TableDocuments } from './table/tables.ts';

/** What a letter says of itself, by its form. */
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
const REQUEST = whole(any(({ request }) => request));
const PAY = whole(any(({ pay }) => pay));
/** Words of a question about a letter that need not occur in it. */
const BESIDE = whole(any(({ called, beside }) => `${called}|${beside}`));

/** The point behind the day in "3. November" ends no sentence, that behind a year does. */
const SENTENCE_END = /(?<=\D[.!?]|\d{4}\.)\s+/u;
/** Where a half of a picture ends a sentence may go on; a line of print begins with a capital. */
const PARAGRAPH_END = /\n{2,}|\n(?=[\p{Lu}\d])/u;
/** A line of the head that has the day has little else: a place, a weekday. */
const MOST_BESIDE_DATE = 7;
/** A question that fits more letters means none of them. */
const MOST_LETTERS = 3;

/**
 * Who wrote a letter, when, and by which day it wants something, for letters among a project's pictures: the first line
 * of its head, the line of the head with a date, and a sentence that asks for something by a date.
 *
 * @returns undefined where a question asks for none of these, or of no such letter.
 */
export async function letterFrom(
  documents: Pick<TableDocuments, 'picturePassages'>,
  project: string,
  question: string,
): Promise<{ readonly answer: string; readonly chunkId: number } | undefined> {
  const [field] = ASKS.find(([, asks, ofAny]) => asks.test(question) && (ofAny || CALLED.test(question))) ?? [];
  if (field === undefined) return undefined;
  const about = (question.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).filter((word) => !isSmall(word));
  if (about.length === 0 && !CALLED.test(question)) return undefined;
  const letters = [...Map.groupBy(await documents.picturePassages(project), ({ file }) => file).values()];
  const meant = letters.filter((own) => isAbout(own, about));
  const told = meant.flatMap((own) => toldIn(own, field) ?? []);
  const [first] = told;
  if (first === undefined || meant.length > MOST_LETTERS) return undefined;
  return { answer: told.map(({ text, citation }) => `${text} ${citation}`).join('\n'), chunkId: first.chunkId };
}

function isSmall(word: string): boolean {
  return STOP_WORDS.en.has(word) || STOP_WORDS.de.has(word) || BESIDE.test(word);
}

/** Whether a letter has every word that a question has of it. */
function isAbout(own: readonly PicturePassage[], about: readonly string[]): boolean {
  const has = new Set(own.flatMap(({ text }) => tokens(text).map(stem)));
  return about.flatMap(tokens).every((word) => has.has(stem(word)));
}

/** One field of a letter, as it is written there, and where. */
function toldIn(own: readonly PicturePassage[], field: Field) {
  const paragraphs = own
    .map(({ text }) => text)
    .join('\n')
    .split(PARAGRAPH_END)
    .map((each) => each.replaceAll(/[\s|]+/gu, ' ').trim());
  const found = FIELDS[field](paragraphs);
  if (found === undefined) return undefined;
  const has = ({ text }: PicturePassage) => fold(text.replaceAll(/[\s|]+/gu, ' ')).includes(fold(found.mark));
  const { citation, chunkId } = own.find(has) ?? own[0] ?? {};
  return citation === undefined || chunkId === undefined ? undefined : { text: found.text, citation, chunkId };
}

/** What is told, and the part of it by which its passage is known. */
interface Told {
  readonly text: string;
  readonly mark: string;
}

const FIELDS: Readonly<Record<Field, (paragraphs: readonly string[]) => Told | undefined>> = {
  deadline: (paragraphs) => {
    const sentences = paragraphs.flatMap((each) => each.split(SENTENCE_END));
    return sentences
      .filter((each) => REQUEST.test(each) || PAY.test(each))
      .flatMap((text) => {
        const mark = dueDateIn(text);
        return mark === undefined ? [] : [{ text, mark }];
      })[0];
  },
  sender: ([first]) =>
    first !== undefined && /\p{L}{2}/u.test(first) && dayIn(first) === undefined
      ? { text: first, mark: first }
      : undefined,
  date: (paragraphs) => {
    const line = paragraphs.find((each) => dayIn(each) !== undefined && each.split(' ').length <= MOST_BESIDE_DATE);
    return line === undefined ? undefined : { text: line, mark: line };
  },
};
