import { type Reader, readerFor } from '../analysis/reader.ts';
import { tokens } from '../analysis/words.ts';
import type { Hit } from '../types.ts';
import { expectedIn } from './expected.ts';
import { idfAmong } from './idf.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

const MAX_SENTENCES = 3;
/** The share of the question's idf weight that what is no whole sentence must cover. */
const LEAST_SHARE_UNFIT = 0.5;
/** A further sentence is quoted for what the ones before it do not cover: at least this share of the question. */
const LEAST_MORE = 0.2;
/** The same for a sentence of another passage, which may be about something else. */
const LEAST_MORE_ELSEWHERE = 0.4;
/** Of passages that the search ranks this far below the answering one, no further sentence is taken. */
const LEAST_RANKED = 0.7;
/** How much of a sentence's worth is the score of its passage, which knows more than the words of one sentence. */
const SCORE_WEIGHT = 0.6;
/** A sentence that asks is seldom the one that answers. */
const ASKING_FACTOR = 0.5;
/** Nor one that goes on from what was said before it. */
const LEANING = /^(?:danach|dann|anschließend|daraufhin|then|after that|afterwards)\b/iu;
const LEANING_FACTOR = 0.6;
/** Nor is one without a number the answer to "how many". */
const UNFIT_FACTOR = 0.5;
/** Where nothing found has a word, it is likely what the question is about: nothing found speaks of a "tyre". */
const UNMET_FACTOR = 1.5;
/** A word of nearly the same meaning says less surely what was asked for. */
const RELATED_FACTOR = 0.6;
/** Papers say "das Rad" of a "Lastenrad" once they have named it. */
const HEAD_FACTOR = 0.7;
const MAX_SENTENCE_CHARS = 400;

/** What is asked: in the person's words, and with the words of an earlier question that they refer to. */
export interface Asked {
  readonly question: string;
  readonly resolved: string;
}

interface Candidate {
  readonly text: string;
  readonly shown: string;
  readonly hit: Hit;
  readonly covered: ReadonlyMap<string, number>;
  readonly share: number;
  /** Its share, the more the better its passage is ranked. */
  readonly worth: number;
  readonly order: number;
  /** It is a whole sentence of the form that the question asks for, as far as that can be told. */
  readonly fits: boolean;
}

/**
 * Answer a question with the sentences of the hits that cover most of it, each with its citation. A further sentence
 * must say what the ones before it do not.
 *
 * @returns the share of the question that they cover; where the best covers too little of it, no sentence.
 */
export function extractAnswer(
  asked: Asked,
  hits: readonly Hit[],
  leastShare = readerFor(asked.resolved).leastShare,
): { answer: string; confidence: number } {
  const candidates = rank(asked, hits);
  const top = candidates[0];
  const least = top?.fits === false ? Math.max(leastShare, LEAST_SHARE_UNFIT) : leastShare;
  const isNone = top?.fits === false && expectedIn(asked.question)?.strict === true;
  if (!top || isNone || top.share < least) return { answer: '', confidence: top?.share ?? 0 };
  // Beside a number that was asked for, a sentence without one says nothing more.
  const near = candidates.filter(({ hit, fits }) => hit.score >= LEAST_RANKED * top.hit.score && (fits || !top.fits));
  const chosen = [top];
  const covered = new Map(top.covered);
  const gain = ({ covered: own, hit }: Candidate) => {
    const more = sumOf([...own].map(([word, share]) => Math.max(0, share - (covered.get(word) ?? 0))));
    return more >= (hit === top.hit ? LEAST_MORE : LEAST_MORE_ELSEWHERE) ? more : 0;
  };
  while (chosen.length < MAX_SENTENCES) {
    const next = near.reduce((a, b) => (gain(b) > gain(a) ? b : a), top);
    if (gain(next) === 0) break;
    chosen.push(next);
    for (const [word, share] of next.covered) covered.set(word, Math.max(share, covered.get(word) ?? 0));
  }
  const confidence = Math.min(1, sumOf(covered.values()));
  return { answer: chosen.map(({ shown, hit }) => `${shortened(shown)} ${hit.citation}`).join('\n'), confidence };
}

