import { AssistantError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { Redactor } from '../base/redact.ts';
import type { Store } from '../store/store.ts';
import {
  type BudgetScope,
  type BudgetState,
  budgetMessage,
  budgetReached,
  budgetStates,
  type Spending,
  usedUpBudget,
} from './budget.ts';
import { type Pace, realPace } from './call.ts';
import { CallRecorder, type RoutedCandidate } from './call-recorder.ts';
import type { Candidate, OpenOptions } from './candidate.ts';
import { statusOf, statusOfUnusable } from './candidate-status.ts';
import { Catalog } from './catalog.ts';
import { CallRecords } from './constrained/call-records.ts';
import { missingFor, named } from './detect.ts';
import { configuredEmbedding } from './embeddings.ts';
import { windowSaid } from './failure.ts';
import { Health } from './health.ts';
import { LentClients } from './lent-clients.ts';
import type { LocalModels } from './local/local-models.ts';
import { noModelError } from './no-model.ts';
import type { ModelsOptions } from './options.ts';
import { type ProjectPreferences, projectPreferences } from './project-preferences.ts';
import type { Price, ProviderFactory } from './providers/provider.ts';
import { Providers } from './providers/providers.ts';
import { CandidateRegistry } from './registry.ts';
import type { ResilientDeps } from './resilient-model.ts';
import { isNamed, PROFILES, rank } from './router.ts';
import { type PinnedModel, routingRuleFor } from './rules.ts';
import type { FetchFor, ModelFetch } from './servers.ts';
import { configuredTranscription } from './transcription.ts';
import type {
  CandidateStatus,
  EmbeddingsChoice,
  ModelChoice,
  ModelControl,
  ModelRequest,
  Transcriber,
} from './types.ts';
import { type ModeUsage, type TurnCost, type UsageGroup, type UsageSum, UsageTable } from './usage-table.ts';

/** What `createModels` needs; the caller keeps ownership of all of it. */
export interface ModelsDeps {
  readonly options: ModelsOptions;
  readonly store: Store;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly now: () => Date;
  /** The owner's IANA zone, in which days and months of usage and budgets begin. */
  readonly timeZone: string;
  /** The gateway's, like `modelFetch`. Left out, requests go through the global `fetch` unchecked: for tests only. */
  readonly fetchFor?: FetchFor;
  readonly modelFetch?: ModelFetch;
  /** The models installed into the home; this owner closes them. */
  readonly local?: LocalModels;
  /** Folder of the projects, for their wooster.config.json. */
  readonly projectsDir?: string;
  readonly pace?: Pace;
  /** Opens bundled providers that live above this room, by their ids: the built-in assistant. */
  readonly handed?: Readonly<Partial<Record<string, ProviderFactory>>>;
  readonly probePorts?: readonly number[];
}

const TRACING = [
  'LANGSMITH_TRACING',
  'LANGSMITH_TRACING_V2',
  'LANGCHAIN_TRACING',
  'LANGCHAIN_TRACING_V2',
  'LANGSMITH_GATEWAY',
];

/**
 * Take the variables out of the environment that make LangChain post every prompt to a host that nobody configured
 * here. For a process of our own only: in an embedder's they may be meant.
 */
export function stopTracing(env: NodeJS.ProcessEnv): void {
  for (const name of TRACING) delete env[name];
}

/** Every model behind one `pick`. Nothing is loaded or asked before the first call. */
export function createModels(deps: ModelsDeps): ModelControl {
  const all = new RoutedModels(deps);
  // Bound, so that single functions can be passed on, to plugins for example.
  return {
    pick: all.pick.bind(all),
    candidates: all.candidates.bind(all),
    registerProvider: all.registerProvider.bind(all),
    registerPricing: all.registerPricing.bind(all),
    select: all.select.bind(all),
    why: all.why.bind(all),
    usage: all.usage.bind(all),
    usageByMode: all.usageByMode.bind(all),
    costOf: all.costOf.bind(all),
    calls: all.calls.bind(all),
    budgets: all.budgets.bind(all),
    embedding: all.embedding.bind(all),
    transcription: all.transcription.bind(all),
    isLocalOnly: all.isLocalOnly.bind(all),
    close: all.close.bind(all),
  };
}

class RoutedModels implements ModelControl {
  readonly #deps: ModelsDeps;
  readonly #options: ModelsOptions;
  readonly #fetchFor: FetchFor;
  readonly #providers: Providers;
  readonly #catalog = new Catalog();
  readonly #health: Health;
  readonly #registry: CandidateRegistry;
  readonly #usage: UsageTable;
  readonly #recorder: CallRecorder;
  readonly #calls: CallRecords;
  #selected: string | undefined;
  #why: readonly string[] = ['no model was chosen yet'];

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
    this.#options = deps.options;
    this.#providers = new Providers(deps.handed);
    this.#fetchFor = deps.fetchFor ?? (() => globalThis.fetch);
    this.#health = new Health(deps.options.health.intervalMs, deps.now);
    this.#usage = new UsageTable(deps);
    this.#calls = new CallRecords(deps);
    this.#registry = new CandidateRegistry({
      options: deps.options,
      providers: this.#providers,
      catalog: this.#catalog,
      health: this.#health,
      clients: new LentClients(),
      calls: this.#calls,
      constrained: deps.options.constrainedCalls,
      pictures: deps.options.pictures,
      fetchFor: this.#fetchFor,
      modelFetch: deps.modelFetch ?? (() => globalThis.fetch),
      unchecked: deps.options.uncheckedProviders,
      now: deps.now,
      timeZone: deps.timeZone,
      local: deps.local,
      probePorts: deps.probePorts,
    });
    if (deps.local) this.#providers.register('local', deps.local.open);
    const { log, redactor } = deps;
    const recorded = { health: this.#health, registry: this.#registry, usage: this.#usage };
    this.#recorder = new CallRecorder({ ...recorded, log, redactor });
  }

  async pick(request: ModelRequest): Promise<ModelChoice> {
    const wishes = projectPreferences(this.#deps.projectsDir, request.project);
    const localOnly = this.#options.localOnly || wishes.localOnly;
    const rule = routingRuleFor(this.#options, request);
    const pinned = [...this.#pins(request, wishes), ...(rule?.pin ? [rule.pin] : [])];
    const named = pinned.flatMap((pin) => ('name' in pin ? pin.name : []));
    const { candidates, unusable } = await this.#registry.resolve(named, localOnly);
    const usedUp = await this.#usedUp(request);
    const { order, why } = rank(candidates, {
      profile: request.profile,
      strategy: rule ? (wishes.strategy ?? this.#options.strategy) : 'availability',
      localOnly,
      pinned,
      tier: rule?.tier,
      unrouted: rule === undefined,
      cheaper: usedUp !== undefined && this.#options.budget.action === 'cheaper',
    });
    const reasons = [...why, ...unusable.map(({ endpoint, detail }) => `${endpoint.source}: ${detail}`)];
    const [first] = order;
    if (!first) throw noModelError({ candidates, unusable, localOnly, usedUp });
    if (usedUp && this.#options.budget.action === 'warn') request.onNotice?.(budgetMessage(usedUp));
    return {
      model: await this.#model(order, { request, reasons }),
      provider: first.provider,
      name: first.name,
      local: first.local,
      contextWindow: this.#options.contextWindowTokens ?? first.facts.contextWindow,
      looksBackTokens: this.#providers.looksBackTokens(first.provider),
      small: first.facts.small,
      why: reasons,
    };
  }

  async candidates(): Promise<readonly CandidateStatus[]> {
    const { strategy, localOnly } = this.#options;
    const chosen = this.#selected === undefined ? [] : [this.#selected];
    const { candidates, unusable } = await this.#registry.resolve(chosen, localOnly);
    const pinned = this.#selected === undefined ? [] : [{ name: this.#selected, by: 'you' }];
    const { order } = rank(candidates, { profile: 'TOOL_EXECUTION', strategy, localOnly, pinned, cheaper: false });
    const known = await Promise.all(order.map((candidate) => statusOf(candidate, this.#statusDeps())));
    return [...known, ...unusable.map((each) => statusOfUnusable(each, this.#statusDeps()))];
  }

  registerProvider(name: string, factory: ProviderFactory): void {
    this.#providers.register(name, factory);
  }

  registerPricing(model: string, price: Price): void {
    this.#catalog.registerPricing(model, price);
  }

  async select(name: string | undefined): Promise<void> {
    if (name !== undefined) await this.#checkName(name);
    this.#selected = name;
  }

  why(): readonly string[] {
    return this.#why;
  }

  async usage(group: UsageGroup, since?: Date): Promise<readonly UsageSum[]> {
    return this.#usage.sums(group, since);
  }

  async usageByMode(since?: Date): Promise<readonly ModeUsage[]> {
    return this.#usage.byMode(since);
  }

  costOf(turnId: string): Promise<TurnCost> {
    return this.#usage.costOf(turnId);
  }

  calls(): ReturnType<CallRecords['all']> {
    return this.#calls.all();
  }

  async budgets(): Promise<readonly BudgetState[]> {
    return budgetStates(this.#options.budget, this.#spending());
  }

  embedding(): EmbeddingsChoice | undefined {
    const isLocalOnly = (project: string) => this.isLocalOnly(project);
    return configuredEmbedding(this.#options, { fetchFor: this.#fetchFor, isLocalOnly });
  }

  transcription(): Transcriber | undefined {
    return configuredTranscription(this.#options, {
      fetchFor: this.#fetchFor,
      usage: this.#usage,
      allow: async ({ project, turnId }, local) => {
        if (!local && this.isLocalOnly(project))
          throw new AssistantError('local_only', 'Recordings of this project may not leave this machine.', {
            hint: 'Set TRANSCRIPTION_URL to a service on this machine.',
          });
        if (!local) await this.#stopAtBudget({ turnId });
      },
    });
  }

  isLocalOnly(project: string): boolean {
    return this.#options.localOnly || projectPreferences(this.#deps.projectsDir, project).localOnly;
  }

  async close(): Promise<void> {
    await this.#usage.flush();
    await this.#deps.local?.close();
  }

  /** Loaded late: LangChain takes longer to load than everything else at start. */
  async #model(order: readonly Candidate[], decision: Decision) {
    const { ResilientChatModel } = await resilientModel();
    return new ResilientChatModel<RoutedCandidate>(this.#resilientDeps(order, decision));
  }

  #resilientDeps(order: readonly Candidate[], { request, reasons }: Decision): ResilientDeps<RoutedCandidate> {
    const open: OpenOptions = {
      temperature: request.temperature ?? this.#options.temperature ?? PROFILES[request.profile].temperature,
      maxTokens: request.maxTokens ?? (isScript(request) ? this.#options.codeMaxTokens : this.#options.maxTokens),
      jsonResponse: request.jsonResponse,
      answer: request.answer,
      contextWindow: this.#options.contextWindowTokens,
    };
    return {
      candidates: order.map((candidate) => candidate.forCall(open)),
      limits: this.#options.limits,
      pace: this.#deps.pace ?? realPace,
      cancel: request.signal,
      about: { purpose: request.purpose, due: request.jobId !== undefined },
      redact: (text) => this.#deps.redactor.redact(text),
      beforeRequest: async () => {
        await this.#stopAtBudget(request);
        this.#remember(reasons);
      },
      onRetry: (retry) => this.#recorder.retrying(retry, request),
      onAttempt: (record) => {
        const tokens = record.failure && windowSaid(record.failure);
        if (tokens !== undefined) this.#catalog.learnWindow(record.candidate.of, tokens);
        this.#recorder.attempted(record, request);
      },
    };
  }

  /** Models named by the person, the project and the mode's setting, in this order. */
  #pins({ mode, model }: ModelRequest, wishes: ProjectPreferences): PinnedModel[] {
    const ofMode = mode === 'code_agent' ? this.#options.codeModel : this.#options.toolsModel;
    const pins = [
      { name: model, by: 'the caller' },
      { name: this.#selected, by: 'you' },
      { name: wishes.model, by: 'the project' },
      { name: ofMode, by: `the setting for ${mode}` },
    ];
    return pins.flatMap(({ name, by }) => (name === undefined ? [] : [{ name, by }]));
  }

  #spending(): Spending {
    const { now, timeZone } = this.#deps;
    return { usage: this.#usage, now: now(), timeZone };
  }

  #usedUp(scope: BudgetScope): Promise<BudgetState | undefined> {
    return usedUpBudget(this.#options.budget, scope, this.#spending());
  }

  async #stopAtBudget(scope: BudgetScope): Promise<void> {
    if (this.#options.budget.action !== 'stop') return;
    const usedUp = await this.#usedUp(scope);
    if (usedUp) throw budgetReached(usedUp);
  }

  /** Called before every request, not in `pick`: a choice that is never used is not worth explaining. */
  #remember(why: readonly string[]): void {
    if (this.#why === why) return;
    this.#why = why;
    if (this.#options.logDecisions) this.#deps.log.info('model chosen', { why });
  }

  #statusDeps() {
    return { registry: this.#registry, catalog: this.#catalog, health: this.#health, providers: this.#providers };
  }

  /** Refuses a name that cannot work now, rather than at the next request. */
  async #checkName(name: string): Promise<void> {
    const target = named(name, this.#options, 'requested');
    const { candidates } = await this.#registry.resolve([], this.#options.localOnly);
    if (candidates.some((candidate) => isNamed(candidate, name)) || target.provider === 'builtin') return;
    const missing = missingFor(target);
    if (missing === undefined) return;
    const known = candidates.map(({ label }) => label).join(', ');
    const hint = `These are set up: ${known}. \`wooster models\` shows how each is set up.`;
    throw new AssistantError('bad_usage', `The model ${name} cannot be used: ${missing}.`, { hint });
  }
}

const resilientModel = once(() => import('./resilient-model.ts'));

interface Decision {
  readonly request: ModelRequest;
  readonly reasons: readonly string[];
}

/** Whether the reply must be a script: all other requests have the usual token limit, whatever the mode. */
function isScript({ mode, purpose }: ModelRequest): boolean {
  return mode === 'code_agent' && (purpose === 'turn' || purpose === 'agent');
}
