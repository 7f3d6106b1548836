import type { ModelsOptions, RuleSettings } from './options.ts';
import type { ModelRequest } from './types.ts';

/** The two kinds of local server that the settings can name: `ROUTING_FAST_URL` and `ROUTING_THINKING_URL`. */
export type Tier = 'fast' | 'thinking';

/** A model that goes ahead of the strategy, by name or by tier, and who asked for it. */
export type PinnedModel = { readonly name: string; readonly by: string } | { readonly tier: Tier; readonly by: string };

type RuleName = keyof RuleSettings;

/** The part of a request that decides which rule applies. */
export type RoutableRequest = Pick<ModelRequest, 'profile' | 'purpose' | 'jsonResponse' | 'severalSteps'>;

/** Shown in `/routing why`. */
const ENV: Readonly<Record<RuleName, string>> = {
  codeAgent: 'ROUTING_RULE_CODE_AGENT',
  multiToolCall: 'ROUTING_RULE_MULTI_TOOL',
  planning: 'ROUTING_RULE_PLANNING',
  creative: 'ROUTING_RULE_CREATIVE',
  singleToolCall: 'ROUTING_RULE_SINGLE_TOOL',
  ragQuery: 'ROUTING_RULE_RAG_QUERY',
  factExtraction: 'ROUTING_RULE_FACT_EXTRACTION',
  default: 'ROUTING_RULE_DEFAULT',
};

/** Tasks for which quality matters more than speed. */
const HARD: ReadonlySet<RuleName> = new Set(['codeAgent', 'multiToolCall', 'planning', 'creative']);

/** The outcome of the rules for one request. */
export interface RoutingRule {
  /** Which tier server goes first; it never overtakes other candidates. */
  readonly tier: Tier;
  /** Set when the rule is set explicitly: goes ahead of every model that nobody named. */
  readonly pin: PinnedModel | undefined;
}

/** The rule for a request; undefined when routing is switched off. */
export function routingRuleFor(options: ModelsOptions, request: RoutableRequest): RoutingRule | undefined {
  if (!options.routingEnabled) return undefined;
  const own = ruleOf(request);
  const used = options.rules[own] === undefined ? 'default' : own;
  const target = options.rules[used];
  const by = ENV[used];
  const usual: Tier = HARD.has(own) ? 'thinking' : 'fast';
  if (target === undefined) return { tier: usual, pin: undefined };
  if (target === 'fast' || target === 'thinking') return { tier: target, pin: { tier: target, by } };
  return { tier: usual, pin: { name: target, by } };
}

function ruleOf({ profile, purpose, jsonResponse, severalSteps }: RoutableRequest): RuleName {
  if (purpose === 'compaction' || jsonResponse) return 'factExtraction';
  switch (profile) {
    case 'CODE_ASSISTANCE':
      return 'codeAgent';
    case 'COMPLEX_REASONING':
      return 'planning';
    case 'CREATIVE_WRITING':
      return 'creative';
    case 'RAG_PROCESSING':
      return 'ragQuery';
    case 'TOOL_EXECUTION':
      return severalSteps ? 'multiToolCall' : 'singleToolCall';
    case 'BACKGROUND_TASK':
      return 'default';
  }
}
