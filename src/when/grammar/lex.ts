import { pattern } from '../../base/pattern.ts';
import { fold } from '../../words/spelling.ts';
import { anyTimeUnit } from '../../words/units.ts';
import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import type { Kind, Lexicon, Sense, Token } from './token.ts';

/** `2 1/2 hours`, `1½ hours`, `3/4 hour`: a date is followed by another unit, or by none. */
const FRACTION = pattern(
  'iuy',
  String.raw`(?:(?<!\d)\d{1,3}[ -])?(?:1\/2|1\/4|3\/4)`,
  String.raw`(?=[ -]${anyTimeUnit}\b)|\d{0,3}[½¼¾]`,
);

/** The forms of numbers and signs, most specific first; `name` is the kind of the token. */
const FORMS: readonly (readonly [Kind | 'word' | 'sign', RegExp])[] = [
  ['number', FRACTION],
  ['iso', /\d{4}-\d\d-\d\d(?!\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?\s?(?:Z|[+-]\d\d:?\d\d)?)?/iuy],
  ['dotted', /\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?(?!\d)/uy],
  ['slashed', /\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?!\d)|\d{1,2}-\d{1,2}-\d{2,4}(?!\d)/uy],
  ['clock', /\d{1,2}(?::\d{2}|\.\d{2}|h\d{2}(?!\s?m))(?![\d:])/uy],
  ['minutes', /:\d{2}(?!\d)/uy],
  ['ordinal', /\d{1,3}(?:st|nd|rd|th)\b/iuy],
  ['number', /\d+(?:[.,]\d(?!\d))?/uy],
  ['half-day', /[ap]\.m\.?(?!\p{L})/iuy],
  ['word', /(?<=\d)\p{L}+|\p{L}[\p{L}\d]*(?:['’]\p{L}+)?/uy],
  ['sign', /[^\s]/uy],
];
/** `1.` before a word is an ordinal in German; after "am" it is one at the end of a sentence, too. */
const GERMAN_ORDINAL = /\d{1,2}\.(?=\s+\p{L})|(?<=\b(?:am|den|der|dem|zum|vom) )\d{1,2}\.(?=\s*$)/iuy;
/** "Am 28." and "am 28.11.": in English, "am" comes after a number. */
const GERMAN_DAY = /(?<!\d ?)\bam \d{1,2}\.(?:\d{1,2}\.|(?!\d))/iu;

/** Kinds that always refer to time. */
const TIMELY: ReadonlySet<Kind> = new Set<Kind>([
  ...(['weekday', 'weekdays', 'month', 'unit', 'part', 'moment', 'relative', 'tonight', 'every', 'adverb'] as const),
  ...(['iso', 'dotted', 'slashed', 'clock', 'half-day', 'oclock', 'ago', 'vague', 'holiday', 'often'] as const),
]);
/** Words of time that usually mean something else, unless a rule uses them. */
const WEAK = new Set(
  `may march sun sat second seconds mon wed fri thu mar sec min mins s m h am sep dec jan jun jul oct nov apr aug mai
  mo di mi do fr sa sek std morgens alle aller allen jeder jedem jede a.m p.m quarter quarters hr hrs viertel
  frueh`.split(/\s+/u),
);

/** The sentence as tokens, with the senses of each word in the language of the sentence. */
export function lex(sentence: string): { readonly tokens: readonly Token[]; readonly lexicon: Lexicon } {
  const lexicon = lexiconFor(sentence);
  const tokens: Token[] = [];
  for (let at = 0; at < sentence.length; ) {
    const token = tokenAt(sentence, at, lexicon);
    if (token) tokens.push(token);
    at = token?.end ?? at + 1;
  }
  return { tokens: withHolidays(tokens.map(ofItsTime(lexicon)), lexicon), lexicon };
}

/** "In a week's time" means in a week. */
function ofItsTime(lexicon: Lexicon) {
  return (token: Token, index: number, tokens: readonly Token[]): Token => {
    const [, unit] = /^(\p{L}+)['’]s$/u.exec(token.text) ?? [];
    const senses = (unit && lexicon.words.get(fold(unit))) || [];
    const isUnit = senses.some(({ is }) => is === 'unit') && /^time$/iu.test(tokens[index + 1]?.text ?? '');
    return isUnit ? { ...token, senses } : token;
  };
}

function tokenAt(sentence: string, start: number, lexicon: Lexicon): Token | undefined {
  const german = lexicon.language === 'de' ? match(GERMAN_ORDINAL, sentence, start) : undefined;
  if (german) return numeral('ordinal', german, start);
  for (const [kind, form] of FORMS) {
    const text = match(form, sentence, start);
    if (text === undefined) continue;
    return kind === 'word' || kind === 'sign' || kind === 'half-day'
      ? wordToken(text, start, lexicon)
      : numeral(kind, text, start);
  }
  return undefined;
}

function match(form: RegExp, sentence: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(sentence)?.[0];
}

function numeral(is: Kind, text: string, start: number): Token {
  const sense = { is, n: numberIn(text), name: text };
  return { text, start, end: start + text.length, senses: [sense], ofTime: TIMELY.has(is) };
}

const PARTS = { '½': 1 / 2, '¼': 1 / 4, '¾': 3 / 4, '1/2': 1 / 2, '1/4': 1 / 4, '3/4': 3 / 4 };

function numberIn(text: string): number {
  const part = Object.entries(PARTS).find(([written]) => text.endsWith(written));
  if (!part) return Number.parseFloat(text.replace(',', '.'));
  return Number(text.slice(0, -part[0].length).trim().replace(/-$/u, '')) + part[1];
}

function wordToken(text: string, start: number, lexicon: Lexicon): Token {
  const key = fold(text);
  const senses = lexicon.words.get(key) ?? [];
  const owner = key.endsWith("'s") ? (lexicon.words.get(key.slice(0, -2)) ?? []) : [];
  const plain = /^\p{L}/u.test(key) && !WEAK.has(key);
  const ofTime = plain && [...senses, ...owner].some(({ is }) => TIMELY.has(is));
  return { text, start, end: start + text.length, senses, ofTime };
}

/** The language with more of its words in the sentence; English on a tie. */
function lexiconFor(sentence: string): Lexicon {
  const words = [...sentence.matchAll(/\p{L}[\p{L}']*/gu)].map(([word]) => fold(word));
  const score = ({ words: known, telling }: Lexicon) =>
    words.reduce((sum, word) => sum + (known.has(word) || telling.has(word) ? 1 : 0), 0);
  return score(GERMAN) + (GERMAN_DAY.test(sentence) ? 1 : 0) > score(ENGLISH) ? GERMAN : ENGLISH;
}

/** Names of days may have several words: the longest one that begins here becomes one token. */
function withHolidays(tokens: readonly Token[], { holidays }: Lexicon): Token[] {
  const merged: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const fits = (size: number) => at + size <= tokens.length && holidays.has(phrase(tokens.slice(at, at + size)));
    const count = [3, 2, 1].find(fits) ?? 0;
    const [first, last] = [tokens[at], tokens[at + Math.max(count, 1) - 1]];
    if (!first || !last) break;
    const [month = 0, day = 0] = holidays.get(phrase(tokens.slice(at, at + count))) ?? [];
    const senses: readonly Sense[] = count > 0 ? [{ is: 'holiday', n: month * 100 + day, name: '' }] : first.senses;
    merged.push(count > 0 ? { ...first, end: last.end, senses, ofTime: true } : first);
    at += Math.max(count, 1);
  }
  return merged;
}

function phrase(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => fold(text)).join(' ');
}
