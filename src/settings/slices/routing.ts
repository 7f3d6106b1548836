import { flag, rule } from '../setting.ts';

/** Which task gets which model; part of the slice `models`. */
export const routing = {
  routingEnabled: flag({
    key: 'routing.enabled',
    env: 'ROUTING_ENABLED',
    aliases: ['MODEL_ROUTING_ENABLED'],
    default: true,
    about:
      'Choose a model by task: the strategy and the rules. Models that you, a project or a mode name are used anyway.',
    without: 'the router chooses',
  }),
  ruleCodeAgent: rule({
    key: 'routing.rules.codeAgent',
    env: 'ROUTING_RULE_CODE_AGENT',
    default: undefined,
    about: 'Model for code mode.',
    without: 'ROUTING_RULE_DEFAULT; without that too, the thinking server is asked before the other one',
  }),
  ruleMultiTool: rule({
    key: 'routing.rules.multiToolCall',
    env: 'ROUTING_RULE_MULTI_TOOL',
    default: undefined,
    about: 'Model for requests in tools mode that name several steps.',
    without: 'ROUTING_RULE_DEFAULT; without that too, the thinking server is asked before the other one',
  }),
  rulePlanning: rule({
    key: 'routing.rules.planning',
    env: 'ROUTING_RULE_PLANNING',
    default: undefined,
    about: 'Model for plans, comparisons and other hard questions.',
    without: 'ROUTING_RULE_DEFAULT; without that too, the thinking server is asked before the other one',
  }),
  ruleCreative: rule({
    key: 'routing.rules.creative',
    env: 'ROUTING_RULE_CREATIVE',
    default: undefined,
    about: 'Model for poems, stories and the like.',
    without: 'ROUTING_RULE_DEFAULT; without that too, the thinking server is asked before the other one',
  }),
  ruleSingleTool: rule({
    key: 'routing.rules.singleToolCall',
    env: 'ROUTING_RULE_SINGLE_TOOL',
    default: undefined,
    about: 'Model for everyday requests in tools mode.',
    without: 'ROUTING_RULE_DEFAULT; without that too, the fast server is asked before the other one',
  }),
  ruleRagQuery: rule({
    key: 'routing.rules.ragQuery',
    env: 'ROUTING_RULE_RAG_QUERY',
    default: undefined,
    about: 'Model for questions to the documents in tools mode.',
    without: 'ROUTING_RULE_DEFAULT; without that too, the fast server is asked before the other one',
  }),
  ruleFactExtraction: rule({
    key: 'routing.rules.factExtraction',
    env: 'ROUTING_RULE_FACT_EXTRACTION',
    default: undefined,
    about: 'Model for summaries of long conversations and llmJson in scripts.',
    without: 'ROUTING_RULE_DEFAULT; without that too, the fast server is asked before the other one',
  }),
  ruleDefault: rule({
    key: 'routing.rules.default',
    env: 'ROUTING_RULE_DEFAULT',
    default: undefined,
    about: 'Model for scheduled jobs, and every task whose own rule is not set.',
    without: 'the fast server is asked before the thinking one',
  }),
};
