import { figuresFor } from '../words/numbers.ts';
import type { Language } from '../words/spelling.ts';
import { Cursor, MOST_WORDS } from './cursor.ts';
import { readNumber } from './numbers.ts';
import { over, plus, type Quantity, times } from './quantity.ts';
import { type Named, unitCalled } from './units.ts';

/** What "that" stands for, and how numbers are written. */
export interface Manner {
  readonly language: Language;
  readonly that?: Quantity | undefined;
}

/** A text that is an expression as a whole. */
export interface Expression {
  readonly result: Quantity;
  /** It is more than one amount. */
  readonly isSum: boolean;
  /** Things at a price are in it: "4 tickets at 12.50". */
  readonly counts: boolean;
  /** What "that" stands for is in it. */
  readonly usesThat: boolean;
  /** Of "20% of 80" the 80. */
  readonly whole?: Quantity | undefined;
}

/** Longer texts are no sums. */
const MOST_CHARS = 500;

/**
 * Read numbers, amounts, percentages and sums in signs or in words of either language: `(3 + 4) * 2`, "a third of 84",
 * "6 plates at 3.50 plus 2 bowls at 5", "an hour and a half", "690 euros a week divided by 3", "half of that".
 *
 * @returns undefined for any other text, and for a sum of a length and a mass.
 */
export function readExpression(text: string, manner: Manner): Expression | undefined {
  if (text.length > MOST_CHARS) return undefined;
  const reader = new Reader(figuresFor(text.replaceAll('’', "'")), manner);
  return reader.all();
}

/** "Kilometres an hour", "l/100 km": a unit, or one over another; undefined for other words. */
export function unitIn(words: string): Named | undefined {
  const { result, isSum } = readExpression(`1 ${words}`, { language: 'en' }) ?? {};
  if (!result?.of || isSum || result.value !== 1) return undefined;
  const { of, per } = result;
  return { ...of, name: words.trim(), ...(per && { per: per.unit, times: per.times }) };
}

/** Grammar, loosest first: sum, product, power, what stands behind or in front of an amount, amount. */
class Reader {
  readonly #words: Cursor;
  readonly #manner: Manner;
  #operators = 0;
  #usesThat = false;
  #hasThings = false;
  #whole: Quantity | undefined;

  constructor(text: string, manner: Manner) {
    this.#words = new Cursor(text);
    this.#manner = manner;
  }

  all(): Expression | undefined {
    const leads = this.#manner.that !== undefined && ['+', '-', '*', '/'].includes(this.#words.sign()?.[0] ?? '');
    const result = this.#sum(this.#product(leads ? this.#meant() : undefined));
    if (!result || this.#words.at < this.#words.tokens.length || Number.isNaN(result.value)) return undefined;
    return {
      result,
      isSum: this.#operators > 0,
      counts: this.#hasThings,
      usesThat: this.#usesThat,
      whole: this.#whole,
    };
  }

  #sum(first: Quantity | undefined): Quantity | undefined {
    let left = first;
    for (;;) {
      const isCounted = this.#counts;
      const sign = this.#take('+', '-') ?? (isCounted ? this.#take('and') : undefined);
      if (sign === undefined || !left) return left;
      const right = this.#product();
      left = right && plus(left, right, sign === '-' ? -1 : 1);
    }
  }

  /** The last product was so many of something at a price: "and" goes on. */
  #counts = false;

