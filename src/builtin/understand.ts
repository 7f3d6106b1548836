import type { Taught } from '../base/examples.ts';
import type { Language } from '../words/spelling.ts';
import type { Match } from './match.ts';
import { oneWay } from './patterns.ts';
import { type Knowledge, learn, matches } from './score.ts';
import { isExact } from './slots.ts';
import { tokensOf } from './tokens.ts';
import { answerFor, inputOf, type Situation, stretch, type Values, type View, valuesOf, viewsOf } from './view.ts';

/** An example laid over a sentence. */
export interface Meaning {
  readonly taught: Taught;
  /** What its slots mean, by their names. */
  readonly values: Values;
  /** The input of its call. */
  readonly input: Values;
  readonly language: Language;
  readonly score: number;
  /** The example with the gaps filled: how it could have been said. */
  readonly sentence: string;
}

/** What a sentence asks for. */
export type Understood =
  | ({ readonly kind: 'act' } & Meaning)
  /** A slot is not filled, and has a question. */
  | ({ readonly kind: 'ask'; readonly slot: string; readonly question: string } & Meaning)
  /** It may be either, as far as its words tell. */
  | { readonly kind: 'unclear'; readonly between: readonly [Meaning, Meaning] }
  /**
   * @property near what comes nearest, the nearest first; at most two.
   * @property slips what could have been meant but for slips of the keyboard: it has all of the sentence, and can be
   *   done.
   * @property best how near the nearest example comes, be it of use or not.
   */
  | {
      readonly kind: 'none';
      readonly near: readonly Meaning[];
      readonly slips: readonly Meaning[];
      readonly best: number;
    };

/** Below it nothing is done. */
const SURE = 0.78;
/** So far the best has to be ahead of the next that would do something else. */
const LEAD = 0.04;
/** The weight of a word that tells intents apart: what leaves more of a sentence unexplained is not what was meant. */
const A_WORD = 0.3;

const WORD_FOR_WORD = 0.99;
/** No gaps of an example explain as much. */
const MORE_THAN_GAPS = 5;

/** The tools of a turn, those without one, what plugins that are off would do. */
const MOST_KNOWN = 4;
const known: { readonly taught: readonly Taught[]; readonly knowledge: Knowledge }[] = [];

/** Learnt once for the same examples: the tools of a program change seldom. */
function knowledgeOf(taught: readonly Taught[]): Knowledge {
  const at = known.findIndex(
    (each) => each.taught.length === taught.length && each.taught.every((one, place) => isEqual(one, taught[place])),
  );
  const found = known[at] ?? { taught, knowledge: learn(taught) };
  if (at >= 0) known.splice(at, 1);
  known.unshift(found);
  known.splice(MOST_KNOWN);
  return found.knowledge;
}

function isEqual(a: Taught, b: Taught | undefined): boolean {
  return a === b || (a.tool === b?.tool && JSON.stringify(a) === JSON.stringify(b));
}

/** Whether something can be made of an example with this input; where not, the next best is looked at. */
export type Accepts = (meaning: Meaning) => boolean;

/** Compare a sentence with all examples. The same sentence at the same time gives the same answer. */
export function understand(
  said: string,
  situation: Situation,
  taught: readonly Taught[],
  accepts: Accepts = () => true,
): Understood {
  const found = foundFor(said, situation, knowledgeOf(taught));
  const understood = chosen(found, accepts, situation.language);
  return understood.kind === 'none' ? { ...understood, best: found[0]?.match.score ?? 0 } : understood;
}

/** A request is looked at several times: for its parts, its answer, what it follows. */
const MOST_FOUND = 24;
const compared = new WeakMap<Knowledge, Map<string, readonly Found[]>>();

/** All that a sentence may mean, the likeliest first. */
function foundFor(said: string, situation: Situation, knowledge: Knowledge): readonly Found[] {
  const { now, timeZone, handed, waking } = situation;
  const key = JSON.stringify([said, now, timeZone, handed, waking]);
  const recent = compared.get(knowledge) ?? new Map<string, readonly Found[]>();
  compared.set(knowledge, recent);
  const found =
    recent.get(key) ??
    viewsOf(said, { ...situation, names: knowledge.names })
      .flatMap((view) => matches(view, knowledge).flatMap((match) => (isFor(view, match) ? [{ match, view }] : [])))
      .sort((a, b) => b.match.score - a.match.score);
  if (recent.size >= MOST_FOUND) recent.clear();
  recent.set(key, found);
  return found;
}

/** What the answer to a question makes of the example that asked; undefined where it answers something else. */
export function answered(
  { taught, values, ...meaning }: Meaning,
  slot: string,
  { answer, situation }: { readonly answer: string; readonly situation: Situation },
): Understood | undefined {
  const given = answerFor(slot, answer, situation);
  if (!given) return undefined;
  const known = { ...values, ...given };
  return decided({ ...meaning, taught, values: known, input: inputOf(taught.input, known) });
}

/**
 * A sentence with a time has to be read with it by who asks for one, and by nobody else. Who takes any time, wherever
 * it stands, and does without, has `{time}` in the input and nothing in the sentence.
 */
