import type { ModelFacts } from './catalog.ts';
import type { HealthReport } from './health.ts';
import type { Pin, Tier } from './rules.ts';
import type { Strategy } from './strategies.ts';
import type { TaskProfile } from './types.ts';

export interface Contender {
  readonly label: string;
  readonly provider: string;
  readonly name: string;
  readonly local: boolean;
  readonly facts: ModelFacts;
  readonly health: HealthReport;
  /** Set up for one kind of task. */
  readonly tier?: Tier | undefined;
}

export interface Question {
  readonly profile: TaskProfile;
  readonly strategy: Strategy;
  /** Nothing may leave this machine. */
  readonly localOnly: boolean;
  /** What was asked for by name or by tier, most wanted first. */
  readonly pinned: readonly Pin[];
  /** Which of the tiers is asked first in the configured order; undefined: as they are set up. */
  readonly tier?: Tier | undefined;
  /** Neither a strategy nor a rule counts: as set up. */
  readonly unrouted?: boolean | undefined;
  /** A budget is spent: only what costs nothing, or less than the model that would be first. */
  readonly cheaper: boolean;
}

export interface Ranked<C extends Contender> {
  readonly order: readonly C[];
  /** One line per consideration, first the decision itself. */
  readonly why: readonly string[];
}

/** What a task needs: how much quality and speed count for it, and how warm the sampling is. */
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

/** Candidates in the order in which they should be asked, and why. Pure. */
export function rank<C extends Contender>(contenders: readonly C[], question: Question): Ranked<C> {
  const allowed = question.localOnly ? contenders.filter(({ local }) => local) : contenders;
  const scored = wantedTierFirst(allowed, question.tier).map((contender, position) => ({
    contender,
    ...score(contender, { question, position }),
  }));
  const sorted = scored.toSorted((a, b) => compare(a.points, b.points));
  const order = question.cheaper ? cheaperThanFirst(sorted) : sorted;
  return { order: order.map(({ contender }) => contender), why: explain(order, question) };
}

interface Scored {
  readonly contender: Contender;
  /** Compared one after the other, lower first. */
  readonly points: readonly number[];
  readonly note: string;
}

function score(
  contender: Contender,
  { question, position }: { question: Question; position: number },
): Omit<Scored, 'contender'> {
  const pin = question.pinned.findIndex((each) => isPinned(contender, each));
  const down = contender.health.state === 'down' ? 1 : 0;
  const { value, note } = preference(contender, question);
  const state = down
    ? `passed over: ${contender.health.lastError ?? 'it failed lately'}`
    : contender.health.state.replace('_', '-');
  const chosen = pin < 0 ? '' : `asked for by ${question.pinned[pin]?.by}, `;
  return {
    points: [down, pin < 0 ? question.pinned.length : pin, value, position],
    note: `${chosen}${note}, ${state}`,
  };
}

/** Lower is better. */
function preference(
  { local, facts, health }: Contender,
  { strategy, profile }: Question,
): { value: number; note: string } {
  const { quality, speed } = PROFILES[profile];
  const fit = quality * facts.quality + speed * facts.speed;
  const price = facts.price === undefined ? undefined : facts.price.input + facts.price.output;
  switch (strategy) {
    case 'availability': {
      // A background job may wait for a slow model, so a healthy one on this machine saves money.
      const first = profile === 'BACKGROUND_TASK' && local && health.state === 'ready';
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

function cheaperThanFirst<S extends Scored>(sorted: readonly S[]): S[] {
  const price = ({ contender }: Scored) => {
    const known = contender.facts.price;
    return known === undefined ? Number.POSITIVE_INFINITY : known.input + known.output;
  };
  const first = sorted[0];
  const limit = first ? price(first) : 0;
  return sorted.filter((each) => price(each) === 0 || price(each) < limit).toSorted((a, b) => price(a) - price(b));
}

function explain(order: readonly Scored[], question: Question): string[] {
  const { profile, strategy, localOnly, cheaper } = question;
  const first = order[0];
  const rules = [
    localOnly ? 'only models on this machine' : '',
    question.unrouted ? 'routing is switched off (ROUTING_ENABLED)' : '',
    cheaper ? 'budget reached: only cheaper models' : '',
  ].filter(Boolean);
  return [
    first ? `${first.contender.label}: ${first.note}` : 'no model is allowed',
    `task ${profile} (${PROFILES[profile].note}), strategy ${strategy}${rules.length > 0 ? `; ${rules.join('; ')}` : ''}`,
    ...order.slice(1).map(({ contender, note }, index) => `${index + 2}. ${contender.label}: ${note}`),
  ];
}

/** The tiers change places among themselves; whoever else is set up keeps its place. */
function wantedTierFirst<C extends Contender>(contenders: readonly C[], wanted: Tier | undefined): readonly C[] {
  if (wanted === undefined) return contenders;
  const tiers = contenders.filter(({ tier }) => tier !== undefined);
  const sorted = tiers.toSorted((a, b) => Number(b.tier === wanted) - Number(a.tier === wanted));
  return contenders.map((each) => (each.tier === undefined ? each : (sorted.shift() ?? each)));
}

function isPinned(contender: Contender, pin: Pin): boolean {
  return 'tier' in pin ? contender.tier === pin.tier : isNamed(contender, pin.name);
}

/** `gpt-4o`, `openai:gpt-4o` and `openai gpt-4o` are the same. */
export function isNamed(
  { provider, name, label }: Pick<Contender, 'provider' | 'name' | 'label'>,
  wanted: string,
): boolean {
  const lower = wanted.trim().toLowerCase();
  return [name, label, `${provider}:${name}`, provider === 'compatible' ? `openai:${name}` : name].some(
    (each) => each.toLowerCase() === lower,
  );
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
