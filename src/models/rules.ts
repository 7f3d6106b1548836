import type { ModelsOptions } from './options.ts';
import type { ModelRequest } from './types.ts';

/** The two kinds of local server that the settings can name: `ROUTING_FAST_URL` and `ROUTING_THINKING_URL`. */
export type Tier = 'fast' | 'thinking';

/** A contender that was asked for, by name or by tier, and by whom. */
export type Pin = { readonly name: string; readonly by: string } | { readonly tier: Tier; readonly by: string };

type RuleOption = Extract<keyof ModelsOptions, `rule${string}`>;

/** What a request is for, as the rules see it. */
export type RuledRequest = Pick<ModelRequest, 'profile' | 'purpose' | 'jsonResponse' | 'severalSteps'>;

const ENV: Readonly<Record<RuleOption, string>> = {
  ruleCodeAgent: 'ROUTING_RULE_CODE_AGENT',
  ruleMultiTool: 'ROUTING_RULE_MULTI_TOOL',
  rulePlanning: 'ROUTING_RULE_PLANNING',
  ruleCreative: 'ROUTING_RULE_CREATIVE',
  ruleSingleTool: 'ROUTING_RULE_SINGLE_TOOL',
  ruleRagQuery: 'ROUTING_RULE_RAG_QUERY',
  ruleFactExtraction: 'ROUTING_RULE_FACT_EXTRACTION',
  ruleDefault: 'ROUTING_RULE_DEFAULT',
};

const HARD: ReadonlySet<RuleOption> = new Set(['ruleCodeAgent', 'ruleMultiTool', 'rulePlanning', 'ruleCreative']);

/** What the rules say about a request. */
export interface Ruling {
  /** The tier that is asked first where only tiers are to choose from. */
  readonly tier: Tier;
  /** Set by a rule that was written out: asked before all others that nobody named. */
  readonly pin: Pin | undefined;
}

/** Undefined when routing is switched off. */
export function rulingFor(options: ModelsOptions, request: RuledRequest): Ruling | undefined {
  if (!options.routingEnabled) return undefined;
  const rule = ruleOf(request);
  const own = options[rule] === undefined ? 'ruleDefault' : rule;
  const said = options[own];
  const by = ENV[own];
  const usual: Tier = HARD.has(rule) ? 'thinking' : 'fast';
  if (said === undefined) return { tier: usual, pin: undefined };
  if (said === 'fast' || said === 'thinking') return { tier: said, pin: { tier: said, by } };
  return { tier: usual, pin: { name: said, by } };
}

function ruleOf({ profile, purpose, jsonResponse, severalSteps }: RuledRequest): RuleOption {
  if (purpose === 'compaction' || jsonResponse) return 'ruleFactExtraction';
  switch (profile) {
    case 'CODE_ASSISTANCE':
      return 'ruleCodeAgent';
    case 'COMPLEX_REASONING':
      return 'rulePlanning';
    case 'CREATIVE_WRITING':
      return 'ruleCreative';
    case 'RAG_PROCESSING':
      return 'ruleRagQuery';
    case 'TOOL_EXECUTION':
      return severalSteps ? 'ruleMultiTool' : 'ruleSingleTool';
    case 'BACKGROUND_TASK':
      return 'ruleDefault';
  }
}
