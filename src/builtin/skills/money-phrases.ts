import { phrases } from '../phrases.ts';

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
export const OFF = phrases({
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
export const TIP = phrases({
  en: [
    `${ASKED} [a] ${RATE}${PER_CENT} tip (on|for|of) [a] ${AMOUNT} [bill|meal|dinner]`,
    `${ASKED} [the|a] tip (on|for) [a] ${AMOUNT} [bill|meal|dinner] [at|of|with] [${RATE}${PER_CENT}]`,
    `(how much|what) (should i|do i|to) tip (on|for) [a] ${AMOUNT} [bill|meal|dinner] [at|with] [${RATE}${PER_CENT}]`,
    `tip ${RATE}${PER_CENT} on ${AMOUNT}`,
    `(how much|what) (would|is|will) a ${RATE}${PER_CENT} tip [be|come to] (on|for) [a] ${AMOUNT} [bill|meal|dinner]`,
  ],
  de: [
    `${GEFRAGT} ${RATE}${PER_CENT} trinkgeld (auf|bei|von|für) ${AMOUNT}`,
    `(wie[ ]viel) trinkgeld [gebe ich|soll ich geben|gibt man|sind|ist das] (auf|bei|für) ${AMOUNT} [bei|mit]
      [${RATE}${PER_CENT}]`,
    `auf [die|eine] [rechnung|summe] [von] ${AMOUNT} (will|möchte|würde|gebe|soll) ich [noch] ${RATE}${PER_CENT}
      trinkgeld [geben]`,
    `${GEFRAGT} [das] trinkgeld (auf|bei|für|von) ${AMOUNT} [bei|mit|von] [${RATE}${PER_CENT}]`,
  ],
});

/** With tax or another addition on top. */
export const PLUS = phrases({
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
export const NET = phrases({
  en: [
    `${ASKED} ${AMOUNT} (without|excluding|before|net of|ex|minus) [the] ${RATE}${PER_CENT} (vat|tax|sales tax)`,
    `${ASKED} ${AMOUNT} (without|excluding|before|net of|ex) (vat|tax|sales tax) [at|of] ${RATE}${PER_CENT}`,
    `${ASKED} [the] [net] [price|amount|cost] (without|excluding|before|net of|ex) [the] ${RATE}${PER_CENT}
      (vat|tax|sales tax) (if|when|of|for|from|on) [it is|it's|it comes to|the price is|the total is|the gross is]
      ${AMOUNT} [with|gross|incl|including|including it|with it|with vat|including vat|with tax|in total]`,
    `${ASKED} [the] [net] [price|amount|cost] (without|excluding|before) (vat|tax|sales tax) (if|when) [the]
      [price|total|bill] [of] ${AMOUNT} (includes|contains|has|is with|is including) ${RATE}${PER_CENT}
      (vat|tax|sales tax)`,
    `[if] ${AMOUNT} (including|includes|incl|inc|inclusive of|with) ${RATE}${PER_CENT} (vat|tax|sales tax)
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

export const SPLIT = phrases({
  en: [
    `(split|divide|share) [a|the] [bill of] ${AMOUNT} [bill] [evenly|equally]
      (between|among|by|with|for|amongst|into) {n} [people|persons|friends|ways|of us|parts]`,
    `(split|divide|share) [a|the] [bill of] ${AMOUNT} [bill] {n} ways`,
    `${ASKED} ${AMOUNT} split {n} ways`,
    `${ASKED} ${AMOUNT} (split|divided|shared) (between|among|amongst) {n} [people|persons|friends|ways]`,
    `${ASKED} ${AMOUNT} (split|shared) by {n} [people|persons|friends|ways]`,
    `${ASKED} ${AMOUNT} divided by {n} (people|persons|friends)`,
  ],
  de: [
    `${AMOUNT} (durch|auf) {n} (personen|leute)`,
    `(teil[e]) ${AMOUNT} (durch|auf|unter) {n} [personen|leute|leuten|freunden|freunde] [auf]`,
    `${GEFRAGT} ${AMOUNT} (geteilt|aufgeteilt) (durch|auf|unter) {n} (personen|leute|leuten|freunde)`,
    `${GEFRAGT} ${AMOUNT} aufgeteilt (durch|auf|unter) {n}`,
  ],
});

export const SHARE = phrases({
  en: [
    `(what percent|what percentage|how many percent|what per cent) (of {whole:number} is {part:number}|is
      {part2:number} of {whole2:number})`,
    '{part:number} is what (percent|percentage) of {whole:number}',
    '{part:number} (off|of|out of) {whole:number} (is|are) (how many|what) (percent|percentage)',
    "[what's|what is] {part:number} as [a] percentage of {whole:number}",
    "[what's|what is|convert] {part:\\d+}/{whole:\\d+} (as|in|to|as a|into) [a] (percentage|percent|%|per cent)",
    '{part:number} (as a percentage of|of|out of) {whole:number} (in percent|as a percentage|in %)',
  ],
  de: [
    'wie[ ]viel prozent (sind|ist) {part:number} von {whole:number}',
    'wie[ ]viel prozent von {whole:number} (sind|ist) {part:number}',
    '{part:number} (sind|ist) wie[ ]viel prozent von {whole:number}',
    '{part:number} von {whole:number} in prozent',
  ],
});

export const CHANGE = phrases({
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
    `[um] wie[ ]viel prozent (steigt|sinkt|stieg|sank|fällt|fiel|erhöht sich|wächst|ist|sind) [{thing:[^\\d]+?}]
      (von|zwischen) {a:number} [euro|€] (auf|und|zu) {b:number} [euro|€] [gestiegen|gefallen|gesunken|teurer|mehr]`,
    `wie[ ]viel prozent [mehr] (ist|sind) das von {a:number} [euro|€] auf {b:number} [euro|€]`,
    `[{thing}] (ist|sind) von {a:number} auf {b:number} [euro] (gestiegen|gefallen|gesunken) wie[ ]viel prozent
      (ist|sind)
      das`,
  ],
});

export const FOREIGN = phrases({
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
