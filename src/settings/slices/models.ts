import { type ProviderSettings, STRATEGIES } from '../../models/options.ts';
import { PROVIDERS } from '../../models/providers/list.ts';
import type { SettingText } from '../../models/providers/provider.ts';
import {
  choice,
  decimal,
  flag,
  integer,
  list,
  optionalInteger,
  type Setting,
  secret,
  text,
  url,
  word,
} from '../setting.ts';
import { rules } from './routing.ts';

const HOUR_MS = 3_600_000;

/** What kind of value each setting of a provider has; none has a default but `enabled`. */
const KINDS = {
  apiKey: (about: SettingText) => secret({ ...about, default: undefined }),
  baseUrl: (about: SettingText) => url({ ...about, default: undefined }),
  model: (about: SettingText) => text({ ...about, default: undefined }),
  embeddingModel: (about: SettingText) => text({ ...about, default: undefined }),
  enabled: (about: SettingText) => flag({ ...about, default: true }),
} satisfies Record<keyof ProviderSettings, (about: SettingText) => Setting<unknown>>;

type ProviderTable = { readonly [Field in keyof typeof KINDS]?: ReturnType<(typeof KINDS)[Field]> };

/** The settings of each provider, by provider id; part of the slice `models`. A new provider needs no line here. */
const providers: Readonly<Record<string, ProviderTable>> = Object.fromEntries(
  PROVIDERS.map(({ id, settings }) => [id, settingsOf(settings)]),
);

function settingsOf(texts: (typeof PROVIDERS)[number]['settings']): ProviderTable {
  const entries = Object.entries(texts) as [keyof ProviderSettings, SettingText][];
  return Object.fromEntries(entries.map(([field, about]) => [field, KINDS[field](about)]));
}

