import { pattern } from '../../base/pattern.ts';
import { wordsToDigits } from '../../words/numbers.ts';
import type { Language } from '../../words/spelling.ts';
import { evaluate } from '../expression.ts';
import { readNumber, showNumber } from '../numbers.ts';
import { phrases } from '../phrases.ts';
import { type Intent, type Skill, say, type UserRequest } from '../request.ts';

/** What may stand in front of an expression. */
const ASKING = phrases({
  en: [
    "(what's|what is|what are|what does|what do|what will) {rest} (make|equal|come to|add up to|give)",
    `(what's|what is|what are|how much is|how much are|how much does|calculate|compute|work
      out|evaluate|solve|find|give me|and|the value of|the result of|=) {rest}`,
  ],
  de: [
    `(was ergibt|was ergeben|was macht|was ist|was sind|was gibt|wie[ ]viel (ist|sind|ergibt|macht|gibt)|wieviel
      (ist|sind|ergibt|macht)|berechne|rechne [mir|mal]|errechne|und|das ergebnis von|=) {rest} [aus]`,
  ],
});

/** "Two adults at 14 and one child at 9, how much is that?" */
const ASKED_BEHIND = pattern(
  'iu',
  String.raw`,? (?:how much|what|what's|what is) (?:is|does|would|will|do|did)? ?(?:that|it|this|i pay|we pay)`,
  String.raw`(?: be| cost| come to| make)?(?: altogether| in total| in all| together)?$`,
);

/** Words for operators, longest first, and the sign that the parser reads. */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:the )?square root of\b|\bsqrt(?: of)?\b|\b(?:die )?(?:quadrat)?wurzel (?:aus|von)\b/gu, '√'],
  [/\b(?:raised )?to the (?:power|exponent) (?:of )?|\bhoch\b/gu, '^'],
  [/\bto the (\d+)(?:st|nd|rd|th)(?: power)?\b/gu, '^$1'],
  [/\bsquared\b|\b(?:zum|im) quadrat\b/gu, '^2'],
  [/\bcubed\b/gu, '^3'],
  [/\bmultiplied by\b|\btimes\b|\bmultipliziert mit\b|\bmal\b|(?<=\d)\s*x\s*(?=[\d(])|[×·]/gu, '*'],
  [/\bdivided by\b|\bover\b|÷|\bgeteilt durch\b|\bdividiert durch\b|\bdurch\b|(?<=\d)\s*:\s*(?=\d)/gu, '/'],
  [/\bplus\b|\badded to\b/gu, '+'],
  [/\bminus\b|\bless\b|−|\bweniger\b/gu, '-'],
  [/\bmod(?:ulo)?\b/gu, '#'],
  [/(?:%|\bper ?cent\b|\bprozent\b) (?:of|von|vom)\b/gu, '§'],
  [/(?<![\d.,])(\d{1,9})\/(\d{1,9}) (?:of|von)\b/gu, '($1/$2)*'],
  [/\b(?:per ?cent|prozent)\b/gu, '%'],
  [/\b(?:a |one )?half of\b|\bdie hälfte (?:von|aus)\b|\bhalf\b(?= \d)/gu, '0.5*'],
  [/\b(?:a |one )?third of\b|\bein drittel von\b/gu, '1/3*'],
  [/\b(?:a |one )?quarter of\b|\bein viertel von\b/gu, '0.25*'],
  [/\b(?:twice|double|two times|das doppelte von)\b/gu, '2*'],
  [/\b(?:the )?cube of (\d[\d.]*)/gu, '$1^3'],
  [/\b(?:the )?square of (\d[\d.]*)/gu, '$1^2'],
  [/\*\*/gu, '^'],
];

