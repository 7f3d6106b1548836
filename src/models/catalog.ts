import { PROVIDERS } from './providers/list.ts';
import type { ModelRow, Price } from './providers/provider.ts';

/** What is known about a model by its name. Scales from 1 to 5. */
export interface ModelFacts {
  /** Tokens. */
  readonly contextWindow: number;
  readonly quality: number;
  readonly speed: number;
  readonly price: Price | undefined;
}

/** Open-weight models by the size in their name, `qwen3:8b` for example; their price depends on who runs them. */
const SIZES: readonly ModelRow[] = [
  [/(?:[67]\d|1\d\d|2\d\d)b\b/iu, 32_768, 4, 1],
  [/(?:1[2-9]|[23]\d)b\b/iu, 32_768, 3, 2],
  [/\b[789]b\b/iu, 16_384, 2, 3],
  [/\b[0-4](?:\.\d)?b\b/iu, 8192, 1, 5],
];

/**
 * The first row whose pattern matches wins, whichever provider serves the model: other companies resell the same
 * models under the same names. Prices as the providers published them in autumn 2025.
 */
const ROWS: readonly ModelRow[] = [...PROVIDERS.flatMap(({ models = [] }) => models), ...SIZES];

const UNKNOWN: ModelFacts = { contextWindow: 8192, quality: 2, speed: 3, price: undefined };
const FREE: Price = { input: 0, output: 0, cachedInput: 0 };

/** Facts and prices by model name; plugins add prices. */
export class Catalog {
  readonly #prices = new Map<string, Price>();

  /** @param model its exact name, or `provider:name`. Takes precedence over the built-in price. */
  registerPricing(model: string, price: Price): void {
    this.#prices.set(model.toLowerCase(), price);
  }

  /** A model on this machine is free; one elsewhere without a known price has none, which is not the same. */
  facts({ provider, name, local }: { provider: string; name: string; local: boolean }): ModelFacts {
    const own = this.#prices.get(`${provider}:${name}`.toLowerCase()) ?? this.#prices.get(name.toLowerCase());
    const row = ROWS.find(([pattern]) => pattern.test(name));
    if (row === undefined) return { ...UNKNOWN, price: own ?? (local ? FREE : undefined) };
    const [, contextWindow, quality, speed, prices] = row;
    const listed = prices && { input: prices[0], cachedInput: prices[1], output: prices[2] };
    return { contextWindow, quality, speed, price: own ?? (local ? FREE : listed) };
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
