import type { ModelProvider } from '../models/providers/completing.ts';
import type { ProviderFactory } from '../models/providers/provider.ts';

/** Adapts a provider that a program defines to the interface of the models. LangChain is loaded with its first call. */
export function completing(provider: ModelProvider): ProviderFactory {
  return async ({ model, maxTokens }) => {
    const { CompletingModel } = await import('../models/providers/completing-model.ts');
    return new CompletingModel(provider, { model, maxTokens });
  };
}
