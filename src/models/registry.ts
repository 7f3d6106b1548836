import { askWindow, saysWindow } from './ask-window.ts';
import { Candidate, type CandidateDeps } from './candidate.ts';
import {
  BUILT_IN,
  builtinEndpoint,
  configuredEndpoints,
  type Endpoint,
  firstOfEach,
  installedEndpoint,
  missingFor,
  named,
} from './detect.ts';
import type { LocalModels } from './local/local-models.ts';
import type { ModelsOptions } from './options.ts';
import { providerOf } from './providers/list.ts';
import { findLocalServer, firstChatModel, listModels, type ServerState } from './servers.ts';

export interface RegistryDeps extends CandidateDeps {
  readonly options: ModelsOptions;
  /** The models installed into the home, if there is one. */
  readonly local: LocalModels | undefined;
  /** Loopback ports to probe; tests give their own. */
  readonly probePorts?: readonly number[] | undefined;
}

/** A provider that is set up but cannot be asked: a setting is missing, or its server names no chat model. */
export interface UnusableEndpoint {
  readonly endpoint: Endpoint;
  readonly detail: string;
  /** Nobody is there, or nobody who can answer now. */
  readonly away: boolean;
}

/** Every endpoint that is set up, sorted by whether it can be asked. */
export interface ResolvedCandidates {
  readonly candidates: readonly Candidate[];
  readonly unusable: readonly UnusableEndpoint[];
}

interface Remembered<T> {
  readonly value: T;
  readonly atMs: number;
}

/** Which models could answer: configured ones, else a server found on this machine, else the built-in model. */
export class CandidateRegistry {
  readonly #deps: RegistryDeps;
  readonly #servers = new Map<string, Remembered<ServerState>>();
  /** Per model, whether its server has answered the question for its context window, which is repeated until then. */
  readonly #windows = new Map<string, Remembered<Promise<boolean>>>();
  #found: Remembered<Endpoint | undefined> | undefined;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  /**
   * All candidates, in the order of detection.
   *
   * @param extra more models that somebody asked for, `provider:model` each.
   * @param localOnly  no server elsewhere is asked about its models: none of them will be used.
   */
  async resolve(extra: readonly string[] = [], localOnly = false): Promise<ResolvedCandidates> {
    const { options } = this.#deps;
    const asked = extra.map((name) => named(name, options, 'requested'));
    const configured = configuredEndpoints(options);
    const resolved = await Promise.all(
      [...(await this.#usual(configured)), ...asked].map((each) => this.#resolve(each, localOnly)),
    );
    return {
      candidates: firstOfEach(
        resolved.filter((each) => each instanceof Candidate),
        ({ label }) => label,
      ),
      unusable: resolved.filter((each): each is UnusableEndpoint => !(each instanceof Candidate)),
    };
  }

  /** What is configured, or else was found; a model that was installed follows. */
  async #usual(configured: readonly Endpoint[]): Promise<readonly Endpoint[]> {
    const installed = (this.#deps.local?.names() ?? []).map(installedEndpoint);
    if (configured.length > 0) return [...configured, ...installed];
    const found = await this.#discovered();
    const all = found ? [found, ...installed] : installed;
    return all.length > 0 ? all : [builtinEndpoint(BUILT_IN)];
  }

  /** Ask an endpoint's server now; undefined for providers that list no models. */
  async state(endpoint: Endpoint): Promise<ServerState | undefined> {
    if (providerOf(endpoint.provider)?.modelsUrl === undefined) return undefined;
    const { fetchFor, options } = this.#deps;
    const state = await listModels(endpoint, { fetchFor, timeoutMs: options.health.timeoutMs });
    if (state.state === 'ready' && state.windows) this.#learn(endpoint.provider, state.windows);
    return state;
  }

  #learn(provider: string, windows: ReadonlyMap<string, number>): void {
    for (const [name, tokens] of windows) this.#deps.catalog.learnWindow({ provider, name }, tokens);
  }

  /** A server that was found by probing failed: look again before the next request. */
  forget(): void {
    this.#found = undefined;
    this.#servers.clear();
    this.#windows.clear();
  }

  async #discovered(): Promise<Endpoint | undefined> {
    const { options, fetchFor, probePorts } = this.#deps;
    if (!options.localEnabled) return undefined;
    if (this.#found && this.#isFresh(this.#found)) return this.#found.value;
    const probe = { fetchFor, timeoutMs: options.health.timeoutMs, ...(probePorts ? { ports: probePorts } : {}) };
    const onWindows = this.#learn.bind(this);
    this.#found = { value: await findLocalServer({ ...probe, onWindows }), atMs: this.#nowMs() };
    return this.#found.value;
  }

  /** A server that is set up without a model's name is asked what it has. */
  async #resolve(endpoint: Endpoint, localOnly: boolean): Promise<Candidate | UnusableEndpoint> {
    const missing = missingFor(endpoint);
    if (missing !== undefined) return { endpoint, detail: `cannot be used: ${missing}`, away: false };
    if (endpoint.provider === 'local') return this.#installed(endpoint, localOnly);
    if (endpoint.model !== undefined) return this.#candidate({ ...endpoint, model: endpoint.model }, localOnly);
    const key = `${endpoint.provider} ${endpoint.baseUrl}`;
    const known = this.#servers.get(key);
    const state = known && this.#isFresh(known) ? known.value : await this.state(endpoint);
    if (state) this.#servers.set(key, { value: state, atMs: this.#nowMs() });
    const model = state?.state === 'ready' ? firstChatModel(state.models) : undefined;
    if (model !== undefined) return this.#candidate({ ...endpoint, model }, localOnly);
    if (state?.state === 'down') return { endpoint, detail: state.detail, away: state.away };
    return { endpoint, detail: 'has no chat model; name one in the settings', away: false };
  }

