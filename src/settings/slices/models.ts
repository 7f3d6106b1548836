import { STRATEGIES } from '../../models/strategies.ts';
import { choice, decimal, flag, integer, secret, text, url } from '../setting.ts';

export const models = {
  openaiApiKey: secret({
    key: 'openai.apiKey',
    env: 'OPENAI_API_KEY',
    default: undefined,
    about: 'Key of OpenAI, or of a server that speaks its protocol.',
    without: 'no OpenAI model; the next provider in line is used, at last the built-in one',
  }),
  openaiBaseUrl: url({
    key: 'openai.baseUrl',
    env: 'OPENAI_BASE_URL',
    default: undefined,
    about: 'Address of an OpenAI-compatible server (Ollama, LM Studio, llama.cpp, MLX, vLLM); enough by itself.',
    without: 'requests go to OpenAI when a key is set',
  }),
  openaiModelName: text({
    key: 'openai.modelName',
    env: 'OPENAI_MODEL_NAME',
    default: undefined,
    about: 'Model to use there.',
    without: 'gpt-4o-mini, or the first model that a local server offers',
  }),
  temperature: decimal({
    key: 'openai.temperature',
    env: 'OPENAI_TEMPERATURE',
    default: undefined,
    min: 0,
    max: 2,
    about: 'Sampling temperature for every task.',
    without: 'each task profile has its own',
  }),
  strategy: choice({
    key: 'routing.strategy',
    env: 'ROUTING_STRATEGY',
    aliases: ['MODEL_ROUTING_STRATEGY'],
    values: STRATEGIES,
    default: 'availability',
    about: 'What the router prefers when several models can do a job.',
    without: 'availability: the configured model first',
  }),
  localEnabled: flag({
    key: 'routing.providers.local.enabled',
    env: 'ROUTING_LOCAL_ENABLED',
    default: true,
    about: 'Look for a model server on loopback ports 11434, 1234 and 8080 when nothing is configured.',
    without: 'they are looked for',
  }),
  timeoutMs: integer({
    key: 'models.timeoutMs',
    env: 'MODEL_TIMEOUT_MS',
    default: 300_000,
    min: 1000,
    max: 3_600_000,
    about: 'Longest model call in ms.',
    without: '300000',
  }),
  idleTimeoutMs: integer({
    key: 'models.idleTimeoutMs',
    env: 'MODEL_IDLE_TIMEOUT_MS',
    default: 60_000,
    min: 500,
    max: 3_600_000,
    about: 'Longest silence of a streaming model in ms.',
    without: '60000',
  }),
};
