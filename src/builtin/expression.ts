/**
 * The value of an expression over + - * / # ^ § % √ and brackets: `#` is the remainder, `§` "percent of".
 *
 * @returns undefined when the text is no expression.
 *
 * Own code rather than a library: these lines are less than what a library would have to be kept from doing.
 */
export function evaluate(expression: string): number | undefined {
  const tokens = expression.match(/\d+\.?\d*|\.\d+|[()+\-*/^#%§√]/gu) ?? [];
  if (tokens.join('') !== expression || tokens.length > 200) return undefined;
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
