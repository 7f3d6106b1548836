import { pattern } from '../base/pattern.ts';
import { PROVIDERS } from './providers/list.ts';
import type { ModelRow, Price } from './providers/provider.ts';

/** What is known about a model by its name. Scales from 1 to 5. */
export interface ModelFacts {
  /** Tokens. */
  readonly contextWindow: number;
  readonly quality: number;
  readonly speed: number;
  readonly price: Price | undefined;
  /** A small model, judging by its name. */
  readonly small: boolean;
  /** It takes pictures, judging by its name. */
  readonly sees: boolean;
}

/** Sizes in names up to which a model counts as small: `8b`, `3.8b`, `mini-4b`; not `30b-a3b`, which is a large one. */
const SMALL = /(?:^|[^\d.a-z])(?:\d|1[0-4])(?:\.\d+)?b\b/iu;
const LARGE = /(?:^|[^\d.a-z])(?:1[5-9]|[2-9]\d|\d{3,})(?:\.\d+)?b\b/iu;

/** Families whose models take pictures beside text, whoever serves them. */
const SEES = pattern(
  'iu',
  [
    String.raw`gpt-(?:4o|4\.1|5)|\bo[34](?:-(?:mini|pro))?(?:$|-\d)|claude|gemini|gemma-?(?:3:?-?(?:4|12|27)b|4)`,
    String.raw`qwen[\d.]*-?vl|qwen3\.5|llava|llama-?4|llama-?3\.2-vision|pixtral|mistral-(?:small|medium|large)-?3`,
    'grok-4|minicpm-v|moondream|internvl|nova-(?:lite|pro)',
  ].join('|'),
);

/**
 * Families of other makers, whoever serves them; prices where the maker sells the model under that name. A size in the
 * name says more about quality and speed than the family does, so these rows are of large models and hosted names.
 */
const FAMILIES: readonly ModelRow[] = [
  [/mistral-large/iu, 128_000, 4, 2, [2, 2, 6]],
  [/mistral-medium/iu, 128_000, 4, 3, [0.4, 0.4, 2]],
  [/mistral-small/iu, 128_000, 3, 4, [0.1, 0.1, 0.3]],
  [/magistral/iu, 128_000, 3, 3],
  [/ministral/iu, 128_000, 2, 4],
  [/codestral|devstral/iu, 128_000, 3, 3],
  [/mi[sx]tral-nemo/iu, 128_000, 2, 3],
  [/deepseek-(?:chat|reasoner|v3|r1(?!-distill))/iu, 128_000, 4, 2, [0.28, 0.028, 0.42]],
  [/grok-4(?:[.-]\d)?-fast|grok-4-1-fast/iu, 2_000_000, 4, 4, [0.2, 0.05, 0.5]],
  [/grok-4/iu, 256_000, 5, 2, [3, 0.75, 15]],
  [/grok-3-mini/iu, 131_072, 3, 4, [0.3, 0.075, 0.5]],
  [/grok-3/iu, 131_072, 4, 2, [3, 0.75, 15]],
  [/command-a/iu, 256_000, 4, 2, [2.5, 2.5, 10]],
  [/command-r/iu, 128_000, 3, 2],
  [/kimi-k2/iu, 256_000, 4, 2],
  [/glm-4\.[5-9]|glm-[5-9]/iu, 128_000, 4, 2],
  [/minimax-m/iu, 200_000, 4, 2],
  [/qwen3?-max/iu, 256_000, 5, 2],
  [/qwen3-coder-plus|qwen-plus/iu, 256_000, 4, 2],
  [/llama-?4/iu, 131_072, 3, 3],
  [/nova-(?:pro|lite|micro)/iu, 128_000, 3, 4],
];

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
const ROWS: readonly ModelRow[] = [...PROVIDERS.flatMap(({ models = [] }) => models), ...FAMILIES, ...SIZES];

/** The usual context window of unknown models; a server that offers less says so, and that is cached. */
const UNKNOWN = { contextWindow: 32_768, quality: 2, speed: 3 } as const;
/** A smaller number is not a context window. */
const MIN_WINDOW = 512;
const FREE: Price = { input: 0, output: 0, cachedInput: 0 };

/** Facts and prices by model name; plugins add prices, and servers report context windows. */
export class Catalog {
  readonly #prices = new Map<string, Price>();
  readonly #windows = new Map<string, number>();

  /** Record the context window that a server reported for this model, which overrides what its name suggests. */
  learnWindow({ provider, name }: { provider: string; name: string }, tokens: number): void {
    if (Number.isInteger(tokens) && tokens >= MIN_WINDOW)
      this.#windows.set(`${provider}:${name}`.toLowerCase(), tokens);
  }

  /** Whether a server has reported this model's context window. */
  hasLearnt({ provider, name }: { provider: string; name: string }): boolean {
    return this.#windows.has(`${provider}:${name}`.toLowerCase());
  }

  /** Whether anything is known by this name. */
  isListed(name: string): boolean {
    return ROWS.some(([pattern]) => pattern.test(name));
  }

  /** @param model its exact name, or `provider:name`. Takes precedence over the built-in price. */
  registerPricing(model: string, price: Price): void {
    this.#prices.set(model.toLowerCase(), price);
  }

  /** A model on this machine is free; one elsewhere without a known price has none, which is not the same. */
  facts({ provider, name, local }: { provider: string; name: string; local: boolean }): ModelFacts {
    const own = this.#prices.get(`${provider}:${name}`.toLowerCase()) ?? this.#prices.get(name.toLowerCase());
    const row = ROWS.find(([pattern]) => pattern.test(name));
    const small = SMALL.test(name) && !LARGE.test(name);
    const sees = SEES.test(name);
    const said = this.#windows.get(`${provider}:${name}`.toLowerCase());
    if (row === undefined) {
      const contextWindow = said ?? UNKNOWN.contextWindow;
      return { ...UNKNOWN, contextWindow, small, sees, price: own ?? (local ? FREE : undefined) };
    }
    const [, usual, quality, speed, prices] = row;
    const contextWindow = said ?? usual;
    const listed = prices && { input: prices[0], cachedInput: prices[1], output: prices[2] };
    return { contextWindow, quality, speed, small, sees, price: own ?? (local ? FREE : listed) };
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
