import type { ModelFacts } from './catalog.ts';
import type { HealthReport } from './health.ts';
import type { Strategy } from './options.ts';
import { providerOf } from './providers/list.ts';
import type { PinnedModel, Tier } from './rules.ts';
import type { TaskProfile } from './types.ts';

/** What ranking needs to know about a model. */
export interface RoutingCandidate {
  readonly label: string;
  readonly provider: string;
  readonly name: string;
  readonly local: boolean;
  readonly facts: ModelFacts;
  readonly health: HealthReport;
  /** Set up for one kind of task. */
  readonly tier?: Tier | undefined;
}

/** What a model is needed for, and what limits the choice. */
export interface RoutingRequest {
  readonly profile: TaskProfile;
  readonly strategy: Strategy;
  /** Nothing may leave this machine. */
  readonly localOnly: boolean;
  /** Models requested by name or tier, highest priority first. */
  readonly pinned: readonly PinnedModel[];
  /** Which tier goes first within the configured order; undefined leaves them as configured. */
  readonly tier?: Tier | undefined;
  /** Routing is off: neither strategy nor rules count. */
  readonly unrouted?: boolean | undefined;
  /** A budget is used up: only models that are free, or cheaper than the one that would be first. */
  readonly cheaper: boolean;
}

export interface Ranking<C extends RoutingCandidate> {
  readonly order: readonly C[];
  /** One line per consideration, first the decision itself. */
  readonly why: readonly string[];
}

/** What each task needs: weights for quality and speed, and the sampling temperature. */
export const PROFILES: Readonly<
  Record<TaskProfile, { quality: number; speed: number; temperature: number; note: string }>
> = {
  TOOL_EXECUTION: { quality: 1, speed: 1, temperature: 0.1, note: 'quick and exact' },
  CODE_ASSISTANCE: { quality: 2, speed: 0.5, temperature: 0.2, note: 'accuracy first' },
  COMPLEX_REASONING: { quality: 3, speed: 0, temperature: 0.3, note: 'quality first' },
  CREATIVE_WRITING: { quality: 2, speed: 0, temperature: 0.8, note: 'quality first' },
  BACKGROUND_TASK: { quality: 0.5, speed: 0.25, temperature: 0.1, note: 'cost first' },
  RAG_PROCESSING: { quality: 1, speed: 0.5, temperature: 0.2, note: 'accuracy first' },
};

/**
 * Candidates in the order in which they should be asked, and why. Pure.
 *
 * Healthy before failed, then pinned models, then those that suit the task, then the strategy, then the configured
 * order.
 */
export function rank<C extends RoutingCandidate>(candidates: readonly C[], request: RoutingRequest): Ranking<C> {
  const allowed = request.localOnly ? candidates.filter(({ local }) => local) : candidates;
  const scored = preferredTierFirst(allowed, request.tier).map((candidate, position) => ({
    candidate,
    ...score(candidate, { request, position }),
  }));
  const sorted = scored.toSorted((a, b) => compare(a.points, b.points));
  const order = request.cheaper ? cheaperThanFirst(sorted) : sorted;
  return { order: order.map(({ candidate }) => candidate), why: explain(order, request) };
}

interface Scored {
  readonly candidate: RoutingCandidate;
  /** Compared one after the other, lower first. */
  readonly points: readonly number[];
  readonly note: string;
}

function score(
  candidate: RoutingCandidate,
  { request, position }: { request: RoutingRequest; position: number },
): Omit<Scored, 'candidate'> {
  const pin = request.pinned.findIndex((each) => isPinned(candidate, each));
  const down = candidate.health.state === 'down' ? 1 : 0;
  const { value, note } = preference(candidate, request);
  const state = down
    ? `skipped: ${candidate.health.lastError ?? 'it failed recently'}`
    : candidate.health.state.replace('_', '-');
  const unsuited = isInstalled(candidate.provider) && isHard(request) ? 1 : 0;
  const chosen = pin < 0 ? '' : `requested by ${request.pinned[pin]?.by}, `;
  return {
    points: [down, pin < 0 ? request.pinned.length : pin, unsuited, value, position],
    note: `${chosen}${note}, ${state}${unsuited ? ', too small for this kind of task' : ''}`,
  };
}

/** The small models of this machine: good at everyday tasks, and at those for which nobody waits. */
function isInstalled(provider: string): boolean {
  return providerOf(provider)?.onMachine === true;
}

