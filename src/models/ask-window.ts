import type { Endpoint } from './detect.ts';
import { providerOf } from './providers/list.ts';
import type { FetchFor } from './servers.ts';

/** If a server takes longer to report its context window, the request is sent without knowing it. */
const MOST_MS = 1000;

/** Whether a model's server can report the model's context window. */
export function saysWindow({ provider, baseUrl }: Pick<Endpoint, 'provider' | 'baseUrl'>): boolean {
  return baseUrl !== undefined && providerOf(provider)?.windowQuestions !== undefined;
}

/** A server's answer; `tokens` is absent if it does not say. */
interface Said {
  /** Whether there was any answer at all. */
  readonly answered: boolean;
  readonly tokens?: number;
}

/** Ask a server for the context window of a model, in tokens. Never rejects. */
export async function askWindow(
  { provider, model, baseUrl = '', apiKey }: Pick<Endpoint, 'provider' | 'baseUrl' | 'apiKey'> & { model: string },
  { fetchFor, timeoutMs }: { fetchFor: FetchFor; timeoutMs: number },
): Promise<Said> {
  let answered = false;
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
      answered = true;
      const tokens = response.ok ? read(await response.json()) : undefined;
      if (tokens !== undefined) return { answered, tokens };
    } catch {
      // It is another kind of server, or it is down, which the request itself will show.
      if (signal.aborted) break;
    }
  }
  return { answered };
}
