import type { ModelsOptions } from './options.ts';
import { PROVIDERS, providerId, providerOf } from './providers/list.ts';
import type { DetectedEndpoint, Provider } from './providers/provider.ts';
import type { Tier } from './rules.ts';

/** A provider that is set up, with the model to use there; undefined: ask the server what it has. */
export interface Endpoint {
  readonly provider: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** On this machine: nothing sent to it leaves. */
  readonly local: boolean;
  /** The variable that set it up, for listings. */
  readonly source: string;
  /** For servers that were set up for one kind of task. */
  readonly tier?: Tier | undefined;
  /** Found by probing this machine, not configured. */
  readonly discovered?: boolean;
}

/** Loopback only: another machine in the house is reached over a network, so it does not count as local. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host) || host.endsWith('.localhost');
}

/** Everything the settings set up, in the order in which it is asked. */
export function configuredEndpoints(options: ModelsOptions): Endpoint[] {
  const explicit = options.use === undefined ? [] : [named(options.use, options, 'MODEL_NAME')];
  const more = options.more.map((name) => named(name, options, 'ROUTING_MODELS'));
  return unique([...explicit, ...detected(options), ...tierServers(options), ...more]);
}

/**
 * The endpoint of a model that somebody named.
 *
 * @param name `provider:model`, or just a model of the first provider that is set up.
 * @returns an endpoint even when the provider is not set up; `missingFor` says what it lacks.
 */
export function named(name: string, options: ModelsOptions, source: string): Endpoint {
  const [first = '', ...rest] = name.split(':');
  const provider = providerId(first);
  if (providerOf(provider)?.inProcess) return builtinEndpoint(source);
  const known = detected(options);
  if (rest.length === 0) {
    const usual = known[0] ?? endpoint({ provider: 'openai', source });
    return { ...usual, model: first, source };
  }
  const model = rest.join(':');
  const same = known.find((each) => each.provider === provider || providerOf(each.provider)?.standsInFor === provider);
  if (same) return { ...same, model, source };
  return endpoint({ provider, model, source, baseUrl: providerOf(provider)?.urlFrom?.(options) });
}

/** What is missing before requests can go there; undefined when nothing is. */
export function missingFor({ provider, apiKey, baseUrl }: Endpoint): string | undefined {
  const { needsKey, needsUrl } = providerOf(provider) ?? {};
  if (needsKey !== undefined && apiKey === undefined) return `${needsKey} is not set`;
  return needsUrl !== undefined && baseUrl === undefined ? `${needsUrl} is not set` : undefined;
}

/** What `source` says of the built-in model when nothing is set up. */
export const BUILT_IN = 'built in';

/** A model that was installed into the home. */
export function installedEndpoint(model: string): Endpoint {
  return endpoint({ provider: 'local', model, source: `installed` });
}

/** The model inside this process. */
export function builtinEndpoint(source: string): Endpoint {
  return endpoint({ provider: 'builtin', model: 'builtin', source });
}

/** The bundled providers that have a section in the settings and are set up there. */
function detected({ providers }: ModelsOptions): Endpoint[] {
  return PROVIDERS.flatMap((provider) => {
    const settings = providers[provider.id] ?? {};
    const found = provider.detect ? provider.detect(settings) : byKey(provider, settings);
    return found ? [endpoint({ provider: provider.id, ...found })] : [];
  });
}

function byKey(
  { needsKey, defaultModel }: Provider,
  { apiKey, baseUrl, model = defaultModel }: ModelsOptions['providers'][string],
): DetectedEndpoint | undefined {
  if (needsKey === undefined || apiKey === undefined) return undefined;
  return { model, baseUrl, apiKey, source: needsKey };
}

/** Local servers that the `ROUTING_*_URL` settings add, each for one tier. */
function tierServers({ localServerUrl, tiers: { fast, thinking } }: ModelsOptions): Endpoint[] {
  const servers = [
    { url: localServerUrl, model: fast.model, source: 'ROUTING_LOCAL_SERVER_URL', tier: 'fast' },
    { ...fast, source: 'ROUTING_FAST_URL', tier: 'fast' },
    { ...thinking, source: 'ROUTING_THINKING_URL', tier: 'thinking' },
  ] as const;
  return servers.flatMap(({ url, model, source, tier }) =>
    url === undefined
      ? []
      : [{ ...endpoint({ provider: 'compatible', model, baseUrl: withVersion(url), source }), tier }],
  );
}

/** The base address of a server that may have been named by its host alone; these servers answer under `/v1`. */
export function withVersion(url: string): string {
  return new URL(url).pathname === '/' ? `${url.replace(/\/$/u, '')}/v1` : url;
}

type EndpointFields = Pick<Endpoint, 'provider' | 'source'> & Partial<Endpoint>;

/** An endpoint with its provider's default address, and whether that is on this machine. */
export function endpoint({ provider, source, model, baseUrl, apiKey }: EndpointFields): Endpoint {
  const { defaultUrl, inProcess = false, onMachine = inProcess } = providerOf(provider) ?? {};
  const url = baseUrl ?? defaultUrl;
  return { provider, model, baseUrl: url, apiKey, local: onMachine || (url !== undefined && isLoopback(url)), source };
}

function unique(endpoints: readonly Endpoint[]): Endpoint[] {
  return firstOfEach(endpoints, ({ provider, model, baseUrl }) => `${provider} ${model} ${baseUrl}`);
}

/** Of several equal ones the first stays where it is, since the most explicit is asked first. */
export function firstOfEach<T>(all: readonly T[], key: (each: T) => string): T[] {
  const kept = new Map<string, T>();
  for (const each of all) if (!kept.has(key(each))) kept.set(key(each), each);
  return [...kept.values()];
}
