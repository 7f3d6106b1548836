import type { ModelProvider } from '../models/providers/completing.ts';
import type { ProviderFactory } from '../models/providers/provider.ts';

/** A provider of a program's own as the models know one. LangChain is loaded with its first call. */
export function completing(provider: ModelProvider): ProviderFactory {
  return async ({ model, maxTokens }) => {
    const { CompletingModel } = await import('../models/providers/completing-model.ts');
    return new CompletingModel(provider, { model, maxTokens });
  };
}