/** Every sentence that does not only quote the question, best first. */
function rank(asked: Asked, hits: readonly Hit[]): Candidate[] {
  const { question, resolved } = asked;
  const reader = readerFor(resolved);
  const weights = weightsOf(resolved, hits, reader);
  const total = sumOf(weights.values());
  if (total === 0) return [];
  const quotes = quoting(question);
  const expected = expectedIn(question);
  const isMeant = meaning(asked, reader);
  const asking = new Set(reader.words(expected?.asking ?? ''));
  const seen = new Set<string>();
  return hits
    .flatMap((hit, order) =>
      sentencesOf(hit.text).map((sentence, at, all) => {
        const { text, shown, isFragment } = sentence;
        const fits = !isFragment && (expected?.fits(shown) ?? true);
        const before = all[at - 1];
        // "The fitters come at 8" speaks of what the sentence before it said.
        const goesOn = expected?.fits(shown) === true && before && !expected.fits(before.shown);
        const header = goesOn ? `${sentence.header} ${before.text}` : sentence.header;
        const covered = coverage({ ...sentence, header }, hit, { weights, total, reader });
        for (const word of covered.size > 0 && fits ? asking : []) covered.set(word, (weights.get(word) ?? 0) / total);
        const share = sumOf(covered.values());
        const ranked = 1 - SCORE_WEIGHT + SCORE_WEIGHT * hit.score;
        const worth =
          share *
          ranked *
          (text.endsWith('?') ? ASKING_FACTOR : 1) *
          (LEANING.test(text) ? LEANING_FACTOR : 1) *
          (fits ? 1 : UNFIT_FACTOR);
        const isAnswer = (expected?.fits(shown) ?? true) && isMeant(sentence, before, hit);
        return { text, shown, hit, order, covered, share, worth, fits, isAnswer };
      }),
    )
    .filter(({ text, isAnswer }) => isAnswer && !quotes(text) && !seen.has(text) && seen.add(text))
    .sort((a, b) => b.worth - a.worth || a.order - b.order);
}

/** Whether a sentence speaks of what is asked about: itself, in what stands above it, or in the sentence before. */
function meaning({ question, resolved }: Asked, reader: Reader) {
  const subjects = reader.subjects(resolved);
  const asked = reader.askedFor(question);
  const isIn = (word: string, own: ReadonlySet<string>) => said(word, own, reader) > 0 || hasPartOf(word, own, reader);
  return ({ text, header }: Sentence, before: Sentence | undefined, hit: Hit): boolean => {
    if (subjects.length === 0 && asked === undefined) return true;
    const own = new Set(reader.words(`${hit.heading.join('. ')}. ${header}. ${text}`));
    if (asked !== undefined && !isIn(asked, own)) return false;
    const around = new Set([...own, ...reader.words(`${nameOf(hit)}. ${before?.text ?? ''}`)]);
    return subjects.length === 0 || subjects.some((word) => isIn(word, around));
  };
}

/** The words of its file's name. */
function nameOf({ file }: Hit): string {
  return file.replace(/[_.]/gu, ' ');
}

/** Whether a shorter word stands there that this one ends with. */
function hasHeadOf(word: string, own: ReadonlySet<string>): boolean {
  return [...own].some((other) => other.length >= LEAST_HEAD && other !== word && word.endsWith(other));
}

