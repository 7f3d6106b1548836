import type { Language } from '../words/spelling.ts';
import type { Fits, LearntPattern, Likes, Match } from './match.ts';
import type { Element } from './pattern.ts';
import { isExact } from './slots.ts';

/**
 * What the words cost that fill a gap, by the root of their number: of two patterns that fit, the one that explains
 * more is the better, but what somebody dictates may be long.
 */
const FILLED = 0.03;
/** From so many words on it costs no more: it is dictated. */
const MOST_FILLED = 16;

/** How sure a sentence is that is typed gaps and nothing else: any that has words of its own is before it. */
const BARE = 0.85;

export interface Alignment {
  /** What each token speaks against a pattern that does not have it. */
  readonly extra: readonly number[];
  readonly pattern: LearntPattern;
  readonly likes: Likes;
  readonly fits: Fits;
  /** Slots that are filled already. */
  readonly given: ReadonlySet<string>;
}

/** The cheapest way from a place on, and its first step. */
interface Cell {
  readonly cost: number;
  readonly missed: number;
  /** What the words weigh that neither the pattern nor a gap has. */
  readonly left: number;
  /** `to` is the token at which it goes on; a gap is filled where `slot` is set. */
  readonly to: number;
  readonly element: number;
  readonly slot?: string;
}

/** Edit distance between pattern and sentence, where a gap takes one token or more. */
export function align({ extra, pattern, likes, fits, given }: Alignment): Match | undefined {
  const { all, weights } = pattern;
  const places = pattern.elements
    .map((element, at) => ({ element, weight: weights[at] ?? 0 }))
    .filter(({ element }) => !('slot' in element && given.has(element.slot)));
  let below: Cell[] = [];
  const table: Cell[][] = [];
  for (let element = places.length; element >= 0; element -= 1) {
    const row: Cell[] = [];
    const place = places[element];
    for (let at = extra.length; at >= 0; at -= 1) {
      let best: Cell | undefined = element === places.length && at === extra.length ? END(at, element) : undefined;
      const take = (cell: Cell) => {
        if (!best || cell.cost < best.cost) best = cell;
      };
      // A mark costs nothing in a gap or beside it: "(a)" is "(a)".
      if (place) steps(place, at, { below, element, extra, likes, fits, language: pattern.language, take });
      const next = row[at + 1];
      const over = extra[at] ?? 0;
      if (next) take({ cost: next.cost + over, missed: next.missed, left: next.left + over, to: at + 1, element });
      if (best) row[at] = best;
    }
    table[element] = row;
    below = row;
  }
  const start = table[0]?.[0];
  if (!start) return undefined;
  // "12 * 7": what has no words of its own is all of a sentence or nothing of it.
  const { cost, missed, left } = start;
  if (all === 0) return cost > 0 ? undefined : { pattern, matched: 0, left, score: BARE, slots: slotsOf(table) };
  const matched = all - missed;
  return { pattern, matched, left, score: Math.max(0, matched) / (matched + cost), slots: slotsOf(table) };
}

const END = (to: number, element: number): Cell => ({ cost: 0, missed: 0, left: 0, to, element });

interface Below extends Pick<Alignment, 'extra' | 'likes' | 'fits'> {
  readonly below: readonly Cell[];
  readonly element: number;
  readonly language: Language;
  readonly take: (cell: Cell) => void;
}

/** Ways to deal with one element of the pattern at one token. */
function steps(
  { element: here, weight }: { readonly element: Element; readonly weight: number },
  at: number,
  { below, element, extra, likes, fits, language, take }: Below,
): void {
  const go = (to: number, cost: number, missed: number, slot?: string) => {
    const next = below[to];
    if (!next) return;
    const { left } = next;
    const cell = { cost: next.cost + cost, missed: next.missed + missed, left, to, element: element + 1 };
    take(slot === undefined ? cell : { ...cell, slot });
  };
  if ('words' in here) {
    const like = here.words.reduce((most, word) => Math.max(most, likes.get(word)?.get(at) ?? 0), 0);
    if (like > 0) go(at + 1, (1 - like) * weight, (1 - like) * weight);
    go(at, weight, weight);
    return;
  }
  // Words of an exact type are explained by it.
  const price = isExact(here.slot) ? 0 : FILLED;
  let words = extra.slice(at).filter((cost) => cost !== 0).length;
  for (let to = extra.length; to > at; words -= extra[to - 1] === 0 ? 0 : 1, to -= 1) {
    if (below[to] && fits(here.slot, [at, to], language))
      go(to, price * Math.sqrt(Math.min(words, MOST_FILLED)), 0, here.slot);
  }
}

function slotsOf(table: readonly (readonly Cell[])[]): Match['slots'] {
  const slots: Record<string, readonly [number, number]> = {};
  let [element, at] = [0, 0];
  for (;;) {
    const cell = table[element]?.[at];
    if (!cell || (cell.element === element && cell.to === at)) return slots;
    if (cell.slot !== undefined) slots[cell.slot] = [at, cell.to];
    [element, at] = [cell.element, cell.to];
  }
}