/** What can be asked of a list of numbers. */
const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  average: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  product: (values) => values.reduce((a, b) => a * b, 1),
  maximum: (values) => Math.max(...values),
  minimum: (values) => Math.min(...values),
};
const AGGREGATE_NAMES: Readonly<Record<string, string>> = {
  ...{ sum: 'sum', total: 'sum', summe: 'sum', average: 'average', mean: 'average', durchschnitt: 'average' },
  ...{ mittelwert: 'average', product: 'product', produkt: 'product', maximum: 'maximum', minimum: 'minimum' },
  ...{ largest: 'maximum', biggest: 'maximum', smallest: 'minimum', größte: 'maximum', kleinste: 'minimum' },
};
const OF_LIST = phrases({
  en: [
    '[the] {name:sum|total|average|mean|product|maximum|minimum|largest|biggest|smallest} of {values}',
    'add up {values}',
  ],
  de: [
    [
      '[die|den|der|das] {name:summe|durchschnitt|mittelwert|produkt|maximum|minimum|größte|kleinste}',
      '[zahl] (von|aus) {values}',
    ].join(' '),
    '(rechne|zähl[e]|addier[e]) [bitte] {values} [zusammen]',
    '[was kommt [da] raus|was kommt heraus] wenn ich {values} (zusammenrechne|zusammenzähle|addiere)',
    `(was|wie[ ]viel) (ergeben|ergibt|machen|macht|sind|ist) {values} (zusammen|zusammengerechnet|zusammengezählt
      |addiert|in summe|insgesamt)`,
    '{values} zusammen',
  ],
});
const OF_VERB = phrases({
  en: ['{verb:add|subtract|take|multiply|divide} {a:number} (and|to|from|by|with) {b:number}'],
  de: [
    `{verb:addiere|subtrahiere|ziehe|multipliziere|dividiere|teile} {a:number} (und|zu|von|mit|durch) {b:number}
    [ab]`,
  ],
});
const FACTORIAL = phrases({
  en: ['[the] factorial of {n:number}', '{n:number} factorial', '{n:\\d{1,3}}!'],
  de: ['[die] fakultät von {n:number}', '{n:number} fakultät'],
});
const VERBS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => b - a,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
};
const VERB_NAMES: Readonly<Record<string, string>> = {
  ...{ add: 'add', addiere: 'add', subtract: 'subtract', take: 'subtract', subtrahiere: 'subtract', ziehe: 'subtract' },
  ...{ multiply: 'multiply', multipliziere: 'multiply', divide: 'divide', dividiere: 'divide', teile: 'divide' },
};

/** "What is 15% of 80?", "(3+4)*2", "twelve times seven", "the average of 3, 4 and 8". */
export const arithmetic: Skill = {
  name: 'arithmetic',
  examples: {
    en: ['what is 12 * 7?', 'what is the square root of 144?', 'the average of 3, 4 and 8'],
    de: ['was ist 12 mal 7?', 'was ist die Wurzel aus 144?', 'der Durchschnitt von 3, 4 und 8'],
  },
  recognize: (request) => {
    const question = withoutAsking(request.plain.replace(ASKED_BEHIND, ''))
      .replace(/(?<![?=\s])[?=\s]+$/u, '')
      .replace(/^(?:ein|der|die|das|the) (?=\d)/iu, '');
    const listed = ofList(question, request) ?? ofFactorial(question, request) ?? ofVerb(question, request);
    if (listed) return listed;
    const expression = toExpression(question, request.language);
    const value = expression === undefined ? undefined : evaluate(expression);
    return value === undefined ? undefined : result(question, value, request);
  },
};

/** The question without its introduction, however many of them there are: `and what is the sum of 2 and 3`. */
export function withoutAsking(text: string): string {
  const rest = ASKING(text)?.rest;
  return rest === undefined || rest === text ? text : withoutAsking(rest);
}

function result(question: string, value: number, { language, in: either }: UserRequest): Intent {
  if (!Number.isFinite(value))
    return say(
      either(`${question} has no value: division by zero.`, `${question} hat keinen Wert: Teilung durch null.`),
    );
  return say(`${question} = ${showNumber(value, language)}`);
}

/** At least two numbers, or it is no list. */
function ofList(question: string, request: UserRequest): Intent | undefined {
  const slots = OF_LIST(question);
  const values = slots?.values
    ?.split(request.language === 'de' ? / ?(?:;|, |\bund\b) ?/iu : / ?(?:;|, |\band\b|\bund\b) ?|,(?=\d+(?:,|$))/iu)
    .filter((part) => part !== undefined && part !== '')
    .map((part) => readNumber(wordsToDigits(part), request.language));
  const name = slots?.name?.toLowerCase() ?? request.in('sum', 'summe');
  const compute = AGGREGATES[AGGREGATE_NAMES[name] ?? ''];
  if (!values || !compute || values.length < 2 || values.some(Number.isNaN)) return undefined;
  const shown = values.map((value) => showNumber(value, request.language)).join(request.in(', ', '; '));
  const found = showNumber(compute(values), request.language);
  return say(
    request.in(
      `The ${name} of ${shown} is ${found}.`,
      `${name.charAt(0).toUpperCase()}${name.slice(1)} (${shown}): ${found}.`,
    ),
  );
}

