import type { CompiledProgram } from '../lang/compile/module-text.ts';
import { AnswerCache } from '../lang/runtime/cache.ts';
import { Costs } from '../lang/runtime/costs.ts';
import { ThinkError } from '../lang/runtime/errors.ts';
import type { AiHost } from '../lang/runtime/host.ts';
import type { CompleteOptions, CompleteResult, ModelProvider } from '../models/providers/completing.ts';
import type { Price } from '../models/providers/provider.ts';
import type { EmbeddedAssistant } from './assistant.ts';
import { requireNode } from './node-version.ts';
import { completing } from './provider.ts';
import type { Arguments, AssistantOptions, ModelSetup, ProgramOutcome, RunOptions } from './types.ts';

export interface ProviderOptions {
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Creates a provider that a program defines. */
export type ModelProviderFactory = (options: ProviderOptions) => ModelProvider;

export interface InitOptions
  extends ProviderOptions,
    Pick<AssistantOptions, 'home' | 'project' | 'timeZone' | 'env' | 'approve' | 'mode'> {
  /** A name or an object; unless given, chosen by the key, then by the settings. */
  readonly provider?: string | ModelProvider | undefined;
}

/** `createProvider` of a name that the models know: the same as naming it. */
export class NamedProvider implements ModelProvider {
  readonly setup: ModelSetup;
  readonly #library: Library;

  constructor(library: Library, setup: ModelSetup) {
    this.#library = library;
    this.setup = setup;
  }

  async complete(options: CompleteOptions): Promise<CompleteResult> {
    return this.#library.complete(this.setup, options);
  }
}

/**
 * What the functions of the library share: one assistant, opened with the first call and closed by `close` or the next
 * `init`. It is the same composition as that of `createAssistant`.
 */
export class Library {
  readonly costs = new Costs();
  readonly cache = new AnswerCache();
  readonly #factories = new Map<string, ModelProviderFactory>();
  readonly #prices = new Map<string, Price>();
  /** Assistants for providers that are used directly, by setup. */
  readonly #others = new Map<string, Promise<EmbeddedAssistant>>();
  #options: InitOptions = {};
  #open: Promise<EmbeddedAssistant> | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  init(options: InitOptions): void {
    const before = this.#open;
    this.#options = options;
    this.#open = undefined;
    if (before) this.#closing = Promise.all([this.#closing, closed(before)]);
  }

