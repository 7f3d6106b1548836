import type { ProviderFactory } from '../models/providers/provider.ts';

/** The built-in assistant as a provider of models; its code is loaded for those who ask it. */
export const openBuiltin: ProviderFactory = async ({ now, timeZone }) => {
  const { BuiltinChatModel } = await import('./builtin-model.ts');
  return new BuiltinChatModel({ now, timeZone });
};