/** That of 171 is larger than any number here. */
const LARGEST_FACTORIAL = 170;

function ofFactorial(question: string, request: UserRequest): Intent | undefined {
  // "5!" ends with the mark that others exclaim with.
  const isMarked = /\d!(?:\s|\?)*$/u.test(request.text);
  const n = Number(FACTORIAL(isMarked ? `${question}!` : question)?.n ?? Number.NaN);
  if (!Number.isInteger(n) || n < 0 || n > LARGEST_FACTORIAL) return undefined;
  let value = 1;
  for (let factor = 2; factor <= n; factor++) value *= factor;
  return say(`${n}! = ${showNumber(value, request.language)}`);
}

function ofVerb(question: string, request: UserRequest): Intent | undefined {
  const slots = OF_VERB(question);
  if (!slots) return undefined;
  const [a, b] = [slots.a ?? '', slots.b ?? ''].map((part) => readNumber(part, request.language));
  const value = VERBS[VERB_NAMES[slots.verb?.toLowerCase() ?? ''] ?? '']?.(a ?? Number.NaN, b ?? Number.NaN);
  return value === undefined || Number.isNaN(value) ? undefined : result(question, value, request);
}

/** What comes on top, as people name it behind its amount: "plus 4.50 shipping". */
const ADDED =
  /(?<=\d ?)\b(?:for )?(?:the )?(?:shipping|delivery|postage|handling|(?:booking |service )?fees?|each|apiece)\b/gu;

/** A price per something, for several of it, as "45 a night for 2 nights", or alone: "690 a week divided by 3". */
const PER = '(?: ?(?:[$€£]|euros?|dollars?|pounds?|quid))? (?:an?|per|each|every)';
const FOR_SEVERAL = pattern('gu', String.raw`(\d)${PER} (\p{L}{3,12}) (?:for|times|x) (\d+) \2(?:e?s)?\b`);
const RATE = pattern('gu', String.raw`(\d)${PER} (\p{L}{3,12})\b`);
/** So many of something at a price: "4 tickets at 12.50 each plus 6". */
const AT_A_PRICE = /(?<![\d.,])(\d{1,6}) (?:\p{L}+ ){1,2}(?:at|@) (?=[$€£]?\d)/gu;

/** Rates of two kinds cannot be added up. */
function withoutRates(text: string): string {
  const several = text.replace(FOR_SEVERAL, '$1*$3').replace(AT_A_PRICE, '$1*');
  const kinds = new Set([...several.matchAll(RATE)].map(([, , kind]) => kind));
  const together = several === text ? several : several.replace(/(?<=\d\*[\d.,]+(?: each)?),? and (?=\d+\*)/gu, ' + ');
  return kinds.size > 1 ? text : together.replace(RATE, '$1');
}

const CURRENCIES = [
  /[$]|\b(?:dollars?|bucks|usd)\b/u,
  /€|\b(?:euros?|eur)\b/u,
  /£|\b(?:pounds?|quid|pfund|gbp)\b/u,
  /\b(?:francs?|franken|chf)\b/u,
];

/** Only digits and operators, or undefined: this is not arithmetic. A lone number or a date is none either. */
function toExpression(question: string, language: Language): string | undefined {
  if (/\d{4}-\d{2}-\d{2}|\d\.\d{1,2}\.\d/u.test(question)) return undefined;
  let text = question.toLowerCase();
  // "3 dollars plus 1 pound" is not 4 of anything.
  if (CURRENCIES.filter((form) => form.test(text)).length > 1) return undefined;
  for (const [words, sign] of OPERATORS) text = text.replace(words, ` ${sign} `);
  text = withoutRates(wordsToDigits(text))
    .replace(ADDED, ' ')
    .replace(/[$€£]|\b(?:euros?|dollars?|pounds?|francs?|quid|bucks|franken|pfund|eur|usd|chf|gbp)\b/gu, ' ')
    .replace(/\d[\d.,'’]*(?: \d{3}(?!\d))*/gu, (number) => String(readNumber(number.replace(/[.,]$/u, ''), language)))
    .replace(/\s+/gu, '');
  if (!/^[\d.()+\-*/^#%§√]+$/u.test(text) || !/\d/u.test(text)) return undefined;
  return /[+*/^#%§√]|\d-|\)-/u.test(text) ? text : undefined;
}
