import { besideTimes } from './beside.ts';
import { clocks, minutesOfHour, part, window } from './clocks.ts';
import { day } from './days.ts';
import { lex } from './lex.ts';
import { type Part, type Piece, type Place, REPEATING, type Stretch } from './piece.ts';
import { repeats } from './repeats.ts';
import { longest, type Rule } from './rule.ts';
import type { Lexicon, Token } from './token.ts';
import { typoIn } from './typos.ts';

/** All that a sentence says about time. */
export interface Sentence {
  readonly lexicon: Lexicon;
  readonly pieces: readonly Piece[];
  readonly places: readonly Place[];
  /** The words of the pieces; adjacent pieces are joined. */
  readonly stretches: readonly Stretch[];
  /** Words of time that no rule used. */
  readonly unused: readonly string[];
  /** Words that are one letter away from a word of time. */
  readonly typo?: { readonly written: string; readonly meant: string } | undefined;
  /** Words unrelated to time, without function words: a text that is only a time has no such words. */
  readonly others: readonly string[];
}

const anyPiece: Rule<Piece> = longest(window, minutesOfHour, repeats, day, clocks, part);
/** No piece begins with a word unrelated to time, and most words are unrelated. */
const piece: Rule<Piece> = (tokens, at) => (tokens[at]?.senses.length ? anyPiece(tokens, at) : undefined);

/** Words between two pieces that belong to neither: `tomorrow , at 9`. */
const GLUE = new Set(['comma', 'and', 'on', 'at', 'of', 'the', 'filler']);

const CHANGING = new Set([
  'past',
  'before',
  'half',
  'until',
  'half-day',
  'number',
  'tens',
  'quarter',
  'ordinal',
  'last',
  'except',
]);
/** `before friday`, `until 5pm`: not at that time. */
const OPENING = new Set(['past', 'before', 'until']);
/** These usually begin the task: "at 9 to call", "um 9 nach Hause gehen", "tomorrow from home". */
const AFTER_A_TIME = new Set(['to', 'nach', 'from', 'am', 'sec']);

/**
 * Read a sentence from left to right, at every word with the rule that reads the most. Nothing is dropped silently: a
 * word of time that fits no rule is reported.
 */
export function readSentence(text: string): Sentence {
  const outside = withoutQuotes(text);
  const sentence = read(outside);
  // If only the quoted words refer to time, they are the time.
  return outside === text || sentence.stretches.length > 0 || sentence.unused.length > 0 ? sentence : read(text);
}

function read(text: string): Sentence {
  const { tokens, lexicon } = lex(text);
  const pieces: Piece[] = [];
  const stretches: Stretch[] = [];
  const left: Token[] = [];
  const places: Beginning[] = [];
  for (let at = 0; at < tokens.length; ) {
    const hit = greeting(tokens, at) ? undefined : piece(tokens, at);
    const end = hit && tailOf(tokens, hit.end);
    const [token, last] = [tokens[at], tokens[(end ?? at + 1) - 1]];
    if (!token || !last) break;
    if (hit && lonely(tokens, at, hit.end)) {
      left.push({ ...token, ofTime: true });
      at = hit.end;
    } else if (hit) {
      pieces.push(hit.value, ...(hit.value.is === 'part' ? [] : partWithin(tokens.slice(at, hit.end))));
      const stretch = { start: token.start, end: last.end };
      stretches.push(stretch);
      places.push({ ...stretch, piece: hit.value, first: token, previous: tokens[at - 1], second: tokens[at + 1] });
      at = end ?? hit.end;
    } else {
      left.push(...tokens.slice(at, at + (greeting(tokens, at) ? 2 : 1)));
      at += greeting(tokens, at) ? 2 : 1;
    }
  }
  left.push(...counting(tokens, left));
  left.push(
    ...trailing(stretches, tokens, left),
    ...misplaced(places, joined(stretches, tokens), tokens),
    ...nthOfWhat(places, tokens),
    ...besideTimes(places, tokens, left),
    ...(pieces.some(({ is }) => REPEATING.has(is)) ? [] : tokens.filter(({ text }) => PLURAL.test(text)).map(ofTime)),
    ...unread(tokens, left),
  );
  return { lexicon, pieces, places, stretches: joined(stretches, tokens), ...leftOver(left, tokens, lexicon) };
}