/** The weight of each word that is asked for. What a follow-up says itself stands twice, and counts twice. */
function weightsOf(resolved: string, hits: readonly Hit[], reader: Reader): Map<string, number> {
  // What is left of "plumber's" behind its apostrophe is no word.
  const asked = reader.words(resolved.replace(/(?<=\p{L})['’]s\b/gu, ''));
  const texts = hits.map((hit) => new Set(reader.words(`${hit.heading.join(' ')} ${hit.text}`)));
  const idf = idfAmong(new Set(asked), texts);
  const isMet = (word: string) => texts.some((own) => said(word, own, reader) > 0 || hasPartOf(word, own, reader));
  return new Map(
    [...idf].map(([word, weight]) => {
      const times = Math.min(2, asked.filter((other) => other === word).length);
      return [word, weight * times * (isMet(word) ? 1 : UNMET_FACTOR)];
    }),
  );
}

/** The share of the question that each word of a sentence covers. Words above it say what it is about: half. */
function coverage(
  { text, header }: Sentence,
  hit: Hit,
  { weights, total, reader }: { weights: ReadonlyMap<string, number>; total: number; reader: Reader },
): Map<string, number> {
  const own = new Set(reader.words(text));
  const above = new Set(reader.words(`${hit.heading.join('. ')}. ${header}`));
  const name = new Set(reader.compounds ? reader.words(nameOf(hit)) : []);
  const isHere = (word: string) => reader.compounds && above.has(word) && hasHeadOf(word, own);
  const covered = new Map<string, number>();
  if (own.size === 0) return covered;
  for (const [word, weight] of weights) {
    const share =
      weight *
      Math.max(
        said(word, own, reader),
        said(word, above, reader) * (reader.compounds ? HEAD_FACTOR : 1 / 2),
        name.has(word) || hasPartOf(word, name, reader) ? 1 / 2 : 0,
        hasPartOf(word, own, reader) ? 1 / 2 : 0,
        isHere(word) ? HEAD_FACTOR : 0,
        reader.compounds && hasPartOf(word, above, reader) ? 1 / 4 : 0,
      );
    if (share > 0) covered.set(word, share / total);
  }
  return covered;
}

/** How much of a word stands there: all of it, or one of nearly the same meaning. */
function said(word: string, own: ReadonlySet<string>, reader: Reader): number {
  if (own.has(word)) return 1;
  return [...reader.relatedTo(word)].some((other) => own.has(other)) ? RELATED_FACTOR : 0;
}

/** From here on what two words share at either end is hardly chance. */
const LEAST_COMPOUND = 5;
/** Of a compound's last part, which says what kind of thing it is, fewer letters are enough. */
const LEAST_HEAD = 3;

/** Whether one of the words is a part of this one, or this of it, as "Kündigung" is of "Kündigungsfrist". */
function hasPartOf(word: string, own: ReadonlySet<string>, { compounds }: Reader): boolean {
  if (word.length < LEAST_COMPOUND) return false;
  for (const other of own) {
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    if (short.length >= LEAST_COMPOUND && (long.startsWith(short) || long.endsWith(short))) return true;
    if (compounds && (overlap(word, other) || overlap(other, word))) return true;
  }
  return false;
}

/** The end of one is the beginning of the other: "Urlaubstage" and "Erholungsurlaub". */
function overlap(first: string, second: string): boolean {
  for (let length = LEAST_COMPOUND; length < Math.min(first.length, second.length); length++)
    if (first.endsWith(second.slice(0, length))) return true;
  return false;
}

/** A text that holds the question word for word, as a manual's example does, is no answer to it. */
function quoting(question: string): (text: string) => boolean {
  const asked = tokens(question);
  const phrase = ` ${asked.join(' ')} `;
  return (text) => asked.length >= 4 && ` ${tokens(text).join(' ')} `.includes(phrase);
}

function sumOf(parts: Iterable<number>): number {
  return [...parts].reduce((sum, part) => sum + part, 0);
}

function shortened(text: string): string {
  return text.length > MAX_SENTENCE_CHARS ? `${text.slice(0, MAX_SENTENCE_CHARS).trimEnd()}…` : text;
}
