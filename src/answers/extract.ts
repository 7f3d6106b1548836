import { pattern } from '../base/pattern.ts';
import { contentTokens } from '../rag/analysis/words.ts';
import type { Hit } from '../rag/types.ts';
import { QUESTION_WORDS } from '../words/question-words.ts';
import { oneOf } from '../words/spelling.ts';
import { isGerman } from '../words/telling-words.ts';
import { type Candidate, rank } from './candidates.ts';
import { lacksThing, type ResolvedQuestion, sumOf } from './coverage.ts';
import { expectedIn } from './expected.ts';
import { readerFor } from './reader.ts';
import { type ItemRules, wholeList } from './whole-list.ts';
import { hasPartOf, said } from './word-match.ts';

const MAX_SENTENCES = 3;
/** A fragment, or a sentence without any of the question's own words, must cover at least this share of it. */
const LEAST_SHARE_DOUBTFUL = 0.5;
/** The same where the question names several things and no hit mentions one of them. */
const LEAST_SHARE_LACKING = 0.7;
/** A further sentence is quoted if it covers at least this much of the question that the others do not. */
const LEAST_MORE = 0.2;
/** The same for a sentence from another passage, which may be about something else. */
const LEAST_MORE_ELSEWHERE = 0.4;
/** No further sentence is taken from a passage whose score is below this share of the first one's. */
const LEAST_RANKED = 0.7;
const MAX_SENTENCE_CHARS = 400;
const MAX_LIST_CHARS = 1000;

/**
 * Answer a question with the sentences of the hits that cover most of it, each with its citation. A question that asks
 * for two things gets an answer to each.
 *
 * @returns the sentences and the share that they cover; no sentences if even the best covers too little.
 */
export function extractAnswer(asked: ResolvedQuestion, hits: readonly Hit[], leastShare?: number): Extracted {
  const parts = partsOf(asked);
  const least = leastShare ?? readerFor(asked.resolved).leastShare;
  const found = parts.map((part, at) =>
    at === 0 ? extractFirst(part, hits, least) : extractPart(part, hits.filter(speaksOf(part)), least),
  );
  const lines = found.flatMap(({ answer }) => (answer === '' ? [] : answer.split('\n')));
  return { answer: [...new Set(lines)].join('\n'), confidence: Math.min(...found.map(({ confidence }) => confidence)) };
}

/** "And what about pets?" is searched with the words of an earlier question, but a hit on pets answers it. */
function extractFirst(part: ResolvedQuestion, hits: readonly Hit[], least: number): Extracted {
  const speaking = part.resolved === part.question || ownWords(part).length === 0 ? [] : hits.filter(speaksOf(part));
  if (speaking.length === 0) return extractPart(part, hits, least);
  const alone = extractPart({ question: part.question, resolved: part.question }, speaking, least);
  return alone.answer === '' ? extractPart(part, speaking, least) : alone;
}

/** Selects hits with a word of the question's own, unless its form is enough to find an answer: "who holds it". */
function speaksOf({ question, resolved }: ResolvedQuestion): (hit: Hit) => boolean {
  const reader = readerFor(resolved);
  const own = ownWords({ question, resolved });
  const expected = expectedIn(question);
  if (own.length === 0 || (expected !== undefined && !expected.isBelow)) return () => true;
  return ({ text, heading }) => {
    const words = new Set(reader.words(`${heading.join('. ')}. ${text}`));
    return own.some((word) => said(word, words, reader) > 0);
  };
}

function ownWords({ question, resolved }: ResolvedQuestion): string[] {
  const reader = readerFor(resolved);
  return reader.words(question).filter((word) => !reader.isLight(word));
}

interface Extracted {
  readonly answer: string;
  readonly confidence: number;
}

function extractPart(asked: ResolvedQuestion, hits: readonly Hit[], leastShare: number): Extracted {
  const candidates = rank(asked, hits);
  const top = candidates[0];
  const least = Math.max(leastShare, top ? leastFor(top, asked, hits) : 0);
  const isNone = top?.fits === false && expectedIn(asked.question)?.strict === true;
  if (!top || isNone || top.share < least) return { answer: '', confidence: top?.share ?? 0 };
  // If the first sentence has the form asked for, such as a number, the others must have it too.
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
  const lines = chosen.map(({ text, shown, hit }) => {
    const whole = wholeList({ sentence: text, passage: hit.text }, judgingItems(asked));
    return `${whole === undefined ? shortened(shown) : shortened(whole, MAX_LIST_CHARS)} ${hit.citation}`;
  });
  return { answer: [...new Set(lines)].join('\n'), confidence };
}

function judgingItems(asked: ResolvedQuestion): ItemRules {
  const reader = readerFor(asked.resolved);
  const own = ownWords(asked);
  const expected = expectedIn(asked.question);
  return {
    isOneOfThem: (item) => {
      const words = new Set(reader.words(item));
      return !own.some((word) => said(word, words, reader) > 0 || hasPartOf(word, words, reader));
    },
    fits: (item) => expected?.fits(item) ?? true,
  };
}

function leastFor({ fits, isLiteral }: Candidate, asked: ResolvedQuestion, hits: readonly Hit[]): number {
  if (lacksThing(asked, hits)) return LEAST_SHARE_LACKING;
  return fits && isLiteral ? 0 : LEAST_SHARE_DOUBTFUL;
}

function shortened(text: string, chars = MAX_SENTENCE_CHARS): string {
  return text.length > chars ? `${text.slice(0, chars).trimEnd()}…` : text;
}

/** How a second question begins after "and". */
const ASKING = [
  '(?:until|till|since|from|for|by|ab|bis|seit|mit|von|zu) (?:when|what|whom?|wann|was|wem|wo)',
  oneOf(QUESTION_WORDS.en, QUESTION_WORDS.de),
  'will|do|does|did|is|are|was|were|can|could|may|must|should|has|have',
  'muss|darf|kann|soll|ist|sind|gibt es|hat',
].join('|');
const JOINT = pattern('iu', String.raw`\?\s+(?:and |und )?(?=\p{L})|,? (?:and|und) (?=(?:${ASKING})\s)`);
const BEGINS = pattern('iu', String.raw`^(?:(?:and|und|also|so) )?(?:${ASKING})\s`);

/**
 * The questions asked in one, such as "when is the party and who brings the cake?", each with the topic of the first.
 */
export function partsOf({ question, resolved }: ResolvedQuestion): readonly ResolvedQuestion[] {
  const parts = question.split(JOINT).map((part) => part.trim());
  const [first = '', ...more] = parts;
  if (more.length === 0 || !parts.every((part) => BEGINS.test(`${part} `))) return [{ question, resolved }];
  const topic = topicOf(first);
  const before = resolved.slice(question.length);
  return [
    { question: first, resolved: `${first}${before}` },
    ...more.map((part) => ({ question: part, resolved: `${part} ${part} ${topic}${before}` })),
  ];
}

/** What a question is about: its nouns, if capital letters mark them, otherwise all words but the question words. */
function topicOf(question: string): string {
  const nouns = isGerman(question) ? (question.match(/(?<=\p{Ll}\s)\p{Lu}\p{L}+/gu) ?? []) : [];
  const asking = new Set(contentTokens(expectedIn(question)?.asking ?? ''));
  return (nouns.length > 0 ? nouns : contentTokens(question).filter((token) => !asking.has(token))).join(' ');
}
