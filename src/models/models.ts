import { AssistantError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Store } from '../store/store.ts';
import { budgetReached, budgetStates, type Spent, type BudgetState as State, saySpent, spentBudget } from './budget.ts';
import { type Pace, realPace } from './call.ts';
import type { Candidate, OpenOptions } from './candidate.ts';
import { statusOf, statusOfSilent } from './candidate-status.ts';
import { Catalog, costOf, type Price } from './catalog.ts';
import { missingFor, named } from './detect.ts';
import { configuredEmbedding } from './embeddings.ts';
import { Health } from './health.ts';
import { nobody } from './nobody.ts';
import type { ModelsOptions } from './options.ts';
import { type ProjectPreferences, projectPreferences } from './project-preferences.ts';
import { type ProviderFactory, Providers } from './providers.ts';
import type { Asked, AttemptRecord, ResilientDeps } from './resilient-model.ts';
import { Roster } from './roster.ts';
import { isNamed, PROFILES, rank } from './router.ts';
import { type Pin, rulingFor } from './rules.ts';
import type { FetchFor, ModelFetch } from './servers.ts';
import type { CandidateStatus, EmbeddingsChoice, ModelChoice, ModelControl, ModelRequest } from './types.ts';
import { UsageBook, type UsageGroup, type UsageSum } from './usage-book.ts';

export interface ModelsDeps {
  readonly options: ModelsOptions;
  readonly store: Store;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly now: () => Date;
  /** The gateway's, like `modelFetch`; left out, requests go through the global `fetch` without any check. */
  readonly fetchFor?: FetchFor;
  readonly modelFetch?: ModelFetch;
  /** Folder of the projects, for their wooster.config.json. */
  readonly projectsDir?: string;
  readonly pace?: Pace;
  readonly probePorts?: readonly number[];
}

const TRACING = [
  'LANGSMITH_TRACING',
  'LANGSMITH_TRACING_V2',
  'LANGCHAIN_TRACING',
  'LANGCHAIN_TRACING_V2',
  'LANGSMITH_GATEWAY',
];

type AskedCandidate = Asked & { readonly of: Candidate };

/** All models there are, behind one `pick`. Nothing is loaded or asked before the first call. */
export function createModels(deps: ModelsDeps): ModelControl {
  // Set in the environment, these would make LangChain post every prompt to a host that nobody configured here.
  for (const name of TRACING) delete process.env[name];
  const all = new Everything(deps);
  // Bound, so that single functions can be handed on, to plugins for example.
  return {
    pick: all.pick.bind(all),
    candidates: all.candidates.bind(all),
    registerProvider: all.registerProvider.bind(all),
    registerPricing: all.registerPricing.bind(all),
    select: all.select.bind(all),
    why: all.why.bind(all),
    usage: all.usage.bind(all),
    budgets: all.budgets.bind(all),
    embedding: all.embedding.bind(all),
    isLocalOnly: all.isLocalOnly.bind(all),
    close: all.close.bind(all),
  };
}

