import { NUMBER_WORDS } from '../../base/number-words.ts';
import { pattern } from '../../base/pattern.ts';
import { type Recognizer, say } from './intent.ts';

/** What may stand in front of an expression: `what is`, `how much is`, `calculate`. */
const ASKING = pattern(
  'iu',
  "^(?:what(?:'s| is| are| does| do)|calculate|compute|how much (?:is|are|does)|work out",
  String.raw`|evaluate|solve|find|give me|and|the (?:value|result|sum|product) of|=)\s+`,
);

/** Words that multiply what stands before them. */
const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000, million: 1e6 };

/**
 * Words for operators, longest first, and the sign that the parser reads. Signs of our own: `§` is "percent of", `√` a
 * root, `#` the remainder.
 */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:the )?square root of\b|\bsqrt(?: of)?\b/gu, '√'],
  [/\b(?:raised )?to the (?:power|exponent) (?:of )?/gu, '^'],
  [/\bto the (\d+)(?:st|nd|rd|th)(?: power)?\b/gu, '^$1'],
  [/\bsquared\b/gu, '^2'],
  [/\bcubed\b/gu, '^3'],
  [/\bmultiplied by\b|\btimes\b|(?<=\d)\s*x\s*(?=[\d(])|[×·]/gu, '*'],
  [/\bdivided by\b|\bover\b|÷/gu, '/'],
  [/\bplus\b|\badded to\b/gu, '+'],
  [/\bminus\b|\bless\b|−/gu, '-'],
  [/\bmod(?:ulo)?\b/gu, '#'],
  [/(?:%|\bper ?cent\b) of\b/gu, '§'],
  [/\bper ?cent\b/gu, '%'],
  [/\b(?:a )?half of\b/gu, '0.5*'],
  [/\b(?:a )?third of\b/gu, '1/3*'],
  [/\b(?:a )?quarter of\b/gu, '0.25*'],
  [/\b(?:twice|double|two times)\b/gu, '2*'],
  [/\b(?:the )?cube of (\d[\d.]*)/gu, '$1^3'],
  [/\b(?:the )?square of (\d[\d.]*)/gu, '$1^2'],
  [/\band\b/gu, ' '],
  [/\*\*/gu, '^'],
];

/** "What is 15% of 80?", "(3+4)*2", "twelve times seven", "the average of 3, 4 and 8". */
export const calculation: Recognizer = ({ lower }) => {
  const question = withoutAsking(lower).replace(/[?!=.\s]+$/u, '');
  const listed = ofList(question) ?? ofVerb(question);
  if (listed) return say(listed);
  const expression = toExpression(question);
  if (expression === undefined) return undefined;
  const value = evaluate(expression);
  if (value === undefined) return undefined;
  return say(
    Number.isFinite(value) ? `${question} = ${formatNumber(value)}` : `${question} has no value: division by zero.`,
  );
};

/** The question without its introduction, however many of them there are: `and what is the sum of 2 and 3`. */
export function withoutAsking(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(ASKING, '');
  }
  return rest;
}

/** At most 12 significant digits, thousands unmarked. */
export function formatNumber(value: number): string {
  const rounded = Number(value.toPrecision(12));
  return Math.abs(rounded) >= 1e15 || (rounded !== 0 && Math.abs(rounded) < 1e-6)
    ? String(rounded)
    : plainDigits(rounded);
}

/** Without an exponent and without trailing zeros: `0.5`, `1200000`. */
function plainDigits(value: number): string {
  return value.toFixed(10).replace(/\.?0+$/u, '');
}

/** What can be asked of a list of numbers. */
const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  total: (values) => values.reduce((a, b) => a + b, 0),
  average: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  mean: (values) => values.reduce((a, b) => a + b, 0) / values.length,
  product: (values) => values.reduce((a, b) => a * b, 1),
  maximum: (values) => Math.max(...values),
  minimum: (values) => Math.min(...values),
};

/** `the average of 3, 4 and 8`: at least two numbers, or it is no list. */
function ofList(question: string): string | undefined {
  const match = /^(?:the )?(sum|total|average|mean|product|maximum|minimum) of (.+)$/u.exec(question);
  const values = match?.[2]
    ?.split(/\s*(?:,|\band\b)\s*/u)
    .filter(Boolean)
    .map((part) => Number(wordsToDigits(part)));
  const compute = AGGREGATES[match?.[1] ?? ''];
  if (!match || !values || !compute || values.length < 2 || values.some(Number.isNaN)) return undefined;
  return `The ${match[1]} of ${values.map(formatNumber).join(', ')} is ${formatNumber(compute(values))}.`;
}

