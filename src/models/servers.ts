import { messageOf } from '../base/errors.ts';
import { isListening } from '../net/listening.ts';
import { type Endpoint, endpoint } from './detect.ts';
import { diagnose, isAway } from './failure.ts';
import { providerOf } from './providers/list.ts';
import { listedIn, windowsIn } from './window-fields.ts';

/** Ports that Ollama, LM Studio and llama.cpp or MLX listen on. */
const USUAL_PORTS = [11434, 1234, 8080] as const;

/** The outcome of listing a server's models. */
export type ServerState =
  | {
      readonly state: 'ready';
      readonly models: readonly string[];
      /** Context windows in tokens, by model name, if the server reports them. */
      readonly windows?: ReadonlyMap<string, number>;
    }
  | {
      readonly state: 'down';
      readonly detail: string;
      /** Nobody is there, or nobody who can answer now. */
      readonly away: boolean;
    };

/** Gives a `fetch` that reaches these origins and no others. */
export type FetchFor = (caller: string, origins: readonly string[]) => typeof fetch;

/** Gives the `fetch` of a provider without a configured address: any public host, no private ones. */
export type ModelFetch = (caller: string) => typeof fetch;

/** Ask a server which models it has. Never rejects. */
export async function listModels(
  target: Pick<Endpoint, 'provider' | 'baseUrl' | 'apiKey'>,
  { fetchFor, timeoutMs }: { fetchFor: FetchFor; timeoutMs: number },
): Promise<ServerState> {
  const base = (target.baseUrl ?? '').replace(/\/$/u, '');
  const url = providerOf(target.provider)?.modelsUrl?.(base) ?? `${base}/models`;
  try {
    const response = await fetchFor('models', [new URL(url).origin])(url, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: target.apiKey === undefined ? {} : { authorization: `Bearer ${target.apiKey}` },
    });
    if (!response.ok) {
      const detail = `answered ${response.status} for its list of models`;
      return { state: 'down', detail, away: response.status >= 500 };
    }
    const body: unknown = await response.json();
    const models = listedIn(body).map(({ id }) => id);
    return models.length > 0
      ? { state: 'ready', models, windows: windowsIn(body) }
      : { state: 'down', detail: 'has no model loaded', away: false };
  } catch (error) {
    return { state: 'down', detail: `does not answer (${messageOf(error)})`, away: isNobody(error) };
  }
}

function isNobody(error: unknown): boolean {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate || isAway(diagnose(error, { fault: undefined, answered: false }).kind);
}

/**
 * Look for a model server on this machine. The only requests to a host that nobody configured.
 *
 * @returns the first that has a model, in the order of ports.
 */
export async function findLocalServer(options: {
  fetchFor: FetchFor;
  timeoutMs: number;
  ports?: readonly number[];
  /** Gets the context windows of the servers' models. */
  onWindows?: (provider: string, windows: ReadonlyMap<string, number>) => void;
}): Promise<Endpoint | undefined> {
  const found = await Promise.all(
    (options.ports ?? USUAL_PORTS).map(async (port) => {
      if (!(await isListening(port, options.timeoutMs))) return undefined;
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const answer = await listModels({ provider: 'compatible', baseUrl, apiKey: undefined }, options);
      const model = answer.state === 'ready' ? firstChatModel(answer.models) : undefined;
      if (answer.state === 'ready' && answer.windows) options.onWindows?.('compatible', answer.windows);
      return model === undefined
        ? undefined
        : {
            ...endpoint({ provider: 'compatible', model, baseUrl, source: `found on port ${port}` }),
            discovered: true,
          };
    }),
  );
  return found.find((each) => each !== undefined);
}

/** The first model that can chat: servers list embedding models too. */
export function firstChatModel(models: readonly string[]): string | undefined {
  return chatModels(models)[0];
}

/** Those that can chat, as far as their names say. */
export function chatModels(models: readonly string[]): readonly string[] {
  return models.filter((id) => !/embed|bge-|minilm|rerank|whisper|e5-/iu.test(id));
}
