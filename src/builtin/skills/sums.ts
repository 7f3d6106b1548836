import { wordsToDigits } from '../../words/numbers.ts';
import { readNumber, showMoney, showNumber } from '../numbers.ts';
import { phrases, type Slots } from '../phrases.ts';
import { type Intent, say, type UserRequest } from '../request.ts';

const CURRENCY = '(?:[$€£]|euros?|dollars?|pounds?|quid|bucks|eur|usd|gbp|chf|francs?)';
const MONEY = String.raw`[$€£]? ?\d[\d.,'’]*(?: ?${CURRENCY})?`;
const AMOUNT = `{amount:${MONEY}}`;
const RATE = String.raw`{rate:\d[\d.,]*}[ ](%|percent|per cent)`;
/** The rest of a question that has no figures of its own. */
const ASK = String.raw`{ask:[^\d]*?}`;
const MANY = String.raw`{m:(?:\d+|an?|the|one)} {to:days?|weeks?|months?|years?}`;
const EACH = '(a|per|every|each) {from:day|week|fortnight|month|year}';
const WAY = [
  '{way:up|rises?|rising|increas(?:es?|ed|ing)|raised|rose|grows?|down|falls?|fell|drops?|dropped',
  'decreas(?:es?|ed|ing)|reduced|cut}',
].join('|');
const KIND = '{kind:vat|tax|sales tax|interest|commission|service charge|service|fee|discount|deposit}';
const ONE = '{one:(?:1|one|each|a single 1|each 1|it each|that each|that for each|that a piece|that per .+|1 of them)}';

/** So much in each span, for several of them. */
const SAVED = phrases({
  en: [
    `[if|when] (i|we|you) (save|put|set|invest|spend|pay|overpay|repay|earn|make|get|give|use)
      [away|aside|by|in] ${AMOUNT} [away|aside]
      [{thing:(?:on|for|into|towards|in) [^\\d,]+?}] ${EACH} [{on:(?:on|for|into) [^\\d,]+?}] [then]
      (what|how much) ${ASK} (in|after|over|for|within|by the end of|at the end of) ${MANY}`,
    `(what|how much) ${ASK} (in|after|over|for|within) ${MANY} (if|when) (i|we|you)
      (save|put|set|invest|spend|pay|earn|make) [away|aside|by] ${AMOUNT} ${EACH}`,
    `(what|how much) (is|are|does|would) [{ask:[^\\d]*?}] ${AMOUNT} ${EACH} (for|over|in) ${MANY} [cost|be|come to]`,
    `${AMOUNT} ${EACH} (for|over) ${MANY} [is] {ask:(?:how much|what|makes what|comes to what).*}`,
  ],
  de: [],
});
/** A price that rises or falls by a share of it. */
const RISES = phrases({
  en: [
    `[if] {thing:[^\\d]*?} ${AMOUNT} [(a|per) (month|week|year)] [and] [it|that|which] [is|are|has|was|will]
      [going|gone|go|went|goes] ${WAY} [by] ${RATE} [{rest:maybe}] (what|how much|what's) ${ASK}`,
    `[what is|how much is] [increase|raise] {more:${MONEY}} [increased|raised] by ${RATE}`,
    `[what is|how much is] (decrease|reduce|lower|cut) {fewer:${MONEY}} by ${RATE}`,
    `[what is|how much is] {fewer:${MONEY}} (decreased|reduced|cut) by ${RATE}`,
  ],
  de: [],
});
/** The share itself is asked for, not the sum. */
const PART = phrases({
  en: [
    `(what|what's|how much) [is|are|would be|will be] [the] ${KIND} (on|of|for) ${AMOUNT} (at|with|of) ${RATE}
      {rest:maybe}`,
    `(what|what's|how much) [is|are|would be] [the] ${KIND} (at|of) ${RATE} (on|for) ${AMOUNT} {rest:maybe}`,
    `(what|how much) [is] [the] ${RATE} ${KIND} (on|of|for) ${AMOUNT}`,
    `(what|how much) ${KIND} (do|will|would) (i|we|you) (get|earn|pay|have to pay) (on|for) ${AMOUNT} (at|with) ${RATE}
      [(in|for|over|after|per) (a|one|annum) [year]|interest|a year]`,
  ],
  de: [],
});
/** Some cost so much together. */
const ONE_OF = phrases({
  en: [
    `[i|we] (paid|spent|gave|pay) ${AMOUNT} for {n:\\d+} {thing:[^\\d]+?} [so] (how much|what)
      (was|is|did|does|do|were) ${ONE} [cost|costs|apiece]`,
    `[if] [a] (pack|box|bag|set) of {n:\\d+} [{thing:[^\\d]+?}] (costs|cost|is) ${AMOUNT} [so] (how much|what)
      (is|does|was) ${ONE} [cost]`,
  ],
  de: [],
});
const GOES_INTO = phrases({
  en: [
    'how (many times|often) (does|do|will) {part:number} (go|fit) (into|in) {whole:number}',
    'how many {part:number}s (are there|are|go|fit) (in|into) {whole:number}',
  ],
  de: [],
});
/** From one price to another. */
const CHANGED = phrases({
  en: [
    `{thing:[^\\d]*?} (was|were|cost|used to cost|used to be) {a:${MONEY}} [before|last year|last month] (and|but)
      [it|they|that] (is|are|costs|cost|is now|are now|now costs|has gone to|now) {b:${MONEY}} [now]
      {ask:(?:what|how|by|in|as)\\b.*\\b(?:percent\\p{L}*|per cent)\\b.*}`,
    `(what|how many) (percent|percentage|per cent) ${ASK} [from] {a:${MONEY}} (to|and|down to|up to) {b:${MONEY}}`,
  ],
  de: [],
});