/** "Add 5 and 7", "subtract 3 from 10", "5 factorial". */
function ofVerb(question: string): string | undefined {
  const number = String.raw`(-?\d[\d,.]*)`;
  const verb = new RegExp(
    `^(add|subtract|take|multiply|divide) ${number} (?:and|to|from|by|with) ${number}$`,
    'u',
  ).exec(question);
  const factorial = /^(?:the )?(?:factorial of )?(\d{1,3})(?:!| factorial)?$/u.exec(
    /factorial|!$/u.test(question) ? question : '',
  );
  if (factorial) return `${factorial[1]}! = ${formatNumber(product(Number(factorial[1])))}`;
  const [a, b] = [verb?.[2], verb?.[3]].map((part) => Number(part?.replaceAll(',', '')));
  if (!verb || a === undefined || b === undefined || Number.isNaN(a + b)) return undefined;
  const value = VERBS[verb[1] ?? '']?.(a, b);
  return value === undefined ? undefined : `${question} = ${formatNumber(value)}`;
}

/** In the order of the words: "subtract 3 from 10" names the smaller part first. */
const VERBS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => b - a,
  take: (a, b) => b - a,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
};

/** The factorial; beyond 170 it is Infinity. */
function product(upTo: number): number {
  let value = 1;
  for (let factor = 2; factor <= upTo; factor++) value *= factor;
  return value;
}

/** Only digits and operators, or undefined: this is not arithmetic. A lone number or a date is none either. */
function toExpression(question: string): string | undefined {
  if (/\d{4}-\d{2}-\d{2}/u.test(question)) return undefined;
  let text = question;
  for (const [words, sign] of OPERATORS) text = text.replace(words, ` ${sign} `);
  // 1,000 and 1 000 are one number; currency signs do not change a value.
  text = wordsToDigits(text)
    .replace(/(?<=\d)[,_ ](?=\d{3}(?:\D|$))/gu, '')
    .replace(/[$€£]/gu, '')
    .replace(/\s+/gu, '');
  if (!/^[\d.()+\-*/^#%§√]+$/u.test(text) || !/\d/u.test(text)) return undefined;
  return /[+*/^#%§√]|\d-|\)-/u.test(text) ? text : undefined;
}

/** "two hundred five" becomes 205; other words stay. */
function wordsToDigits(text: string): string {
  const out: string[] = [];
  let current: number | undefined;
  const flush = () => {
    if (current !== undefined) out.push(String(current));
    current = undefined;
  };
  for (const word of text.split(/[\s-]+(?=[a-z])|\s+/u)) {
    const scale = SCALES[word];
    const value = NUMBER_WORDS.get(word);
    if (value !== undefined) current = (current ?? 0) + value;
    else if (scale !== undefined && current !== undefined) current *= scale;
    else if (scale !== undefined && /^\d+$/u.test(out.at(-1) ?? '')) current = Number(out.pop()) * scale;
    else {
      flush();
      out.push(word);
    }
  }
  flush();
  return out.join(' ');
}

/** Recursive descent over + - * / # ^ § % √ and brackets; undefined when the text is not an expression. */
function evaluate(expression: string): number | undefined {
  const tokens = expression.match(/\d+\.?\d*|\.\d+|[()+\-*/^#%§√]/gu) ?? [];
  if (tokens.join('') !== expression) return undefined;
  const parser = new Parser(tokens);
  const value = parser.sum();
  return parser.done && !Number.isNaN(value) ? value : undefined;
}

/**
 * Grammar, loosest first: sum, product, power, unary, atom. `^` binds to the right and tighter than a minus in front
 * of it, so `-2^2` is -4, as in mathematics.
 */
class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  sum(): number {
    let value = this.#product();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const right = this.#product();
      value = sign === '+' ? value + this.#share(right, value) : value - this.#share(right, value);
    }
    return value;
  }

  /** "80 + 15%" means 15 % of the 80. */
  #share(right: number, of: number): number {
    return this.#tokens[this.#at - 1] === '%' ? of * right : right;
  }

  #product(): number {
    let value = this.#power();
    for (let sign = this.#take('*', '/', '#', '§'); sign; sign = this.#take('*', '/', '#', '§')) {
      const right = this.#power();
      if (sign === '*') value *= right;
      else if (sign === '/') value /= right;
      else if (sign === '#') value %= right;
      else value = (value / 100) * right;
    }
    return value;
  }

  #power(): number {
    const base = this.#unary();
    return this.#take('^') ? base ** this.#power() : base;
  }

  #unary(): number {
    if (this.#take('-')) return -this.#power();
    if (this.#take('√')) return Math.sqrt(this.#unary());
    let value = this.#atom();
    while (this.#take('%')) value /= 100;
    return value;
  }

  /** NaN stands for "not an expression" and survives every operation. */
  #atom(): number {
    if (!this.#take('(')) return Number(this.#tokens[this.#at++] ?? Number.NaN);
    const value = this.sum();
    return this.#take(')') ? value : Number.NaN;
  }

  /** The next token, if it is one of these. */
  #take(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !signs.includes(token)) return undefined;
    this.#at++;
    return token;
  }
}
