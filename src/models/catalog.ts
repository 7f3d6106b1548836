/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input tokens that the provider had cached; the full price unless given. */
  readonly cachedInput?: number | undefined;
}

/** What is known about a model by its name. Scales from 1 to 5. */
export interface ModelFacts {
  /** Tokens. */
  readonly contextWindow: number;
  readonly quality: number;
  readonly speed: number;
  readonly price: Price | undefined;
}

type Row = readonly [
  name: RegExp,
  window: number,
  quality: number,
  speed: number,
  price?: readonly [number, number, number],
];

/** Longest names first: the first match wins. Prices as published by the providers in autumn 2025. */
const ROWS: readonly Row[] = [
  [/gpt-4o-mini/u, 128_000, 3, 4, [0.15, 0.075, 0.6]],
  [/gpt-4o/u, 128_000, 4, 3, [2.5, 1.25, 10]],
  [/gpt-4\.1-nano/u, 1_000_000, 2, 5, [0.1, 0.025, 0.4]],
  [/gpt-4\.1-mini/u, 1_000_000, 3, 4, [0.4, 0.1, 1.6]],
  [/gpt-4\.1/u, 1_000_000, 4, 3, [2, 0.5, 8]],
  [/gpt-5-nano/u, 400_000, 3, 4, [0.05, 0.005, 0.4]],
  [/gpt-5-mini/u, 400_000, 4, 3, [0.25, 0.025, 2]],
  [/gpt-5$|gpt-5-(?:2025|chat)|gpt-5\.1/u, 400_000, 5, 2, [1.25, 0.125, 10]],
  [/\bo4-mini/u, 200_000, 4, 3, [1.1, 0.275, 4.4]],
  [/\bo3$|\bo3-2025/u, 200_000, 5, 1, [2, 0.5, 8]],
  [/claude-opus-4-5/u, 200_000, 5, 2, [5, 0.5, 25]],
  [/claude-opus-4/u, 200_000, 5, 1, [15, 1.5, 75]],
  [/claude-(?:sonnet-4|3-7-sonnet|3-5-sonnet|3\.5-sonnet)/u, 200_000, 5, 3, [3, 0.3, 15]],
  [/claude-haiku-4-5/u, 200_000, 4, 4, [1, 0.1, 5]],
  [/claude-3-5-haiku/u, 200_000, 3, 4, [0.8, 0.08, 4]],
  [/gemini-2\.5-flash-lite/u, 1_000_000, 2, 5, [0.1, 0.025, 0.4]],
  [/gemini-2\.5-flash/u, 1_000_000, 3, 4, [0.3, 0.075, 2.5]],
  [/gemini-2\.5-pro/u, 1_000_000, 5, 2, [1.25, 0.31, 10]],
  [/gemini-2\.0-flash/u, 1_000_000, 3, 5, [0.1, 0.025, 0.4]],
  [/(?:[67]\d|1\d\d|2\d\d)b\b/iu, 32_768, 4, 1],
  [/(?:1[2-9]|[23]\d)b\b/iu, 32_768, 3, 2],
  [/\b[789]b\b/iu, 16_384, 2, 3],
  [/\b[0-4](?:\.\d)?b\b/iu, 8192, 1, 5],
];

const UNKNOWN: ModelFacts = { contextWindow: 8192, quality: 2, speed: 3, price: undefined };
const FREE: Price = { input: 0, output: 0, cachedInput: 0 };
const BUILTIN: ModelFacts = { contextWindow: 1_000_000, quality: 1, speed: 5, price: FREE };

/** Facts and prices, extendable by plugins and settings. */
export class Catalog {
  readonly #prices = new Map<string, Price>();

  /** @param model its exact name, or `provider:name`. Replaces what is known. */
  registerPricing(model: string, price: Price): void {
    this.#prices.set(model.toLowerCase(), price);
  }

  /** A model on this machine costs nothing; one elsewhere that nobody priced has no price. */
  facts({ provider, name, local }: { provider: string; name: string; local: boolean }): ModelFacts {
    if (provider === 'builtin') return BUILTIN;
    const own = this.#prices.get(`${provider}:${name}`.toLowerCase()) ?? this.#prices.get(name.toLowerCase());
    const row = ROWS.find(([pattern]) => pattern.test(name));
    const listed = row?.[4] && { input: row[4][0], cachedInput: row[4][1], output: row[4][2] };
    const known = row ? { contextWindow: row[1], quality: row[2], speed: row[3] } : UNKNOWN;
    return { ...known, price: own ?? (local ? FREE : listed) };
  }
}

/** In USD; undefined where the price is unknown. `cachedTokens` are part of `inputTokens`. */
export function costOf(
  price: Price | undefined,
  tokens: { inputTokens: number; outputTokens: number; cachedTokens: number },
): number | undefined {
  if (price === undefined) return undefined;
  const fresh = Math.max(0, tokens.inputTokens - tokens.cachedTokens);
  const cached = tokens.cachedTokens * (price.cachedInput ?? price.input);
  return (fresh * price.input + cached + tokens.outputTokens * price.output) / 1e6;
}