  /** @param first what it goes on from; a sum has its own sign first. */
  #product(first?: Quantity): Quantity | undefined {
    this.#counts = false;
    let left = first ?? this.#power();
    for (;;) {
      const sign = this.#take('*', '/', 'mod', 'of', 'off', 'at');
      if (sign === undefined || !left) return left;
      const right = this.#power();
      if (sign === 'at') this.#counts = true;
      if (sign === 'of') this.#whole = right;
      left = right && this.#multiplied(left, right, sign);
    }
  }

  #multiplied(left: Quantity, right: Quantity, sign: string): Quantity | undefined {
    if (sign === '/') return over(left, right);
    if (sign === 'mod') return { ...left, value: left.value % right.value };
    if (sign === 'off') return left.isShare ? times({ value: 1 - left.value }, right) : undefined;
    // "1/3 of 96"; "4 of 5" is no sum.
    if (sign === 'of' && !left.isShare && (left.of || left.value > 1)) return undefined;
    // Of nights at a price the price is paid.
    if (sign === 'at' && !left.per && !right.per) return times({ value: left.value }, right);
    return times(left.isShare ? { value: left.value } : left, right);
  }

  /** `^` binds to the right and tighter than a minus in front of it, so `-2^2` is -4, as in mathematics. */
  #power(): Quantity | undefined {
    const base = this.#prefixed();
    if (!base || !this.#take('^')) return base;
    const exponent = this.#power();
    return exponent && { ...base, value: base.value ** exponent.value };
  }

  #prefixed(): Quantity | undefined {
    if (this.#take('-')) {
      this.#operators -= 1;
      return negative(this.#power());
    }
    const sign = this.#take('sqrt', 'square');
    const inner = sign === undefined ? undefined : this.#prefixed();
    if (sign !== undefined) return inner && { value: sign === 'sqrt' ? Math.sqrt(inner.value) : inner.value ** 2 };
    const part = this.#words.part();
    if (part !== undefined) return this.#partOf(part);
    return this.#postfixed(this.#atom());
  }

  /** "Half an hour", "two thirds of 90", "2 * pi": what a part stands alone for is the number. */
  #partOf(part: number): Quantity | undefined {
    const before = this.#words.at;
    this.#take('of');
    const operators = this.#operators;
    const unit = this.#unit();
    const whole = unit ? { value: 1, of: unit } : this.#prefixed();
    if (!whole) {
      this.#words.at = before;
      return { value: part };
    }
    // "Half a pound" is one amount, "half of 90" a sum.
    this.#operators = whole.of && this.#operators === operators ? operators : this.#operators + 1;
    this.#whole = whole;
    return { ...whole, value: whole.value * part };
  }

  #postfixed(atom: Quantity | undefined): Quantity | undefined {
    let value = atom;
    for (;;) {
      const sign = this.#take('%', '!', 'squared', 'cubed');
      if (sign === undefined || !value) return value;
      if (sign === '%') {
        this.#operators -= 1;
        value = { value: value.value / 100, isShare: true };
      } else if (sign === '!') value = { value: factorial(value.value) };
      else value = { value: value.value ** (sign === 'cubed' ? 3 : 2) };
    }
  }

  #atom(): Quantity | undefined {
    if (this.#take('(')) {
      const value = this.#sum(this.#product());
      return this.#take(')') ? value : undefined;
    }
    const sign = this.#words.sign();
    if (sign?.[0] === 'that' && this.#manner.that) {
      this.#words.at += sign[1];
      return this.#meant();
    }
    return this.#amount();
  }

  #meant(): Quantity | undefined {
    this.#usesThat = true;
    return this.#manner.that;
  }

  /**
   * `12.50`, "£12.50", "12.50 euros a week each", "11 stone 4", "an hour and a half", "4 tickets" where a price
   * follows.
   */
  #amount(): Quantity | undefined {
    const lead = this.#currency();
    const value = this.#number();
    if (value === undefined) return undefined;
    const of = lead ?? this.#unit();
    if (!of) {
      if (lead === undefined && this.#isOne) return undefined;
      this.#things();
      const rate = this.#rate();
      this.#each();
      return { value, ...rate };
    }
    const amount: Quantity = { value: value + (this.#half() ? 0.5 : 0), of };
    const whole = lead ? amount : this.#smaller(amount);
    this.#each();
    return { ...whole, ...(of.per ? { per: { times: 1, unit: of.per } } : this.#rate()) };
  }

  /** The article before a unit, "a mile", is a number only there. */
  #isOne = false;

  #number(): number | undefined {
    this.#isOne = false;
    const sign = this.#words.sign();
    if (sign?.[0] === 'one') {
      this.#isOne = !/^one|^ein(?:s)?$/iu.test(this.#words.slice(this.#words.at, this.#words.at + 1));
      this.#words.at += 1;
      return 1;
    }
    const { text } = this.#words.tokens[this.#words.at] ?? {};
    if (text === undefined || !/^\.?\d/u.test(text) || /[:-]/u.test(text)) return undefined;
    this.#words.at += 1;
    const value = readNumber(text, this.#manner.language);
    const [above, stroke, below] = [0, 1, 2].map((far) => this.#words.tokens[this.#words.at + far]?.text ?? '');
    // "1 1/2 cups"
    if (/^\d$/u.test(above ?? '') && stroke === '/' && /^\d$/u.test(below ?? '')) {
      this.#words.at += 3;
      return value + Number(above) / Number(below);
    }
    return value + (this.#half() ? 0.5 : 0);
  }

  #half(): boolean {
    return this.#take('half') !== undefined && this.#operators-- > 0;
  }

  /** What is counted, where the price of one follows: "4 tickets at 12.50". */
  #things(): void {
    for (let far = 1; far <= 3; far += 1) {
      const words = this.#words.tokens.slice(this.#words.at, this.#words.at + far);
      if (words.length < far || !words.every(({ text }) => /^[\p{L}'-]+$/u.test(text))) return;
      if (this.#words.signAt(this.#words.at + far)?.[0] === 'at') {
        this.#words.at += far;
        this.#hasThings = true;
        return;
      }
    }
  }

  #each(): void {
    if (this.#take('each')) this.#operators -= 1;
  }

  #currency(): Named | undefined {
    const { text = '' } = this.#words.tokens[this.#words.at] ?? {};
    if (!/^[$€£¥₹]$/u.test(text)) return undefined;
    this.#words.at += 1;
    return unitCalled(text);
  }

  #unit(): Named | undefined {
    for (let far = MOST_WORDS; far > 0; far -= 1) {
      const words = this.#words.slice(this.#words.at, this.#words.at + far);
      const found = unitCalled(words);
      if (!found) continue;
      this.#words.at += far;
      return found;
    }
    return undefined;
  }

  /** "5 foot 8", "2 h 5", "6 lb 3 oz": the smaller unit may be left out. */
  #smaller(amount: Quantity): Quantity {
    const then = amount.of?.meanings.find((each) => each.then !== undefined)?.then;
    const smaller = then === undefined ? undefined : unitCalled(then);
    const before = this.#words.at;
    if (this.#take('and')) this.#operators -= 1;
    const joined = this.#words.at > before;
    const { text = '' } = this.#words.tokens[this.#words.at] ?? {};
    if (smaller && /^\d{1,2}$/u.test(text)) {
      this.#words.at += 1;
      const unit = this.#unit();
      const more = (unit || !joined) && plus(amount, { value: Number(text), of: unit ?? smaller }, 1);
      if (more) return more;
    }
    this.#words.at = before;
    return amount;
  }

  /** "A week", "per 100 km", "monthly". */
  #rate(): Pick<Quantity, 'per'> | undefined {
    const before = this.#words.at;
    const { text = '' } = this.#words.tokens[this.#words.at] ?? {};
    if (!/(?:ly|lich)$/iu.test(text)) {
      const words = [2, 1].map((far) => this.#words.slice(before, before + far));
      const far = words.findIndex((each) => PER.test(each));
      if (far < 0) return undefined;
      this.#words.at += 2 - far;
    }
    const next = this.#words.tokens[this.#words.at]?.text ?? '';
    const counted = next === '100' ? 100 : undefined;
    if (counted !== undefined) this.#words.at += 1;
    // "Litres per 100" are counted by kilometres.
    const unit = this.#unit() ?? (counted === undefined ? undefined : unitCalled('km'));
    if (unit) return { per: { times: counted ?? 1, unit } };
    this.#words.at = before;
    return undefined;
  }

  /** The next sign, if it is one of these. */
  #take(...wanted: readonly string[]): string | undefined {
    const [sign = '', length = 0] = this.#words.sign() ?? [];
    if (!wanted.includes(sign)) return undefined;
    this.#words.at += length;
    if (sign !== '(' && sign !== ')') this.#operators += 1;
    return sign;
  }
}

const PER = /^(?:per|an?|each|every|pro|je|im|in der|am|jede[nrs]?|das|die|der|den|auf|\/)$/iu;

function negative(quantity: Quantity | undefined): Quantity | undefined {
  return quantity && { ...quantity, value: -quantity.value };
}

/** Of a whole number up to 170, beyond which a number has no place for it. */
function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0 || n > 170) return Number.NaN;
  return Array.from({ length: n }, (_, index) => index + 1).reduce((product, each) => product * each, 1);
}
