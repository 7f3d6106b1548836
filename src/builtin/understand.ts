import type { Taught } from '../base/examples.ts';
import { addToDate, localDate } from '../when/calendar.ts';
import { type DaySpan, findDays } from '../when/day-span.ts';
import { type FoundTime, findTime, type Spoken } from '../when/find.ts';
import type { Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { type Fits, type Knowledge, learn, type Match, matches } from './score.ts';
import { SLOT_TYPES } from './slots.ts';
import { type Token, tokensOf } from './tokens.ts';

/** What a sentence asks for. */
export type Understood =
  | {
      readonly kind: 'act';
      readonly taught: Taught;
      readonly input: Readonly<Record<string, unknown>>;
      readonly language: Language;
      readonly score: number;
    }
  /** A slot is not filled, and has a question. */
  | { readonly kind: 'ask'; readonly question: string; readonly language: Language; readonly score: number }
  /** It may be either. */
  | { readonly kind: 'unclear'; readonly between: readonly [Match, Match] }
  /** @property near the examples that come nearest. */
  | { readonly kind: 'none'; readonly near: readonly string[] };

/** Below it nothing is done. */
const SURE = 0.78;
/** So far the best has to be ahead of the next that would do something else. */
const LEAD = 0.04;
/** The weight of a word that tells intents apart. */
const A_WORD = 0.3;
/** More tokens than these are not compared: nobody asks with so many words. */
const MOST_TOKENS = 60;

let last: { readonly taught: readonly Taught[]; readonly knowledge: Knowledge } | undefined;

/** Learnt once for the same examples: the tools of a program change seldom. */
function knowledgeOf(taught: readonly Taught[]): Knowledge {
  const isSame = last?.taught.length === taught.length && last.taught.every((each, at) => isEqual(each, taught[at]));
  if (!last || !isSame) last = { taught, knowledge: learn(taught) };
  return last.knowledge;
}

function isEqual(a: Taught, b: Taught | undefined): boolean {
  return a === b || (a.tool === b?.tool && JSON.stringify(a) === JSON.stringify(b));
}

/** Whether something can be made of an example with this input; where not, the next best is looked at. */
export type Accepts = (taught: Taught, input: Values, language: Language) => boolean;

/** Compare a sentence with all examples. The same sentence at the same time gives the same answer. */
export function understand(
  said: string,
  spoken: View['spoken'],
  taught: readonly Taught[],
  accepts: Accepts = () => true,
): Understood {
  const knowledge = knowledgeOf(taught);
  // The mark behind "am 30." hides that its dot belongs to the date.
  const views = viewsOf(said.trim().replace(/(?<=\d\.)[?!]+$/u, ''), spoken);
  const found = views
    .flatMap((view) =>
      matches(view.tokens, knowledge, view).flatMap((match) => {
        const needsTime = match.pattern.elements.some((element) => 'slot' in element && element.slot === 'when');
        return needsTime === view.given.has('when') ? [{ match, view }] : [];
      }),
    )
    .sort((a, b) => b.match.score - a.match.score);
  return chosen(found, accepts);
}

function chosen(found: readonly Found[], accepts: Accepts): Understood {
  const best = mostExact(found);
  if (!best || best.match.score < SURE) return { kind: 'none', near: nearest(found.map(({ match }) => match)) };
  const { match, view } = best;
  const { taught: example, language } = match.pattern;
  const values = valuesOf(match, view);
  const input = inputOf(example.input, values);
  if (!accepts(example, input, language))
    return chosen(
      found.filter((each) => each !== best),
      accepts,
    );
  const other = found.find(
    (each) =>
      each.match.pattern.taught !== match.pattern.taught &&
      isAsGood(each.match, match) &&
      callOf(each) !== callOf(best) &&
      accepts(
        each.match.pattern.taught,
        inputOf(each.match.pattern.taught.input, valuesOf(each.match, each.view)),
        language,
      ),
  );
  if (other) return { kind: 'unclear', between: [match, other.match] };
  const open = Object.entries(example.ask ?? {}).find(([slot]) => values[slot] === undefined);
  if (open) return { kind: 'ask', question: open[1][language], language, score: match.score };
  return { kind: 'act', taught: example, input, language, score: match.score };
}

interface Found {
  readonly match: Match;
  readonly view: View;
}

/** The best, or one as good that explains more of the sentence by its own words. */
function mostExact(found: readonly Found[]): Found | undefined {
  const [best] = found;
  return found
    .filter(({ match }) => best && best.match.score - match.score < LEAD)
    .reduce<Found | undefined>((a, b) => (a && a.match.matched >= b.match.matched ? a : b), undefined);
}

/** A gap can take in the words of the other: then the other says it more exactly. */
function isAsGood(other: Match, best: Match): boolean {
  return best.score - other.score < LEAD && best.matched - other.matched < A_WORD;
}

function nearest(found: readonly Match[]): readonly string[] {
  return [...new Set(found.map(({ pattern }) => pattern.sentence))].slice(0, 2);
}

interface View {
  readonly text: string;
  /** With its time. */
  readonly whole: string;
  readonly tokens: readonly Token[];
  readonly time?: FoundTime;
  /** The days that stretches of it name. */
  readonly days: DaysIn;
  readonly given: ReadonlySet<string>;
  readonly fits: Fits;
  /** Gaps that were read, by type and place. */
  readonly known: Map<string, unknown>;
  /** @property handed the name of a text that came with the request. */
  readonly spoken: Spoken & { readonly handed?: string | undefined };
}

/** The sentence as it stands, and without its time where it has one. */
function viewsOf(text: string, spoken: View['spoken']): readonly View[] {
  if (tokensOf(text).length > MOST_TOKENS) return [];
  const time = findTime(text, spoken);
  const whole = viewOf(text, spoken, undefined, daysFinder(spoken, time?.words));
  return time && time.kind !== 'unclear' ? [whole, { ...viewOf(time.rest, spoken, time), whole: text }] : [whole];
}

function viewOf(text: string, spoken: View['spoken'], time?: FoundTime, days: DaysIn = () => undefined): View {
  const tokens = tokensOf(text);
  const given = new Set(time ? ['when'] : []);
  const known = new Map<string, unknown>();
  const fits: Fits = (slot, from, to) => fitsGap(view, slot, from, to);
  const view: View = { text, whole: text, tokens, spoken, days, ...(time && { time }), given, known, fits };
  return view;
}

/** `{who:name}` is of the type `name`; `{days}` of its own. */
function typeOf(slot: string): string {
  return slot.split(':').at(-1) ?? slot;
}

function nameOf(slot: string): string {
  return slot.split(':')[0] ?? slot;
}

type DaysIn = (words: string) => DaySpan | undefined;

/** Weeks and months have words of their own; all other days are in the words of time that the sentence has. */
const LONG = /\b(?:week|weekend|month|days|woche|wochenende|monat|tagen?)\b/iu;
/** A preposition and an article in front of the words of time. */
const LEAD_CHARS = 8;

function daysFinder(spoken: Spoken, words: string | undefined): DaysIn {
  const known = new Map<string, DaySpan | undefined>();
  const time = words?.replace(/[.!?]+$/u, '');
  return (given) => {
    const stretched = given.replace(/[.!?]+$/u, '');
    const isTime = time !== undefined && (stretched.endsWith(time) || time.endsWith(stretched));
    const isWhole = isTime && Math.abs(stretched.length - time.length) <= LEAD_CHARS;
    if (!isWhole && !LONG.test(stretched)) return undefined;
    if (!known.has(stretched))
      known.set(
        stretched,
        findDays(isWhole && !LONG.test(stretched) ? (words ?? '') : stretched, spoken, { ahead: true }),
      );
    return known.get(stretched);
  };
}

/** What may fill a gap; any phrase may fill those that are not listed. */
function fitsGap(view: View, slot: string, from: number, to: number): boolean {
  const type = typeOf(slot);
  if (type === 'days') return to - from <= 6 && daysIn(view, from, to) !== undefined;
  if (type === 'name') return to - from <= 4 && isPhrase(view, from, to) && !/[\d:;?!]/u.test(stretch(view, from, to));
  return SLOT_TYPES[type] ? readGap(view, type, from, to) !== undefined : isPhrase(view, from, to);
}

/** What the words mean as that type; read once for each stretch. */
function readGap(view: View, type: string, from: number, to: number): unknown {
  const { read, most = MOST_TOKENS } = SLOT_TYPES[type] ?? {};
  if (!read || to - from > most) return undefined;
  const key = `${type} ${from} ${to}`;
  if (!view.known.has(key)) view.known.set(key, read(stretch(view, from, to), view.spoken));
  return view.known.get(key);
}

/** Something of which one can speak: not small words alone, and no mark in front. */
function isPhrase({ tokens }: Pick<View, 'tokens'>, from: number, to: number): boolean {
  if (tokens[from]?.word === '' && tokens.slice(from, to).every(({ word }) => word === '')) return false;
  return tokens
    .slice(from, to)
    .some(({ word }) => word !== '' && !(STOP_WORDS.en.has(word) && STOP_WORDS.de.has(word)));
}

function stretch({ text, tokens }: Pick<View, 'text' | 'tokens'>, from: number, to: number): string {
  return text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
}

function daysIn(view: Pick<View, 'text' | 'tokens' | 'days'>, from: number, to: number): DaySpan | undefined {
  return view.days(stretch(view, from, to));
}

type Values = Readonly<Record<string, unknown>>;

/** What each slot means. `when`: its time; `handed`: what came with the request; `said`: all of the sentence. */
function valuesOf({ slots }: Match, view: View): Values {
  const { now, timeZone, handed } = view.spoken;
  const today = localDate(now, timeZone);
  const values: Record<string, unknown> = { today, weekAhead: ahead(view.spoken, 6), handed };
  values.said = view.whole;
  for (const [slot, [from, to]] of Object.entries(slots)) {
    const type = typeOf(slot);
    const name = nameOf(slot);
    if (type === 'days') {
      const days = daysIn(view, from, to);
      values[`${name}.from`] = days?.from;
      values[`${name}.to`] = days?.to;
    }
    const words = said(stretch(view, from, to));
    const read = SLOT_TYPES[type] && readGap(view, type, from, to);
    values[name] = read ?? (type === 'name' ? words.replace(/['’]s$/u, '') : words);
  }
  const { time } = view;
  if (time && time.kind !== 'unclear') {
    values.when = time.kind === 'repeats' ? time.words : time.kind === 'once' ? time.at.toISOString() : time.words;
    if (time.kind !== 'repeats') values['when.day'] = localDate(time.at, timeZone);
  }
  return values;
}

function ahead({ now, timeZone }: Spoken, days: number): string {
  return localDate(addToDate(now, days, { unit: 'day', timeZone }), timeZone);
}

/** Without quotes around it, and without the mark that ends the sentence. */
function said(words: string): string {
  const plain = words.replace(/^[\s:,]+/u, '').replace(/(?<![\s?!.,])[\s?!.,]+$/u, '');
  return /^["'“„](.+)["'”“]$/su.exec(plain)?.[1] ?? plain;
}

function inputOf(template: Readonly<Record<string, unknown>>, values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(template)
      .map(([key, value]) => [key, filled(value, values)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, values)).filter((each) => each !== undefined);
  if (typeof value !== 'string') return value;
  const whole = /^\{([^{}]+)\}$/u.exec(value)?.[1];
  if (whole !== undefined) return values[nameOf(whole)];
  return value.replace(/\{([^{}]+)\}/gu, (_, slot: string) => String(values[nameOf(slot)] ?? ''));
}

/** Two matches that make the same call are one meaning. */
function callOf({ match, view }: Found): string {
  const { tool, input } = match.pattern.taught;
  return JSON.stringify([tool, inputOf(input, valuesOf(match, view))]);
}
