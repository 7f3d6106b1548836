import type { Endpoint } from './detect.ts';
import { providerOf } from './providers/list.ts';
import type { FetchFor } from './servers.ts';

/** A server that takes longer to say what it holds is asked without knowing. */
const MOST_MS = 1000;

/** Whether the server of a model can be asked what the model holds there. */
export function saysWindow({ provider, baseUrl }: Pick<Endpoint, 'provider' | 'baseUrl'>): boolean {
  return baseUrl !== undefined && providerOf(provider)?.windowQuestions !== undefined;
}

/** Ask a server how many tokens a model holds there; undefined where it does not say. Never rejects. */
export async function askWindow(
  { provider, model, baseUrl = '', apiKey }: Pick<Endpoint, 'provider' | 'baseUrl' | 'apiKey'> & { model: string },
  { fetchFor, timeoutMs }: { fetchFor: FetchFor; timeoutMs: number },
): Promise<number | undefined> {
  const signal = AbortSignal.timeout(Math.min(timeoutMs, MOST_MS));
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  for (const { url, body, read } of providerOf(provider)?.windowQuestions?.(baseUrl.replace(/\/$/u, ''), model) ?? []) {
    try {
      const post = {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...headers, 'content-type': 'application/json' },
      };
      const fetch = fetchFor('models', [new URL(url).origin]);
      const response = await fetch(url, { signal, ...(body === undefined ? { headers } : post) });
      const said = response.ok ? read(await response.json()) : undefined;
      if (said !== undefined) return said;
    } catch {
      // It is no such server, or it is down, which the request itself will tell.
      if (signal.aborted) return undefined;
    }
  }
  return undefined;
}
