import { unitCalled } from '../quantities/units.ts';
import type { Hit } from '../rag/types.ts';
import { monthNumber } from '../words/months.ts';
import { type Candidate, rank } from './candidates.ts';
import type { ResolvedQuestion } from './coverage.ts';
import { type Reader, readerFor } from './reader.ts';

/** Two passages, by their citations, that give different figures for what was asked. */
export interface Conflict {
  readonly a: string;
  readonly b: string;
}

/** Two sentences speak of the same where they have more than this share of the shorter one's words in common. */
const LEAST_COMMON = 0.5;
/** Only the best sentences are compared. */
const MOST_COMPARED = 8;
const MOST_CONFLICTS = 3;
/** A number with the unit before or behind it; no part of a date or of a time. */
const MEASURED =
  /(?:(\p{Sc}|\b[A-Z]{3}) ?)?(?<![\d.,:/-])(\d+(?:[.,'’]\d+)*)(?![\d:/-])(?:[ \u00a0]?(\p{Sc}|%|\p{L}+))?/gu;
const CLOCK = /(?<![\d.:])\d{1,2}[:.]\d{2}(?![\d.])/gu;

/**
 * Where two documents disagree: sentences that answer the same words of a question, in much the same words, with
 * figures of one kind and none in common. It goes by figures alone, so it says the same in every language.
 */
export function conflictsIn(asked: ResolvedQuestion, hits: readonly Hit[]): readonly Conflict[] {
  const reader = readerFor(asked.resolved);
  const answering = rank(asked, hits).filter(({ share, isLiteral }) => isLiteral && share >= reader.leastShare);
  const compared = answering.slice(0, MOST_COMPARED).map((candidate) => statementOf(candidate, reader));
  const found = compared.flatMap((a, at) =>
    compared.slice(at + 1).flatMap((b) => (disagree(a, b) ? [{ a: a.hit.citation, b: b.hit.citation }] : [])),
  );
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()].slice(0, MOST_CONFLICTS);
}

interface Statement {
  readonly hit: Hit;
  /** What of the question it speaks of. */
  readonly about: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** By kind: `money EUR`, `time`. */
  readonly figures: ReadonlyMap<string, ReadonlySet<string>>;
}

function statementOf({ hit, covered, shown }: Candidate, reader: Reader): Statement {
  const words = reader.words(shown).filter((word) => /^\p{L}+$/u.test(word));
  const isTelling = (word: string) => unitCalled(word) === undefined && monthNumber(word) === undefined;
  return { hit, about: new Set(covered.keys()), words: new Set(words.filter(isTelling)), figures: figuresIn(shown) };
}

/** Two rows of one document, such as opening hours by day, say different things of different days. */
function disagree(a: Statement, b: Statement): boolean {
  if (a.hit.file === b.hit.file || a.about.size !== b.about.size || shared(a.about, b.about) < a.about.size)
    return false;
  if (shared(a.words, b.words) <= LEAST_COMMON * Math.min(a.words.size, b.words.size)) return false;
  return [...a.figures].some(([kind, own]) => {
    const others = b.figures.get(kind);
    return others !== undefined && shared(own, others) === 0;
  });
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((each) => b.has(each)).length;
}

function figuresIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (kind: string, figure: string) => found.set(kind, (found.get(kind) ?? new Set()).add(figure));
  for (const [time] of text.matchAll(CLOCK)) add('clock', time.replace('.', ':'));
  for (const [, before, figure = '', behind = ''] of text.matchAll(MEASURED)) {
    const unit = (before !== undefined && unitCalled(before)) || unitCalled(behind);
    const [meaning] = unit ? unit.meanings : [];
    if (meaning) add(`${meaning.kind} ${meaning.currency ?? meaning.is}`, digitsOf(figure));
  }
  return found;
}

/** "1,010", "1.010" and "1010.00" alike: of marks only those in front of one or two last digits count. */
function digitsOf(figure: string): string {
  return figure.replace(/[.,]0{1,2}$/u, '').replace(/[.,'’](?=\d{3})/gu, '');
}
