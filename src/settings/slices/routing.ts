import { rule } from '../setting.ts';

/** Which kind of task gets which model; part of the slice `models`. */
export const rules = {
  codeAgent: rule({
    key: 'routing.rules.codeAgent',
    env: 'ROUTING_RULE_CODE_AGENT',
    default: undefined,
    about: 'Model for code mode.',
    without: 'ROUTING_RULE_DEFAULT; if that is unset too, the thinking server goes before the fast one',
  }),
  multiToolCall: rule({
    key: 'routing.rules.multiToolCall',
    env: 'ROUTING_RULE_MULTI_TOOL',
    default: undefined,
    about: 'Model for requests with several steps in tools mode.',
    without: 'ROUTING_RULE_DEFAULT; if that is unset too, the thinking server goes before the fast one',
  }),
  planning: rule({
    key: 'routing.rules.planning',
    env: 'ROUTING_RULE_PLANNING',
    default: undefined,
    about: 'Model for plans, comparisons and other hard questions.',
    without: 'ROUTING_RULE_DEFAULT; if that is unset too, the thinking server goes before the fast one',
  }),
  creative: rule({
    key: 'routing.rules.creative',
    env: 'ROUTING_RULE_CREATIVE',
    default: undefined,
    about: 'Model for poems, stories and the like.',
    without: 'ROUTING_RULE_DEFAULT; if that is unset too, the thinking server goes before the fast one',
  }),
  singleToolCall: rule({
    key: 'routing.rules.singleToolCall',
    env: 'ROUTING_RULE_SINGLE_TOOL',
    default: undefined,
    about: 'Model for everyday requests in tools mode.',
    without: 'ROUTING_RULE_DEFAULT; if that is unset too, the fast server goes before the thinking one',
  }),
  ragQuery: rule({
    key: 'routing.rules.ragQuery',
    env: 'ROUTING_RULE_RAG_QUERY',
    default: undefined,
    about: 'Model for questions about your documents in tools mode.',
    without: 'ROUTING_RULE_DEFAULT; if that is unset too, the fast server goes before the thinking one',
  }),
  factExtraction: rule({
    key: 'routing.rules.factExtraction',
    env: 'ROUTING_RULE_FACT_EXTRACTION',
    default: undefined,
    about: 'Model for summaries of long conversations and llmJson in scripts.',
    without: 'ROUTING_RULE_DEFAULT; if that is unset too, the fast server goes before the thinking one',
  }),
  default: rule({
    key: 'routing.rules.default',
    env: 'ROUTING_RULE_DEFAULT',
    default: undefined,
    about: 'Model for scheduled jobs and every task that has no rule.',
    without: 'the fast server goes before the thinking one',
  }),
};