/** A word that only sometimes refers to time, such as "sat" or "night", without other words of time around it. */
function lonely(tokens: readonly Token[], at: number, end: number): boolean {
  const token = tokens[at];
  if (end !== at + 1 || !token) return false;
  const isPart = token.senses.some(({ is }) => is === 'part') && !token.senses.some(({ is }) => is === 'relative');
  if (token.ofTime && !isPart) return false;
  const beside = (index: number, rule: (index: number) => boolean) =>
    index >= 0 && index < tokens.length && rule(index);
  const after = beside(end, (index) => piece(tokens, index) !== undefined);
  const before = beside(at - 1, (index) => timely(tokens, index));
  return !after && !before;
}

function timely(tokens: readonly Token[], index: number): boolean {
  const senses = tokens[index]?.senses ?? [];
  return senses.length > 0 && !senses.some(({ is }) => ['article', 'the', 'until', 'and', 'approx'].includes(is));
}

/** `in two seeks`, `every second x`, `half six`: what is counted is not a unit, or a misspelt one. */
function counting(tokens: readonly Token[], left: readonly Token[]): Token[] {
  const is = (token: Token | undefined, kinds: readonly string[]) =>
    token?.senses.some((sense) => kinds.includes(sense.is));
  const indexOf = indexesOf(tokens);
  return left.flatMap((token) => {
    const at = indexOf(token);
    const previous = tokens[at - 1];
    const counts = is(token, ['number', 'tens', 'couple']) && is(previous, ['in', 'every']);
    const nth = is(token, ['ordinal', 'other']) && is(previous, ['every']);
    const part = is(token, ['half', 'halfTo', 'quarter']) && is(previous, ['at']);
    const following = tokens[at + 1];
    const early = is(token, ['ordinal']) && /^thing$/iu.test(following?.text ?? '');
    const half = is(token, ['half']) && is(following, ['number', 'tens']);
    const before = tokens[at - 2];
    const soon =
      /^(?:bit|while|moment|jiffy|tick)$/iu.test(token.text) && is(previous, ['article']) && is(before, ['in']);
    const often = /^(?:times|mal)$/iu.test(token.text) && is(previous, ['number', 'tens', 'couple']);
    return counts || nth || part || early || half || often || soon ? [{ ...token, ofTime: true }] : [];
  });
}

/** What comes next to a time and could change it: `tomorrow before lunch`, `tomorrow 5`, `in an hour or two`. */
function trailing(stretches: readonly Stretch[], tokens: readonly Token[], left: readonly Token[]): Token[] {
  const changing = ({ senses, text }: Token) =>
    senses.some(({ is }) => CHANGING.has(is)) && !AFTER_A_TIME.has(text.toLowerCase());
  const opening = ({ senses, text }: Token) =>
    senses.some(({ is }) => OPENING.has(is)) && !AFTER_A_TIME.has(text.toLowerCase());
  return stretches.flatMap(({ start, end }) => {
    const [near, far] = tokens.filter((token) => token.start >= end);
    const next = near?.senses.some(({ is }) => is === 'and') && far && left.includes(far) ? far : near;
    const previous = tokens.findLast((token) => token.end <= start);
    const beside = [
      ...(next && left.includes(next) && changing(next) ? [next] : []),
      ...(previous && left.includes(previous) && opening(previous) ? [previous] : []),
    ];
    return beside.map((token) => ({ ...token, ofTime: true }));
  });
}

/** A piece and the words around its beginning. */
interface Beginning extends Place {
  readonly first: Token;
  readonly second: Token | undefined;
  readonly previous: Token | undefined;
}