export const models = {
  use: text({
    key: 'models.use',
    env: 'MODEL_NAME',
    default: undefined,
    about: 'Model to use before all others, as provider:model (anthropic:claude-sonnet-4-5).',
    without: 'the first configured provider',
  }),
  more: list({
    key: 'models.more',
    env: 'ROUTING_MODELS',
    default: [],
    about: 'More models that the router may choose from, as provider:model.',
    without: 'one model for each configured provider',
  }),
  uncheckedProviders: list({
    key: 'models.uncheckedProviders',
    env: 'MODEL_UNCHECKED_PROVIDERS',
    default: [],
    about: 'Providers whose packages may open their own connections, without any check of where they lead.',
    without: 'a package that does not use fetch (bedrock) is refused',
  }),
  providers,
  localServerUrl: url({
    key: 'routing.providers.local.serverUrl',
    env: 'ROUTING_LOCAL_SERVER_URL',
    aliases: ['LOCAL_MODEL_SERVER_URL'],
    default: undefined,
    about: 'Address of a local OpenAI-compatible server, as one more candidate.',
    without: 'none',
  }),
  tiers: {
    fast: {
      url: url({
        key: 'routing.tiers.fast.serverUrl',
        env: 'ROUTING_FAST_URL',
        default: undefined,
        about: 'Address of a local server for quick jobs.',
        without: 'none',
      }),
      model: text({
        key: 'routing.tiers.fast.model',
        env: 'ROUTING_FAST_MODEL',
        aliases: ['ROUTING_LOCAL_MODEL_FAST', 'LOCAL_MODEL_DEFAULT'],
        default: undefined,
        about: 'Model for quick jobs on the local servers.',
        without: 'the first model that the server offers',
      }),
    },
    thinking: {
      url: url({
        key: 'routing.tiers.thinking.serverUrl',
        env: 'ROUTING_THINKING_URL',
        default: undefined,
        about: 'Address of a local server for hard jobs.',
        without: 'none',
      }),
      model: text({
        key: 'routing.tiers.thinking.model',
        env: 'ROUTING_THINKING_MODEL',
        default: undefined,
        about: 'Model to use there.',
        without: 'the first model that the server offers',
      }),
    },
  },
  localEnabled: flag({
    key: 'routing.providers.local.enabled',
    env: 'ROUTING_LOCAL_ENABLED',
    aliases: ['LOCAL_MODEL_ENABLED'],
    default: true,
    about: 'Look for a model server on loopback ports 11434, 1234 and 8080 when nothing is configured.',
    without: 'Wooster looks for them',
  }),
  localOnly: flag({
    key: 'routing.localOnly',
    env: 'LOCAL_MODEL_ONLY',
    default: false,
    about: 'Never use a model that is not on this machine, in any project.',
    without: 'only projects whose wooster.config.json says so are local only',
  }),
  strategy: choice({
    key: 'routing.strategy',
    env: 'ROUTING_STRATEGY',
    aliases: ['MODEL_ROUTING_STRATEGY'],
    values: STRATEGIES,
    older: { intelligent: 'availability' },
    default: 'availability',
    about: 'What the router prefers when several models can do a job.',
    without: 'availability: the configured order, healthy models first',
  }),
  routingEnabled: flag({
    key: 'routing.enabled',
    env: 'ROUTING_ENABLED',
    aliases: ['MODEL_ROUTING_ENABLED'],
    default: true,
    about:
      'Choose a model by task: the strategy and the rules. Models that you, a project or a mode name are used anyway.',
    without: 'the router chooses',
  }),
  rules,
  temperature: decimal({
    key: 'openai.temperature',
    env: 'OPENAI_TEMPERATURE',
    default: undefined,
    min: 0,
    max: 2,
    about: 'Sampling temperature for every task.',
    without: 'each task profile has its own',
  }),
  maxTokens: optionalInteger({
    key: 'openai.maxTokens',
    env: 'OPENAI_MAX_TOKENS',
    default: undefined,
    min: 16,
    max: 1_000_000,
    about: 'Longest answer in tokens.',
    without: 'what the model allows',
  }),
  codeMaxTokens: integer({
    key: 'codeAgent.maxTokens',
    env: 'CODE_AGENT_MAX_TOKENS',
    default: 4096,
    min: 256,
    max: 1_000_000,
    about: 'Longest reply in code mode, script included, in tokens.',
    without: '4096',
  }),
  codeModel: text({
    key: 'codeAgent.model',
    env: 'CODE_AGENT_MODEL',
    default: undefined,
    about: 'Model for code mode, as provider:model.',
    without: 'the router chooses',
  }),
  toolsModel: text({
    key: 'agent.model',
    env: 'CLASSIC_TOOLS_MODEL',
    default: undefined,
    about: 'Model for tools mode, as provider:model.',
    without: 'the router chooses',
  }),
  limits: {
    totalMs: integer({
      key: 'models.timeoutMs',
      env: 'MODEL_TIMEOUT_MS',
      default: 300_000,
      min: 1000,
      max: HOUR_MS,
      about: 'Longest model call in ms, retries and waits included.',
      without: '300000',
    }),
    firstByteMs: integer({
      key: 'models.firstTokenTimeoutMs',
      env: 'MODEL_FIRST_TOKEN_TIMEOUT_MS',
      default: 120_000,
      min: 100,
      max: HOUR_MS,
      about: 'Longest wait for the first byte of an answer in ms.',
      without: '120000',
    }),
    idleMs: integer({
      key: 'models.idleTimeoutMs',
      env: 'MODEL_IDLE_TIMEOUT_MS',
      default: 60_000,
      min: 100,
      max: HOUR_MS,
      about: 'Longest silence of a streaming model in ms.',
      without: '60000',
    }),
    maxWaitMs: integer({
      key: 'models.maxRetryWaitMs',
      env: 'MODEL_MAX_RETRY_WAIT_MS',
      default: 60_000,
      min: 0,
      max: HOUR_MS,
      about: 'Longest wait in ms that a server may ask for; beyond it, the next model is used.',
      without: '60000',
    }),
  },
  health: {
    intervalMs: integer({
      key: 'routing.healthCheck.interval',
      env: 'ROUTING_HEALTH_INTERVAL',
      default: 30_000,
      min: 100,
      max: HOUR_MS,
      about: 'How long a failed model is skipped before it is tried again, in ms.',
      without: '30000',
    }),
    timeoutMs: integer({
      key: 'routing.healthCheck.timeout',
      env: 'ROUTING_HEALTH_TIMEOUT',
      default: 2000,
      min: 50,
      max: 60_000,
      about: 'Longest wait in ms for a server to list its models.',
      without: '2000',
    }),
  },
  logDecisions: flag({
    key: 'routing.logging.decisions',
    env: 'ROUTING_LOG_DECISIONS',
    default: false,
    about: 'Log every choice of a model and the reasons for it.',
    without: 'only /routing why shows them',
  }),
  budget: {
    turnUsd: decimal({
      key: 'budget.turnUsd',
      env: 'BUDGET_TURN_USD',
      default: undefined,
      min: 0,
      max: 100_000,
      about: 'Spending limit for one turn in USD.',
      without: 'no limit for a turn',
    }),
    dayUsd: decimal({
      key: 'budget.dayUsd',
      env: 'BUDGET_DAY_USD',
      aliases: ['OPENAI_COST_LIMIT_DAILY'],
      default: undefined,
      min: 0,
      max: 100_000,
      about: 'Spending limit for one day in USD.',
      without: 'no limit for a day',
    }),
    monthUsd: decimal({
      key: 'budget.monthUsd',
      env: 'BUDGET_MONTH_USD',
      default: undefined,
      min: 0,
      max: 1_000_000,
      about: 'Spending limit for one month in USD.',
      without: 'no limit for a month',
    }),
    action: choice({
      key: 'budget.action',
      env: 'BUDGET_ACTION',
      values: ['warn', 'cheaper', 'stop'],
      default: 'stop',
      about: 'What happens when a budget is used up: a warning, only free or cheaper models, or no more calls.',
      without: 'calls stop with an error',
    }),
  },
  mlxEmbeddings: {
    enabled: flag({
      key: 'routing.providers.local.embeddings.enabled',
      env: 'MLX_EMBEDDINGS_ENABLED',
      aliases: ['MLX_PROJECT_EMBEDDINGS_ENABLED'],
      default: false,
      about: 'Embed documents with a local OpenAI-compatible server.',
      without: 'documents are embedded by the program itself',
    }),
    url: word({
      key: 'routing.providers.local.embeddings.serverUrl',
      env: 'MLX_EMBEDDINGS_URL',
      default: 'http://127.0.0.1:8084/v1',
      about: 'Address of that server.',
      without: 'http://127.0.0.1:8084/v1',
    }),
    model: word({
      key: 'routing.providers.local.embeddings.projects.model',
      env: 'MLX_EMBEDDINGS_MODEL',
      default: 'Qwen/Qwen3-Embedding-8B',
      about: 'Model of that server.',
      without: 'Qwen/Qwen3-Embedding-8B',
    }),
  },
};