class Everything implements ModelControl {
  readonly #deps: ModelsDeps;
  readonly #options: ModelsOptions;
  readonly #fetchFor: FetchFor;
  readonly #providers = new Providers();
  readonly #catalog = new Catalog();
  readonly #health: Health;
  readonly #roster: Roster;
  readonly #book: UsageBook;
  #selected: string | undefined;
  #why: readonly string[] = ['nothing was decided yet'];

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
    this.#options = deps.options;
    this.#fetchFor = deps.fetchFor ?? (() => globalThis.fetch);
    this.#health = new Health(deps.options.healthIntervalMs, deps.now);
    this.#book = new UsageBook(deps);
    this.#roster = new Roster({
      options: deps.options,
      providers: this.#providers,
      catalog: this.#catalog,
      health: this.#health,
      fetchFor: this.#fetchFor,
      modelFetch: deps.modelFetch ?? (() => globalThis.fetch),
      unchecked: deps.options.uncheckedProviders,
      now: deps.now,
      probePorts: deps.probePorts,
    });
  }

  async pick(request: ModelRequest): Promise<ModelChoice> {
    const wishes = projectPreferences(this.#deps.projectsDir, request.project);
    const localOnly = this.#options.localOnly || wishes.localOnly;
    const ruling = rulingFor(this.#options, request);
    const pinned = [...this.#pins(request, wishes), ...(ruling?.pin ? [ruling.pin] : [])];
    const { candidates, silent } = await this.#roster.lineup(pinned.flatMap((pin) => ('name' in pin ? pin.name : [])));
    const spent = this.#spent(request);
    const { order, why } = rank(candidates, {
      profile: request.profile,
      strategy: ruling ? (wishes.strategy ?? this.#options.strategy) : 'availability',
      localOnly,
      pinned,
      tier: ruling?.tier,
      unrouted: ruling === undefined,
      cheaper: spent !== undefined && this.#options.budgetAction === 'cheaper',
    });
    const reasons = [...why, ...silent.map(({ endpoint, detail }) => `${endpoint.source}: ${detail}`)];
    const [first] = order;
    if (!first) throw nobody({ candidates, silent, localOnly, spent });
    if (spent && this.#options.budgetAction === 'warn') request.onNotice?.(saySpent(spent));
    return {
      model: await this.#model(order, { request, reasons }),
      provider: first.provider,
      name: first.name,
      local: first.local,
      contextWindow: this.#options.contextWindowTokens ?? first.facts.contextWindow,
      why: reasons,
    };
  }

  async candidates(): Promise<readonly CandidateStatus[]> {
    const { candidates, silent } = await this.#roster.lineup(this.#selected === undefined ? [] : [this.#selected]);
    const pinned = this.#selected === undefined ? [] : [{ name: this.#selected, by: 'you' }];
    const { strategy, localOnly } = this.#options;
    const { order } = rank(candidates, { profile: 'TOOL_EXECUTION', strategy, localOnly, pinned, cheaper: false });
    const known = await Promise.all(order.map((candidate) => statusOf(candidate, this.#statusParts())));
    return [...known, ...silent.map((each) => statusOfSilent(each, this.#statusParts()))];
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

  usage(group: UsageGroup, since?: Date): readonly UsageSum[] {
    return this.#book.sums(group, since);
  }

  budgets(): readonly State[] {
    return budgetStates(this.#budgets(), { book: this.#book, now: this.#deps.now() });
  }

  embedding(): EmbeddingsChoice | undefined {
    const isLocalOnly = (project: string) => this.isLocalOnly(project);
    return configuredEmbedding(this.#options, { fetchFor: this.#fetchFor, isLocalOnly });
  }

  isLocalOnly(project: string): boolean {
    return this.#options.localOnly || projectPreferences(this.#deps.projectsDir, project).localOnly;
  }

  async close(): Promise<void> {
    this.#book.flush();
  }

  async #model(order: readonly Candidate[], decision: Decision) {
    const { ResilientChatModel } = await import('./resilient-model.ts');
    return new ResilientChatModel<AskedCandidate>(this.#resilientParts(order, decision));
  }

  #resilientParts(order: readonly Candidate[], { request, reasons }: Decision): ResilientDeps<AskedCandidate> {
    const open: OpenOptions = {
      temperature: request.temperature ?? this.#options.temperature ?? PROFILES[request.profile].temperature,
      maxTokens:
        request.maxTokens ?? (request.mode === 'code_agent' ? this.#options.codeMaxTokens : this.#options.maxTokens),
      jsonResponse: request.jsonResponse,
      contextWindow: this.#options.contextWindowTokens,
    };
    const { timeoutMs, firstTokenTimeoutMs, idleTimeoutMs, maxRetryWaitMs } = this.#options;
    return {
      candidates: order.map((candidate) => candidate.asked(open)),
      limits: {
        totalMs: timeoutMs,
        firstByteMs: firstTokenTimeoutMs,
        idleMs: idleTimeoutMs,
        maxWaitMs: maxRetryWaitMs,
      },
      pace: this.#deps.pace ?? realPace,
      cancel: request.signal,
      redact: (text) => this.#deps.redactor.redact(text),
      beforeRequest: () => {
        this.#stopWhenSpent(request);
        this.#remember(reasons);
      },
      onRetry: (retry) => this.#retrying(retry, request),
      onAttempt: (record) => this.#attempted(record, request),
    };
  }

  #retrying(retry: { reason: string; waitMs: number }, request: ModelRequest): void {
    this.#deps.log.warn('model call tried again', { ...retry, turn: request.turnId });
    request.onRetry?.(retry);
  }

  #attempted(
    { candidate: { of }, tokens, ms, firstTokenMs, failure }: AttemptRecord<AskedCandidate>,
    request: ModelRequest,
  ): void {
    if (failure) {
      const reason = this.#deps.redactor.redact(failure.reason);
      this.#health.failed(of.label, failure, reason);
      this.#deps.log.warn('model call failed', { model: of.label, kind: failure.kind, reason, ms: Math.round(ms) });
      if (of.endpoint.source.startsWith('found')) this.#roster.forget();
    } else this.#health.succeeded(of.label, { ms, firstTokenMs });
    const costUsd = failure ? 0 : costOf(of.facts.price, tokens);
    this.#book.add({
      ...booked(request),
      ...tokens,
      provider: of.provider,
      model: of.name,
      costUsd,
      latencyMs: ms,
      ok: !failure,
    });
    if (!failure) request.onUsage?.({ ...tokens, costUsd, calls: 1, model: of.label });
  }

  /** Named by the person, the mode's setting, the project, in this order. */
  #pins({ mode }: ModelRequest, wishes: ProjectPreferences): Pin[] {
    const ofMode = mode === 'code_agent' ? this.#options.codeModel : this.#options.toolsModel;
    const pins = [
      { name: this.#selected, by: 'you' },
      { name: wishes.model, by: 'the project' },
      { name: ofMode, by: `the setting for ${mode}` },
    ];
    return pins.flatMap(({ name, by }) => (name === undefined ? [] : [{ name, by }]));
  }

  #budgets() {
    const {
      budgetTurnUsd: turnUsd,
      budgetDayUsd: dayUsd,
      budgetMonthUsd: monthUsd,
      budgetAction: action,
    } = this.#options;
    return { turnUsd, dayUsd, monthUsd, action };
  }

  #spent(request: ModelRequest): Spent | undefined {
    return spentBudget(this.#budgets(), request, { book: this.#book, now: this.#deps.now() });
  }

  #stopWhenSpent(request: ModelRequest): void {
    if (this.#options.budgetAction !== 'stop') return;
    const spent = this.#spent(request);
    if (spent) throw budgetReached(spent);
  }

  /** Called before every request; a choice that is never used is none. */
  #remember(why: readonly string[]): void {
    if (this.#why === why) return;
    this.#why = why;
    if (this.#options.logDecisions) this.#deps.log.info('model chosen', { why });
  }

  #statusParts() {
    return { roster: this.#roster, catalog: this.#catalog, health: this.#health, providers: this.#providers };
  }

  /** A name that leads nowhere is refused now, not at the next question. */
  async #checkName(name: string): Promise<void> {
    const target = named(name, this.#options, 'asked for');
    const { candidates } = await this.#roster.lineup();
    if (candidates.some((candidate) => isNamed(candidate, name)) || target.provider === 'builtin') return;
    const missing = missingFor(target);
    if (missing === undefined) return;
    const known = candidates.map(({ label }) => label).join(', ');
    const hint = `These are set up: ${known}. \`wooster models\` shows how each is set up.`;
    throw new AssistantError('bad_usage', `The model ${name} cannot be used: ${missing}.`, { hint });
  }
}

function booked({ turnId, conversationId, jobId, project, mode, purpose }: ModelRequest) {
  return { turnId, conversationId, jobId, project, mode, purpose };
}

interface Decision {
  readonly request: ModelRequest;
  readonly reasons: readonly string[];
}
