import type { ProviderOptions } from './provider.ts';

/** What every LangChain client takes under the same names. Clients never retry: `Call` is the only retry layer. */
export function commonFields({ model, temperature, maxTokens }: ProviderOptions) {
  return { model, maxRetries: 0, ...defined({ temperature, maxTokens }) };
}

/** The fields that have a value: some clients send an explicit `undefined` as `null`. */
export function defined<T extends Record<string, unknown>>(
  fields: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
