import { wordsToDigits } from '../../words/numbers.ts';
import { readNumber, showMoney, showNumber } from '../numbers.ts';
import { phrases } from '../phrases.ts';
import { type Intent, say, type UserRequest } from '../request.ts';

const CURRENCY = '(?:euros?|dollars?|pounds?|francs?|franken|pfund|eur|usd|chf|gbp|bucks)';
const PRICE = String.raw`{price:[$€£]? ?\d[\d.,'’]*(?: ?(?:[$€£]|${CURRENCY}))?}`;
const TOTAL = `[(what's|what is) [the|that] [total|total cost|total price|in total|altogether|in all]|(what|how much)
  (do|does|will|would|is|are) (that|they|it|i|we) [cost|come to|make|pay] [in total|in all|altogether|all together]]`;
const GESAMT = `[was (kostet|kosten|macht|ist) (das|sie) [zusammen|insgesamt|alles]|wie[ ]viel
      (ist|macht|sind|kostet) das
  [zusammen|insgesamt|alles]]`;

/** So many of something at a price each. */
const TIMES = phrases({
  en: [
    `[what (do|does|is|are|would|will)|how much (do|does|is|are|would|will)|what's] [the] [cost of|price of|total of]
      {n:number} {thing} (at|for|costing|of|@) ${PRICE} (each|a piece|apiece|a ticket|per person|per ticket|per piece)
      [cost|make|come to] [in total|altogether|in all] ${TOTAL}`,
    `{n:number} (monthly|weekly|yearly|annual|equal) (payments|instalments|installments|rates) of ${PRICE} ${TOTAL}`,
    `[what (do|does|is|are|would|will)|how much (do|does|is|are|would|will)]
      [(i|we|they) (worked|work|bought|ordered|sold|want|need|booked|did)] {n:number} {thing:[^\\d]+?} (at|costing|@)
      ${PRICE} [(a|an|per) {unit:word}] [cost|make|come to] ${TOTAL}`,
  ],
  de: [
    `[was (kosten|machen|sind)|wie[ ]viel (kosten|machen|sind)] {n:number} {thing:[^\\d]+?} (zu|à|a|für|je|zu je|für je)
      ${PRICE} [das stück|pro stück|jeweils|je stück] [zusammen|insgesamt]
      [(mit|minus|abzüglich|bei) {off:\\d[\\d.,]*}[ ](%|prozent) (rabatt|nachlass|skonto)] ${GESAMT}`,
    `${PRICE} [{thing:[^\\d,]+?}] (pro|je|am|in der|im) {unit:tag|nacht|woche|monat|person|stück|stunde|kopf} [,]
      [für|und] {n:number} [volle] (tage|nächte|wochen|monate|personen|leute|stück|stunden) ${GESAMT}`,
    `{n:number} (tage|nächte|wochen|monate|personen|stunden) (zu|à|für) [je] ${PRICE} (pro|je|am|in der|im)
      {unit:tag|nacht|woche|monat|person|stunde} ${GESAMT}`,
    `{n:number} (monatsraten|raten|zahlungen) (von|zu|à) ${PRICE} ${GESAMT}`,
  ],
});

/** Paid in so many equal parts. */
const RATES = phrases({
  en: [`[how much|what] [is] ${PRICE} in {n:number} [equal|monthly] (instalments|installments|payments) [each]`],
  de: [`[wie[ ]viel|was] [ist|sind|macht] ${PRICE} (in|auf) {n:number} [gleichen] (raten|monatsraten|teilen)`],
});

/** If so many cost so much, what do others cost? */
const PROPORTION = phrases({
  en: [
    `[if] {n:number} {thing:[^\\d]+?} (cost|costs|are|is|come to|comes to) ${PRICE} [then] (what|how much)
      (do|does|would|will|is|are) {m:number} [{other}] [cost|be|come to]`,
    `[if] {n:number} {thing:[^\\d]+?} (cost|costs|are|is) ${PRICE} [then] (what|how much) (does|would|is)
      {one:one|each|a single one}
      [{other}] [cost|be]`,
    `[if] {thing:[^\\d]+?} (costs|cost|is|are|'s) ${PRICE} (a|an|per|each|for a|for one) [{unit:[a-z]+,?}] [then|and]
      (what|how much) (do|does|would|will|is|are|'s) {m:number} [{other}] [cost|be|come to|set me back]`,
    `[if] {thing:[^\\d]+?} (costs|cost|is|are|'s) ${PRICE} (a|an|per|each|for a|for one) [{unit:[a-z]+,?}] [then|and]
      (what|how much) (do|does|would|will) (i|we|you) pay for {m:number} [{other}]`,
  ],
  de: [
    `[wenn] {thing:[^\\d]+?} ${PRICE} (pro|je|das|der|die) {unit:[a-zäöü]+} (kosten|kostet) [dann] (was|wie[ ]viel)
      (kosten|kostet) [dann] {m:number} [{other}]`,
    `{thing:[^\\d]+?} (kosten|kostet) ${PRICE} (pro|je|das|der|die) {unit:[a-zäöü]+,?} [dann] (was|wie[ ]viel)
      (kosten|kostet) [dann] {m:number} [{other}]`,
    `[wenn] {n:number} {thing:[^\\d]+?} ${PRICE} (kosten|kostet) [dann] (was|wie[ ]viel) (kosten|kostet) [dann]
      {m:number} [{other}]`,
    `{n:number} {thing:[^\\d]+?} (kosten|kostet) ${PRICE} [dann] (was|wie[ ]viel) (kosten|kostet) [dann] {m:number}
      [{other}]`,
  ],
});

