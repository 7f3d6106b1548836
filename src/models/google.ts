import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatGoogle } from '@langchain/google';
import type { ProviderOptions } from './providers.ts';

/** ChatGoogle takes no `fetch`; its client is the place for one. The address is always named, else a variable could redirect it. */
export function openGoogle({
  model,
  apiKey,
  baseUrl,
  temperature,
  maxTokens,
  jsonResponse,
  fetch,
}: ProviderOptions): BaseChatModel {
  const key = apiKey ?? '';
  const apiClient = {
    hasApiKey: () => key !== '',
    getProjectId: async () => '',
    fetch: async (request: Request) => {
      request.headers.set('x-goog-api-key', key);
      return fetch(request);
    },
  };
  return new ChatGoogle({
    model,
    apiKey: key,
    apiClient,
    endpoint: baseUrl ?? 'https://generativelanguage.googleapis.com',
    maxRetries: 0,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(jsonResponse ? { responseMimeType: 'application/json' } : {}),
  });
}
