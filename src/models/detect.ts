import type { ModelsOptions } from './options.ts';
import { DEFAULT_URLS, providerId } from './providers.ts';
import type { Tier } from './rules.ts';

/** A provider that is set up, with the model to use there; undefined: ask the server what it has. */
export interface Endpoint {
  readonly provider: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** On this machine: nothing sent to it leaves. */
  readonly local: boolean;
  /** The variable that set it up, for the lists. */
  readonly source: string;
  /** For servers that were set up for one kind of task. */
  readonly tier?: Tier | undefined;
}

/** Names of models that are used where only a key is set. */
const USUAL: Readonly<Record<string, string>> = {
  openai: 'gpt-4o-mini',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
};

/** Loopback only: a server elsewhere in the house is reached over a network. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host) || host.endsWith('.localhost');
}

/** What the settings set up, in the order of detection. */
export function configuredEndpoints(options: ModelsOptions): Endpoint[] {
  const explicit = options.use === undefined ? [] : [named(options.use, options, 'MODEL_NAME')];
  const detected = [openai(options), anthropic(options), google(options), ollama(options), ...tiers(options)];
  const more = options.more.map((name) => named(name, options, 'ROUTING_MODELS'));
  return unique([...explicit, ...detected.filter((each) => each !== undefined), ...more]);
}

/** `provider:model`, or just a model of the first provider that is set up. */
export function named(name: string, options: ModelsOptions, source: string): Endpoint {
  const [first = '', ...rest] = name.split(':');
  const known = [openai(options), anthropic(options), google(options), ollama(options)].filter(
    (each) => each !== undefined,
  );
  if (rest.length === 0) {
    if (providerId(first) === 'builtin') return builtinEndpoint(source);
    const usual = known[0] ?? endpoint({ provider: 'openai', source });
    return { ...usual, model: first, source };
  }
  const provider = providerId(first);
  const model = rest.join(':');
  if (provider === 'builtin') return builtinEndpoint(source);
  const same = known.find(
    (each) => each.provider === provider || (provider === 'openai' && each.provider === 'compatible'),
  );
  const url = provider === 'compatible' ? (options.openaiBaseUrl ?? options.localServerUrl) : undefined;
  return same ? { ...same, model, source } : endpoint({ provider, model, source, baseUrl: url });
}

const NEEDS_KEY: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
};

/** What is missing before requests may go there; undefined when nothing is. */
export function missingFor({ provider, apiKey, baseUrl }: Endpoint): string | undefined {
  const key = NEEDS_KEY[provider];
  if (key !== undefined && apiKey === undefined) return `${key} is not set`;
  return provider === 'compatible' && baseUrl === undefined ? 'OPENAI_BASE_URL is not set' : undefined;
}

export function builtinEndpoint(source: string): Endpoint {
  return { provider: 'builtin', model: 'builtin', baseUrl: undefined, apiKey: undefined, local: true, source };
}

function openai({ openaiEnabled, openaiApiKey, openaiBaseUrl, openaiModelName }: ModelsOptions): Endpoint | undefined {
  if (!openaiEnabled || (openaiApiKey === undefined && openaiBaseUrl === undefined)) return undefined;
  const own = openaiBaseUrl === undefined || new URL(openaiBaseUrl).hostname === 'api.openai.com';
  return endpoint({
    provider: own ? 'openai' : 'compatible',
    model: openaiModelName ?? (own ? USUAL.openai : undefined),
    baseUrl: openaiBaseUrl,
    apiKey: openaiApiKey,
    source: openaiBaseUrl === undefined ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL',
  });
}

function anthropic({ anthropicApiKey, anthropicBaseUrl, anthropicModelName }: ModelsOptions): Endpoint | undefined {
  if (anthropicApiKey === undefined) return undefined;
  const model = anthropicModelName ?? USUAL.anthropic;
  return endpoint({
    provider: 'anthropic',
    model,
    baseUrl: anthropicBaseUrl,
    apiKey: anthropicApiKey,
    source: 'ANTHROPIC_API_KEY',
  });
}

function google({ geminiApiKey, geminiBaseUrl, geminiModelName }: ModelsOptions): Endpoint | undefined {
  if (geminiApiKey === undefined) return undefined;
  const model = geminiModelName ?? USUAL.google;
  return endpoint({
    provider: 'google',
    model,
    baseUrl: geminiBaseUrl,
    apiKey: geminiApiKey,
    source: 'GEMINI_API_KEY',
  });
}

function ollama({ ollamaBaseUrl, ollamaModelName }: ModelsOptions): Endpoint | undefined {
  if (ollamaBaseUrl === undefined) return undefined;
  return endpoint({
    provider: 'ollama',
    model: ollamaModelName,
    baseUrl: ollamaBaseUrl.replace(/\/v1\/?$/u, ''),
    source: 'OLLAMA_BASE_URL',
  });
}

/** The local servers of the earlier router. */
function tiers(options: ModelsOptions): Endpoint[] {
  const { localServerUrl, fastUrl, fastModel, thinkingUrl, thinkingModel } = options;
  const servers = [
    { url: localServerUrl, model: fastModel, source: 'ROUTING_LOCAL_SERVER_URL', tier: 'fast' },
    { url: fastUrl, model: fastModel, source: 'ROUTING_FAST_URL', tier: 'fast' },
    { url: thinkingUrl, model: thinkingModel, source: 'ROUTING_THINKING_URL', tier: 'thinking' },
  ] as const;
  return servers.flatMap(({ url, model, source, tier }) =>
    url === undefined
      ? []
      : [{ ...endpoint({ provider: 'compatible', model, baseUrl: withVersion(url), source }), tier }],
  );
}

function withVersion(url: string): string {
  return new URL(url).pathname === '/' ? `${url.replace(/\/$/u, '')}/v1` : url;
}

interface Sketch {
  readonly provider: string;
  readonly source: string;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

export function endpoint({ provider, source, model, baseUrl, apiKey }: Sketch): Endpoint {
  const url = baseUrl ?? DEFAULT_URLS[provider];
  return { provider, model, baseUrl: url, apiKey, local: url !== undefined && isLoopback(url), source };
}

function unique(endpoints: readonly Endpoint[]): Endpoint[] {
  const key = ({ provider, model, baseUrl }: Endpoint) => `${provider} ${model} ${baseUrl}`;
  return [...new Map(endpoints.toReversed().map((each) => [key(each), each])).values()].toReversed();
}
