import { readNumber, showMoney, showNumber, wordsToDigits } from '../numbers.ts';
import { phrases, type Slots } from '../phrases.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';
import { bill } from './bill.ts';
import { period, proportion, rates, times } from './prices.ts';

/** An amount with or without its currency: `€80`, `80 euros`, `42,50`. */
const CURRENCY = '(?:[$€£]|euros?|dollars?|pounds?|francs?|franken|pfund|eur|usd|chf|bucks|kr|kronen)';
const AMOUNT = String.raw`{amount:(?:[$€£]|eur|usd|chf)? ?\d[\d.,'’]*(?: ?${CURRENCY})?}`;
const RATE = String.raw`{rate:\d[\d.,]*}`;
const PER_CENT = '[ ](%|percent|per cent|prozent)';
const ASKED =
  "[what's|what is|how much is|calculate|what would|add|and|what's a|what is a|what's the|how much would|how much]";
const GEFRAGT =
  '[wie[ ]viel (ist|sind|macht|wäre|wären|beträgt|kostet)|was (ist|sind|macht|kostet|wäre|wären)|berechne|und]';

/** What is left after a discount. */
const OFF = phrases({
  en: [
    `${ASKED} ${RATE}${PER_CENT} (off|off of|discount on|reduction on|less than) ${AMOUNT} [be|cost]`,
    `${ASKED} ${AMOUNT} (with|minus|less|after|at) [a] ${RATE}${PER_CENT} [off|discount|reduction] [cost]`,
    `(something|it|a shirt|an item|the price) (costs|is) ${AMOUNT} (and|with) [is] [a] ${RATE}${PER_CENT}
      (off|discount) {rest:maybe}`,
  ],
  de: [
    `${GEFRAGT} ${RATE}${PER_CENT} (rabatt|nachlass|skonto) (auf|von|bei) ${AMOUNT}`,
    `${GEFRAGT} ${AMOUNT} (mit|minus|abzüglich|bei|nach) ${RATE}${PER_CENT} [rabatt|nachlass|skonto]`,
    `{thing} (kostet|kosten|kostete) [eigentlich|normal|regulär] ${AMOUNT} [und|aber] [jetzt|heute]
      (es gibt|mit|minus|abzüglich|ich bekomme|ich kriege|ist um|sind um) ${RATE}${PER_CENT}
      (rabatt|nachlass|skonto|reduziert|günstiger|billiger) {rest:maybe}`,
  ],
});
/** A tip, and the bill with it. */
const TIP = phrases({
  en: [
    `${ASKED} [a] ${RATE}${PER_CENT} tip (on|for|of) [a] ${AMOUNT} [bill|meal|dinner]`,
    `${ASKED} [the] tip (on|for) [a] ${AMOUNT} [bill|meal|dinner] [at|of|with] ${RATE}${PER_CENT}`,
    `(how much|what) (should i|do i|to) tip (on|for) [a] ${AMOUNT} [bill|meal|dinner] [at|with] [${RATE}${PER_CENT}]`,
    `tip ${RATE}${PER_CENT} on ${AMOUNT}`,
    `(how much|what) (would|is|will) a ${RATE}${PER_CENT} tip [be|come to] (on|for) [a] ${AMOUNT} [bill|meal|dinner]`,
  ],
  de: [
    `${GEFRAGT} ${RATE}${PER_CENT} trinkgeld (auf|bei|von|für) ${AMOUNT}`,
    `(wie[ ]viel) trinkgeld [gebe ich|soll ich geben|gibt man|sind|ist das] (auf|bei|für) ${AMOUNT} [bei|mit]
      [${RATE}${PER_CENT}]`,
    `${GEFRAGT} [das] trinkgeld (auf|bei|für|von) ${AMOUNT} [bei|mit|von] [${RATE}${PER_CENT}]`,
  ],
});
/** With tax or another addition on top. */
const PLUS = phrases({
  en: [
    `${ASKED} ${AMOUNT} (plus|with|including|and) ${RATE}${PER_CENT} [vat|tax|sales tax|interest|more]`,
    `add ${RATE}${PER_CENT} [vat|tax|sales tax] to ${AMOUNT}`,
    `${ASKED} (vat|tax|sales tax) of ${RATE}${PER_CENT} on ${AMOUNT}`,
  ],
  de: [
    `${GEFRAGT} ${AMOUNT} (plus|mit|zuzüglich|zzgl|und|inklusive) ${RATE}${PER_CENT}
    [mehrwertsteuer|mwst|umsatzsteuer|steuer|zinsen|trinkgeld|aufschlag]`,
  ],
});
/** The price before the tax in it. */
const NET = phrases({
  en: [
    `${ASKED} ${AMOUNT} (without|excluding|before|net of|ex|minus) [the] ${RATE}${PER_CENT} (vat|tax|sales tax)`,
    `${ASKED} ${AMOUNT} (without|excluding|before|net of|ex) (vat|tax|sales tax) [at|of] ${RATE}${PER_CENT}`,
    `${ASKED} [the] [net] [price|amount|cost] (without|excluding|before|net of|ex) [the] ${RATE}${PER_CENT}
      (vat|tax|sales tax) (if|when|of|for|from|on) [it is|it's|it comes to|the price is|the total is|the gross is]
      ${AMOUNT} [with|gross|incl|including|including it|with it|with vat|including vat|with tax|in total]`,
    `${AMOUNT} (including|includes|incl|inc|inclusive of|with) ${RATE}${PER_CENT} (vat|tax|sales tax)
      (what|how much) (is|was|would be) [it|that|the] [net|price] [price|amount]
      (without|before|excluding|net|without it|before tax|without vat|excluding vat|before vat|without tax)`,
  ],
  de: [
    `[wie[ ]viel|was] [ist|sind] netto (ist|sind|von|bei) ${AMOUNT} [brutto] [bei|mit] ${RATE}${PER_CENT}
    [mehrwertsteuer|mwst|umsatzsteuer|steuer]`,
    `${GEFRAGT} ${AMOUNT} (inklusive|inkl|mit) ${RATE}${PER_CENT} (mehrwertsteuer|mwst|umsatzsteuer|steuer) netto`,
    `brutto ${AMOUNT} (wie[ ]viel|was) (ist|sind|wäre|macht) [das] netto [bei|mit] ${RATE}${PER_CENT}
      [mehrwertsteuer|mwst|umsatzsteuer|steuer]`,
    `${AMOUNT} brutto (wie[ ]viel|was) (ist|sind|wäre|macht) [das] netto [bei|mit] ${RATE}${PER_CENT}
      [mehrwertsteuer|mwst|umsatzsteuer|steuer]`,
    `${GEFRAGT} ${AMOUNT} (ohne|brutto bei|abzüglich der|netto bei) [die] ${RATE}${PER_CENT}
    (mehrwertsteuer|mwst|umsatzsteuer|steuer)`,
  ],
});
const SPLIT = phrases({
  en: [
    `(split|divide|share) [a|the] [bill of] ${AMOUNT} [bill] [evenly|equally]
      (between|among|by|with|for|amongst|into) {n} [people|persons|friends|ways|of us|parts]`,
    `(split|divide|share) [a|the] [bill of] ${AMOUNT} [bill] {n} ways`,
    `${ASKED} ${AMOUNT} split {n} ways`,
    `${ASKED} ${AMOUNT} (split|divided|shared) (between|among|by|amongst) {n} [people|persons|friends|ways]`,
    `(split|divide) [a|the] [bill of] ${AMOUNT} [bill] (between|among|by) {n} [people|persons|friends] with [a]
      ${RATE}${PER_CENT} tip`,
  ],
  de: [
    `${AMOUNT} (durch|auf) {n} (personen|leute)`,
    `(teil[e]) ${AMOUNT} (durch|auf|unter) {n} [personen|leute|leuten|freunden|freunde] [auf]`,
    `${GEFRAGT} ${AMOUNT} (geteilt|aufgeteilt) (durch|auf|unter) {n} (personen|leute|leuten|freunde)`,
    `${GEFRAGT} ${AMOUNT} aufgeteilt (durch|auf|unter) {n}`,
  ],
});
const SHARE = phrases({
  en: [
    `(what percent|what percentage|how many percent|what per cent) (of {whole:number} is {part:number}|is
      {part2:number} of {whole2:number})`,
    '{part:number} is what (percent|percentage) of {whole:number}',
    '{part:number} (off|of|out of) {whole:number} (is|are) (how many|what) (percent|percentage)',
    "[what's|what is] {part:number} as [a] percentage of {whole:number}",
    '{part:number} (as a percentage of|of|out of) {whole:number} (in percent|as a percentage|in %)',
  ],
  de: [
    'wie[ ]viel prozent (sind|ist) {part:number} von {whole:number}',
    'wie[ ]viel prozent von {whole:number} (sind|ist) {part:number}',
    '{part:number} von {whole:number} in prozent',
  ],
});
const CHANGE = phrases({
  en: [
    `[what's|what is] [the] (percentage|percent) (change|increase|decrease|difference) (from|between) {a:number}
      (to|and) {b:number}`,
    '(from|increase from|change from) {a:number} to {b:number} (in percent|as a percentage)',
    `[{thing}] (went|go|goes|rose|fell|increased|decreased|changed|gone|dropped) [up|down] from [€|$|£]{a:number} to
      [€|$|£]{b:number} [,] (how many percent|how much|what percentage|what percent|what) (is|was) (that|it|the
      change|the
      increase|the decrease) [in percent|as a percentage|in %]`,
  ],
  de: [
    [
      '[um] wie[ ]viel prozent (ist der unterschied|steigt es|ist die änderung|mehr ist das|ist es',
      'gestiegen) (von|zwischen) {a:number} (auf|und|zu) {b:number}',
    ].join(' '),
    'von {a:number} auf {b:number} in prozent',
    `[{thing}] (ist|sind) von {a:number} auf {b:number} [euro] (gestiegen|gefallen|gesunken) wie[ ]viel prozent
      (ist|sind)
      das`,
  ],
});
const FOREIGN = phrases({
  en: [
    `[convert|how much is|what is|what's] {n:number}[
      ](dollar|dollars|usd|euro|euros|eur|pound|pounds|gbp|yen|chf|francs|€|$|£) (in|to|into)
      (dollar|dollars|usd|euro|euros|eur|pound|pounds|gbp|yen|chf|francs)`,
    "(what's|what is) the (exchange rate|rate) {rest:maybe}",
  ],
  de: [
    [
      '[wie[ ]viel (ist|sind)|was sind] {n:number}[ ](dollar|euro|pfund|franken|yen|€|$|£) in',
      '(dollar|euro|pfund|franken|yen)',
    ].join(' '),
    'wie ist der [aktuelle] (wechselkurs|kurs) {rest:maybe}',
  ],
});
const USUAL_TIP = 10;