/** So much per hundred kilometres. */
const CONSUMPTION = phrases({
  en: [
    `[how much (fuel|petrol|gas|power) (is|do i need for)] {distance:number} (km|kilometres|kilometers) (at|with|by)
      {rate:number} (l|litres|liters|kwh) per 100 [km|kilometres|kilometers] ${TOTAL}`,
  ],
  de: [
    `[wie[ ]viel (sprit|benzin|diesel|strom) (brauche ich|braucht man|ist das|sind das|brauchen wir)] [für|auf|bei]
      {distance:number}[ ](km|kilometer|kilometern) (mit|bei) {rate:number}[ ](l|liter|litern|kwh) (auf|pro) 100
      [km|kilometer] [verbrauch] [wie[ ]viel] [sprit|benzin|diesel|strom|liter] [ist|sind|macht|brauche ich|brauchen
      wir] [das|ich] [insgesamt|zusammen]`,
  ],
});

const SPAN = 'year|month|fortnight|week|day|annum';
const ZEIT = 'jahr|monat|woche|tag';
/** An amount per year, as an amount per month. */
const PERIOD = phrases({
  en: [
    `[{who:[^\\d]+?}] ${PRICE} (a|per|every|each|an|/) {from:${SPAN}} [,] [so] (how much|what)
      (is|does|do|would|makes|make)
      [that|it|i|we] [be|make|earn|pay|get|cost|come to] [that|it] (a|per|every|each|in a|/) {to:${SPAN}}`,
    `(how much|what) is ${PRICE} (a|per|every|each) {from:${SPAN}} (a|per|every|each|in a) {to:${SPAN}}`,
    `(how much|what) is ${PRICE} (a|per|every|each) {from:${SPAN}} in a {to:${SPAN}}`,
    `${PRICE} (a|per|every|each) {from:${SPAN}} (is|makes) (how much|what) (a|per|every|each|in a) {to:${SPAN}}`,
  ],
  de: [
    `[{who:[^\\d]+?}] ${PRICE} (im|pro|in der|am|je) {from:${ZEIT}} [,] [also] (wie[ ]viel|was)
      (ist|sind|macht|kostet|verdiene)
      [das|ich|es] [dann] (im|pro|in der|am|je) {to:${ZEIT}}`,
    `${PRICE} (im|pro|in der|am|je) {from:${ZEIT}} [,] [also|und] [(wie[ ]viel|was) [ist|sind|macht] [das|es]]
      (im|pro|in der|am|je|aufs|auf das|auf den|auf die) {to:${ZEIT}} [gerechnet]`,
    `(wie[ ]viel|was) (ist|sind) ${PRICE} (im|pro|in der|am|je) {from:${ZEIT}} (im|pro|in der|am|je|auf den)
      {to:${ZEIT}}`,
  ],
});
/** How many of each a year has. */
const PER_YEAR: Readonly<Record<string, number>> = {
  ...{ year: 1, annum: 1, month: 12, fortnight: 26, week: 52, day: 365 },
  ...{ jahr: 1, monat: 12, woche: 52, tag: 365 },
};

/** A week has seven days, of which a year has not a whole number. */
const PER_WEEK: Readonly<Record<string, number>> = { week: 1, woche: 1, day: 7, tag: 7 };

type Answer = (request: UserRequest) => Intent | undefined;

const plainOf = ({ plain }: UserRequest) => wordsToDigits(plain).replace(/ [-–] (?=\d|was |wie |what |how )/gu, ' ');

