/** What the router may prefer. Apart from `types.ts` so that settings can name it without loading LangChain types. */
export const STRATEGIES = ['speed', 'quality', 'cost', 'privacy', 'availability'] as const;
export type Strategy = (typeof STRATEGIES)[number];