export const money: Skill = {
  name: 'money',
  examples: {
    en: ['what is 20% off 80 euros?', 'a 15% tip on 42.50', 'split 120 euros between 4 people'],
    de: ['was sind 20% Rabatt auf 80 Euro?', '15% Trinkgeld auf 42,50', 'teile 120 Euro durch 4 Personen'],
  },
  recognize: (request) => {
    for (const answer of [
      exchange,
      split,
      tip,
      off,
      net,
      plus,
      share,
      change,
      bill,
      rates,
      times,
      proportion,
      period,
    ]) {
      const found = answer(request);
      if (found) return found;
    }
    return undefined;
  },
};

type Answer = (request: UserRequest) => Intent | undefined;

/** The amount, its rate, and how amounts are written like the one in the request. */
function read(slots: Slots | undefined, { language }: UserRequest) {
  const amount = slots?.amount ?? '';
  const number = readNumber(/\d[\d.,'’]*/u.exec(amount)?.[0].replace(/[.,]$/u, '') ?? '', language);
  const rate = slots?.rate === undefined ? undefined : readNumber(slots.rate, language);
  const unit = amount.replace(/[\d.,'’\s]+/gu, '');
  const written = (value: number) => {
    const shown = showMoney(value, language);
    if (unit === '') return shown;
    return /^\s*[$€£]/u.test(amount) ? `${unit}${shown}` : `${shown} ${unit}`;
  };
  return slots === undefined || Number.isNaN(number) ? undefined : { number, rate, written };
}

const off: Answer = (request) => {
  const found = read(OFF(request.plain), request);
  if (!found || found.rate === undefined) return undefined;
  const { number, rate, written } = found;
  const saved = (number * rate) / 100;
  return say(
    request.in(
      `${written(number - saved)} (${written(saved)} off).`,
      `${written(number - saved)} (${written(saved)} gespart).`,
    ),
  );
};

const tip: Answer = (request) => {
  const found = read(TIP(request.plain), request);
  if (!found) return undefined;
  const { number, written, rate = USUAL_TIP } = found;
  const amount = (number * rate) / 100;
  const percent = `${showNumber(rate, request.language)}${request.in('%', ' %')}`;
  return say(
    request.in(
      `A tip of ${percent} is ${written(amount)}; ${written(number + amount)} in all.`,
      `${percent} Trinkgeld sind ${written(amount)}, zusammen ${written(number + amount)}.`,
    ),
  );
};

const plus: Answer = (request) => {
  const found = read(PLUS(request.plain), request);
  if (!found || found.rate === undefined) return undefined;
  const { number, rate, written } = found;
  const more = (number * rate) / 100;
  return say(
    request.in(
      `${written(number + more)} (${written(more)} on top).`,
      `${written(number + more)} (${written(more)} dazu).`,
    ),
  );
};

const net: Answer = (request) => {
  const found = read(NET(request.plain), request);
  if (!found || found.rate === undefined) return undefined;
  const before = found.number / (1 + found.rate / 100);
  const inIt = found.written(found.number - before);
  return say(
    request.in(
      `${found.written(before)} (${inIt} of it is tax).`,
      `${found.written(before)} (${inIt} davon sind Steuer).`,
    ),
  );
};

const split: Answer = (request) => {
  const slots = SPLIT(request.plain);
  const found = read(slots, request);
  const people = Number(wordsToDigits(slots?.n ?? ''));
  if (!found || !Number.isInteger(people) || people < 1) return undefined;
  const total = found.number * (1 + (found.rate ?? 0) / 100);
  return say(request.in(`${found.written(total / people)} each.`, `${found.written(total / people)} für jeden.`));
};

const share: Answer = (request) => {
  const slots = SHARE(request.plain);
  const [part, whole] = [slots?.part ?? slots?.part2, slots?.whole ?? slots?.whole2].map((text) =>
    readNumber(text ?? '', request.language),
  );
  if (!slots || part === undefined || !whole) return undefined;
  const percent = showNumber(Number(((part / whole) * 100).toFixed(2)), request.language);
  return say(
    request.in(
      `${part} is ${percent}% of ${whole}.`,
      `${showNumber(part, 'de')} sind ${percent} % von ${showNumber(whole, 'de')}.`,
    ),
  );
};

const change: Answer = (request) => {
  const slots = CHANGE(request.plain);
  const [a, b] = [slots?.a ?? '', slots?.b ?? ''].map((text) => readNumber(text, request.language));
  if (!slots || !a || b === undefined) return undefined;
  const percent = Number((((b - a) / a) * 100).toFixed(2));
  const shown = `${percent > 0 ? '+' : ''}${showNumber(percent, request.language)}`;
  return say(
    request.in(`${shown}% from ${a} to ${b}.`, `${shown} % von ${showNumber(a, 'de')} auf ${showNumber(b, 'de')}.`),
  );
};

const exchange: Answer = ({ plain, in: either }) =>
  FOREIGN(plain) &&
  say(
    either(
      'I know no exchange rates. "search the web for euro dollar rate" looks them up.',
      'Ich kenne keine Wechselkurse. „such im Web nach Euro Dollar Kurs“ sieht nach.',
    ),
  );
