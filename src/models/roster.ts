import { Candidate, type CandidateDeps } from './candidate.ts';
import { builtinEndpoint, configuredEndpoints, type Endpoint, missingFor, named } from './detect.ts';
import type { ModelsOptions } from './options.ts';
import { findLocalServer, firstChatModel, listModels, type ServerState } from './servers.ts';

export interface RosterDeps extends CandidateDeps {
  readonly options: ModelsOptions;
  /** Loopback ports to look at; tests give their own. */
  readonly probePorts?: readonly number[] | undefined;
}

/** A server that is set up without a model's name and did not say what it has. */
export interface Silent {
  readonly endpoint: Endpoint;
  readonly detail: string;
}

export interface Lineup {
  readonly candidates: readonly Candidate[];
  readonly silent: readonly Silent[];
}

interface Remembered<T> {
  readonly value: T;
  readonly atMs: number;
}

/** Who could answer: what is configured, else what runs on this machine, else the built-in model. */
export class Roster {
  readonly #deps: RosterDeps;
  readonly #servers = new Map<string, Remembered<ServerState>>();
  #found: Remembered<Endpoint | undefined> | undefined;

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  /** In the order of detection. @param extra `provider:model` names that were asked for besides. */
  async lineup(extra: readonly string[] = []): Promise<Lineup> {
    const { options } = this.#deps;
    const asked = extra.map((name) => named(name, options, 'asked for'));
    const configured = configuredEndpoints(options);
    const usual = configured.length > 0 ? configured : [(await this.#discovered()) ?? builtinEndpoint('built in')];
    const resolved = await Promise.all([...usual, ...asked].map((each) => this.#resolve(each)));
    return {
      candidates: uniqueByLabel(resolved.filter((each) => each instanceof Candidate)),
      silent: resolved.filter((each): each is Silent => !(each instanceof Candidate)),
    };
  }

  /** Ask the server of a candidate now; undefined for those that cannot be asked. */
  async state(endpoint: Endpoint): Promise<ServerState | undefined> {
    if (!['compatible', 'ollama', 'openai'].includes(endpoint.provider)) return undefined;
    return listModels(endpoint, { fetchFor: this.#deps.fetchFor, timeoutMs: this.#deps.options.healthTimeoutMs });
  }

  /** Something that was found by itself failed: look again before the next request. */
  forget(): void {
    this.#found = undefined;
    this.#servers.clear();
  }

  async #discovered(): Promise<Endpoint | undefined> {
    const { options, fetchFor, probePorts } = this.#deps;
    if (!options.localEnabled) return undefined;
    if (this.#found && this.#isFresh(this.#found)) return this.#found.value;
    const probe = { fetchFor, timeoutMs: options.healthTimeoutMs, ...(probePorts ? { ports: probePorts } : {}) };
    this.#found = { value: await findLocalServer(probe), atMs: this.#nowMs() };
    return this.#found.value;
  }

  /** A server that is set up without a model's name is asked what it has. */
  async #resolve(endpoint: Endpoint): Promise<Candidate | Silent> {
    const missing = missingFor(endpoint);
    if (missing !== undefined) return { endpoint, detail: `cannot be used: ${missing}` };
    if (endpoint.model !== undefined) return new Candidate({ ...endpoint, model: endpoint.model }, this.#deps);
    const key = `${endpoint.provider} ${endpoint.baseUrl}`;
    const known = this.#servers.get(key);
    const state = known && this.#isFresh(known) ? known.value : await this.state(endpoint);
    if (state) this.#servers.set(key, { value: state, atMs: this.#nowMs() });
    const model = state?.state === 'ready' ? firstChatModel(state.models) : undefined;
    if (model !== undefined) return new Candidate({ ...endpoint, model }, this.#deps);
    const detail = state?.state === 'down' ? state.detail : 'has no chat model; name one in the settings';
    return { endpoint, detail };
  }

  #isFresh({ atMs }: Remembered<unknown>): boolean {
    return this.#nowMs() - atMs < this.#deps.options.healthIntervalMs;
  }

  #nowMs(): number {
    return this.#deps.now().getTime();
  }
}

function uniqueByLabel(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.toReversed().map((each) => [each.label, each])).values()].toReversed();
}
