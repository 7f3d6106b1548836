import { pattern } from '../../base/pattern.ts';
import { quotedFields } from '../../rag/documents/paper-fields.ts';
import type { Paper } from '../../rag/types.ts';
import { FORM_WORDS } from '../../words/forms.ts';
import { fold } from '../../words/spelling.ts';
import { AMOUNT, amountsIn, dayIn, dueDateIn } from './values.ts';

/**
 * What a letter, a bill or a receipt says of itself, each field as it is written there. `values.ts` says what days and
 * amounts those words mean.
 */
export interface PaperFields {
  /** `bill`: it asks for the total. */
  readonly kind: 'bill' | 'receipt' | 'letter';
  readonly sender?: string | undefined;
  /** The line with the day on which it was written. */
  readonly date?: string | undefined;
  /** The sentence that asks for something by a day. */
  readonly deadline?: string | undefined;
  /** The amount that has to be paid, or was. */
  readonly total?: string | undefined;
}

const WORDS = Object.values(FORM_WORDS);
const whole = (key: 'total' | 'notTotal' | 'pay' | 'request' | 'called', flags = 'iu') =>
  pattern(flags, String.raw`(?<!\p{L})(?:${WORDS.map((words) => words[key]).join('|')})(?!\p{L})`);
const TOTAL = whole('total');
const NOT_TOTAL = whole('notTotal');
const PAY = whole('pay');
const REQUEST = whole('request');
const CALLED = whole('called', 'giu');
/** So many lines may stand above the sender. */
const LINES_OF_HEAD = 3;
/** In front of the sender of a mail. */
const FROM = pattern('iu', String.raw`^(?:${WORDS.map(({ from }) => from).join('|')}):\s*`);

/** The point behind the day in "3. November" ends no sentence, that behind a year does. */
const SENTENCE_END = /(?<=\D[.!?]|\d{4}\.)\s+/u;
/** A line of the head that has the day has little else: a place, a weekday. */
const MOST_BESIDE_DATE = 7;
const AMOUNT_AT_END = pattern('u', AMOUNT, String.raw`[\s\p{Sc}\p{Lu}]{0,5}$`);
const AMOUNT_ALONE = pattern('u', String.raw`^[\s\p{Sc}\p{Lu}]{0,5}`, AMOUNT, String.raw`[\s\p{Sc}\p{Lu}]{0,5}$`);

/** The text of a paper, page by page, with the headings in it. */
export function textOf(paper: Paper): string {
  let above: readonly string[] = [];
  const parts = paper.map(({ heading, text }) => {
    const fresh = heading.filter((each, depth) => each !== above[depth] && each !== text);
    above = heading;
    return [...fresh.map((each) => `${each}\n`), text].join('\n');
  });
  return parts.join('\n');
}

/** The fields of a paper by its form: where a line stands and what words it has. */
export function fieldsByForm(text: string): PaperFields {
  const lines = linesOf(text);
  const paragraphs = paragraphsOf(text);
  const sentences = paragraphs.flatMap((each) => each.split(SENTENCE_END));
  const asked = sentences.flatMap(askedIn)[0];
  const total = asked ?? totalIn(lines);
  const deadline = sentences.find((each) => (REQUEST.test(each) || PAY.test(each)) && dueDateIn(each) !== undefined);
  const asks = sentences.some((each) => PAY.test(each));
  return {
    kind: total === undefined || (!asks && isList(lines)) ? 'letter' : asks ? 'bill' : 'receipt',
    ...{ sender: senderIn(lines), deadline, total },
    date: paragraphs.find((each) => dayIn(each) !== undefined && each.split(' ').length <= MOST_BESIDE_DATE),
  };
}

/**
 * The fields of a paper, those that a model quoted first. A quote counts where it says what it is for: a date, an
 * amount.
 */
export function fieldsOf(paper: Paper): PaperFields {
  const form = fieldsByForm(textOf(paper));
  const told = quotedFields(paper[0]?.metadata) ?? {};
  const { kind = form.kind, sender = form.sender, total = '', date = '', deadline = '' } = told;
  return {
    kind: kind === 'other' ? 'letter' : kind,
    sender,
    total: amountsIn(total)[0] ?? form.total,
    date: dayIn(date) === undefined ? form.date : date,
    deadline: (dueDateIn(deadline) ?? dayIn(deadline)) === undefined ? form.deadline : onOneLine(deadline),
  };
}

/** The passage of a paper that has some of its words; the first one where none has all of them. */
export function passageWith(paper: Paper, words: string): Paper[number] | undefined {
  const has = ({ heading, text }: Paper[number]) => fold(onOneLine([...heading, text].join(' '))).includes(fold(words));
  return paper.find(has) ?? paper[0];
}

/** What stands in cells and lines, with single spaces. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\s|]+/gu, ' ').trim();
}

/** The line that says so, or else the first one that says more than what it is: "Invoice No. 4711" does not. */
function senderIn(lines: readonly string[]): string | undefined {
  const head = lines.slice(0, LINES_OF_HEAD);
  const named = head.find((line) => FROM.test(line))?.replace(FROM, '');
  const sender = named ?? head.find((line) => /\p{L}{4}/u.test(line.replaceAll(CALLED, ' ')));
  return sender !== undefined && dayIn(sender) === undefined ? sender : undefined;
}

/** The amount that a sentence asks for: behind the words that ask, or else in front of them. */
function askedIn(sentence: string): readonly string[] {
  const at = PAY.exec(sentence)?.index;
  if (at === undefined) return [];
  const found = amountsIn(sentence.slice(at))[0] ?? amountsIn(sentence.slice(0, at)).at(-1);
  return found === undefined ? [] : [found];
}

/** The last line of a total: above it are those of parts. */
function totalIn(lines: readonly string[]): string | undefined {
  const line = lines.findLast((each) => TOTAL.test(each) && !NOT_TOTAL.test(each) && amountsIn(each).length > 0);
  return line === undefined ? undefined : amountsIn(line).at(-1);
}

/** Amounts with days of their own are a list of payments. */
function isList(lines: readonly string[]): boolean {
  const days = lines.filter((line) => amountsIn(line).length > 0).map(dayIn);
  return new Set(days.filter((day) => day !== undefined)).size > 1;
}

/** An amount that stands alone belongs to the words before it: they are cells of one row. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split('\n').map(onOneLine)) {
    if (line === '') continue;
    const last = lines.at(-1);
    if (last !== undefined && AMOUNT_ALONE.test(line) && amountsIn(last).length === 0)
      lines[lines.length - 1] = `${last} ${line}`;
    else lines.push(line);
  }
  return lines;
}

/** Lines as they were before they were broken: one that had room for the next word was not. */
function paragraphsOf(text: string): readonly string[] {
  const rows = text.split('\n').map(onOneLine);
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const paragraphs: string[] = [];
  let before = '';
  for (const row of rows) {
    const [word = ''] = row.split(' ');
    const hadRoom = before.length + 1 + word.length <= width || AMOUNT_AT_END.test(before);
    // Behind "Guten Tag," German goes on in small letters.
    const begins = before === '' || row === '' || (hadRoom && (/^[\p{Lu}\d]/u.test(row) || before.endsWith(',')));
    if (begins) paragraphs.push(row);
    else paragraphs[paragraphs.length - 1] += ` ${row}`;
    before = row;
  }
  return paragraphs.filter((paragraph) => paragraph !== '');
}
