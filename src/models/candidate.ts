import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { once } from '../base/once.ts';
import { forcedToAnswer, isNative } from './answer-form.ts';
import type { Attempt } from './attempt.ts';
import type { Catalog, ModelFacts } from './catalog.ts';
import type { CallRecords } from './constrained/call-records.ts';
import type { Endpoint } from './detect.ts';
import { guardFetch } from './guard-fetch.ts';
import type { Health, HealthReport } from './health.ts';
import type { LentClients, MakeClient } from './lent-clients.ts';
import type { ConstrainedCalls, PicturesFor } from './options.ts';
import { keyNameOf, providerOf } from './providers/list.ts';
import type { AnswerForm, Constraint } from './providers/provider.ts';
import type { Providers } from './providers/providers.ts';
import type { FallbackCandidate, OpenedModel } from './resilient-model.ts';
import type { RoutingCandidate } from './router.ts';
import type { Tier } from './rules.ts';
import type { FetchFor, ModelFetch } from './servers.ts';

/** Per reply; anything longer is treated as a fault. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;

/** How a model is opened for one request. */
export interface OpenOptions {
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly jsonResponse: boolean | undefined;
  readonly answer: AnswerForm | undefined;
  /** Overrides the model's own, in tokens. */
  readonly contextWindow: number | undefined;
}

/** Options of a client, besides its server's URL. */
type AskedOptions = Omit<OpenOptions, 'answer' | 'contextWindow'> & {
  readonly answer?: AnswerForm;
  readonly contextWindow: number;
};

export interface CandidateDeps {
  readonly providers: Providers;
  readonly catalog: Catalog;
  readonly health: Health;
  readonly clients: LentClients<BaseChatModel>;
  readonly fetchFor: FetchFor;
  readonly modelFetch: ModelFetch;
  readonly calls: CallRecords;
  readonly constrained: ConstrainedCalls;
  readonly pictures: PicturesFor;
  /** Providers whose packages may open their own connections. */
  readonly unchecked: readonly string[];
  readonly now: () => Date;
  readonly timeZone: string;
}

/** A model that can be asked: where it is, what is known about it, and how it has done recently. */
export class Candidate implements RoutingCandidate {
  readonly endpoint: Endpoint;
  readonly provider: string;
  readonly name: string;
  readonly local: boolean;
  readonly label: string;
  readonly #deps: CandidateDeps;

  constructor(endpoint: Endpoint & { readonly model: string }, deps: CandidateDeps) {
    this.endpoint = endpoint;
    this.provider = endpoint.provider;
    this.name = endpoint.model;
    this.local = endpoint.local;
    // A provider with a single model of the same name needs no prefix: `builtin`.
    this.label = endpoint.provider === endpoint.model ? endpoint.model : `${endpoint.provider}:${endpoint.model}`;
    this.#deps = deps;
  }

  get tier(): Tier | undefined {
    return this.endpoint.tier;
  }

  get facts(): ModelFacts {
    return this.#deps.catalog.facts(this);
  }

  get health(): HealthReport {
    return this.#deps.health.of(this.label);
  }

  /** The candidate as `ResilientChatModel` uses it: each attempt gets its own model, whose requests report to it. */
  forCall(options: OpenOptions): FallbackCandidate & { readonly of: Candidate } {
    return {
      of: this,
      label: this.label,
      address: this.endpoint.baseUrl,
      sees: this.facts.sees && this.#mayHavePictures(),
      keyName: keyNameOf(this.provider),
      direct: this.#deps.providers.isLasting(this.provider),
      open: (attempt) => this.#open(attempt, options),
    };
  }

  /** A project that is local only has models on this machine only. */
  #mayHavePictures(): boolean {
    const { pictures } = this.#deps;
    return pictures === 'seeing' || (pictures === 'local' && this.local);
  }

  async #open(attempt: Attempt, { answer, ...options }: OpenOptions): Promise<OpenedModel> {
    const native = answer !== undefined && isNative(answer, this.provider);
    const asked = {
      ...options,
      ...(native ? { answer } : {}),
      contextWindow: options.contextWindow ?? this.facts.contextWindow,
    };
    const { constraints } = providerOf(this.provider) ?? {};
    if (answer === undefined && constraints !== undefined) return this.#held(attempt, asked, constraints);
    const model = await this.#client(attempt, asked);
    return answer === undefined || native ? model : forcedToAnswer(model, answer);
  }

  /** The model with its calls checked. */
  async #held(attempt: Attempt, asked: AskedOptions, constraints: readonly Constraint[]): Promise<OpenedModel> {
    const { HeldModel } = await heldModel();
    const { calls, constrained, providers } = this.#deps;
    const { baseUrl } = this.endpoint;
    const source = { model: this.label, address: baseUrl === undefined ? '' : new URL(baseUrl).origin };
    return new HeldModel({
      open: (answer) => this.#client(attempt, answer ? { ...asked, answer } : asked),
      direct: providers.isLasting(this.provider),
      constraints,
      when: constrained,
      record: { read: () => calls.of(source), save: (changed) => calls.save(source, changed) },
    });
  }

  #client(attempt: Attempt, asked: AskedOptions): Promise<BaseChatModel> {
    const { baseUrl, apiKey } = this.endpoint;
    const { providers, clients, fetchFor, modelFetch, unchecked, now, timeZone } = this.#deps;
    const isUnchecked = unchecked.includes(this.provider);
    const make: MakeClient<BaseChatModel> = (watch) => {
      const route =
        baseUrl === undefined ? modelFetch(`models.${this.provider}`) : fetchFor('models', [new URL(baseUrl).origin]);
      const fetch = guardFetch(route, watch, MAX_REPLY_BYTES);
      const onActivity = () => watch().onActivity();
      const whole = {
        model: this.name,
        baseUrl,
        onActivity,
        apiKey,
        fetch,
        unchecked: isUnchecked,
        now,
        timeZone,
        ...asked,
      };
      return providers.open(this.provider, whole);
    };
    if (!providers.isLasting(this.provider)) return make(() => attempt);
    const key = JSON.stringify([this.provider, this.name, baseUrl, apiKey, isUnchecked, asked]);
    return clients.lend(key, attempt, make);
  }
}

/** Loaded late, with LangChain. */
const heldModel = once(() => import('./constrained/held-model.ts'));
