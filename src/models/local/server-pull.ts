import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import { isListening } from '../../net/listening.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** A program on this machine that runs models, and fetches them when it is asked to. */
export interface ModelServer {
  readonly label: string;
  readonly origin: string;
  /** What it calls a model of the catalogue. */
  nameOf(entry: CatalogueEntry): string;
  /** The variables with which it is used. */
  settings(entry: CatalogueEntry): Readonly<Record<string, string>>;
  /** @throws AssistantError `model_not_installed`; the signal's reason. */
  pull(entry: CatalogueEntry, how: Pulling): Promise<void>;
}

export interface Pulling {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly total: number | undefined }) => void;
  /** Time between two looks at a download that others do. */
  readonly lookMs?: number;
}

const LOOK_MS = 1000;

/** @see https://docs.ollama.com/api/pull */
export function ollamaServer(origin: string): ModelServer {
  const nameOf = ({ ollama }: CatalogueEntry) => ollama;
  return {
    ...{ label: 'Ollama', origin, nameOf },
    settings: (entry) => ({
      OLLAMA_BASE_URL: origin,
      OLLAMA_MODEL_NAME: nameOf(entry),
      MODEL_NAME: `ollama:${nameOf(entry)}`,
    }),
    async pull(entry, { fetch, signal, onProgress }) {
      const body = JSON.stringify({ model: nameOf(entry) });
      const response = await asked(() => fetch(`${origin}/api/pull`, { method: 'POST', body, signal }), signal);
      let isDone = false;
      for await (const line of linesOf(response)) {
        const said = parseJson(line);
        if (!isRecord(said)) continue;
        if (typeof said.error === 'string') throw refused('Ollama', said.error);
        isDone = said.status === 'success';
        if (typeof said.completed === 'number') onProgress({ done: said.completed, total: asNumber(said.total) });
      }
      if (!isDone) throw refused('Ollama', 'the download broke off');
    },
  };
}

/** @see https://lmstudio.ai/docs/developer/rest/download */
export function lmStudioServer(origin: string): ModelServer {
  const nameOf = ({ lmStudio }: CatalogueEntry) => lmStudio;
  return {
    ...{ label: 'LM Studio', origin, nameOf },
    settings: (entry) => ({
      ...{
        OPENAI_BASE_URL: `${origin}/v1`,
        OPENAI_MODEL_NAME: nameOf(entry),
        MODEL_NAME: `compatible:${nameOf(entry)}`,
      },
    }),
    async pull(entry, { fetch, signal, onProgress, lookMs = LOOK_MS }) {
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, signal };
      const body = JSON.stringify({ model: nameOf(entry) });
      const begun = await asked(() => fetch(`${origin}/api/v1/models/download`, { ...post, body }), signal);
      let said: unknown = await begun.json();
      const job = isRecord(said) ? said.job_id : undefined;
      while (isRecord(said) && said.status !== 'completed' && said.status !== 'already_downloaded') {
        if (said.status === 'failed' || typeof job !== 'string')
          throw refused('LM Studio', String(said.error ?? said.status));
        onProgress({ done: asNumber(said.downloaded_bytes) ?? 0, total: asNumber(said.total_size_bytes) });
        await sleep(lookMs, undefined, { signal });
        const look = `${origin}/api/v1/models/download/status/${encodeURIComponent(job)}`;
        said = await (await asked(() => fetch(look, { signal }), signal)).json();
      }
    },
  };
}

/** Those that run here, by the ports that they usually listen on. Anything else that listens there does not count. */
export async function findModelServers(
  fetchFor: (origin: string) => typeof fetch,
  timeoutMs: number,
  ports: { readonly ollama: number; readonly lmStudio: number } = { ollama: 11_434, lmStudio: 1234 },
): Promise<readonly ModelServer[]> {
  const known = [
    { port: ports.ollama, path: '/api/version', make: ollamaServer },
    { port: ports.lmStudio, path: '/api/v1/models', make: lmStudioServer },
  ];
  const found = await Promise.all(
    known.map(async ({ port, path, make }) => {
      const origin = `http://127.0.0.1:${port}`;
      if (!(await isListening(port, timeoutMs))) return [];
      const answer = await fetchFor(origin)(`${origin}${path}`, { signal: AbortSignal.timeout(timeoutMs) })
        .then((response) => (response.ok ? response.json() : undefined))
        .catch(() => undefined);
      return isRecord(answer) ? [make(origin)] : [];
    }),
  );
  return found.flat();
}

async function asked(ask: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  const response = await ask().catch((error: unknown) => {
    signal.throwIfAborted();
    throw refused('The server', messageOf(error));
  });
  if (response.ok) return response;
  throw refused('The server', `it answered ${response.status} ${cut(await response.text(), 200)}`.trim());
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body ?? []) {
    const lines = `${rest}${decoder.decode(part as Uint8Array, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function refused(label: string, why: string): AssistantError {
  const hint = 'Fetch the model in that program, or install it here without it.';
  return new AssistantError('model_not_installed', `${label} did not fetch the model: ${why}.`, { hint });
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