/** A task for which quality counts, unless it is for privacy that a model is chosen. */
function isHard({ profile, strategy, unrouted }: RoutingRequest): boolean {
  return PROFILES[profile].quality >= 2 && strategy !== 'privacy' && !unrouted;
}

/** How well a model suits the strategy; lower is better. */
function preference(
  { provider, local, facts, health }: RoutingCandidate,
  { strategy, profile }: RoutingRequest,
): { value: number; note: string } {
  const { quality, speed } = PROFILES[profile];
  const fit = quality * facts.quality + speed * facts.speed;
  const price = facts.price === undefined ? undefined : facts.price.input + facts.price.output;
  switch (strategy) {
    case 'availability': {
      // A background job can wait for a slow model, so a healthy local one saves money.
      const first = profile === 'BACKGROUND_TASK' && local && (health.state === 'ready' || isInstalled(provider));
      return {
        value: first ? -1 : 0,
        note: first ? 'local and ready for a background task' : 'in the configured order',
      };
    }
    case 'quality':
      return { value: -(facts.quality * 10 + fit), note: `quality ${facts.quality} of 5` };
    case 'speed': {
      const measured = health.firstTokenMs ?? health.latencyMs;
      const value = measured ?? (6 - facts.speed) * 400;
      return {
        value,
        note: measured === undefined ? `speed ${facts.speed} of 5` : `answers within ${Math.round(measured)} ms`,
      };
    }
    case 'cost':
      return {
        value: price === undefined ? Number.MAX_VALUE : price - fit / 1e6,
        note: price === undefined ? 'price unknown' : `${price} USD per million tokens in and out`,
      };
    case 'privacy':
      return { value: (local ? 0 : 1000) - fit, note: local ? 'stays on this machine' : 'leaves this machine' };
  }
}

/** Only what is free or cheaper than the model that would be first, cheapest first. */
function cheaperThanFirst<S extends Scored>(sorted: readonly S[]): S[] {
  // An unknown price may be anything, so such a model never counts as cheaper.
  const price = ({ candidate }: Scored) => {
    const known = candidate.facts.price;
    return known === undefined ? Number.POSITIVE_INFINITY : known.input + known.output;
  };
  const first = sorted[0];
  const limit = first ? price(first) : 0;
  return sorted.filter((each) => price(each) === 0 || price(each) < limit).toSorted((a, b) => price(a) - price(b));
}

function explain(order: readonly Scored[], request: RoutingRequest): string[] {
  const { profile, strategy, localOnly, cheaper } = request;
  const first = order[0];
  const rules = [
    localOnly ? 'only models on this machine' : '',
    request.unrouted ? 'routing is switched off (ROUTING_ENABLED)' : '',
    cheaper ? 'budget reached: only cheaper models' : '',
  ].filter(Boolean);
  return [
    first ? `${first.candidate.label}: ${first.note}` : 'no model is allowed',
    [`task ${profile} (${PROFILES[profile].note}), strategy ${strategy}`, ...rules].join('; '),
    ...order.slice(1).map(({ candidate, note }, index) => `${index + 2}. ${candidate.label}: ${note}`),
  ];
}

/** Reorders the tier servers among themselves; every other candidate keeps its position. */
function preferredTierFirst<C extends RoutingCandidate>(
  candidates: readonly C[],
  wanted: Tier | undefined,
): readonly C[] {
  if (wanted === undefined) return candidates;
  const tiers = candidates.filter(({ tier }) => tier !== undefined);
  const sorted = tiers.toSorted((a, b) => Number(b.tier === wanted) - Number(a.tier === wanted));
  return candidates.map((each) => (each.tier === undefined ? each : (sorted.shift() ?? each)));
}

function isPinned(candidate: RoutingCandidate, pin: PinnedModel): boolean {
  return 'tier' in pin ? candidate.tier === pin.tier : isNamed(candidate, pin.name);
}

/** Does a name mean this model? `gpt-4o` and `openai:gpt-4o` may mean the same one. */
export function isNamed(
  { provider, name, label }: Pick<RoutingCandidate, 'provider' | 'name' | 'label'>,
  wanted: string,
): boolean {
  const lower = wanted.trim().toLowerCase();
  const providers = [provider, providerOf(provider)?.standsInFor ?? provider];
  return [name, label, ...providers.map((each) => `${each}:${name}`)].some((each) => each.toLowerCase() === lower);
}

/** Lexicographic. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