/** The number of a price, and how prices are written like it. */
function priced(words: string | undefined, { language }: UserRequest) {
  const digits = /\d[\d.,'’]*/u.exec(words ?? '')?.[0].replace(/[.,]$/u, '');
  const value = digits === undefined ? Number.NaN : readNumber(digits, language);
  const unit = (words ?? '').replace(/[\d.,'’\s]+/gu, '');
  const leads = /^\s*[$€£]/u.test(words ?? '');
  const written = (amount: number) => {
    const shown = showMoney(amount, language);
    return leads ? `${unit}${shown}` : `${shown} ${unit}`.trim();
  };
  return Number.isNaN(value) ? undefined : { value, written };
}

/** "12 monthly payments of 37.99". */
export const times: Answer = (request) => {
  const slots = TIMES(plainOf(request));
  const price = priced(slots?.price, request);
  const n = readNumber(slots?.n ?? '', request.language);
  if (!slots || !price || Number.isNaN(n)) return undefined;
  const { written, value } = price;
  const off = readNumber(slots.off ?? '0', request.language);
  const less = off === 0 ? '' : request.in(`, less ${off}%`, `, minus ${slots.off} %`);
  return say(`${written(n * value * (1 - off / 100))} (${n} × ${written(value)}${less}).`);
};

/** "430 km at 6.5 litres per 100". */
export const consumption: Answer = (request) => {
  const slots = CONSUMPTION(plainOf(request));
  const [distance, rate] = [slots?.distance ?? '', slots?.rate ?? ''].map((n) => readNumber(n, request.language));
  const used = ((distance ?? Number.NaN) * (rate ?? Number.NaN)) / 100;
  if (!slots || Number.isNaN(used)) return undefined;
  const unit = /kwh/iu.test(request.plain) ? 'kWh' : request.in('litres', 'Liter');
  return say(`${showNumber(Number(used.toFixed(2)), request.language)} ${unit}.`);
};

/** "1.499 Euro in 24 Raten". */
export const rates: Answer = (request) => {
  const slots = RATES(plainOf(request));
  const price = priced(slots?.price, request);
  const n = readNumber(slots?.n ?? '', request.language);
  if (!slots || !price || !Number.isInteger(n) || n < 2) return undefined;
  const each = price.written(price.value / n);
  return say(request.in(`${n} payments of ${each}.`, `${n} Raten zu ${each}.`));
};

/** What apples cost says nothing of pears; "8 of them" and "8 more" are the same again. */
function areAlike(thing: string, other: string): boolean {
  const stems = (words: string) =>
    words
      .toLowerCase()
      .match(/\p{L}{3,}/gu)
      ?.map((word) => word.replace(/(?:e[sn]?|[sn])$/u, '')) ?? [];
  const known = new Set([...stems(thing), ...stems('them those these more such ones davon mehr solche')]);
  const asked = stems(other.replace(/\b(?:costs?|be|come to|kosten|kostet)$/iu, ''));
  return asked.length === 0 || asked.some((word) => known.has(word));
}

/** "If 5 tickets cost 67.50, what do 8 cost?" */
export const proportion: Answer = (request) => {
  const slots = PROPORTION(plainOf(request));
  const price = priced(slots?.price, request);
  const [n, m] = [slots?.n ?? '1', slots?.one === undefined ? slots?.m : '1'].map((words) =>
    readNumber(words ?? '', request.language),
  );
  if (!slots || !price || !n || m === undefined || Number.isNaN(m)) return undefined;
  if (!areAlike(`${slots.thing} ${slots.unit ?? ''}`, slots.other ?? '')) return undefined;
  const { written, value } = price;
  if (slots.n === undefined) return say(`${written(value * m)} (${m} × ${written(value)}).`);
  const each = written(value / n);
  if (m === 1) return say(request.in(`${each} each.`, `${each} je Stück.`));
  return say(
    request.in(`${written((value / n) * m)}, at ${each} each.`, `${written((value / n) * m)}, bei ${each} je Stück.`),
  );
};

/** "34,500 a year, how much is that a month?" */
export const period: Answer = (request) => {
  const slots = PERIOD(plainOf(request));
  const price = priced(slots?.price, request);
  const units = [slots?.from, slots?.to].map((unit) => unit?.toLowerCase() ?? '');
  const isOfWeek = units.every((unit) => unit in PER_WEEK);
  const [from, to] = units.map((unit) => (isOfWeek ? PER_WEEK : PER_YEAR)[unit]);
  if (!slots || !price || !from || !to) return undefined;
  const amount = price.written((price.value * from) / to);
  const counted = Math.max(from, to);
  const named = { 12: ['months', 'Monaten'], 26: ['fortnights', ''], 52: ['weeks', 'Wochen'] }[counted] ?? [
    'days',
    'Tagen',
  ];
  const span = isOfWeek ? request.in('a week', 'in der Woche') : request.in('a year', 'im Jahr');
  return say(
    request.in(
      `${amount} a ${slots.to}, by ${counted} ${named[0]} ${span}.`,
      `${amount} pro ${slots.to}, bei ${counted} ${named[1]} ${span}.`,
    ),
  );
};