function isFor(view: View, match: Match): boolean {
  const { given, hasTime, hasExactTime } = view;
  const { elements, taught } = match.pattern;
  if (taught.untimed && hasExactTime) return false;
  const isTimed = given.has('when');
  if (elements.some((element) => 'slot' in element && element.slot === 'when')) return isTimed;
  return Object.values(taught.input).includes('{time}') ? isTimed === hasTime : !isTimed;
}

interface Found {
  readonly match: Match;
  readonly view: View;
}

function chosen(found: readonly Found[], accepts: Accepts, language: Language | undefined): Understood {
  const sure = found.filter(({ match }) => match.score >= SURE && match.left < A_WORD);
  const best = inLanguage(language, mostExact(sure), sure);
  if (!best) return { kind: 'none', near: nearest(found), slips: nearest(found.filter(isSlip), accepts), best: 0 };
  const meaning = meaningOf(best);
  if (!accepts(meaning))
    return chosen(
      found.filter((each) => each !== best),
      accepts,
      language,
    );
  const other = sure
    .filter(({ match }) => match.pattern.taught !== meaning.taught && isAsGood(match, best.match))
    .map(meaningOf)
    .find((each) => callOf(each) !== callOf(meaning) && accepts(each));
  if (!other) return decided(meaning);
  // Behind a request that it goes on with, a follow-up is what is meant.
  const [bound, ...others] = [meaning, other].filter(({ taught }) => taught.follows !== undefined);
  if (bound && others.length === 0) return decided(bound);
  const isSame = other.sentence === meaning.sentence && other.taught.tool === meaning.taught.tool;
  return isSame ? decided(meaning) : { kind: 'unclear', between: [meaning, other] };
}

/** To be done, or to be asked for what is missing. */
function decided(meaning: Meaning): Understood {
  const { taught, values, language } = meaning;
  const open = Object.entries(taught.ask ?? {}).find(([slot]) => values[slot] === undefined);
  return open ? { ...meaning, kind: 'ask', slot: open[0], question: open[1][language] } : { ...meaning, kind: 'act' };
}

/** The best, or one as good that explains more of the sentence by its own words. */
function mostExact(found: readonly Found[]): Found | undefined {
  const [best] = found;
  return found
    .filter(({ match }) => best && best.match.score - match.score < LEAD)
    .reduce<Found | undefined>((a, b) => (a && exactness(a.match) >= exactness(b.match) ? a : b), undefined);
}

/** "Ok" is said in both languages: the same in that of the conversation. */
function inLanguage(language: Language | undefined, best: Found | undefined, found: readonly Found[]) {
  if (!best || language === undefined || best.match.pattern.language === language) return best;
  const same = found.find(
    ({ match: { pattern, score } }) =>
      pattern.language === language && pattern.taught === best.match.pattern.taught && best.match.score - score < LEAD,
  );
  return same ?? best;
}

/** A gap can take in the words of the other: then the other says it more exactly. */
function isAsGood(other: Match, best: Match): boolean {
  return best.score - other.score < LEAD && exactness(best) - exactness(other) < A_WORD;
}

/**
 * How much of the sentence is explained: by words of the example, and by gaps that know what they take in. An example
 * that is said in its own words alone is meant, even where a gap of another could take one of them in.
 */
function exactness({ matched, score, slots, pattern }: Match): number {
  const gaps = Object.keys(slots);
  const isBare = score > WORD_FOR_WORD && pattern.elements.every((element) => 'words' in element);
  return matched + 2 * A_WORD * gaps.filter(isExact).length + (isBare ? MORE_THAN_GAPS : 0);
}

/** What is less like an example is not even asked about. */
const NEAR = 0.64;
/** As much as slips of the keyboard take away. */
const MOST_MISSED = 0.25;
/** As little as words weigh that are there for courtesy. */
const NOTHING_LEFT = 0.02;

function isSlip({ match: { score, left, matched, pattern } }: Found): boolean {
  return score >= NEAR && left < NOTHING_LEFT && matched >= (1 - MOST_MISSED) * pattern.all;
}

/** The nearest of each intent, at most two of them. */
function nearest(found: readonly Found[], accepts: Accepts = () => true): readonly Meaning[] {
  const intents = new Map<Taught, Meaning>();
  for (const each of found) {
    const meaning = intents.has(each.match.pattern.taught) ? undefined : meaningOf(each);
    if (meaning && accepts(meaning)) intents.set(meaning.taught, meaning);
    if (intents.size === 2) break;
  }
  return [...intents.values()];
}

function meaningOf({ match, view }: Found): Meaning {
  const { taught, language } = match.pattern;
  const values = valuesOf(match, view);
  const input = inputOf(taught.input, values);
  return { taught, values, input, language, score: match.score, sentence: sentenceOf(match, view) };
}

/** The way of saying it that has most of the words that were said, with its gaps filled. */
function sentenceOf({ pattern, slots }: Match, view: View): string {
  const said = new Set(view.tokens.map(({ word }) => word));
  const fill = (slot: string) => {
    const [from, to] = slots[slot] ?? [0, 0];
    return slot === 'when' ? (view.time?.words ?? '') : stretch(view, from, to);
  };
  return oneWay(pattern.sentence, fill, (choice) => tokensOf(choice).every(({ word }) => said.has(word)));
}

/** Two matches that make the same call are one meaning. */
function callOf({ taught, input }: Meaning): string {
  return JSON.stringify([taught.tool, input]);
}
