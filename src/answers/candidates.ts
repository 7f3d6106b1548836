import { pattern } from '../base/pattern.ts';
import { tokens } from '../rag/analysis/words.ts';
import type { Hit } from '../rag/types.ts';
import { coverage, nameOf, type ResolvedQuestion, sumOf, type Weighed, weightsOf } from './coverage.ts';
import { type Expected, expectedIn } from './expected.ts';
import { type Reader, readerFor } from './reader.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { hasFormOf, hasPartOf, said } from './word-match.ts';

/** How much its passage's score counts for a sentence: the search took more into account than one sentence. */
const SCORE_WEIGHT = 0.6;
/** A question is seldom an answer, */
const ASKING_FACTOR = 0.5;
/** nor is a sentence that carries on from the one before it, */
const LEANING = /^(?:danach|dann|anschließend|daraufhin|then|after that|afterwards)\b/iu;
const LEANING_FACTOR = 0.6;
/** nor one that lacks the form asked for: without a number, it does not answer "how many". */
const UNFIT_FACTOR = 0.5;
/** It may also lack the words that answers of its kind usually have. */
const UNTOLD_FACTOR = 0.8;
const NEGATED = /\b(?:not|never|cannot|leave out|avoid|without|no|nicht|ohne|nie|niemals)\b|n['’]t\b|\bkein/iu;
const UNNEGATED_FACTOR = 0.5;
/** A question about what I have to do is seldom answered by a duty of the other party to a contract. */
const OWN_DOING = /\b(?:do|can|may|must|should|have) (?:i|we)\b|\b(?:muss|kann|darf|soll) ich\b/iu;
const OF_OTHERS = pattern(
  'iu',
  String.raw`^[\d.() ]{0,8}(?:the|der|die) (?:landlord|landlady|lessor|insurer|employer|company|provider|seller|bank`,
  String.raw`|vermieter|vermieterin|versicherer|arbeitgeber|anbieter|verkäufer)(?!\p{L})`,
);
/** A heading that covers this much of the question, and says nothing else, has the answer below it. */
const HEADED_FACTOR = 1.5;
const LEAST_HEADED = 0.4;

/** A sentence of a hit, and how well it answers. */
export interface Candidate {
  readonly text: string;
  readonly shown: string;
  readonly hit: Hit;
  readonly covered: ReadonlyMap<string, number>;
  readonly share: number;
  /** Its coverage, weighted by the rank of its passage and by how likely such a sentence is to be an answer. */
  readonly worth: number;
  readonly order: number;
  /** It contains a word of the question itself, not only related words. */
  readonly isLiteral: boolean;
  readonly isAnswer: boolean;
  /** It seems to be a whole sentence, of the form that the question asks for. */
  readonly fits: boolean;
}

/** Every sentence that may answer the question, best first. */
export function rank(asked: ResolvedQuestion, hits: readonly Hit[]): Candidate[] {
  const reader = readerFor(asked.resolved);
  const weights = weightsOf(asked.resolved, hits, reader);
  const total = sumOf(weights.values());
  if (total === 0) return [];
  const quotes = quoting(asked.question);
  const candidateOf = judging(asked, { weights, total, reader });
  const seen = new Set<string>();
  return hits
    .flatMap((hit, order) =>
      sentencesOf(hit.text).map((sentence, at, all) => ({
        ...candidateOf(sentence, all[at - 1], hit),
        order,
      })),
    )
    .filter(({ text, isAnswer }) => isAnswer && !quotes(text) && !seen.has(text) && seen.add(text))
    .sort((a, b) => b.worth - a.worth || a.order - b.order);
}

/** "Yes, up to three times" can only answer the question right above it. */
const YES_OR_NO = /^(?:yes|no|ja|nein)\b/iu;

/** Scores how well a sentence answers, given the one before it. */
function judging(asked: ResolvedQuestion, weighed: Weighed) {
  const { weights, total, reader } = weighed;
  const { question } = asked;
  const expected = expectedIn(question);
  const things = new Set(reader.subjects(question));
  // "Schalte ... ein" is found among them as "einschalten".
  const asking = new Set(reader.words(expected?.asking ?? '').filter((word) => !things.has(word)));
  const isAll = [...weights.keys()].every((word) => asking.has(word));
  const isSubject = (word: string) => !asking.has(word) && !reader.isLight(word) && !/^\d{1,2}$/u.test(word);
  const isMeant = meaning(asked, reader);
  const factorOf = factors(question, expected, naming(weighed));
  return (sentence: Sentence, before: Sentence | undefined, hit: Hit): Omit<Candidate, 'order'> => {
    const { text, shown, isFragment } = sentence;
    const isOfKind = expected?.fits(shown) ?? true;
    // "The fitters come at 8" is about what the sentence before it said.
    const goesOn = expected !== undefined && isOfKind && before && !expected.fits(before.shown);
    const header = goesOn ? `${sentence.header} ${before.text}` : sentence.header;
    const all = coverage({ ...sentence, header }, hit, weighed);
    // A sentence that shares only the question words is about something else.
    const covered = isAll || [...all.keys()].some(isSubject) ? all : new Map<string, number>();
    const subjects = [...covered.keys()].filter(isSubject);
    const tells = expected === undefined || isTold(sentence, hit, expected);
    if (covered.size > 0 && tells && !isFragment && isNear(subjects, sentence, { hit, reader, expected }))
      for (const word of asking) if (weights.has(word)) covered.set(word, (weights.get(word) ?? 0) / total);
    const share = sumOf(covered.values());
    const fits = !isFragment && isOfKind;
    const around = [...hit.heading, nameOf(hit), header, before?.text ?? '', text].join('. ');
    const said = new Set(reader.words(around));
    return {
      ...{ text, shown, hit, covered, share, fits },
      worth: share * factorOf(sentence, hit, fits),
      isAnswer: isOfKind && isMeant(sentence, before, hit) && isOfIts(subjects, text, { hit, reader }),
      isLiteral: subjects.some((word) => said.has(word) || hasPartOf(word, said, reader)),
    };
  };
}

function isTold({ shown, header }: Sentence, { heading }: Hit, { fits, tells, strict }: Expected): boolean {
  if (!tells) return fits(shown);
  return tells(strict ? `${shown} ${header} ${heading.at(-1) ?? ''}` : shown);
}

/**
 * The words that mark an answer of its kind occur everywhere, so the subject has to be named in the sentence itself or
 * in the heading right above it; the document's title or file name is not enough.
 */
function isNear(
  subjects: readonly string[],
  { text }: Sentence,
  { hit, reader, expected }: { hit: Hit; reader: Reader; expected: Expected | undefined },
): boolean {
  if (expected?.tells === undefined || expected.strict === true) return true;
  const near = new Set(reader.words(`${expected.isBelow ? '' : text} ${hit.heading.slice(1).at(-1) ?? ''}`));
  return subjects.some((word) => said(word, near, reader) > 0 || hasPartOf(word, near, reader));
}

function isOfIts(subjects: readonly string[], text: string, { hit, reader }: { hit: Hit; reader: Reader }): boolean {
  const above = hit.heading.at(-1) ?? '';
  if (!YES_OR_NO.test(text) || !above.endsWith('?')) return true;
  const asked = new Set(reader.words(above));
  return subjects.some((word) => said(word, asked, reader) > 0 || hasPartOf(word, asked, reader));
}

/** How likely a sentence is to be an answer, judged by its form and the heading above it rather than by its words. */
function factors(question: string, expected: Expected | undefined, isHeaded: (hit: Hit) => boolean) {
  const negated = NEGATED.test(question);
  const isOwn = OWN_DOING.test(question);
  return (sentence: Sentence, hit: Hit, fits: boolean): number => {
    const { text, shown } = sentence;
    const applying: readonly (readonly [boolean, number])[] = [
      [text.endsWith('?'), ASKING_FACTOR],
      [LEANING.test(text), LEANING_FACTOR],
      [!fits, UNFIT_FACTOR],
      [expected?.tells !== undefined && !isTold(sentence, hit, expected), UNTOLD_FACTOR],
      [isHeaded(hit), HEADED_FACTOR],
      [negated && !NEGATED.test(shown), UNNEGATED_FACTOR],
      [isOwn && OF_OTHERS.test(shown), UNTOLD_FACTOR],
    ];
    const ranked = 1 - SCORE_WEIGHT + SCORE_WEIGHT * hit.score;
    return applying.reduce((product, [applies, factor]) => (applies ? product * factor : product), ranked);
  };
}

/** The words of the heading above a hit, if all of them are in the question: "Subletting". */
function headed(asked: ReadonlySet<string>, reader: Reader): (hit: Hit) => readonly string[] {
  const telling = new Set([...asked].filter((word) => !reader.isLight(word)));
  return ({ heading }) => {
    const own = reader.words(heading.slice(1).at(-1) ?? '').filter((word) => /\p{L}/u.test(word));
    return own.every((word) => telling.has(word) || hasFormOf(word, telling)) ? own : [];
  };
}

/** Whether the heading above a hit covers a good part of the question. */
function naming({ weights, total, reader }: Weighed): (hit: Hit) => boolean {
  const headingOf = headed(new Set(weights.keys()), reader);
  return (hit) => {
    const own = new Set(headingOf(hit));
    const named = [...weights].filter(([word]) => own.has(word) || hasFormOf(word, own));
    return own.size > 0 && sumOf(named.map(([, weight]) => weight)) >= LEAST_HEADED * total;
  };
}

/** Whether the subject of the question is named in a sentence, above it, or in the sentence before it. */
function meaning({ question, resolved }: ResolvedQuestion, reader: Reader) {
  const subjects = reader.subjects(resolved);
  const asked = reader.askedFor(question);
  const isIn = (word: string, own: ReadonlySet<string>) => said(word, own, reader) > 0 || hasPartOf(word, own, reader);
  const isBelow = headed(new Set(reader.words(resolved)), reader);
  return ({ text, header }: Sentence, before: Sentence | undefined, hit: Hit): boolean => {
    if (subjects.length === 0 && asked === undefined) return true;
    const own = new Set(reader.words(`${hit.heading.join('. ')}. ${header}. ${text}`));
    if (asked !== undefined && !isIn(asked, own)) return false;
    const around = new Set([...own, ...reader.words(`${nameOf(hit)}. ${before?.text ?? ''}`)]);
    return subjects.length === 0 || isBelow(hit).length > 0 || subjects.some((word) => isIn(word, around));
  };
}

/** Text that only quotes the question, such as an example in a manual, does not answer it. */
function quoting(question: string): (text: string) => boolean {
  const asked = tokens(question);
  const phrase = ` ${asked.join(' ')} `;
  return (text) => asked.length >= 4 && ` ${tokens(text).join(' ')} `.includes(phrase);
}