/** Also "Anna's evening". */
const OWNERS = /['’]s$|^(?:the|an?|my|our|your|his|her|their|der|die|das|den|dem|meine?n?|unsere?n?|eine?n?)$/iu;
/** "Set an alarm for 7"; whereas "book a table for friday" says when the table is wanted. */
const SET_FOR =
  /^(?:reminders?|alarms?|timers?|alerts?|call|me|it|this|that|one|again|erinnerung|wecker|termin|mich|das|es)$/iu;
/** Movable days: Good Friday, Black Friday. */
const HOLY = /^(?:good|black|ash|shrove|palm|maundy|cyber|easter)$/iu;
/** "Evenings at 8" is a repetition that does not say on which days. */
const PLURAL = /^(?:mornings|afternoons|evenings|nights)$/iu;
const ofTime = (token: Token): Token => ({ ...token, ofTime: true });
const DAYS = new Set<Piece['is']>(['relative', 'weekday', 'date', 'span', 'in']);

/**
 * Words of time that belong to the task: "book the 5pm train", "prepare the monday meeting", or a day that comes after
 * the time and apart from it, as in "at 5 to call Anna tomorrow". They may also be meant for the reminder, so the
 * person is asked.
 */
function misplaced(places: readonly Beginning[], stretches: readonly Stretch[], tokens: readonly Token[]): Token[] {
  const stretchOf = ({ start }: Token) =>
    stretches.findIndex((stretch) => start >= stretch.start && start < stretch.end);
  /** "The parents' evening". */
  const isOwner = ({ start }: Token) => {
    const [owner, mark] = tokens.filter((token) => token.end < start).slice(-2);
    return /^['’]$/u.test(mark?.text ?? '') && mark?.start === owner?.end && /[^x]s$/iu.test(owner?.text ?? '');
  };
  const clock = places.find(({ piece: { is } }) => is === 'clocks');
  return places.flatMap(({ piece: { is }, first, second, previous }) => {
    const planned = /^(?:for|für|fuer)$/iu.test(first.text) && previous !== undefined && !SET_FOR.test(previous.text);
    const owned =
      ['clocks', 'weekday', 'relative', 'part'].includes(is) && (OWNERS.test(previous?.text ?? '') || isOwner(first));
    const holiday = is === 'weekday' && HOLY.test(previous?.text ?? '');
    const named =
      is === 'weekday' && /^the$/iu.test(first.text) && second?.senses.some((sense) => sense.is === 'weekday');
    const apart = clock !== undefined && DAYS.has(is) && stretchOf(first) > stretchOf(clock.first);
    return owned || named || apart || planned || holiday ? [{ ...first, ofTime: true }] : [];
  });
}

/** "Am zweiten Advent", "on the first rehearsal": an ordinal in letters usually counts what follows, not days. */
function nthOfWhat(places: readonly Place[], tokens: readonly Token[]): Token[] {
  return places.flatMap(({ piece, end }) => {
    if (piece.is !== 'date' || piece.month !== undefined) return [];
    const at = tokens.findIndex((token) => token.end === end);
    const [last, next] = tokens.slice(at, at + 2);
    const counts = last?.senses.some(({ is }) => is === 'ordinal') && !/\d/u.test(last.text);
    return counts && next && /^\p{L}/u.test(next.text) && next.senses.length === 0 ? [{ ...next, ofTime: true }] : [];
  });
}

/** What comes before the time, or after "me": "on our anniversary at 9" is a date that is not known here. */
function unread(tokens: readonly Token[], left: readonly Token[]): Token[] {
  const me = tokens.findIndex(({ text }) => /^(?:me|mich|mir)$/iu.test(text));
  const isLeft = new Set(left);
  const until = tokens.findIndex((token, index) => index > me && !isLeft.has(token));
  if (until < 0) return [];
  const between = tokens.slice(me + 1, until);
  const isTask = between.some(({ text }) => /^(?:to|about|that|of|an|ans|daran|dass|zu)$/iu.test(text));
  const dated = /^(?:on|am)$/iu.test(between[0]?.text ?? '') || /^tom$/u.test(between.at(-1)?.text ?? '');
  const word = between.findLast(({ text }) => /^[\p{L}\d]/u.test(text));
  // The word to ask about comes first; the others only belong to it.
  const words = word ? [word, ...between.slice(1).filter((token) => token !== word)] : [];
  return dated && !isTask ? words.map((token) => ({ ...token, ofTime: true })) : [];
}

/** "Good morning" is a greeting, not a time. */
function greeting(tokens: readonly Token[], at: number): boolean {
  const is = (index: number, kinds: readonly string[]) =>
    tokens[index]?.senses.some((sense) => kinds.includes(sense.is));
  return Boolean(is(at, ['greeting']) && (is(at + 1, ['part', 'unit', 'relative']) ?? false));
}

/** `tonight`, `this morning`, `Dienstagabend` are a day and a part of it at once. */
function partWithin(tokens: readonly Token[]): Piece[] {
  return tokens.flatMap(({ senses }, index): Piece[] => {
    const tonight = senses.some(({ is }) => is === 'tonight');
    const joint = senses.find(({ is, name }) => is === 'weekday' && name !== '')?.name.split('/')[0];
    const dayBefore = tokens[index - 1]?.senses.some(({ is }) => ['this', 'relative', 'weekday'].includes(is));
    const of = dayBefore ? senses.find(({ is }) => is === 'part')?.name : undefined;
    const name = tonight ? 'night' : (joint ?? of);
    return name === undefined ? [] : [{ is: 'part', part: name as Part }];
  });
}

function joined(stretches: readonly Stretch[], tokens: readonly Token[]): Stretch[] {
  const result: Stretch[] = [];
  for (const stretch of stretches) {
    const last = result.at(-1);
    const apart = tokens.filter(({ start }) => last && start >= last.end && start < stretch.start);
    const near = last && apart.every(({ senses }) => senses.some(({ is }) => GLUE.has(is)));
    if (near) result[result.length - 1] = { start: last.start, end: stretch.end };
    else result.push(stretch);
  }
  return result;
}

function leftOver(
  left: readonly Token[],
  tokens: readonly Token[],
  lexicon: Lexicon,
): Pick<Sentence, 'unused' | 'typo' | 'others'> {
  const small = ({ senses, text }: Token) =>
    senses.some(({ is }) => GLUE.has(is) || is === 'oclock') || /^[^\p{L}\d]$/u.test(text);
  const indexOf = indexesOf(tokens);
  const typo = (token: Token) => typoIn(token, besides(tokens, indexOf(token)), lexicon);
  return {
    unused: left.filter((token, index) => token.ofTime && !isGreeting(left, index)).map(({ text }) => text),
    typo: left.map(typo).find((found) => found !== undefined),
    others: left.filter((token) => !small(token)).map(({ text }) => text),
  };
}

/** Where a token stands, found at once: a text may have tens of thousands of them. */
function indexesOf(tokens: readonly Token[]): (token: Token) => number {
  const indexes = new Map(tokens.map((token, index) => [token, index]));
  return (token) => indexes.get(token) ?? -1;
}

function besides(tokens: readonly Token[], at: number) {
  return { previous: tokens[at - 1], next: tokens[at + 1] };
}

function isGreeting(left: readonly Token[], index: number): boolean {
  return left[index - 1]?.senses.some(({ is }) => is === 'greeting') ?? false;
}

/** Each part ends at the next quote of its kind, so matching is linear. A name in single quotes has a capital. */
const QUOTED = /"[^"]*"|[„“][^„“”]*[“”]|«[^«»]*»|(?<!\S)'(?=[\p{Lu}\d])[^']*'(?!\p{L})/gu;

/** Quoted words are names, so they are masked with meaningless letters, which keeps all other words in place. */
function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => quoted.replace(/[\p{L}\p{N}]/gu, 'x'));
}

/** After a time: `or so`, `5-ish`, `sharp`, `on the dot`. They say how exact it is and change nothing. */
const TAILS = [
  ...[
    ['or', 'so'],
    ['or', 'thereabouts'],
    ['oder', 'so'],
    ['-', 'ish'],
    ['on', 'the', 'dot'],
    ['from', 'now'],
    ['ab', 'jetzt'],
    ['ab', 'sofort'],
    ['at', 'the', 'latest'],
  ],
];

/** @returns the index after the tail of a time that ends at `end`. */
function tailOf(tokens: readonly Token[], end: number): number {
  if (tokens[end]?.senses.some(({ is, name }) => is === 'approx' && name === 'tail')) return end + 1;
  // "In two days' time", "in a week's time".
  const ofUnit = tokens[end - 1]?.senses.some(({ is }) => is === 'unit') ?? false;
  const mark = /^['’]$/u.test(tokens[end]?.text ?? '') ? 1 : 0;
  if (ofUnit && /^time$/iu.test(tokens[end + mark]?.text ?? '')) return end + mark + 1;
  const tail = TAILS.find((words) => words.every((word, index) => tokens[end + index]?.text.toLowerCase() === word));
  return end + (tail?.length ?? 0);
}