  /** Without a name, the first. */
  async #installed(endpoint: Endpoint, localOnly: boolean): Promise<Candidate | UnusableEndpoint> {
    const { local, catalog } = this.#deps;
    const names = local?.names() ?? [];
    const model = endpoint.model === undefined ? names[0] : names.find((name) => name === endpoint.model);
    if (local === undefined || model === undefined)
      return { endpoint, detail: 'is not installed: wooster models install', away: false };
    catalog.learnWindow({ provider: 'local', name: model }, local.contextTokens);
    return this.#candidate({ ...endpoint, model }, localOnly);
  }

  async #candidate(endpoint: Endpoint & { readonly model: string }, localOnly: boolean): Promise<Candidate> {
    const { provider, baseUrl, model } = endpoint;
    const key = `${provider} ${baseUrl} ${model}`;
    if ((endpoint.local || !localOnly) && this.#asksWindow(endpoint)) {
      const known = this.#windows.get(key);
      const isDone = known && (this.#isFresh(known) || (await known.value));
      const asked = isDone ? known : { value: this.#askWindow(endpoint), atMs: this.#nowMs() };
      this.#windows.set(key, asked);
      await asked.value;
    }
    return new Candidate(endpoint, this.#deps);
  }

  /** Of a server elsewhere only where the name tells nothing: its list may be long. */
  #asksWindow(endpoint: Endpoint & { readonly model: string }): boolean {
    const { catalog, options } = this.#deps;
    const { provider, model: name, local } = endpoint;
    if (options.contextWindowTokens !== undefined || !saysWindow(endpoint)) return false;
    return !catalog.hasLearnt({ provider, name }) && (local || !catalog.isListed(name));
  }

  async #askWindow(endpoint: Endpoint & { readonly model: string }): Promise<boolean> {
    const { catalog, fetchFor, options } = this.#deps;
    const { answered, tokens } = await askWindow(endpoint, { fetchFor, timeoutMs: options.health.timeoutMs });
    if (tokens !== undefined) catalog.learnWindow({ provider: endpoint.provider, name: endpoint.model }, tokens);
    return answered;
  }

  #isFresh({ atMs }: Remembered<unknown>): boolean {
    return this.#nowMs() - atMs < this.#deps.options.health.intervalMs;
  }

  #nowMs(): number {
    return this.#deps.now().getTime();
  }
}