type Answer = (request: UserRequest) => Intent | undefined;

const plainOf = ({ plain }: UserRequest) => wordsToDigits(plain);

/** The number of an amount, and how amounts are written like it. */
function amountIn(words: string | undefined, { language }: UserRequest) {
  const digits = /\d[\d.,'’]*/u.exec(words ?? '')?.[0].replace(/[.,]$/u, '');
  if (digits === undefined) return undefined;
  const unit = (words ?? '').replace(/[\d.,'’\s]+/gu, '');
  const leads = /^\s*[$€£]/u.test(words ?? '');
  const written = (value: number) => {
    const shown = showMoney(value, language);
    return leads ? `${unit}${shown}` : `${shown} ${unit}`.trim();
  };
  return { value: readNumber(digits, language), written };
}

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, fortnight: 14 };
/** As people reckon with them. */
const IN_A_YEAR: Readonly<Record<string, number>> = { day: 365, week: 52, fortnight: 26 };
const MONTHS: Readonly<Record<string, number>> = { month: 1, year: 12 };

/** How often a span comes within others: 24 months in 2 years, 52 weeks in one. */
function timesIn(from: string, to: string, many: number): number | undefined {
  if (from in DAYS && to in DAYS) return Math.floor(((DAYS[to] ?? 1) * many) / (DAYS[from] ?? 1));
  if (from in MONTHS && to in MONTHS) return ((MONTHS[to] ?? 1) * many) / (MONTHS[from] ?? 1);
  const yearly = IN_A_YEAR[from];
  if (to === 'year' && yearly) return yearly * many;
  return undefined;
}

const saved: Answer = (request) => {
  const slots = SAVED(plainOf(request));
  const amount = amountIn(slots?.amount, request);
  const many = /^\d+$/u.test(slots?.m ?? '') ? Number(slots?.m) : 1;
  const singular = (slots?.to ?? '').toLowerCase().replace(/s$/u, '');
  const times = slots && timesIn(slots.from?.toLowerCase() ?? '', singular, many);
  if (!amount || !times || !Number.isInteger(times)) return undefined;
  return say(`${amount.written(amount.value * times)} (${times} × ${amount.written(amount.value)}).`);
};

const rises: Answer = (request) => {
  const slots = RISES(plainOf(request));
  const amount = amountIn(slots?.amount ?? slots?.more ?? slots?.fewer, request);
  const rate = readNumber(slots?.rate ?? '', request.language);
  if (!slots || !amount || Number.isNaN(rate)) return undefined;
  const falls = slots.fewer !== undefined || /^(?:down|f[ae]ll|drop|decreas|reduc|cut)/iu.test(slots.way ?? '');
  const change = (amount.value * rate) / 100;
  const after = amount.written(amount.value + (falls ? -change : change));
  return say(`${after} (${amount.written(change)} ${falls ? 'less' : 'more'}).`);
};

const part: Answer = (request) => {
  const slots = PART(plainOf(request));
  const amount = amountIn(slots?.amount, request);
  const rate = readNumber(slots?.rate ?? '', request.language);
  if (!slots || !amount || Number.isNaN(rate) || !isPlainRest(slots)) return undefined;
  const own = amount.written((amount.value * rate) / 100);
  return say(`${own} (${showNumber(rate)}% of ${amount.written(amount.value)}).`);
};

/** Several years are another sum. */
const isPlainRest = ({ rest = '' }: Slots) => !/\d|years|months/iu.test(rest);

const oneOf: Answer = (request) => {
  const slots = ONE_OF(plainOf(request));
  const amount = amountIn(slots?.amount, request);
  const n = Number(slots?.n);
  if (!amount || !n) return undefined;
  return say(`${amount.written(amount.value / n)} each (${amount.written(amount.value)} by ${n}).`);
};

const goesInto: Answer = (request) => {
  const slots = GOES_INTO(plainOf(request));
  const [part, whole] = [slots?.part, slots?.whole].map((text) => readNumber(text ?? '', request.language));
  if (!part || !whole) return undefined;
  const [times, left] = [Math.floor(whole / part), whole % part];
  return say(`${showNumber(times)} times${left === 0 ? '' : `, and ${showNumber(left)} is left`}.`);
};

const changed: Answer = (request) => {
  const slots = CHANGED(plainOf(request));
  const [a, b] = [amountIn(slots?.a, request), amountIn(slots?.b, request)];
  if (!a?.value || !b) return undefined;
  const percent = Number((((b.value - a.value) / a.value) * 100).toFixed(2));
  if (percent === 0) return say(`0%: it stays at ${b.written(b.value)}.`);
  const shown = showNumber(Math.abs(percent));
  return say(`${shown}% ${percent < 0 ? 'less' : 'more'}: from ${a.written(a.value)} to ${b.written(b.value)}.`);
};

/** Sums that are told as a little story: savings, a rise, what one of several costs. */
export const sums: readonly Answer[] = [saved, rises, part, oneOf, goesInto, changed];