  registerProvider(name: string, factory: ModelProviderFactory): void {
    this.#factories.set(name.toLowerCase(), factory);
    void this.#open
      ?.then(({ app }) => app.models.registerProvider(name, this.#opener(name, {})))
      .catch(() => undefined);
  }

  registerPricing(model: string, price: Price): void {
    this.#prices.set(model, price);
    void this.#open?.then(({ app }) => app.models.registerPricing(model, price)).catch(() => undefined);
  }

  /** @throws ThinkError for a name that nobody registered, unless the models know it. */
  createProvider(name: string, options: ProviderOptions = {}): ModelProvider {
    const factory = this.#factories.get(name.toLowerCase());
    if (factory) return factory(options);
    if (!BUNDLED.includes(name.toLowerCase())) {
      throw new ThinkError(`There is no provider ${name}. Known: ${this.providers().join(', ')}.`);
    }
    return new NamedProvider(this, { provider: name, ...options });
  }

  providers(): string[] {
    return [...new Set([...BUNDLED, ...this.#factories.keys()])];
  }

  get provider(): ModelProvider {
    const { provider, ...options } = this.#options;
    if (typeof provider === 'object') return provider;
    return provider === undefined
      ? new NamedProvider(this, this.#setup() as ModelSetup)
      : this.createProvider(provider, options);
  }

  /** The host of every call. @throws AssistantError when the assistant cannot be opened. */
  async host(): Promise<AiHost> {
    const inner = await this.#assistant();
    const { approve } = this.#options;
    const context = inner.context(() => {}, {});
    return {
      models: inner.app.models,
      redactor: inner.app.home.redactor,
      runTurn: (turn, given, wishes) => inner.track(() => inner.app.turns.run(turn, given, wishes)),
      project: inner.projectFor(undefined),
      mode: inner.mode,
      origin: 'embed',
      timeZone: inner.app.home.timeZone,
      now: () => new Date(),
      signal: inner.lifetime,
      ...(approve ? { approve: (request) => context.approve(request) } : {}),
      costs: this.costs,
      cache: usesCache(this.#options.env) ? this.cache : undefined,
      warn: (text) => inner.app.home.log.warn(text),
    };
  }

  /** Run a compiled program. @throws AssistantError as `runOn`. */
  async run(program: CompiledProgram, given: Arguments, options: RunOptions): Promise<ProgramOutcome> {
    const inner = await this.#assistant();
    const { runOn } = await import('./run-on.ts');
    return inner.track(() => runOn(inner, program, given, options));
  }

  async complete(setup: ModelSetup, options: CompleteOptions): Promise<CompleteResult> {
    const key = JSON.stringify(setup);
    const opening = this.#others.get(key) ?? this.#start(setup);
    this.#others.set(key, opening);
    opening.catch(() => this.#others.delete(key));
    const inner = await opening;
    const { completeWith } = await import('../models/complete-with.ts');
    return completeWith(
      { models: inner.app.models, project: inner.projectFor(undefined), signal: inner.lifetime },
      options,
    );
  }

  async close(): Promise<void> {
    const all = [this.#open, ...this.#others.values()];
    this.#open = undefined;
    this.#others.clear();
    await Promise.all([this.#closing, ...all.map((each) => each && closed(each))]);
  }

  #assistant(): Promise<EmbeddedAssistant> {
    this.#open ??= this.#start(this.#setup()).catch((error: unknown) => {
      this.#open = undefined;
      throw error;
    });
    return this.#open;
  }

  /** Heavy modules are loaded here, so that importing the library stays cheap. */
  async #start(model: AssistantOptions['model']): Promise<EmbeddedAssistant> {
    requireNode();
    await this.#closing;
    const { createAssistant } = await import('./create.ts');
    const { innerOf } = await import('./assistant.ts');
    const { home, project, timeZone, env, approve, mode } = this.#options;
    const given = Object.entries({ home, project, timeZone, env, approve, mode, model });
    const names = [...this.#factories.keys()];
    const assistant = await createAssistant({
      ...(Object.fromEntries(given.filter(([, value]) => value !== undefined)) as AssistantOptions),
      providers: Object.fromEntries(names.map((name) => [name, this.#opener(name, this.#options)])),
    });
    const inner = innerOf(assistant);
    for (const [name, price] of this.#prices) inner.app.models.registerPricing(name, price);
    return inner;
  }

  #opener(name: string, { apiKey, baseUrl }: ProviderOptions): ReturnType<typeof completing> {
    return (options) => {
      const factory = this.#factories.get(name.toLowerCase());
      if (!factory) throw new ThinkError(`There is no provider ${name}.`);
      return completing(factory({ apiKey, baseUrl, model: options.model }))(options);
    };
  }

  #setup(): AssistantOptions['model'] {
    const { provider, apiKey, baseUrl, env = process.env } = this.#options;
    const model = this.#options.model ?? env.THINKLANG_MODEL;
    if (provider instanceof NamedProvider) return provider.setup;
    if (typeof provider === 'object') return provider;
    if (provider !== undefined && this.#factories.has(provider.toLowerCase()))
      return { provider, model: model ?? 'default' };
    const name = provider ?? byKey(apiKey) ?? (baseUrl === undefined ? undefined : 'compatible');
    return name === undefined ? model : { provider: name, model, apiKey, baseUrl };
  }
}

/** The providers that the models know, under the names that programs use. */
const BUNDLED = ['anthropic', 'openai', 'gemini', 'ollama', 'custom', 'google', 'compatible', 'builtin'];

/** A key reveals its provider. */
function byKey(apiKey: string | undefined): string | undefined {
  if (apiKey === undefined) return undefined;
  if (apiKey.startsWith('sk-ant-')) return 'anthropic';
  return apiKey.startsWith('AI') ? 'gemini' : 'openai';
}

function usesCache(env: AssistantOptions['env'] = process.env): boolean {
  return env.THINKLANG_CACHE !== 'false';
}

async function closed(opening: Promise<EmbeddedAssistant>): Promise<void> {
  const inner = await opening.catch(() => undefined);
  await inner?.close();
}
